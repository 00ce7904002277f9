"""Banks and cards in Estonia, Lithuania, Greece, Turkey, Russia, Ukraine and Israel."""

from __future__ import annotations

from tests.statements.world.truth import Made

from .books import COMMA, ENGLISH, GERMAN, PLAIN, Style, draw, export, table


def swedbank() -> Made:
    """Rows of kind 20 are transactions; 10 and 86 are balances, 82 the turnover, each with a day."""
    book = draw("swedbank ee", "et", month=1, count=12)
    header = (
        "Kliendi konto;Reatüüp;Kuupäev;Saaja/Maksja;Selgitus;Summa;Valuuta;Deebet/Kreedit;Arhiveerimistunnus;"
        "Makse tüüp;Viitenumber;Dokumendi number;"
    )
    account = "EE382200221020412345"

    def line(kind: str, day: str, who: str, text: str, money: str, way: str, code: str) -> list[str]:
        return [account, kind, day, who, text, money, "EUR", way, "", code, "", "", ""]

    first, last = f"{book.first:%d.%m.%Y}", f"{book.last:%d.%m.%Y}"
    lines = [header.split(";"), line("10", first, "", "Algsaldo", COMMA.size(book.opening), "K", "AS")]
    for row in book.rows:
        way = "K" if row.amount > 0 else "D"
        lines.append(
            line("20", f"{row.day:%d.%m.%Y}", row.text, f"'0412 {row.text}", COMMA.size(row.amount), way, "K")
        )
    for way, sum_ in (("D", book.paid), ("K", book.received)):
        lines.append(line("82", last, "", "Käive", COMMA.size(sum_), way, "K2"))
    lines.append(line("86", last, "", "Lõppsaldo", COMMA.size(book.closing), "K", "LS"))
    label = "Swedbank, Estonia: balances and turnover as rows with a day, D and K (trap)"
    text = table(lines, sep=";", quote="all", end="\n")
    return export("statement_2025.csv", text, book.rows, "EUR", label, encoding="utf-8-sig", both=True)


def seb_lt() -> Made:
    """The sum is in the currency of the payment; what the account moves by stands further right."""
    book = draw("seb lt", "lt", month=2, count=12)
    header = (
        "DOK NR.;DATA;VALIUTA;SUMA;MOKĖTOJO ARBA GAVĖJO PAVADINIMAS;MOKĖTOJO ARBA GAVĖJO IDENTIFIKACINIS KODAS;"
        "SĄSKAITA;KREDITO ĮSTAIGOS PAVADINIMAS;KREDITO ĮSTAIGOS SWIFT KODAS;MOKĖJIMO PASKIRTIS;TRANSAKCIJOS KODAS;"
        "DOKUMENTO DATA;TRANSAKCIJOS TIPAS;NUORODA;DEBETAS/KREDITAS;SUMA SĄSKAITOS VALIUTA;SĄSKAITOS NR;"
        "SĄSKAITOS VALIUTA;"
    )
    lines = [
        ["SĄSKAITOS  (LT417044060007412345) IŠRAŠAS (UŽ LAIKOTARPĮ: 2025-02-01-2025-02-28)", ""],
        header.split(";"),
    ]
    for place, row in enumerate(book.newest):
        foreign = row.amount < 0 and place % 3 == 1
        original = ["PLN", COMMA.size(row.amount * 4)] if foreign else ["EUR", COMMA.size(row.amount)]
        way = "C" if row.amount > 0 else "D"
        lines.append(
            [
                book.digits(6),
                f"{row.day}",
                *original,
                row.text,
                "",
                "",
                "",
                "CBVILT2X",
                row.text,
                f"RO{book.digits(10)}L01",
                f"{book.before(row.day)}",
                "TRANSAKCIJA",
                "",
                way,
                COMMA.size(row.amount),
                "LT417044060007412345",
                "EUR",
                "",
            ]
        )
    label = (
        "SEB, Lithuania: the payment's sum in zloty before the account's in euro, D and C, two dates (trap)"
    )
    text = table(lines, sep=";", quote="all", end="\n")
    return export("israsas (2).csv", text, book.newest, "EUR", label)


def alpha_bank() -> Made:
    book = draw("alpha bank", "gr", month=3, count=12)
    lines: list[list[str]] = [
        ["Κινήσεις Λογαριασμού", *[""] * 7],
        ["Λογαριασμός:", "GR16 0140 1250 1250 0200 0412 345", *[""] * 6],
        ["Νόμισμα:", "EUR", *[""] * 6],
        [],
        [
            "Α/Α",
            "Ημ/νία",
            "Αιτιολογία",
            "Κατάστημα",
            "Τοκισμός από",
            "Αρ. συναλλαγής",
            "Ποσό",
            "Πρόσημο ποσού",
        ],
    ]
    for place, row in enumerate(book.newest, 1):
        way = "Π" if row.amount > 0 else "Χ"  # πίστωση, χρέωση
        days = [f"{row.day.day}/{row.day.month}/{row.day.year}" for _ in range(2)]
        lines.append(
            [str(place), days[0], row.text, "125", days[1], book.digits(15), GERMAN.size(row.amount), way]
        )
    label = "Alpha Bank, Greece: Π and Χ for credit and debit, windows-1253"
    text = table(lines, sep=";")
    return export("Κινήσεις.csv", text, book.newest, "EUR", label, encoding="cp1253")


def piraeus() -> Made:
    book = draw("piraeus", "gr", month=4, count=12)
    lines = [["Ημερομηνία Συναλλαγής", "Valeur", "Περιγραφή", "Χρέωση", "Πίστωση", "Υπόλοιπο"]]
    for row in book.newest:
        day = f"{row.day:%d/%m/%Y}"
        balance = f"{GERMAN.signed(row.balance)} €"
        lines.append([day, day, row.text, GERMAN.out(row.amount), GERMAN.came(row.amount), balance])
    label = "Piraeus Bank, Greece: Greek headers, euro sign after the balance"
    text = table(lines, sep=";", quote="all", end="\n")
    return export(
        "account_statement_042025.csv", text, book.newest, "EUR", label, encoding="utf-8-sig", both=True
    )


def garanti() -> Made:
    book = draw("garanti", "tr", month=5, scale=35, count=12)
    lines: list[list[str]] = [
        ["Hesap Hareketleri"],
        ["Müşteri Adı:", "ALEKS MORGAN"],
        ["Hesap Türü / No:", "TL Vadesiz - 412 / 6041234"],
        ["Tarih Aralığı:", "01.05.2025 - 31.05.2025"],
        ["Kullanılabilir Bakiye:", f"{GERMAN.signed(book.closing)} TL"],
        [],
        ["Tarih", "Açıklama", "Etiket", "Tutar", "Bakiye", "Dekont No"],
    ]
    for row in book.newest:
        money = [f"{GERMAN.signed(row.amount)} TL", f"{GERMAN.signed(row.balance)} TL"]
        lines.append([f"{row.day:%d.%m.%Y}", row.text, "Diğer", *money, book.digits(11)])
    label = "Garanti BBVA, Turkey: TL after the numbers, windows-1254"
    text = table(lines, sep=";")
    return export("HesapHareketleri.csv", text, book.newest, "TRY", label, encoding="cp1254", both=True)


def is_bankasi() -> Made:
    """A card; instalments stand within the text, what is billed now in the amount."""
    months = [
        "Ocak",
        "Şubat",
        "Mart",
        "Nisan",
        "Mayıs",
        "Haziran",
        "Temmuz",
        "Ağustos",
        "Eylül",
        "Ekim",
        "Kasım",
        "Aralık",
    ]
    book = draw("maximum", "tr", month=6, scale=35, is_card=True, count=12)
    book = book.told(lambda row: "ÖDEMENİZ İÇİN TEŞEKKÜRLER" if row.amount > 0 else row.text)
    lines = [["İşlem Tarihi", "Açıklama", "Tutar (TL)", "MaxiPuan"]]
    for row in book.newest:
        day = f"{row.day.day} {months[row.day.month - 1]} {row.day.year}"
        money = GERMAN.size(row.amount) + ("+" if row.amount > 0 else "")  # a plus behind what comes in
        lines.append([day, row.text, money, GERMAN.size(row.amount / 1000)])
    label = (
        "İş Bankası Maximum card, Turkey: purchases without sign, payments with a plus behind, Turkish months"
    )
    text = table(lines, sep=";", end="\n")
    return export("Kart Hareketleri.csv", text, book.newest, "TRY", label, encoding="utf-8-sig")


def tinkoff() -> Made:
    book = draw("tinkoff", "ru", month=7, scale=40, count=12)
    header = (
        "Дата операции;Дата платежа;Номер карты;Статус;Сумма операции;Валюта операции;Сумма платежа;Валюта платежа;"
        "Кэшбэк;Категория;MCC;Описание;Бонусы (включая кэшбэк);Округление на инвесткопилку;"
        "Сумма операции с округлением"
    )
    lines = [header.split(";")]
    for place, row in enumerate(book.newest):
        stamp = f"{row.day:%d.%m.%Y} {book.clock(row)}"
        if place == 3:
            refused = ["-14990,00", "RUB", "-14990,00", "RUB"]
            lines.append(
                [
                    stamp,
                    "",
                    "*0412",
                    "FAILED",
                    *refused,
                    "",
                    "Электроника",
                    "5732",
                    "DNS",
                    "0,00",
                    "0,00",
                    "14990,00",
                ]
            )
        foreign = row.amount < 0 and place % 4 == 1
        original = [COMMA.signed(row.amount / 90), "USD"] if foreign else [COMMA.signed(row.amount), "RUB"]
        lines.append(
            [
                stamp,
                f"{row.day:%d.%m.%Y}",
                "*0412",
                "OK",
                *original,
                COMMA.signed(row.amount),
                "RUB",
                "",
                "Супермаркеты",
                "5411",
                row.text,
                "0,00",
                "0,00",
                original[0].lstrip("-"),
            ]
        )
    label = "T-Bank, Russia: amounts of operation and of payment, a failed row (trap), windows-1251"
    text = table(lines, sep=";", quote="all", end="\n")
    name = "operations Tue Jul 01 09_12_04 MSK 2025-Thu Jul 31 09_12_04 MSK 2025.csv"
    return export(name, text, book.newest, "RUB", label, encoding="cp1251")


def monobank() -> Made:
    book = draw("monobank", "ua", month=8, scale=25, count=12)
    header = (
        '"Дата i час операції","Деталі операції",MCC,"Сума в валюті картки (UAH)","Сума в валюті операції",Валюта,'
        '"Курс","Сума комісій (UAH)","Сума кешбеку (UAH)","Залишок після операції"'
    )
    lines = [header]
    for place, row in enumerate(book.newest):
        foreign = row.amount < 0 and place % 4 == 2
        original = f"{PLAIN.signed(row.amount / 40)},USD,40.0" if foreign else f"{row.amount},UAH,—"
        stamp = f"{row.day:%d.%m.%Y} {book.clock(row)}"
        lines.append(f'"{stamp}","{row.text}",5411,{row.amount},{original},—,—,{row.balance}')
    label = "monobank, Ukraine: the card's amount before the operation's, dashes for nothing (trap)"
    text = "\n".join(lines) + "\n"
    return export("report_31-08-2025_09-12-04.csv", text, book.newest, "UAH", label, both=True)


def hapoalim() -> Made:
    book = draw("hapoalim", "he", month=9, scale=4, count=12)
    lines = [["תאריך", "הפעולה", "פרטים", "אסמכתא", "חובה", "זכות", 'יתרה בש"ח', "תאריך ערך"]]
    for row in book.rows:
        day = f"{row.day:%d/%m/%Y}"
        money = [PLAIN.out(row.amount), PLAIN.came(row.amount), PLAIN.signed(row.balance)]
        lines.append([day, row.text, "", book.digits(6), *money, day])
    label = "Bank Hapoalim, Israel: Hebrew headers with a quote within, debit and credit"
    text = table(lines, end="\n")
    return export("excelNewTransactions.csv", text, book.rows, "ILS", label, encoding="utf-8-sig", both=True)


def isracard() -> Made:
    book = draw("isracard", "he", month=10, scale=4, is_card=True, count=12)
    english = Style(group=",")
    lines: list[list[str]] = [
        ["פירוט עסקאות"],
        ["מסטרקארד - 0412", "מועד חיוב", "15/11/2025"],
        [],
        [
            "תאריך רכישה",
            "שם בית עסק",
            "סכום עסקה",
            "מטבע עסקה",
            "סכום חיוב",
            "מטבע חיוב",
            "מס' שובר",
            "פירוט נוסף",
        ],
    ]
    for place, row in enumerate(book.rows):
        foreign = row.amount < 0 and place % 4 == 2
        original = [english.signed(-row.amount / 4), "$"] if foreign else [english.signed(-row.amount), "₪"]
        lines.append(
            [f"{row.day:%d.%m.%y}", row.text, *original, english.signed(-row.amount), "₪", book.digits(9), ""]
        )
    total = -(book.paid + book.received)
    lines.append(["", 'סה"כ לחיוב החודש בש"ח', "", "", ENGLISH.signed(total), "₪", "", ""])
    label = "Isracard, Israel: the shop's amount before the billed one, purchases positive, a total (trap)"
    text = table(lines)
    return export("Export_11_2025.csv", text, book.rows, "ILS", label, encoding="utf-8-sig")


def files() -> list[Made]:
    return [
        swedbank(),
        seb_lt(),
        alpha_bank(),
        piraeus(),
        garanti(),
        is_bankasi(),
        tinkoff(),
        monobank(),
        hapoalim(),
        isracard(),
    ]
