"""Made-up exports of payment services: several currencies, fees, conversions, holds, and balances that only some rows move."""
# ruff: noqa: E501 (a service's header is as long as it is)

from __future__ import annotations

from .bank_tables import Export

WISE = Export(
    "wise_csv",
    """\
"TransferWise ID",Date,Amount,Currency,Description,"Payment Reference","Running Balance","Exchange From","Exchange To","Exchange Rate","Total fees"
CARD-1,27-07-2024,-10.50,EUR,"Card transaction of 10.50 EUR issued by Cafe",,89.50,,,,0.00
FEE-TRANSFER-2,03-07-2024,-0.50,EUR,"Wise Charges for: TRANSFER-2",,100.00,,,,0.00
TRANSFER-2,03-07-2024,100.50,EUR,"Received money from ACME","INV 1",100.50,,,,0.50
""",
    [
        ("2024-07-27", "Card transaction of 10.50 EUR issued by Cafe", "-10.50"),
        ("2024-07-03", "Wise Charges for: TRANSFER-2", "-0.50"),
        ("2024-07-03", "Received money from ACME INV 1", "100.50"),
    ],
    balances=1,
    currencies=("EUR",),
)

_HISTORY = (
    'ID,Status,Direction,"Created on","Finished on","Source fee amount","Source fee currency","Target fee amount","Target fee currency",'
    '"Source name","Source amount (after fees)","Source currency","Target name","Target amount (after fees)","Target currency",'
    '"Exchange rate",Reference,Batch,"Created by",Category,Note\n'
)
WISE_HISTORY = Export(
    "wise_csv",
    _HISTORY
    + """\
C-1,COMPLETED,OUT,"2024-08-03 17:11:26","2024-08-03 17:11:27",0.07,CAD,,,"Jane",15.70,CAD,"Taste of Europe",11.18,USD,0.71,,,"Jane",Food,
C-2,COMPLETED,IN,"2024-08-03 17:11:26","2024-08-04 07:11:26",0.00,EUR,,,"ACME",20.00,EUR,"Jane",20.00,EUR,1.0,Invoice 7,,"ACME",Money,
C-3,COMPLETED,NEUTRAL,"2024-08-03 17:11:26","2024-08-05 17:11:26",0.10,EUR,,,"Jane",20.00,EUR,"Jane",22.00,USD,1.1,,,"Jane",Money,
C-4,CANCELLED,OUT,"2024-08-03 17:11:26",,0.07,CAD,,,"Jane",15.70,CAD,"Taste",11.18,USD,0.71,,,"Jane",Food,
""",
    [
        ("2024-08-03", "Taste of Europe", "-15.70"),
        ("2024-08-03", "Taste of Europe (fee)", "-0.07"),
        ("2024-08-04", "ACME Invoice 7", "20.00"),
        ("2024-08-05", "Jane", "-20.00"),
        ("2024-08-05", "Jane", "22.00"),
        ("2024-08-05", "Jane (fee)", "-0.10"),
    ],
    skipped=1,
    currencies=("CAD", "CAD", "EUR", "EUR", "USD", "EUR"),
)

REVOLUT = Export(
    "revolut_csv",
    """\
Type,Product,Started Date,Completed Date,Description,Amount,Fee,Currency,State,Balance
TOPUP,Current,2024-09-01 09:00:00,2024-09-01 09:00:05,Payment from Jane,200.00,0.00,EUR,COMPLETED,250.00
EXCHANGE,Current,2024-09-02 12:00:00,2024-09-03 08:00:00,Exchanged to USD,-23.40,0.50,EUR,COMPLETED,226.10
EXCHANGE,Current,2024-09-02 12:00:00,2024-09-03 08:00:00,Exchanged to USD,25.00,0.00,USD,COMPLETED,25.00
CARD_PAYMENT,Current,2024-09-06 10:00:00,,Netflix,-7.99,0.00,EUR,REVERTED,
""",
    [
        ("2024-09-01", "Payment from Jane", "200.00"),
        ("2024-09-02", "Exchanged to USD", "-23.40"),
        ("2024-09-02", "Exchanged to USD (fee)", "-0.50"),
        ("2024-09-02", "Exchanged to USD", "25.00"),
    ],
    skipped=1,
    balances=2,
    currencies=("EUR", "EUR", "EUR", "USD"),
)

N26 = Export(
    "n26_csv",
    """\
"Booking Date","Value Date","Partner Name","Partner Iban",Type,"Payment Reference","Account Name","Amount (EUR)","Original Amount","Original Currency","Exchange Rate"
2024-09-03,2024-09-02,"Lidl GmbH",,Presentment,,Main,-13.58,13.58,EUR,1
2024-09-04,,,,Presentment," ",Main,-0.8,0.8,EUR,1
2024-09-05,2024-09-05,"ACME",DE36,"Credit Transfer","Salary, September",Main,2000.00,,,
""",
    [
        ("2024-09-03", "Lidl GmbH", "-13.58"),
        ("2024-09-04", "Presentment", "-0.8"),
        ("2024-09-05", "ACME Salary, September", "2000.00"),
    ],
    currencies=("EUR",),
    accounts=("Main",),
)

N26_OLD = Export(
    "n26_csv",
    """\
"Datum","Empfänger","Kontonummer","Transaktionstyp","Verwendungszweck","Kategorie","Betrag (EUR)","Betrag (Fremdwährung)","Fremdwährung","Wechselkurs"
"2021-02-08","Yabox","DE00111111110000000000","Gutschrift","Rückzahlung","Medien","16.2","","",""
""",
    [("2021-02-08", "Yabox Rückzahlung", "16.2")],
    currencies=("EUR",),
)

PAYPAL = Export(
    "paypal_csv",
    "\ufeff"
    """\
"Date","Time","TimeZone","Name","Type","Status","Currency","Gross","Fee","Net","From Email Address","To Email Address","Transaction ID","Balance","Balance Impact"
"09/02/2024","10:00:00","PDT","Jane Client","Invoice Payment","Completed","USD","1,500.00","-44.80","1,455.20","a","b","1","1,455.20","Credit"
"09/13/2024","10:00:00","PDT","","General Withdrawal","Completed","USD","-400.00","0.00","-400.00","","","3","1,055.20","Debit"
"09/14/2024","10:00:00","PDT","Uber","General Authorization","Pending","USD","-42.00","0.00","-42.00","","","4","1,055.20","Memo"
"09/14/2024","10:00:00","PDT","","General Currency Conversion","Completed","EUR","10.00","0.00","10.00","","","5","10.00","Credit"
""",
    [
        ("2024-09-02", "Jane Client", "1455.20"),
        ("2024-09-13", "General Withdrawal", "-400.00"),
        ("2024-09-14", "General Currency Conversion", "10.00"),
    ],
    skipped=1,
    balances=2,
    currencies=("USD", "USD", "EUR"),
)

PAYPAL_GERMAN = Export(
    "paypal_csv",
    """\
"Datum","Uhrzeit","Zeitzone","Name","Typ","Status","Währung","Brutto","Gebühr","Netto","Absender E-Mail-Adresse","Transaktionscode","Guthaben"
"13.09.2024","10:00:00","CET","Musikladen","Zahlung","Abgeschlossen","EUR","-1.012,50","0,00","-1.012,50","a","1","0,00"
""",
    [("2024-09-13", "Musikladen", "-1012.50")],
    balances=1,
    currencies=("EUR",),
)

_VENMO = (
    ",ID,Datetime,Type,Status,Note,From,To,Amount (total),Amount (tip),Amount (tax),Amount (fee),Tax Rate,Tax Exempt,Funding Source,Destination,"
    "Beginning Balance,Ending Balance,Statement Period Venmo Fees,Terminal Location,Year to Date Venmo Fees,Disclaimer\n"
)
VENMO = Export(
    "venmo_csv",
    "Account Statement - (@jane-doe) ,,,,,,,,,,,,,,,,,,,,,\nAccount Activity,,,,,,,,,,,,,,,,,,,,,\n"
    + _VENMO
    + """\
,,,,,,,,,,,,,,,,$10.00,,,,,
,1001,2024-09-10T09:15:00,Payment,Complete,groceries 🥕,Jane Doe,Bob,- $23.40,,0,,0,,"BANK Checking *0000",,,,,Venmo,,
,1002,2024-09-13T08:00:00,Standard Transfer,Issued,,,,- $30.00,,,,,,,"BANK *0000",,,,Venmo,,
,1003,2024-09-13T09:45:00,Payment,Complete,Dinner,Bob,Jane Doe,"+ $1,037.10",,0,,0,,,Venmo balance,,,,Venmo,,
,1003,2024-09-13T09:45:00,Payment,Complete,Dinner,Bob,Jane Doe,"+ $1,037.10",,0,,0,,,Venmo balance,,,,Venmo,,
,,,,,,,,,,,,,,,,,"$1,017.10",$0.00,,$0.00,"In case of errors or questions about your
electronic transfers, call us, or write."
""",
    [
        ("2024-09-10", "groceries 🥕 Jane Doe Bob", "-23.40"),
        ("2024-09-13", "Standard Transfer", "-30.00"),
        ("2024-09-13", "Dinner Bob Jane Doe", "1037.10"),
    ],
    skipped=3,
    balances=1,
)

SERVICES = {name.lower(): value for name, value in list(globals().items()) if isinstance(value, Export)}
