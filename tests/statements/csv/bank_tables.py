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
    [
        ("2024-03-14", "KROGER #539 800-555-3033 VA", "-41.76"),
        ("2024-03-15", "PAYMENT - THANK YOU", "500.00"),
    ],
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
    [
        ("2024-07-13", "AMZN MKTP US*A12BC3", "-54.99"),
        ("2024-07-03", "AUTOPAY PAYMENT - THANK YOU", "1500.00"),
    ],
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
    currencies=("GBP",),
)

DISCOVER = Export(
    "discover_csv",
    """\
Trans. Date,Post Date,Description,Amount,Category
07/14/2024,07/15/2024,"WHOLE FOODS MKT 10229",84.31,Supermarkets
07/16/2024,07/17/2024,"INTERNET PAYMENT - THANK YOU",-29.99,Payments and Credits
""",
    [
        ("2024-07-14", "WHOLE FOODS MKT 10229", "-84.31"),
        ("2024-07-16", "INTERNET PAYMENT - THANK YOU", "29.99"),
    ],
)

CITI = Export(
    "citi_csv",
    """\
Status,Date,Description,Debit,Credit,Member Name
Cleared,12/28/2024,"COSTCO WHSE #0423 SUNNYVALE CA",398.80,,JANE DOE
Cleared,12/21/2024,"ONLINE PAYMENT, THANK YOU",,-1037.98,JANE DOE
Pending,12/20/2024,"HOTEL DEPOSIT",50.00,,JANE DOE
""",
    [
        ("2024-12-28", "COSTCO WHSE #0423 SUNNYVALE CA", "-398.80"),
        ("2024-12-21", "ONLINE PAYMENT, THANK YOU", "1037.98"),
    ],
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
    [
        ("2024-11-27", "Debit Card Purchase - KROGER 1165 TOWN MN", "-21"),
        ("2024-11-26", "Deposit from ACME PAYROLL", "5.5"),
    ],
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
    [
        ("2024-09-03", "GROCER 12 MAIN ST, SF 94110 CA USA", "-1050.00"),
        ("2024-09-10", "ACH DEPOSIT INTERNET TRANSFER", "500.00"),
    ],
)

BANKS = {name.lower(): value for name, value in list(globals().items()) if isinstance(value, Export)}
