"""Made-up exports with the real layouts and their traps: one per bank and layout, with what must be read from each."""
# ruff: noqa: E501 (a bank's header is as long as it is)

from __future__ import annotations

from dataclasses import dataclass

Rows = list[tuple[str, str, str]]


@dataclass(frozen=True)
class Export:
    source_type: str
    text: str
    rows: Rows
    skipped: int = 0
    balances: int = 0
    currencies: tuple[str, ...] = ("USD",)
    accounts: tuple[str, ...] = ("",)


BANK_OF_AMERICA = Export(
    "bofa_csv",
    """\
Description,,Summary Amt.
Beginning balance as of 01/01/2024,,"1,000.00"
Total credits,,"2,500.00"
Total debits,,"-1,250.50"
Ending balance as of 01/31/2024,,"2,249.50"

Date,Description,Amount,Running Bal.
01/01/2024,Beginning balance as of 01/01/2024,,"1,000.00"
01/03/2024,"ACME CORP DES:PAYROLL ID:XX123 INDN:DOE, JANE CO ID:9 PPD","2,500.00","3,500.00"
01/05/2024,"CHECKCARD 0104 STARBUCKS #1234 SEATTLE WA","-50.50","3,449.50"
01/09/2024,"Zelle payment to Bob for ""rent""; Conf# abc","-1,200.00","2,249.50"
""",
    [
        ("2024-01-03", "ACME CORP DES:PAYROLL ID:XX123 INDN:DOE, JANE CO ID:9 PPD", "2500.00"),
        ("2024-01-05", "CHECKCARD 0104 STARBUCKS #1234 SEATTLE WA", "-50.50"),
        ("2024-01-09", 'Zelle payment to Bob for "rent"; Conf# abc', "-1200.00"),
    ],
    skipped=5,
    balances=1,
)

BANK_OF_AMERICA_CARD = Export(
    "bofa_csv",
    """\
Posted Date,Reference Number,Payee,Address,Amount
03/14/2024,24445726072300602934358,"KROGER #539 800-555-3033 VA","800-555-3033  VA ",-41.76
03/15/2024,31286000000379455331189,"PAYMENT - THANK YOU","",500.00
""",
    [("2024-03-14", "KROGER #539 800-555-3033 VA", "-41.76"), ("2024-03-15", "PAYMENT - THANK YOU", "500.00")],
)

CHASE = Export(
    "chase_csv",
    """\
Details,Posting Date,Description,Amount,Type,Balance,Check or Slip #
DEBIT,07/18/2024,"COFFEE BAR",-9.99,DEBIT_CARD, ,,
CHECK,07/17/2024,"CHECK 1088",-200.00,CHECK_PAID,2057.50,1088,
CREDIT,07/16/2024,"ACME PAYROLL    PPD ID: 1234567890",1500.00,ACH_CREDIT,2257.50,,
DSLIP,07/15/2024,"DEPOSIT  ID NUMBER 123456",42.50,CHECK_DEPOSIT,757.50,,
""",
    [
        ("2024-07-18", "COFFEE BAR", "-9.99"),
        ("2024-07-17", "CHECK 1088", "-200.00"),
        ("2024-07-16", "ACME PAYROLL PPD ID: 1234567890", "1500.00"),
        ("2024-07-15", "DEPOSIT ID NUMBER 123456", "42.50"),
    ],
    balances=1,
)

CHASE_CARD = Export(
    "chase_csv",
    """\
Transaction Date,Post Date,Description,Category,Type,Amount,Memo
07/14/2024,07/16/2024,STARBUCKS STORE 08812,Food & Drink,Sale,-6.40,
07/20/2024,07/20/2024,Payment Thank You - Web,,Payment,1200.00,
07/21/2024,07/22/2024,"AMAZON.COM, REFUND",Shopping,Return,12.99,
""",
    [
        ("2024-07-14", "STARBUCKS STORE 08812", "-6.40"),
        ("2024-07-20", "Payment Thank You - Web", "1200.00"),
        ("2024-07-21", "AMAZON.COM, REFUND", "12.99"),
    ],
)

WELLS_FARGO = Export(
    "wells_fargo_csv",
    """\
"07/14/2024","-42.10","*","","PURCHASE AUTHORIZED ON 07/12 SAFEWAY STORE 1842"
"07/15/2024","1008.75","*","","ACME DIRECT DEP"
"07/15/2024","-100.00","*","1023","CHECK # 1023"
""",
    [
        ("2024-07-14", "PURCHASE AUTHORIZED ON 07/12 SAFEWAY STORE 1842", "-42.10"),
        ("2024-07-15", "ACME DIRECT DEP", "1008.75"),
        ("2024-07-15", "CHECK # 1023", "-100.00"),
    ],
)

WELLS_FARGO_HEADER = Export(
    "wells_fargo_csv",
    """\
"DATE","DESCRIPTION","AMOUNT","CHECK #","STATUS"
"07/14/2024","SAFEWAY STORE 1842","-42.10","","Posted"
"07/15/2024","SHELL OIL","-30.00","","Pending"
""",
    [("2024-07-14", "SAFEWAY STORE 1842", "-42.10")],
    skipped=1,
)

AMEX = Export(
    "amex_csv",
    """\
Date,Description,Card Member,Account #,Amount,Extended Details,Appears On Your Statement As,Address,City/State,Zip Code,Country,Reference,Category
07/13/2024,AMZN MKTP US*A12BC3,JANE DOE,-71002,54.99,"AMZN.COM/BILL
MERCHANDISE, BOOKS",AMZN MKTP US*A12BC3,"410 TERRY AVE N
-",SEATTLE WA,98109,UNITED STATES,'320241830000001',Merchandise
07/03/2024,AUTOPAY PAYMENT - THANK YOU,JANE DOE,-71002,"-1,500.00",,,,,,,'320241830000003',
""",
    [("2024-07-13", "AMZN MKTP US*A12BC3", "-54.99"), ("2024-07-03", "AUTOPAY PAYMENT - THANK YOU", "1500.00")],
    accounts=("-71002",),
)

AMEX_BRITISH = Export(
    "amex_csv",
    """\
Date,Description,Amount,Extended Details,Appears On Your Statement As,Address,Town/City,Postcode,Country,Reference,Category
28/02/2024,TESCO STORES,12.40,,,,,,,'AT1',General Purchases-Groceries
03/02/2024,PAYMENT RECEIVED - THANK YOU,-250.00,,,,,,,'AT2',
""",
    [("2024-02-28", "TESCO STORES", "-12.40"), ("2024-02-03", "PAYMENT RECEIVED - THANK YOU", "250.00")],
)

DISCOVER = Export(
    "discover_csv",
    """\
Trans. Date,Post Date,Description,Amount,Category
07/14/2024,07/15/2024,"WHOLE FOODS MKT 10229",84.31,Supermarkets
07/16/2024,07/17/2024,"INTERNET PAYMENT - THANK YOU",-29.99,Payments and Credits
""",
    [("2024-07-14", "WHOLE FOODS MKT 10229", "-84.31"), ("2024-07-16", "INTERNET PAYMENT - THANK YOU", "29.99")],
)

CITI = Export(
    "citi_csv",
    """\
Status,Date,Description,Debit,Credit,Member Name
Cleared,12/28/2024,"COSTCO WHSE #0423 SUNNYVALE CA",398.80,,JANE DOE
Cleared,12/21/2024,"ONLINE PAYMENT, THANK YOU",,-1037.98,JANE DOE
Pending,12/20/2024,"HOTEL DEPOSIT",50.00,,JANE DOE
""",
    [("2024-12-28", "COSTCO WHSE #0423 SUNNYVALE CA", "-398.80"), ("2024-12-21", "ONLINE PAYMENT, THANK YOU", "1037.98")],
    skipped=1,
)

CITI_POSITIVE = Export(
    "citi_csv",
    """\
Status,Date,Description,Debit,Credit
Cleared,07/14/2024,TRADER JOES #178,64.20,
Cleared,07/16/2024,STATEMENT CREDIT,,15.00
""",
    [("2024-07-14", "TRADER JOES #178", "-64.20"), ("2024-07-16", "STATEMENT CREDIT", "15.00")],
)

CAPITAL_ONE = Export(
    "capital_one_csv",
    """\
Transaction Date,Posted Date,Card No.,Description,Category,Debit,Credit
2024-02-03,2024-02-04,1234,AMAZON.COM*AB12CD34E,Merchandise,25.99,
2024-02-05,2024-02-06,1234,CAPITAL ONE AUTOPAY PYMT,Payment/Credit,,300.00
""",
    [("2024-02-03", "AMAZON.COM*AB12CD34E", "-25.99"), ("2024-02-05", "CAPITAL ONE AUTOPAY PYMT", "300.00")],
    accounts=("1234",),
)

CAPITAL_ONE_ACCOUNT = Export(
    "capital_one_csv",
    """\
Account Number,Transaction Description,Transaction Date,Transaction Type,Transaction Amount,Balance
1122,Debit Card Purchase - KROGER 1165 TOWN MN,11/27/24,Debit,21,405.12
1122,Deposit from ACME PAYROLL,11/26/24,Credit,5.5,426.12
""",
    [("2024-11-27", "Debit Card Purchase - KROGER 1165 TOWN MN", "-21"), ("2024-11-26", "Deposit from ACME PAYROLL", "5.5")],
    balances=1,
    accounts=("1122",),
)

RBC = Export(
    "rbc_csv",
    """\
"Account Type","Account Number","Transaction Date","Cheque Number","Description 1","Description 2","CAD$","USD$"
Chequing,00010-5858402,6/12/2024,,"C - IDP REFUND-0819","COSTCO WHOLESAL ",183.95,,
Chequing,00010-5858402,6/13/2024,,"MONTHLY FEE",,-10.95,,
Visa,00010-1111111,6/14/2024,,"HOTEL NY","NEW YORK",,-129.12,
""",
    [
        ("2024-06-12", "C - IDP REFUND-0819 COSTCO WHOLESAL", "183.95"),
        ("2024-06-13", "MONTHLY FEE", "-10.95"),
        ("2024-06-14", "HOTEL NY NEW YORK", "-129.12"),
    ],
    currencies=("CAD", "CAD", "USD"),
    accounts=("00010-5858402", "00010-5858402", "00010-1111111"),
)

APPLE_CARD = Export(
    "apple_card_csv",
    """\
Transaction Date,Clearing Date,Description,Merchant,Category,Type,Amount (USD),Purchased By
09/03/2024,09/04/2024,"GROCER 12 MAIN ST, SF 94110 CA USA",Grocer,Grocery,Purchase,"1,050.00",Jane Doe
09/10/2024,09/10/2024,"ACH DEPOSIT INTERNET TRANSFER",Ach Deposit,Payment,Payment,-500.00,Jane Doe
""",
    [("2024-09-03", "GROCER 12 MAIN ST, SF 94110 CA USA", "-1050.00"), ("2024-09-10", "ACH DEPOSIT INTERNET TRANSFER", "500.00")],
)

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
        ("2024-09-03", "Exchanged to USD", "-23.40"),
        ("2024-09-03", "Exchanged to USD (fee)", "-0.50"),
        ("2024-09-03", "Exchanged to USD", "25.00"),
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
    [("2024-09-03", "Lidl GmbH", "-13.58"), ("2024-09-04", "Presentment", "-0.8"), ("2024-09-05", "ACME Salary, September", "2000.00")],
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
    currencies=("USD", "USD", "EUR"),
)

PAYPAL_GERMAN = Export(
    "paypal_csv",
    """\
"Datum","Uhrzeit","Zeitzone","Name","Typ","Status","Währung","Brutto","Gebühr","Netto","Absender E-Mail-Adresse","Transaktionscode","Guthaben"
"13.09.2024","10:00:00","CET","Musikladen","Zahlung","Abgeschlossen","EUR","-1.012,50","0,00","-1.012,50","a","1","0,00"
""",
    [("2024-09-13", "Musikladen", "-1012.50")],
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

EXPORTS = {name.lower(): value for name, value in list(globals().items()) if isinstance(value, Export)}
