"""Banks in Poland and Czechia."""

from __future__ import annotations

from datetime import timedelta

from tests.statements.world.truth import Made

from .books import COMMA, PLAIN, SPACED, Style, draw, export, table


def mbank() -> Made:
    book = draw("mbank", "pl", month=1, scale=4, count=13)
    header = (
        "#Data operacji;#Data księgowania;#Opis operacji;#Tytuł;#Nadawca/Odbiorca;#Numer konta;#Kwota;"
        "#Saldo po operacji;"
    )
    lines = [
        "mBank S.A. Bankowość Detaliczna;",
        "Skrytka Pocztowa 2108;",
        "90-959 Łódź 2;",
        "www.mBank.pl;",
        "mLinia: 801 300 800;",
        "",
        "#Klient;",
        "ALEKS MORGAN;",
        "",
        "Lista operacji;",
        "",
        "#Za okres:;",
        "01.01.2025;31.01.2025;",
        "",
        "#zgodnie z wybranymi filtrami wyszukiwania;",
        "#dla rachunków:;",
        "eKonto - 41114020040000300204123456;",
        "",
        "#Lista nie jest dokumentem w rozumieniu art. 7 Ustawy Prawo Bankowe;",
        "",
        "#Waluta;#Wpływy;#Wydatki;",
        f"PLN;{SPACED.signed(book.received)};{SPACED.signed(book.paid)};",
        "",
        "#Saldo początkowe;",
        f"{SPACED.signed(book.opening)} PLN;",
        "",
        header,
    ]
    for row in book.rows:
        kind = "PRZELEW ZEWNĘTRZNY PRZYCHODZĄCY" if row.amount > 0 else "ZAKUP PRZY UŻYCIU KARTY"
        money = f"{SPACED.signed(row.amount)};{SPACED.signed(row.balance)}"
        lines.append(f'{row.day};{row.day};{kind};"{row.text}";"{row.text}";\'\';{money};')
    lines += ["", f";;;;;;#Saldo końcowe;{SPACED.signed(book.closing)} PLN;", ""]
    label = "mBank, Poland: a long preamble with sums, windows-1250, both balances"
    text = "\r\n".join(lines)
    return export(
        "eKonto_41123456_250101_250131.csv", text, book.rows, "PLN", label, encoding="cp1250", both=True
    )


def pko() -> Made:
    book = draw("pko", "pl", month=2, scale=4, count=12)
    style = Style(plus="+")
    lines = [
        [
            "Data operacji",
            "Data waluty",
            "Typ transakcji",
            "Kwota",
            "Waluta",
            "Saldo po transakcji",
            "Opis transakcji",
            "",
            "",
            "",
            "",
        ]
    ]
    for row in book.newest:
        kind = "Przelew na konto" if row.amount > 0 else "Płatność kartą"
        lines.append(
            [
                f"{row.day}",
                f"{row.day}",
                kind,
                style.signed(row.amount),
                "PLN",
                style.signed(row.balance),
                f"Tytuł: {row.text}",
                "Lokalizacja: Kraj: POLSKA",
                f"Data wykonania: {book.before(row.day)}",
                f"Oryginalna kwota: {PLAIN.size(row.amount)} PLN",
                "",
            ]
        )
    label = "PKO BP, Poland: plus signs, description in unnamed columns, windows-1250"
    text = table(lines, quote="all", end="\n")
    return export(
        "history_csv_20250301_091204.csv", text, book.newest, "PLN", label, encoding="cp1250", both=True
    )


def ing_pl() -> Made:
    """Amounts stand in three columns; what is only blocked stands in the second and is not booked."""
    book = draw("ing pl", "pl", month=3, scale=4, count=12)
    header = (
        '"Data transakcji";"Data księgowania";"Dane kontrahenta";"Tytuł";"Nr rachunku";"Nazwa banku";"Szczegóły";'
        '"Nr transakcji";"Kwota transakcji (waluta rachunku)";"Waluta";"Kwota blokady/zwolnienie blokady";"Waluta";'
        '"Kwota płatności w walucie";"Waluta";"Konto";"Saldo po transakcji";"Waluta";;;;'
    )
    lines = [
        '"Lista transakcji";;;;"ING Bank Śląski S.A. ul. Sokolska 34, 40-086 Katowice www.ing.pl";',
        '"Dokument nr 0412345678_010425";',
        '"Wygenerowany dnia 01.04.2025, 09:12";',
        "",
        '"Dane Użytkownika:";"Wybrane rachunki:";',
        '"MORGAN ALEKS";"Konto Direct (PLN)";;"41105000031000002306412345";',
        "",
        '"Zastosowane kryteria wyboru";',
        '"Zakres dat";"01.03.2025 - 31.03.2025";',
        "",
        header,
    ]
    for place, row in enumerate(book.newest):
        day = f"{row.day}"
        if place in (0, 1):
            lines.append(
                f'{day};;" UBER TRIP ";" Płatność kartą ";\'\';;"BLOKADA";\'\';;;-{38 + place},40;PLN;;;"Konto Direct";;;;;;'
            )
        lines.append(
            f'{day};{day};" {row.text} ";" {row.text} ";\'\';"";"";\'{book.digits(18)}\';{COMMA.signed(row.amount)};PLN;'
            f';;;;"Konto Direct";{COMMA.signed(row.balance)};PLN;;;;'
        )
    lines += ["", '"Dokument ma charakter informacyjny, nie stanowi dowodu księgowego";', ""]
    label = "ING Bank Śląski, Poland: blocked amounts in a column of their own (trap), windows-1250"
    text = "\n".join(lines)
    return export(
        "Lista_transakcji_nr_0412345678_010425.csv",
        text,
        book.newest,
        "PLN",
        label,
        encoding="cp1250",
        both=True,
    )


def santander_pl() -> Made:
    book = draw("santander pl", "pl", month=4, scale=4, count=12)
    first = [
        f"{book.last + timedelta(days=1):%d-%m-%Y}",
        f"{book.first:%d-%m-%Y}",
        "'41 1090 1694 0000 0001 0412 3456",
    ]
    first += ["ALEKS MORGAN UL. DŁUGA 4", "PLN", COMMA.signed(book.opening), COMMA.signed(book.closing)]
    lines = [[*first, str(len(book.rows)), ""]]
    for place, row in enumerate(reversed(book.rows)):
        day = f"{row.day:%d-%m-%Y}"
        number = str(len(book.rows) - place)
        lines.append(
            [day, day, row.text, "", "", COMMA.signed(row.amount), COMMA.signed(row.balance), number, ""]
        )
    label = "Santander Bank Polska, Poland: no header, a first line of account and both balances"
    text = table(lines, end="\n")
    return export("historia_2025-05-01_41109016.csv", text, book.newest, "PLN", label, both=True)


def fio() -> Made:
    book = draw("fio", "cz", month=5, scale=25, count=12)
    header = (
        "ID operace;Datum;Objem;Měna;Protiúčet;Název protiúčtu;Kód banky;Název banky;KS;VS;SS;Uživatelská identifikace;"
        "Zpráva pro příjemce;Typ;Provedl;Upřesnění;Komentář;BIC;ID pokynu"
    )
    lines = [
        "accountId;2600412345",
        "bankId;2010",
        "currency;CZK",
        "iban;CZ5520100000002600412345",
        "bic;FIOBCZPPXXX",
        f"openingBalance;{COMMA.signed(book.opening)}",
        f"closingBalance;{COMMA.signed(book.closing)}",
        "dateStart;01.05.2025",
        "dateEnd;31.05.2025",
        "idFrom;26041234501",
        "idTo;26041234512",
        "",
        header,
    ]
    for row in book.rows:
        kind = "Příjem převodem uvnitř banky" if row.amount > 0 else "Platba kartou"
        lines.append(
            f'{book.digits(11)};{row.day:%d.%m.%Y};{COMMA.signed(row.amount)};CZK;;"{row.text}";;;;0412;;"{row.text}";'
            f'"";"{kind}";"Morgan, Alex";;"";;{book.digits(11)}'
        )
    label = "Fio banka, Czechia: machine's preamble with both balances, a byte order mark"
    text = "\r\n".join(lines) + "\r\n"
    name = "Vypis_z_uctu-2600412345_20250501-20250531_cislo-5.csv"
    return export(name, text, book.rows, "CZK", label, encoding="utf-8-sig", both=True)


def komercni() -> Made:
    book = draw("kb", "cz", month=6, scale=25, count=12)
    header = (
        "Datum splatnosti;Datum odepsání z jiné banky;Protiúčet a kód banky;Název protiúčtu;Částka;"
        "Originální částka;Originální měna;Kurz;VS;KS;SS;Identifikace transakce;Systémový popis;Popis příkazce;"
        "Popis pro příjemce;AV pole 1"
    )
    lines: list[list[str]] = [
        ["MojeBanka, export transakční historie", ""],
        ["Datum vytvoření souboru", "01.07.2025"],
        [],
        ["Číslo  účtu", "000060-0412345678/0100"],
        ["IBAN", "CZ4101000000600412345678"],
        ["Název účtu", "MORGAN ALEX"],
        ["Měna účtu", "CZK"],
        ["Výpis za období", "01.06.2025 - 30.06.2025"],
        ["Číslo výpisu", "6"],
        ["Počáteční zůstatek", COMMA.signed(book.opening)],
        ["Konečný zůstatek", COMMA.signed(book.closing)],
        ["Počet položek", str(len(book.rows))],
        [],
        header.split(";"),
    ]
    for place, row in enumerate(book.rows):
        original = ["", "", ""]
        if row.amount < 0 and place % 4 == 1:
            euros = (row.amount / 25).quantize(row.amount)
            original = [COMMA.signed(euros), "EUR", "25,000"]
        day = f"{row.day:%d.%m.%Y}"
        lines.append(
            [
                day,
                "",
                "412-3456789/0800",
                row.text,
                COMMA.signed(row.amount),
                *original,
                "0412",
                "",
                "",
                f"{book.digits(3)}-{book.digits(8)} 1602 001 001",
                "Platba kartou",
                row.text,
                "",
                "",
            ]
        )
    label = "Komerční banka, Czechia: euros beside crowns in some rows (trap), windows-1250, both balances"
    text = table(lines, sep=";", quote="all")
    return export(
        "KB_vypis_0412345678_202506.csv", text, book.rows, "CZK", label, encoding="cp1250", both=True
    )


def files() -> list[Made]:
    return [
        mbank(),
        pko(),
        ing_pl(),
        santander_pl(),
        fio(),
        komercni(),
    ]
