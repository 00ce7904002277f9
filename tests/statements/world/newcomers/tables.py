# ruff: noqa: E501 lines stay as wide as the file they write
"""Tables as banks, apps and bookkeeping programs export them that no other folder has."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from decimal import Decimal

from ..institutions.ledgers import Ledger, comma, de, file_of, fr, into, lines, out, plain, swiss, us
from ..truth import Made, Row
from .books import (
    CARD,
    DUTCH,
    FRENCH,
    GERMAN,
    MALAY,
    NORDIC,
    SPANISH,
    Words,
    behind,
    book,
    card,
    in_brackets,
    whole,
)

HEBREW = Words(
    ("סופר שופרסל", "חשמל חברת", "שכר דירה", "משיכה כספומט", "פלאפון", "בית מרקחת"),
    ("משכורת", "זיכוי", "העברה מחיסכון"),
)
GREEK = Words(
    ("ΑΓΟΡΑ ΣΚΛΑΒΕΝΙΤΗΣ", "ΔΕΗ ΛΟΓΑΡΙΑΣΜΟΣ", "ΕΝΟΙΚΙΟ", "ΑΝΑΛΗΨΗ ΑΤΜ", "COSMOTE"),
    ("ΜΙΣΘΟΔΟΣΙΑ", "ΚΑΤΑΘΕΣΗ", "ΤΟΚΟΙ"),
)
RUSSIAN = Words(
    ("Оплата товаров Магнит", "Перевод аренда", "Снятие наличных", "Мобильная связь", "Аптека"),
    ("Зарплата ООО Ромашка", "Возврат покупки", "Проценты на остаток"),
)
JAPANESE = Words(
    ("カード セブンイレブン", "家賃 振込", "電気料", "ATM 引出", "携帯料金"),
    ("給与 カブシキ", "利息", "振込 タナカ"),
)


def table(
    label: str, content: str | bytes, held: Ledger, currency: str, proves: bool, name: str = "export.csv"
) -> Made:
    return file_of(f"table {label}", name, content, held, currency, proves)


def american(seed: int) -> Iterator[Made]:
    held = book("regions csv", seed)
    yield table(
        "headerless with a balance, newest first",
        lines(reversed(held.rows), lambda r: f'"{r.day:%m/%d/%Y}","{plain(r.amount)}","*","","{r.text}","{plain(r.balance)}"'),
        held, "USD", False, "Checking1.csv",
    )  # fmt: skip
    held = book("huntington", seed)
    yield table(
        "huntington debit and credit with dollars",
        "Huntington National Bank\nAccount,XXXXXX9921\nCurrency,USD\nDate range,03/04/2024 - 04/02/2024\n\n"
        "Posted Date,Reference Number,Payee Name,Debit Amount,Credit Amount,Running Balance\n"
        + lines(held.rows, lambda r: f'{r.day:%m/%d/%Y},240304{r.day:%d},"{r.text}",{f"${plain(-r.amount)}" if r.amount < 0 else ""},{f"${plain(r.amount)}" if r.amount > 0 else ""},"${us(r.balance)}"'),
        held, "USD", False,
    )  # fmt: skip
    held = card("store card csv", seed)
    yield table(
        "card with positive purchases and a column of kinds",
        "Transaction Date,Posting Date,Reference Number,Amount,Transaction Type,Description\n"
        + lines(held.rows, lambda r: f'{r.day:%m/%d/%Y},{r.day:%m/%d/%Y},85{r.day:%m%d}004,{plain(-r.amount)},{"Purchase" if r.amount < 0 else "Payment"},"{r.text}"')
        + f",,,{plain(-sum((r.amount for r in held.rows), Decimal(0)))},,Total\n",
        held, "USD", False, "synchrony_transactions.csv",
    )  # fmt: skip
    held = book("two signs", seed)
    yield table(
        "signs in a column of plus and minus",
        "Date,Description,Sign,Amount (USD),Balance (USD)\n"
        + lines(held.rows, lambda r: f"{r.day:%Y-%m-%d},{r.text},{'-' if r.amount < 0 else '+'},{plain(abs(r.amount))},{plain(r.balance)}"),
        held, "USD", False,
    )  # fmt: skip
    held = book("brackets", seed, count=12)
    yield table(
        "brackets, dollar signs and an opening row",
        f'Account Activity,Lakeshore Credit Union,,\nDate,Description,Amount,Balance\n03/03/2024,Opening Balance,,"${us(held.opening)}"\n'
        + lines(held.rows, lambda r: f'{r.day:%m/%d/%Y},{r.text},"{"($" + us(-r.amount) + ")" if r.amount < 0 else "$" + us(r.amount)}","${us(r.balance)}"')
        + f'04/02/2024,Closing Balance,,"${us(held.closing)}"\n',
        held, "USD", True,
    )  # fmt: skip
    held = book("fees", seed)
    yield table(
        "payments app with fees of nothing and net",
        "Date,Time,Time Zone,Name,Type,Status,Currency,Gross,Fee,Net,Balance\n"
        + lines(held.rows, lambda r: f'{r.day:%m/%d/%Y},10:14:22,PST,"{r.text}",Payment,Completed,USD,"{us(r.amount)}",0.00,"{us(r.amount)}","{us(r.balance)}"')
        + f'04/03/2024,09:00:00,PST,"HOLD",Payment,Pending,USD,-12.00,0.00,-12.00,"{us(held.closing)}"\n',
        held, "USD", False, "Download.CSV",
    )  # fmt: skip


def european(seed: int) -> Iterator[Made]:
    held = book("erste csv", seed, GERMAN)
    yield table(
        "austria in utf-16 with tabs",
        (
            "Buchungsdatum\tPartnername\tPartner IBAN\tBetrag\tWährung\tBuchungs-Details\n"
            + lines(held.rows, lambda r: f"{r.day:%d.%m.%Y}\t{r.text}\tAT611904300234573201\t{de(r.amount)}\tEUR\tZahlungsreferenz")
        ).encode("utf-16"),
        held, "EUR", False, "umsaetze.csv",
    )  # fmt: skip
    held = book("bawag", seed, GERMAN)
    yield table(
        "bawag headerless with semicolons and plus",
        lines(held.rows, lambda r: f"AT126000000001234567;{r.text};{r.day:%d.%m.%Y};{r.day:%d.%m.%Y};{'+' if r.amount > 0 else ''}{de(r.amount)};EUR").encode("cp1252"),
        held, "EUR", False, "BAWAG_20240403.csv",
    )  # fmt: skip
    held = book("kbc csv", seed, DUTCH)
    yield table(
        "kbc with every column",
        "Rekeningnummer;Rubrieknaam;Naam;Munt;Afschriftnummer;Datum;Omschrijving;Valuta;Bedrag;Saldo;credit;debet;rekeningnummer tegenpartij;BIC tegenpartij\n"
        + lines(held.rows, lambda r: f"BE71735001234569;;DE SMET;EUR; 0{r.day:%d%m};{r.day:%d/%m/%Y};{r.text};{r.day:%d/%m/%Y};{comma(r.amount)};{comma(r.balance)};{into(r, comma)};{comma(r.amount) if r.amount < 0 else ''};;"),
        held, "EUR", False,
    )  # fmt: skip
    held = book("belfius", seed, DUTCH)
    yield table(
        "belfius with a preamble of searches",
        f"Boekingsdatum vanaf;04/03/2024\nBoekingsdatum tot en met;02/04/2024\nBedrag vanaf;\nBedrag tot en met;\nLaatste saldo;{de(held.closing)} EUR\nDatum/uur van het laatste saldo;02/04/2024 18:02:11\n;\n\n"
        "Rekening;Boekingsdatum;Rekeninguittrekselnummer;Transactienummer;Rekening tegenpartij;Naam tegenpartij bevat;Transactie;Valutadatum;Bedrag;Devies;BIC;Landcode;Mededelingen\n"
        + lines(reversed(held.rows), lambda r: f"BE68 0639 9999 8834;{r.day:%d/%m/%Y};;;;{r.text};KAARTBETALING;{r.day:%d/%m/%Y};{comma(r.amount)};EUR;;;REF"),
        held, "EUR", False,
    )  # fmt: skip
    held = book("fineco", seed, SPANISH)
    yield table(
        "fineco entrate and uscite",
        f"Conto Corrente: 0012345\nIntestazione: ROSSI MARIO\nPeriodo Dal: 04/03/2024 Al: 02/04/2024\nSaldo Iniziale: {de(held.opening)}\nSaldo Finale: {de(held.closing)}\n\n"
        "Data_Operazione;Data_Valuta;Entrate;Uscite;Descrizione;Descrizione_Completa;Stato\n"
        + lines(held.rows, lambda r: f"{r.day:%d/%m/%Y};{r.day:%d/%m/%Y};{into(r, de)};{de(r.amount) if r.amount < 0 else ''};{r.text};{r.text} CARTA 4412;Contabilizzato"),
        held, "EUR", True, "movements.csv",
    )  # fmt: skip
    held = book("boursorama", seed, FRENCH)
    yield table(
        "boursobank with its comma in quotes",
        "dateOp;dateVal;label;category;categoryParent;supplierFound;amount;comment;accountNum;accountLabel;accountbalance\n"
        + lines(held.rows, lambda r: f'{r.day};{r.day};"{r.text}";"Vie quotidienne";"Vie quotidienne";"x";"{fr(r.amount)}";;00040123456;BoursoBank;{plain(held.closing)}'),
        held, "EUR", False, "export-operations.csv",
    )  # fmt: skip
    held = book("alpha", seed, GREEK)
    yield table(
        "greek with a column of Χ and Π",
        "Α/Α;Ημ/νία;Αιτιολογία;Κατάστημα;Τοκισμός από;Αρ. συναλλαγής;Ποσό;Πρόσημο ποσού\n"
        + lines(enumerate_rows(held), lambda r: f"{r.text.split('|')[0]};{r.day:%d/%m/%Y};{r.text.split('|')[1]};099;{r.day:%d/%m/%Y};77{r.day:%d%m};{comma(abs(r.amount))};{'Χ' if r.amount < 0 else 'Π'}"),
        held, "EUR", False,
    )  # fmt: skip
    held = book("swed", seed, NORDIC)
    yield table(
        "estonian with D and K and rows of totals",
        '"Kliendi konto";"Reatüüp";"Kuupäev";"Saaja/Maksja";"Selgitus";"Summa";"Valuuta";"Deebet/Kreedit";"Arhiveerimistunnus";"Makse tüüp"\n'
        f'"EE382200221020145685";"10";"04.03.2024";"";"Algsaldo";"{comma(held.opening)}";"EUR";"K";"";"AS"\n'
        + lines(held.rows, lambda r: f'"EE382200221020145685";"20";"{r.day:%d.%m.%Y}";"{r.text}";"{r.text}";"{comma(abs(r.amount))}";"EUR";"{"D" if r.amount < 0 else "K"}";"20240{r.day:%m%d}";"MK"')
        + f'"EE382200221020145685";"82";"02.04.2024";"";"Käive";"{comma(held.paid_out)}";"EUR";"D";"";"K2"\n'
        f'"EE382200221020145685";"82";"02.04.2024";"";"Käive";"{comma(held.paid_in)}";"EUR";"K";"";"K2"\n'
        f'"EE382200221020145685";"86";"02.04.2024";"";"Lõppsaldo";"{comma(held.closing)}";"EUR";"K";"";"LS"\n',
        held, "EUR", True, "statement.csv",
    )  # fmt: skip
    held = book("otp csv", seed, places=0, scale=400)
    yield table(
        "otp headerless in forints",
        lines(held.rows, lambda r: f'"117730160123456700000000","{"T" if r.amount < 0 else "J"}",{r.amount:.0f},"HUF",{r.day:%Y%m%d},{r.day:%Y%m%d},{r.balance:.0f},"","","{r.text}","","","NAPK",""'),
        held, "HUF", False, "otp.csv",
    )  # fmt: skip
    held = book("sber", seed, RUSSIAN)
    yield table(
        "russian in cp1251",
        (
            "Дата операции;Категория;Описание операции;Сумма в валюте счёта;Валюта счёта;Остаток средств\n"
            + lines(held.rows, lambda r: f"{r.day:%d.%m.%Y};Прочее;{r.text};{'+' if r.amount > 0 else ''}{fr(r.amount)};RUB;{fr(r.balance)}")
        ).encode("cp1251"),
        held, "RUB", False,
    )  # fmt: skip
    held = book("zkb", seed, GERMAN)
    yield table(
        "zkb with debit and credit columns in francs",
        '"Datum";"Buchungstext";"Whg";"Betrag Detail";"ZKB-Referenz";"Referenznummer";"Belastung CHF";"Gutschrift CHF";"Valuta";"Saldo CHF"\n'
        + lines(reversed(held.rows), lambda r: f'"{r.day:%d.%m.%Y}";"{r.text}";"";"";"Z24{r.day:%d%m}";"";"{out(r, plain)}";"{into(r, plain)}";"{r.day:%d.%m.%Y}";"{plain(r.balance)}"'),
        held, "CHF", False,
    )  # fmt: skip
    held = book("nordnet", seed, NORDIC)
    yield table(
        "norwegian with out and in",
        "\ufeffDato;Forklaring;Rentedato;Ut fra konto;Inn på konto;Saldo\n"
        + lines(held.rows, lambda r: f'{r.day:%d.%m.%Y};"{r.text}";{r.day:%d.%m.%Y};{comma(r.amount) if r.amount < 0 else ""};{into(r, comma)};{comma(r.balance)}'),
        held, "NOK", False, "kontoutskrift.csv",
    )  # fmt: skip
    held = book("koruna", seed)
    yield table(
        "czech with a balance in the preamble",
        f"Výpis z účtu;123456789/2010\nMěna;CZK\nOd;04.03.2024\nDo;02.04.2024\nPočáteční zůstatek;{fr(held.opening)}\nKonečný zůstatek;{fr(held.closing)}\nSuma příjmů;{fr(held.paid_in)}\nSuma výdajů;-{fr(held.paid_out)}\n\n"
        "ID operace;Datum;Objem;Měna;Protiúčet;Název protiúčtu;Zpráva pro příjemce;Typ\n"
        + lines(held.rows, lambda r: f"260{r.day:%m%d};{r.day:%d.%m.%Y};{comma(r.amount)};CZK;;{r.text};;Platba kartou"),
        held, "CZK", True,
    )  # fmt: skip


def enumerate_rows(held: Ledger) -> list[Row]:
    """Rows whose text starts with their number."""
    return [replace(row, text=f"{place}|{row.text}") for place, row in enumerate(held.rows, 1)]


def elsewhere(seed: int) -> Iterator[Made]:
    held = book("leumi", seed, HEBREW)
    yield table(
        "hebrew with zchut and chova",
        "תאריך,תיאור,אסמכתא,בחובה,בזכות,היתרה בש״ח\n"
        + lines(held.rows, lambda r: f'{r.day:%d/%m/%y},{r.text},0099{r.day:%d},{out(r, plain)},{into(r, plain)},"{us(r.balance)}"'),
        held, "ILS", False,
    )  # fmt: skip
    held = book("rakuten", seed, JAPANESE, places=0, scale=100)
    yield table(
        "japanese in shift_jis with two columns",
        ("取引日,お取り扱い内容,お支払金額,お預り金額,差引残高\n" + lines(held.rows, lambda r: f"{r.day:%Y/%m/%d},{r.text},{f'{-r.amount:.0f}' if r.amount < 0 else ''},{f'{r.amount:.0f}' if r.amount > 0 else ''},{r.balance:.0f}")).encode("shift_jis"),
        held, "JPY", False,
    )  # fmt: skip
    held = book("mandiri", seed, MALAY, scale=1000)
    yield table(
        "indonesian with dots of thousands",
        "Bank Mandiri\nNo Rekening;1370012345678\nMata Uang;IDR\n\nTanggal;Keterangan;Debit;Kredit;Saldo\n"
        + lines(held.rows, lambda r: f"{r.day:%d/%m/%Y};{r.text};{out(r, de) or '0,00'};{into(r, de) or '0,00'};{de(r.balance)}"),
        held, "IDR", False,
    )  # fmt: skip
    held = book("chile csv", seed, SPANISH, places=0, scale=100)
    yield table(
        "chilean pesos with a footer",
        "Cuenta Vista;00123456\nMoneda;CLP\nFecha;Descripción;Cargo;Abono;Saldo\n"
        + lines(held.rows, lambda r: f"{r.day:%d-%m-%Y};{r.text};{whole(-r.amount) if r.amount < 0 else ''};{whole(r.amount) if r.amount > 0 else ''};{whole(r.balance)}")
        + f"Totales;;{whole(held.paid_out)};{whole(held.paid_in)};\n",
        held, "CLP", False,
    )  # fmt: skip
    held = book("capitec", seed)
    yield table(
        "capitec money in and money out",
        "Nr,Account,Posting Date,Transaction Date,Description,Original Description,Parent Category,Category,Money In,Money Out,Fee,Balance\n"
        + lines(held.rows, lambda r: f'1,1234567890,{r.day},{r.day},{r.text},"{r.text} (Card 4471)",Food,Groceries,{into(r, plain)},{plain(r.amount) if r.amount < 0 else ""},,{plain(r.balance)}'),
        held, "ZAR", False, "capitec.csv",
    )  # fmt: skip
    held = book("akbank", seed)
    yield table(
        "turkish with TL behind numbers",
        "Hesap Hareketleri;\nHesap;TR12 0004 6001 2345 6789 0123 45\nTarih;Açıklama;Tutar;Bakiye\n"
        + lines(reversed(held.rows), lambda r: f"{r.day:%d.%m.%Y};{r.text};{de(r.amount)} TL;{de(r.balance)} TL"),
        held, "TRY", False,
    )  # fmt: skip
    held = book("mpesa", seed)
    yield table(
        "mobile money with withdrawn below zero",
        "Receipt No.,Completion Time,Details,Transaction Status,Paid In,Withdrawn,Balance\n"
        + lines(reversed(held.rows), lambda r: f'SC{r.day:%d}QX,{r.day} 14:02:55,"{r.text}",Completed,{into(r, plain)},{plain(r.amount) if r.amount < 0 else ""},{plain(r.balance)}'),
        held, "KES", False, "MPESA_Statement.csv",
    )  # fmt: skip
    held = book("indian csv", seed)
    yield table(
        "indian card with Cr behind refunds",
        "Card Number,4315XXXXXXXX1023\nStatement Period,04/03/2024 to 02/04/2024\n\nDate,Transaction Details,Amount (INR),Type\n"
        + lines(held.rows, lambda r: f'{r.day:%d/%m/%Y},{r.text},"{us(abs(r.amount))}",{"Dr" if r.amount < 0 else "Cr"}'),
        held, "INR", False,
    )  # fmt: skip


def several_currencies(seed: int) -> Iterator[Made]:
    one, two = book("wallet eur", seed, GERMAN, count=7), book("wallet gbp", seed, count=6, opening=40_000)
    pairs = sorted(
        [*((row, "EUR") for row in one.rows), *((row, "GBP") for row in two.rows)],
        key=lambda pair: pair[0].day,
    )
    text = "Date,Counterparty,Currency,Amount,Balance after\n" + "".join(
        f"{row.day},{row.text},{currency},{plain(row.amount)},{plain(row.balance)}\n"
        for row, currency in pairs
    )
    yield Made(
        "wallet.csv", text.encode(), tuple(row for row, _ in pairs), "EUR", "table wallet in two currencies",
        currencies=tuple(currency for _, currency in pairs),
    )  # fmt: skip
    held = book("abroad csv", seed, CARD)
    text = (
        "Booking date;Merchant;Original amount;Original currency;Exchange rate;Billed amount (EUR);Balance (EUR)\n"
        + lines(
            held.rows,
            lambda r: (
                f"{r.day:%d.%m.%Y};{r.text};{comma(r.amount * Decimal('1.1'))};USD;1,1000;{comma(r.amount)};{comma(r.balance)}"
            ),
        )
    )
    yield table("amounts abroad beside those that were billed", text, held, "EUR", False)


def broken(seed: int) -> Iterator[Made]:
    held = book("cut csv", seed)
    rows = held.rows[:5] + held.rows[6:]
    yield Made(
        "export.csv",
        ("Date,Description,Amount (GBP),Balance (GBP)\n" + lines(rows, lambda r: f"{r.day:%d/%m/%Y},{r.text},{plain(r.amount)},{plain(r.balance)}")).encode(),
        rows, "GBP", "table with a row cut out", False, True,
    )  # fmt: skip
    held = book("again", seed)
    text = lines(held.rows[:5], lambda r: f"{r.day:%d.%m.%Y};{r.text};{comma(r.amount)};EUR")
    more = lines(held.rows[5:], lambda r: f"{r.day:%d.%m.%Y};{r.text};{comma(r.amount)};EUR")
    yield table(
        "the header stands again in the middle",
        f"Datum;Text;Betrag;Währung\n{text}Datum;Text;Betrag;Währung\n{more}",
        held,
        "EUR",
        False,
    )
    held = book("quoted", seed)
    yield table(
        "descriptions over two lines with commas and quotes",
        "Date,Details,Amount,Balance,Currency\n" + lines(held.rows, lambda r: f'{r.day},"{r.text},\n said ""ok"" 12.00",{plain(r.amount)},{plain(r.balance)},NZD'),
        held, "NZD", False,
    )  # fmt: skip
    held = book("behind csv", seed)
    yield table(
        "minus behind, in Danish",
        "Dato;Tekst;Beløb;Saldo\n" + lines(held.rows, lambda r: f"{r.day:%d-%m-%Y};{r.text};{de(abs(r.amount))}{'-' if r.amount < 0 else ''};{de(abs(r.balance))}{'-' if r.balance < 0 else ''}"),
        held, "DKK", False,
    )  # fmt: skip
    held = book("us dates", seed, first=date(2024, 3, 1), days=11)
    yield table(
        "days and months that are both 12 or less",
        "Date,Description,Debit,Credit,Balance\n" + lines(held.rows, lambda r: f"{r.day:%d/%m/%Y},{r.text},{out(r, plain)},{into(r, plain)},{plain(r.balance)}"),
        held, "AUD", False,
    )  # fmt: skip
    held = book("bookkeeping", seed)
    yield table(
        "a ledger of a bookkeeping program with accounts",
        "Account,Date,Type,Num,Name,Memo,Split,Debit,Credit,Balance\n"
        + lines(held.rows, lambda r: f'Checking USD,{r.day:%m/%d/%Y},{"Deposit" if r.amount > 0 else "Check"},,"{r.text}",,Expenses,{into(r, plain)},{out(r, plain)},{plain(r.balance)}')
        + f"Total Checking USD,,,,,,,{plain(held.paid_in)},{plain(held.paid_out)},{plain(held.closing)}\n",
        held, "USD", False, "ledger.csv",
    )  # fmt: skip
    held = book("both filled", seed)
    yield table(
        "an amount without a sign beside debit and credit",
        "Value date,Narrative,Amount,Debit,Credit,Ccy\n" + lines(held.rows, lambda r: f"{r.day},{r.text},{plain(abs(r.amount))},{out(r, plain)},{into(r, plain)},SGD"),
        held, "SGD", False,
    )  # fmt: skip
    held = book("brackets and minus", seed)
    yield table(
        "brackets for what goes out and a minus behind balances",
        "Date|Particulars|Amount HKD|Balance HKD\n" + lines(held.rows, lambda r: f"{r.day:%d-%b-%y}|{r.text}|{in_brackets(r.amount)}|{behind(r.balance)}"),
        held, "HKD", False, "export.txt",
    )  # fmt: skip
    held = book("apostrophes", seed, GERMAN)
    yield table(
        "amounts with apostrophes and a closing line only",
        "Datum;Buchungstext;Betrag in CHF\n" + lines(held.rows, lambda r: f"{r.day:%d.%m.%y};{r.text};{swiss(r.amount)}") + f"Saldo per 02.04.24;;{swiss(held.closing)}\n",
        held, "CHF", False,
    )  # fmt: skip


def tables(seed: int = 0) -> Iterator[Made]:
    yield from american(seed)
    yield from european(seed)
    yield from elsewhere(seed)
    yield from several_currencies(seed)
    yield from broken(seed)
