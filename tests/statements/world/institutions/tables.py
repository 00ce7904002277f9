# ruff: noqa: E501 headers and rows stay as long as the banks write them
"""Tables as banks and payment services export them: preambles, footers, encodings, signs and orders of days as each has them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from decimal import Decimal

from ..truth import Made, Row
from .ledgers import (
    AUSTRALIAN,
    BRAZILIAN,
    CANADIAN,
    EARLY_DAYS,
    FRENCH,
    GERMAN,
    INDIAN,
    NORDIC,
    POLISH,
    SINGAPORE,
    SPANISH,
    SWISS,
    UK,
    US_CARD,
    US_CHECKING,
    Ledger,
    comma,
    de,
    file_of,
    into,
    lines,
    out,
    plain,
    us,
)


def table(
    label: str,
    held: Ledger,
    currency: str,
    head: str,
    write: Callable[[Row], str],
    *,
    foot: str = "",
    newest_first: bool = False,
    proves: bool = False,
    encoding: str = "utf-8",
    name: str = "export.csv",
) -> Made:
    rows: Iterable[Row] = held.rows[::-1] if newest_first else held.rows
    return file_of(
        label, name, f"{head}\n{lines(rows, write)}{foot}".encode(encoding), held, currency, proves
    )


def mark(row: Row, debit: str, credit: str) -> str:
    return debit if row.amount < 0 else credit


def signed(value: Decimal) -> str:
    return f"{'+' if value > 0 else '-'}${us(abs(value))}"


def american() -> Iterator[Made]:
    yield table(
        "us bank csv",
        US_CHECKING,
        "USD",
        '"Date","Transaction","Name","Memo","Amount"',
        lambda r: (
            f'"{r.day}","{mark(r, "DEBIT", "CREDIT")}","{r.text}","24011339{r.day:%m%d}; 05411; ; ; ;","{plain(r.amount)}"'
        ),
        newest_first=True,
    )
    yield table(
        "pnc csv",
        US_CHECKING,
        "USD",
        "Date,Description,Withdrawals,Deposits,Balance",
        lambda r: (
            f'{r.day:%m/%d/%Y},"{r.text}",{out(r, lambda v: f"${plain(v)}")},{into(r, lambda v: f"${plain(v)}")},"${us(r.balance)}"'
        ),
        newest_first=True,
        proves=True,
    )
    yield table(
        "td us csv",
        US_CHECKING,
        "USD",
        "Date,Bank RTN,Account Number,Transaction Type,Description,Debit,Credit,Check Number,Account Running Balance",
        lambda r: (
            f"{r.day},211274450,1234564821,{mark(r, 'DEBIT', 'CREDIT')},{r.text},{out(r, plain)},{into(r, plain)},,{plain(r.balance)}"
        ),
        newest_first=True,
        proves=True,
    )
    yield table(
        "schwab bank csv",
        US_CHECKING,
        "USD",
        '"Date","Status","Type","CheckNumber","Description","Withdrawal","Deposit","RunningBalance"',
        lambda r: (
            f'"{r.day:%m/%d/%Y}","Posted","{mark(r, "VISA", "ACH")}","","{r.text}","{out(r, lambda v: f"${us(v)}")}","{into(r, lambda v: f"${us(v)}")}","${us(r.balance)}"'
        ),
        newest_first=True,
        proves=True,
    )
    yield table(
        "ally csv",
        US_CHECKING,
        "USD",
        "Date, Time, Amount, Type, Description",
        lambda r: f"{r.day},10:14:22,{plain(r.amount)},{mark(r, 'Withdrawal', 'Deposit')},{r.text}",
        newest_first=True,
    )
    yield table(
        "capital one 360 csv",
        US_CHECKING,
        "USD",
        "Account Number,Transaction Description,Transaction Date,Transaction Type,Transaction Amount,Balance",
        lambda r: (
            f"4821,{r.text},{r.day:%m/%d/%y},{mark(r, 'Debit', 'Credit')},{plain(abs(r.amount))},{plain(r.balance)}"
        ),
        newest_first=True,
        proves=True,
    )
    yield table(
        "navy federal csv",
        US_CHECKING,
        "USD",
        "Posting Date,Transaction Date,Amount,Credit Debit Indicator,type,Type Group,Reference,Instructed Currency,Currency Exchange Rate,Instructed Amount,Description,Category,Check Serial Number,Card Ending",
        lambda r: (
            f"{r.day:%m/%d/%Y},{r.day:%m/%d/%Y},{plain(abs(r.amount))},{mark(r, 'Debit', 'Credit')},POS,Purchase,,USD,1.0,,{r.text},Other,,4821"
        ),
        newest_first=True,
    )
    yield table(
        "fidelity card csv",
        US_CARD,
        "USD",
        '"Date","Transaction","Name","Memo","Amount"',
        lambda r: (
            f'"{r.day}","{mark(r, "DEBIT", "CREDIT")}","{r.text}","24692164{r.day:%m%d}; 05812; ; ; ;","{plain(r.amount)}"'
        ),
        newest_first=True,
    )
    yield table(
        "citi checking csv",
        US_CHECKING,
        "USD",
        "Status,Date,Description,Debit,Credit",
        lambda r: (
            f'Cleared,{r.day:%m/%d/%Y},"{r.text}",{out(r, us) and chr(34) + out(r) + chr(34)},{into(r, us) and chr(34) + into(r) + chr(34)}'
        ),
    )
    yield table(
        "synchrony card csv",
        US_CARD,
        "USD",
        "Transaction Date,Posting Date,Reference Number,Amount,Description",
        lambda r: f'{r.day:%m/%d/%Y},{r.day:%m/%d/%Y},P92870{r.day:%m%d},{plain(-r.amount)},"{r.text}"',
        newest_first=True,
    )
    yield table(
        "barclays us card csv",
        US_CARD,
        "USD",
        f"Barclays Bank Delaware\nAccount Number: XXXXXXXXXXXX5512\nAccount Balance as of January 8 2024:    ${us(-US_CARD.closing)}\n\nTransaction Date,Description,Category,Amount",
        lambda r: f'{r.day:%m/%d/%Y},"{r.text}",{mark(r, "DEBIT", "CREDIT")},{plain(r.amount)}',
        newest_first=True,
    )
    yield table(
        "rbc two currencies csv",
        CANADIAN,
        "CAD",
        '"Account Type","Account Number","Transaction Date","Cheque Number","Description 1","Description 2","CAD$","USD$"',
        lambda r: (
            f'Chequing,04321-1234567,{r.day.month}/{r.day.day}/{r.day.year},,"{r.text}",,{plain(r.amount)},'
        ),
    )
    yield table(
        "td canada without header",
        CANADIAN,
        "CAD",
        "",
        lambda r: f"{r.day:%m/%d/%Y},{r.text},{out(r, plain)},{into(r, plain)},{plain(r.balance)}",
        newest_first=True,
        proves=True,
    )
    yield table(
        "scotiabank csv",
        CANADIAN,
        "CAD",
        "Filter,Date,Description,Sub-description,Type of Transaction,Amount,Balance",
        lambda r: (
            f",{r.day},{r.text},Toronto On,{mark(r, 'Debit', 'Credit')},{plain(abs(r.amount))},{plain(r.balance)}"
        ),
        newest_first=True,
        proves=True,
    )
    yield table(
        "nubank csv",
        BRAZILIAN,
        "BRL",
        "Data,Valor,Identificador,Descrição",
        lambda r: f"{r.day:%d/%m/%Y},{plain(r.amount)},66ab12cd-{r.day:%m%d},{r.text}",
    )
    yield table(
        "itau txt",
        BRAZILIAN,
        "BRL",
        "",
        lambda r: f"{r.day:%d/%m/%Y};{r.text};{comma(r.amount)}",
        name="extrato.txt",
    )


def european() -> Iterator[Made]:
    yield table(
        "starling csv",
        UK,
        "GBP",
        "Date,Counter Party,Reference,Type,Amount (GBP),Balance (GBP),Spending Category,Notes",
        lambda r: (
            f"{r.day:%d/%m/%Y},{r.text},REF {r.day:%d%m},{mark(r, 'CHIP & PIN', 'FASTER PAYMENT')},{plain(r.amount)},{plain(r.balance)},GENERAL,"
        ),
        proves=True,
    )
    yield table(
        "monzo csv",
        UK,
        "GBP",
        "Transaction ID,Date,Time,Type,Name,Emoji,Category,Amount,Currency,Local amount,Local currency,Notes and #tags,Address,Receipt,Description,Category split,Money Out,Money In",
        lambda r: (
            f"tx_0000{r.day:%m%d},{r.day:%d/%m/%Y},09:14:22,Card payment,{r.text},,General,{plain(r.amount)},GBP,{plain(r.amount * 2)},EUR,,,,{r.text},,{plain(r.amount) if r.amount < 0 else ''},{into(r, plain)}"
        ),
    )
    yield table(
        "hsbc csv without header",
        UK,
        "GBP",
        "",
        lambda r: f'{r.day:%d/%m/%Y},{r.text},"{us(r.amount)}"',
        newest_first=True,
        encoding="utf-8-sig",
    )
    yield table(
        "santander uk txt",
        UK,
        "GBP",
        "From: 27/12/2023 to 26/01/2024\n\nAccount: XXXX XXXX XXXX 1234\n",
        lambda r: (
            f"Date: {r.day:%d/%m/%Y}\nDescription: {r.text}\nAmount: {plain(r.amount)}\nBalance: {plain(r.balance)}\n"
        ),
        newest_first=True,
        proves=True,
        encoding="latin-1",
        name="Statements.txt",
    )
    yield table(
        "nationwide csv",
        UK,
        "GBP",
        f'"Account Name:","FlexAccount ****12345"\n"Account Balance:","£{plain(UK.closing)}"\n"Available Balance: ","£{plain(UK.closing)}"\n\n"Date","Transaction type","Description","Paid out","Paid in","Balance"',
        lambda r: (
            f'"{r.day:%d %b %Y}","{mark(r, "Visa purchase", "Bank credit")}","{r.text}","{out(r, lambda v: f"£{plain(v)}")}","{into(r, lambda v: f"£{plain(v)}")}","£{plain(r.balance)}"'
        ),
        newest_first=True,
        proves=True,
        encoding="cp1252",
    )
    yield table(
        "deutsche bank csv",
        GERMAN,
        "EUR",
        "Umsätze AktivKonto;;;100 1234567 00\n27.12.2023 - 26.01.2024\nLetzter Kontostand;;;;1.523,88;EUR\nVorgemerkte und noch nicht gebuchte Umsätze sind nicht Bestandteil dieser Übersicht.\nBuchungstag;Wert;Umsatzart;Begünstigter / Auftraggeber;Verwendungszweck;IBAN;BIC;Kundenreferenz;Mandatsreferenz;Gläubiger ID;Fremde Gebühren;Betrag;Abweichender Empfänger;Anzahl der Aufträge;Anzahl der Schecks;Soll;Haben;Währung",
        lambda r: (
            f"{r.day:%d.%m.%Y};{r.day:%d.%m.%Y};SEPA;{r.text};Zweck;DE12;BIC;;;;;{de(r.amount)};;;;{de(r.amount) if r.amount < 0 else ''};{into(r, de)};EUR"
        ),
        foot=f"Kontostand;26.01.2024;;;{de(GERMAN.closing)};EUR\n",
        proves=True,
        encoding="cp1252",
    )
    yield table(
        "sparkasse camt csv",
        GERMAN,
        "EUR",
        '"Auftragskonto";"Buchungstag";"Valutadatum";"Buchungstext";"Verwendungszweck";"Glaeubiger ID";"Mandatsreferenz";"Kundenreferenz (End-to-End)";"Sammlerreferenz";"Lastschrift Ursprungsbetrag";"Auslagenersatz Ruecklastschrift";"Beguenstigter/Zahlungspflichtiger";"Kontonummer/IBAN";"BIC (SWIFT-Code)";"Betrag";"Waehrung";"Info"',
        lambda r: (
            f'"DE12500105170648489890";"{r.day:%d.%m.%y}";"{r.day:%d.%m.%y}";"{mark(r, "FOLGELASTSCHRIFT", "GUTSCHR. UEBERWEISUNG")}";"{r.text}";"";"";"";"";"";"";"{r.text}";"DE99";"BIC";"{comma(r.amount)}";"EUR";"Umsatz gebucht"'
        ),
        newest_first=True,
        encoding="latin-1",
    )
    yield table(
        "ing csv",
        GERMAN,
        "EUR",
        f"Umsatzanzeige;Datei erstellt am: 26.01.2024 20:03\n\nIBAN;DE44 5001 0517 5401 2345 67\nKontoname;Girokonto\nBank;ING\nKunde;Erika Mustermann\nZeitraum;27.12.2023 - 26.01.2024\nSaldo;{de(GERMAN.closing)};EUR\n\nSortierung;Datum absteigend\n\nIn der CSV-Datei finden Sie alle bereits gebuchten Umsätze.\n\nBuchung;Wertstellungsdatum;Auftraggeber/Empfänger;Buchungstext;Verwendungszweck;Saldo;Währung;Betrag;Währung",
        lambda r: (
            f"{r.day:%d.%m.%Y};{r.day:%d.%m.%Y};{r.text};Lastschrift;Zweck;{de(r.balance)};EUR;{de(r.amount)};EUR"
        ),
        newest_first=True,
        proves=True,
        encoding="cp1252",
    )
    yield table(
        "dkb csv",
        GERMAN,
        "EUR",
        f'"Girokonto";"DE12120300001012345678"\n"Kontostand vom 26.01.2024:";"{de(GERMAN.closing)} €"\n""\n"Buchungsdatum";"Wertstellung";"Status";"Zahlungspflichtige*r";"Zahlungsempfänger*in";"Verwendungszweck";"Umsatztyp";"IBAN";"Betrag (€)";"Gläubiger-ID";"Mandatsreferenz";"Kundenreferenz"',
        lambda r: (
            f'"{r.day:%d.%m.%y}";"{r.day:%d.%m.%y}";"Gebucht";"A";"B";"{r.text}";"{mark(r, "Ausgang", "Eingang")}";"DE1";"{de(r.amount)}";"";"";""'
        ),
        newest_first=True,
        encoding="utf-8-sig",
    )
    yield table(
        "comdirect csv",
        GERMAN,
        "EUR",
        ';\n"Umsätze Girokonto";"Zeitraum: 40 Tage";\n"Neuer Kontostand";"'
        + de(GERMAN.closing)
        + ' EUR";\n\n"Buchungstag";"Wertstellung (Valuta)";"Vorgang";"Buchungstext";"Umsatz in EUR";',
        lambda r: (
            f'"{r.day:%d.%m.%Y}";"{r.day:%d.%m.%Y}";"{mark(r, "Lastschrift", "Übertrag")}";" Auftraggeber: {r.text} ";"{de(r.amount)}";'
        ),
        newest_first=True,
        foot=f'\n"Alter Kontostand";"{de(GERMAN.opening)} EUR";\n',
        proves=True,
        encoding="latin-1",
    )
    yield table(
        "ing nl csv",
        GERMAN,
        "EUR",
        '"Datum";"Naam / Omschrijving";"Rekening";"Tegenrekening";"Code";"Af Bij";"Bedrag (EUR)";"Mutatiesoort";"Mededelingen";"Saldo na mutatie";"Tag"',
        lambda r: (
            f'"{r.day:%Y%m%d}";"{r.text}";"NL20INGB0001234567";"";"BA";"{mark(r, "Af", "Bij")}";"{comma(abs(r.amount))}";"Betaalautomaat";"Pasvolgnr: 001";"{comma(r.balance)}";""'
        ),
        newest_first=True,
        proves=True,
    )
    yield table(
        "rabobank csv",
        GERMAN,
        "EUR",
        '"IBAN/BBAN","Munt","BIC","Volgnr","Datum","Rentedatum","Bedrag","Saldo na trn","Tegenrekening IBAN/BBAN","Naam tegenpartij","Naam uiteindelijke partij","Naam initiërende partij","BIC tegenpartij","Code","Omschrijving-1","Omschrijving-2","Omschrijving-3"',
        lambda r: (
            f'"NL12RABO0123456789","EUR","RABONL2U","{r.day:%m%d}","{r.day}","{r.day}","{"+" if r.amount > 0 else ""}{comma(r.amount)}","{"+" if r.balance > 0 else ""}{comma(r.balance)}","","{r.text}","","","","bc","{r.text}","",""'
        ),
        proves=True,
        encoding="latin-1",
    )
    yield table(
        "abn amro tab",
        GERMAN,
        "EUR",
        "",
        lambda r: (
            f"123456789\tEUR\t{r.day:%Y%m%d}\t{comma(r.balance - r.amount)}\t{comma(r.balance)}\t{r.day:%Y%m%d}\t{comma(r.amount)}\tBEA, Betaalpas {r.text}"
        ),
        name="TXT240126.TAB",
        proves=True,
    )
    yield table(
        "boursorama csv",
        FRENCH,
        "EUR",
        "dateOp;dateVal;label;category;categoryParent;supplierFound;amount;comment;accountNum;accountLabel;accountbalance",
        lambda r: (
            f'{r.day};{r.day};"{r.text}";"Divers";"Vie quotidienne";"";{comma(r.amount)};;00040123456;BoursoBank;{plain(FRENCH.closing)}'
        ),
        newest_first=True,
        encoding="utf-8-sig",
    )
    yield table(
        "credit agricole csv",
        FRENCH,
        "EUR",
        f"Téléchargement du 27/01/2024;\n\nMr DUPONT JEAN\nCompte de Dépôt carte n° 12345678901;\nSolde au 27/01/2024 {fr_space(FRENCH.closing)} €\n\nListe des opérations du compte entre le 28/12/2023 et le 27/01/2024;\n\nDate;Libellé;Débit euros;Crédit euros;",
        lambda r: f'{r.day:%d/%m/%Y};"{r.text}\n";{out(r, fr_space)};{into(r, fr_space)};',
        newest_first=True,
        encoding="cp1252",
    )
    yield table(
        "bbva csv",
        SPANISH,
        "EUR",
        "F.Valor;Fecha;Concepto;Movimiento;Importe;Divisa;Disponible;Divisa;Observaciones",
        lambda r: (
            f"{r.day:%d/%m/%Y};{r.day:%d/%m/%Y};{r.text};Pago;{comma(r.amount)};EUR;{comma(r.balance)};EUR;"
        ),
        newest_first=True,
        proves=True,
        encoding="latin-1",
    )
    yield table(
        "ubs csv",
        SWISS,
        "CHF",
        f"Kontonummer:;0230 00123456.40;\nIBAN:;CH93 0076 2011 6238 5295 7;\nVon:;2024-02-01;\nBis:;2024-02-29;\nAnfangssaldo:;{plain(SWISS.opening)};\nSchlusssaldo:;{plain(SWISS.closing)};\nBewertet in:;CHF;\nAnzahl Transaktionen in diesem Zeitraum:;6;\n\nAbschlussdatum;Abschlusszeit;Buchungsdatum;Valutadatum;Währung;Belastung;Gutschrift;Einzelbetrag;Saldo;Transaktions-Nr.;Beschreibung1;Beschreibung2;Beschreibung3;Fussnoten",
        lambda r: (
            f'{r.day};;{r.day};{r.day};CHF;{plain(r.amount) if r.amount < 0 else ""};{into(r, plain)};;{plain(r.balance)};9930{r.day:%m%d};"{r.text}";"Zahlung";"";'
        ),
        newest_first=True,
        proves=True,
        encoding="utf-8-sig",
    )
    yield table(
        "postfinance csv",
        SWISS,
        "CHF",
        'Datum von:;="01.02.2024"\nDatum bis:;="29.02.2024"\nKonto:;="CH4409000000301234567"\nWährung:;="CHF"\n\nDatum;Bewegungstyp;Avisierungstext;Gutschrift in CHF;Lastschrift in CHF;Label;Kategorie',
        lambda r: (
            f'{r.day:%d.%m.%Y};Buchung;"{r.text}";{into(r, plain)};{plain(r.amount) if r.amount < 0 else ""};;'
        ),
        foot="\nDisclaimer:\nDies ist kein durch PostFinance AG erstelltes Dokument.\n",
        newest_first=True,
    )
    yield table(
        "nordea csv",
        NORDIC,
        "SEK",
        "Bokföringsdag;Belopp;Avsändare;Mottagare;Namn;Rubrik;Saldo;Valuta",
        lambda r: f"{r.day:%Y/%m/%d};{comma(r.amount)};1234 56 78901;;;{r.text};{comma(r.balance)};SEK",
        newest_first=True,
        proves=True,
        encoding="utf-8-sig",
    )
    yield table(
        "mbank csv",
        POLISH,
        "PLN",
        "mBank S.A. Bankowość Detaliczna;\n#Klient;\nJAN KOWALSKI;\n#Za okres:;\n01.06.2024;30.06.2024;\n#Waluta;\nPLN;\n#Numer rachunku;\n12 1140 2004 0000 3102 1234 5678;\n#Saldo początkowe;\n4 120,15 PLN;\n\n#Data operacji;#Opis operacji;#Rachunek;#Kategoria;#Kwota;#Saldo po operacji;",
        lambda r: (
            f'{r.day};"{r.text}  ";"eKonto 1234 ... 5678";"Bez kategorii";{fr_space(r.amount)} PLN;{fr_space(r.balance)} PLN;'
        ),
        foot=f";;;;#Saldo końcowe;{fr_space(POLISH.closing)} PLN;\n",
        proves=True,
        encoding="cp1250",
    )


def fr_space(value: Decimal) -> str:
    return us(value).replace(",", " ").replace(".", ",")


def elsewhere() -> Iterator[Made]:
    yield table(
        "anz au csv without header",
        AUSTRALIAN,
        "AUD",
        "",
        lambda r: f'{r.day:%d/%m/%Y},"{plain(r.amount)}","{r.text}"',
        newest_first=True,
    )
    yield table(
        "hdfc card csv",
        INDIAN,
        "INR",
        "Transaction type~|~Primary / Addon Customer Name~|~DATE~|~Description~|~AMT~|~Debit / Credit".replace(
            "~|~", "|"
        ),
        lambda r: f"Domestic|RAVI KUMAR|{r.day:%d/%m/%Y}|{r.text}|{us(abs(r.amount))}|{mark(r, '', 'Cr')}",
    )
    yield table(
        "sbi tsv",
        INDIAN,
        "INR",
        "Account Name\t:\tMr. RAVI KUMAR\nAccount Number\t:\t_00000031234567890\nStart Date\t:\t1 Apr 2024\nEnd Date\t:\t30 Apr 2024\nBalance as on 1 Apr 2024\t:\t1,18,204.50\n\nTxn Date\tValue Date\tDescription\tRef No./Cheque No.\t        Debit\tCredit\tBalance",
        lambda r: f"{r.day:%d %b %Y}\t{r.day:%d %b %Y}\t{r.text}\t\t{out(r)} \t{into(r)} \t{us(r.balance)}",
        foot="\n**This is a computer generated statement and does not require a signature\n",
        proves=True,
        encoding="utf-16",
        name="statement.xls.txt",
    )
    yield table(
        "dbs csv",
        SINGAPORE,
        "SGD",
        f"\nAccount Details For:,DBS Multiplier Account 120-123456-7\nStatement as at:,31 Jul 2024\nCurrency:,SGD\nAvailable Balance:,{plain(SINGAPORE.closing)}\nLedger Balance:,{plain(SINGAPORE.closing)}\n\nTransaction Date,Reference,Debit Amount,Credit Amount,Transaction Ref1,Transaction Ref2,Transaction Ref3\n",
        lambda r: f"{r.day:%d %b %Y},POS,{out(r, plain) or ' '},{into(r, plain) or ' '},{r.text},,",
        newest_first=True,
    )
    yield table(
        "commbank without header",
        AUSTRALIAN,
        "AUD",
        "",
        lambda r: (
            f'{r.day:%d/%m/%Y},"{"+" if r.amount > 0 else ""}{plain(r.amount)}","{r.text}","+{plain(r.balance)}"'
        ),
        newest_first=True,
        proves=True,
    )


def services() -> Iterator[Made]:
    yield table(
        "revolut csv",
        UK,
        "GBP",
        "Type,Product,Started Date,Completed Date,Description,Amount,Fee,Currency,State,Balance",
        lambda r: (
            f"{mark(r, 'CARD_PAYMENT', 'TOPUP')},Current,{r.day} 09:12:44,{r.day} 11:02:10,{r.text},{plain(r.amount)},0.00,GBP,COMPLETED,{plain(r.balance)}"
        ),
        foot="CARD_PAYMENT,Current,2024-01-25 08:00:00,,PENDING SHOP,-4.00,0.00,GBP,PENDING,\nCARD_PAYMENT,Current,2024-01-20 08:00:00,,DECLINED SHOP,-9.00,0.00,GBP,REVERTED,\n",
        proves=True,
    )
    yield table(
        "wise csv",
        UK,
        "GBP",
        '"TransferWise ID",Date,Amount,Currency,Description,"Payment Reference","Running Balance","Exchange From","Exchange To","Exchange Rate","Payer Name","Payee Name","Payee Account Number",Merchant,"Card Last Four Digits","Card Holder Full Name",Attachment,Note,"Total fees"',
        lambda r: (
            f'CARD-{r.day:%m%d},{r.day:%d-%m-%Y},{plain(r.amount)},GBP,"{r.text}",,{plain(r.balance)},GBP,EUR,1.16,,,,{r.text},1234,J SMITH,,,0.12'
        ),
        newest_first=True,
        proves=True,
    )
    yield table(
        "paypal csv",
        US_CHECKING,
        "USD",
        '"Date","Time","TimeZone","Name","Type","Status","Currency","Gross","Fee","Net","From Email Address","To Email Address","Transaction ID","Balance"',
        lambda r: (
            f'"{r.day:%m/%d/%Y}","06:10:00","PST","{r.text}","Express Checkout Payment","Completed","USD","{us(r.amount)}","0.00","{us(r.amount)}","a@example.com","b@example.com","8AB{r.day:%m%d}","{us(r.balance)}"'
        ),
        proves=True,
        encoding="utf-8-sig",
    )
    yield table(
        "stripe balance csv",
        US_CHECKING,
        "USD",
        "id,Type,Source,Amount,Fee,Net,Currency,Created (UTC),Available On (UTC),Description",
        lambda r: (
            f"txn_{r.day:%m%d},{mark(r, 'payout', 'charge')},ch_1,{plain(r.amount)},0.00,{plain(r.amount)},usd,{r.day} 10:22,{r.day} 00:00,{r.text}"
        ),
        newest_first=True,
    )
    yield table(
        "venmo csv",
        US_CHECKING,
        "USD",
        "Account Statement - (@jane) ,,,,,,,,,,,,,,,,,,,,,\nAccount Activity,,,,,,,,,,,,,,,,,,,,,\n,ID,Datetime,Type,Status,Note,From,To,Amount (total),Amount (tip),Amount (tax),Amount (fee),Tax Rate,Tax Exempt,Funding Source,Destination,Beginning Balance,Ending Balance,Statement Period Venmo Fees,Terminal Location,Year to Date Venmo Fees,Disclaimer\n,,,,,,,,,,,,,,,,$2841.17,,,,,",
        lambda r: (
            f',35{r.day:%m%d}{abs(r.amount) * 100:.0f},{r.day}T10:11:12,Payment,Complete,{r.text},Jane,Bob,"{"+" if r.amount > 0 else "-"} ${us(abs(r.amount))}",,0,,0,,Venmo balance,,,,,Venmo,,'
        ),
        foot=f',,,,,,,,,,,,,,,,,"${us(US_CHECKING.closing)}",$0.00,,$0.00,"In case of errors"\n',
        proves=True,
    )
    yield table(
        "cash app csv",
        US_CHECKING,
        "USD",
        "Transaction ID,Date,Transaction Type,Currency,Amount,Fee,Net Amount,Asset Type,Asset Price,Asset Amount,Status,Notes,Name of sender/receiver,Account",
        lambda r: (
            f'9n{r.day:%m%d},{r.day} 12:01:02 EST,Cash Card,USD,"{"-" if r.amount < 0 else ""}${us(abs(r.amount))}",$0,"{"-" if r.amount < 0 else ""}${us(abs(r.amount))}",,,,PAYMENT SENT,{r.text},Bob,Your Cash'
        ),
        newest_first=True,
    )
    yield table(
        "mint csv",
        US_CHECKING,
        "USD",
        '"Date","Description","Original Description","Amount","Transaction Type","Category","Account Name","Labels","Notes"',
        lambda r: (
            f'"{r.day.month}/{r.day:%d/%Y}","{r.text.title()}","{r.text}","{plain(abs(r.amount))}","{mark(r, "debit", "credit")}","Shopping","Everyday Checking","",""'
        ),
        newest_first=True,
    )
    yield table(
        "ynab register csv",
        US_CHECKING,
        "USD",
        '"Account","Flag","Date","Payee","Category Group/Category","Category Group","Category","Memo","Outflow","Inflow","Cleared"',
        lambda r: (
            f'"Checking","","{r.day:%m/%d/%Y}","{r.text}","Everyday: Food","Everyday","Food","",${out(r, plain) or "0.00"},${into(r, plain) or "0.00"},"Cleared"'
        ),
        newest_first=True,
        encoding="utf-8-sig",
    )
    yield table(
        "mercury csv",
        US_CHECKING,
        "USD",
        "Date (UTC),Description,Amount,Status,Source Account,Bank Description,Reference,Note,Last Four Digits,Name On Card,Category,GL Code,Timestamp,Original Currency",
        lambda r: (
            f"{r.day:%m-%d-%Y},{r.text},{plain(r.amount)},Sent,Mercury Checking ••4821,{r.text},,,,,,,{r.day:%m-%d-%Y} 15:10:11,USD"
        ),
        newest_first=True,
    )


def traps() -> Iterator[Made]:
    yield table(
        "header on every page",
        US_CHECKING,
        "USD",
        "Date,Description,Amount,Balance",
        lambda r: (
            f"{'Date,Description,Amount,Balance' + chr(10) if r.day.day == 2 else ''}{r.day:%m/%d/%Y},{r.text},{plain(r.amount)},{plain(r.balance)}"
        ),
        proves=True,
    )
    yield table(
        "zero rows and totals",
        UK,
        "GBP",
        "Date,Details,Debit,Credit,Balance",
        lambda r: (
            f"{r.day:%d/%m/%Y},{r.text},{out(r, plain) or '0.00'},{into(r, plain) or '0.00'},{plain(r.balance)}"
        ),
        foot=f",Total,{plain(UK.paid_out)},{plain(UK.paid_in)},\n",
        proves=True,
    )
    yield table(
        "early days",
        EARLY_DAYS,
        "EUR",
        "Date,Description,Amount,Currency",
        lambda r: f"{r.day:%d/%m/%Y},{r.text},{plain(r.amount)},EUR",
    )
    yield table(
        "early days month first",
        EARLY_DAYS,
        "USD",
        "Date,Description,Amount,Currency",
        lambda r: f"{r.day:%m/%d/%Y},{r.text},{plain(r.amount)},USD",
    )
    yield table(
        "expenses without a sign",
        replace(UK, rows=tuple(row for row in UK.rows if row.amount < 0)),
        "GBP",
        "Date,Payee,Amount",
        lambda r: f"{r.day:%d/%m/%Y},{r.text},{plain(-r.amount)}",
    )
    yield table(
        "accounting minus",
        US_CHECKING,
        "USD",
        "Date\tDescription\tAmount\tRunning Bal.",
        lambda r: (
            f"{r.day:%d-%b-%Y}\t{r.text}\t{us(r.amount) if r.amount > 0 else f'({us(-r.amount)})'}\t{us(r.balance)}"
        ),
        proves=True,
    )
    yield table(
        "unicode minus",
        NORDIC,
        "NOK",
        "Dato;Forklaring;Beløp;Valuta",
        lambda r: f"{r.day:%d.%m.%Y};{r.text};{comma(r.amount).replace('-', chr(0x2212))};NOK",
    )
    yield table(
        "whole units and excel sep",
        POLISH,
        "PLN",
        "sep=;\nData;Opis;Kwota;Waluta",
        lambda r: f"{r.day:%d.%m.%Y};{r.text};{comma(r.amount)};PLN",
        encoding="utf-8-sig",
    )
    yield table(
        "balance before the row",
        UK,
        "GBP",
        "Date,Type,Description,Amount,Balance Before,Balance After",
        lambda r: f"{r.day},X,{r.text},{plain(r.amount)},{plain(r.balance - r.amount)},{plain(r.balance)}",
        proves=True,
    )
    yield table(
        "card balance owed",
        US_CARD,
        "USD",
        "Date,Description,Charges,Payments,Balance",
        lambda r: f"{r.day:%m/%d/%Y},{r.text},{out(r, plain)},{into(r, plain)},{plain(-r.balance)}",
        proves=True,
    )
    rows = tuple(row for row in UK.rows)
    gone = table(
        "a row is missing",
        Ledger(UK.opening, rows[:3] + rows[4:]),
        "GBP",
        "Date,Description,Amount,Balance",
        lambda r: f"{r.day:%d/%m/%Y},{r.text},{plain(r.amount)},{plain(r.balance)}",
    )
    yield replace(gone, is_incomplete=True)


def tables() -> Iterator[Made]:
    for group in (american, european, elsewhere, services, traps):
        yield from group()
