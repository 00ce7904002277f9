# ruff: noqa: E501 lines stay as wide as the page they draw
"""Statements on paper as banks and card issuers of the United States, Canada, Brazil and Mexico print them."""

from __future__ import annotations

from collections.abc import Iterator

from ..truth import Made, Row
from .drawing import draw
from .ledgers import BRAZILIAN, CANADIAN, US_CARD, US_CHECKING, de, file_of, into, lines, out, trailing, us

MONTHS = ["ENE", "FEB", "MAR", "ABR", "MAY", "JUN", "JUL", "AGO", "SEP", "OCT", "NOV", "DIC"]


def chase_checking() -> str:
    held = US_CHECKING
    return f"""
JPMorgan Chase Bank, N.A.                                                        December 09, 2023 through January 09, 2024
P O Box 182051                                                                   Account Number:  000000123454821
Columbus, OH 43218 - 2051

CHECKING SUMMARY     Chase Total Checking
                                                                    AMOUNT
Beginning Balance                                                $2,841.17
Deposits and Additions                                            {us(held.paid_in)}
Withdrawals and Checks                                           -{us(held.paid_out)}
Ending Balance                                                  ${us(held.closing)}

TRANSACTION DETAIL
DATE       DESCRIPTION                                                                   AMOUNT        BALANCE
           Beginning Balance                                                                         $2,841.17
{lines(held.rows, lambda row: f"{row.day:%m/%d}      {row.text:<70}{us(row.amount):>14}{us(row.balance):>15}")}
           Ending Balance                                                                            ${us(held.closing)}

A Monthly Service Fee was not charged. You had an average daily balance of $1,500.00 or more.
In case of errors or questions call 1-866-564-2262 by 01/31.
"""


def card_row(row: Row) -> str:
    return f"{row.day:%m/%d}       {row.text:<80}{us(-row.amount):>12}"


def chase_card() -> str:
    held = US_CARD
    return f"""
Manage your account online at www.chase.com                   Customer Service: 1-800-524-3880
New Balance                     Minimum Payment Due           Payment Due Date
${us(-held.closing)}            $35.00                        02/05/24

ACCOUNT SUMMARY
Account Number: XXXX XXXX XXXX 9911
Previous Balance                                   $1,204.55
Payment, Credits                                  -${us(held.paid_in)}
Purchases                                         +${us(held.paid_out)}
Cash Advances                                          $0.00
Fees Charged                                           $0.00
New Balance                                        ${us(-held.closing)}
Opening/Closing Date                  12/09/23 - 01/08/24
Credit Access Line                                   $12,000

ACCOUNT ACTIVITY
Date of
Transaction     Merchant Name or Transaction Description                                       $ Amount
PAYMENTS AND OTHER CREDITS
{lines(held.credits(), card_row)}
PURCHASE
{lines(held.debits(), card_row)}
\f
2024 Totals Year-to-Date
Total fees charged in 2024                          $0.00
Total interest charged in 2024                      $0.00
INTEREST CHARGES
Your Annual Percentage Rate (APR) is the annual interest rate on your account.
Purchases     20.49%(v)(d)      - 0 -      - 0 -
31 Days in Billing Period
"""


def wells_fargo() -> str:
    held = US_CHECKING

    def day(rows: list[Row]) -> str:
        text = ""
        for row in rows:
            balance = us(row.balance) if row is rows[-1] else ""
            text += f"{row.day.month}/{row.day.day:<6}         {row.text:<64}{into(row):>14}{out(row):>16}{balance:>14}\n"
        return text

    return f"""
Wells Fargo Everyday Checking
Account number: 1234567890   |   December 9, 2023 - January 9, 2024   |   Page 1 of 4

Statement period activity summary
Beginning balance on 12/9                       $2,841.17
Deposits/Additions                               {us(held.paid_in)}
Withdrawals/Subtractions                       - {us(held.paid_out)}
Ending balance on 1/9                          ${us(held.closing)}

Transaction history
          Check                                                             Deposits/      Withdrawals/   Ending daily
Date      Number   Description                                              Additions      Subtractions        balance
{"".join(day(rows) for _, rows in held.by_day())}
Ending balance on 1/9                                                                                         {us(held.closing)}
Totals                                                                 ${us(held.paid_in)}    ${us(held.paid_out)}
The Ending Daily Balance does not reflect any pending withdrawals or holds on deposited funds.
Monthly service fee summary
Fee period 12/09/2023 - 01/09/2024     Standard monthly service fee $10.00     You paid $0.00
"""


def citi_card() -> str:
    held = US_CARD

    def write(row: Row) -> str:
        amount = f"-${us(row.amount)}" if row.amount > 0 else f"${us(-row.amount)}"
        return f"{row.day:%m/%d}     {row.day:%m/%d}     {row.text:<60}{amount:>14}"

    return f"""
CITI DOUBLE CASH CARD                         Account number ending in: 4410
Billing Period: 12/09/23-01/08/24             Member Since 2017
Account Summary
Previous balance                               $1,204.55
Payments                                      -$1,204.55
Credits                                          -$45.10
Purchases                                       +${us(held.paid_out)}
New balance                                      ${us(-held.closing)}
Credit Limit $8,000     includes $800 cash advance limit

Trans.    Post
date      date      Description                                                        Amount
Payments, Credits and Adjustments
{lines(held.credits(), write)}
Standard Purchases
{lines(held.debits(), write)}
Fees charged
                    TOTAL FEES FOR THIS PERIOD                                           $0.00
Interest charged
                    TOTAL INTEREST FOR THIS PERIOD                                       $0.00
2024 totals year-to-date
Total fees charged in 2024      $0.00
"""


def capital_one_card() -> str:
    held = US_CARD

    def write(row: Row) -> str:
        amount = f"- ${us(row.amount)}" if row.amount > 0 else f"${us(-row.amount)}"
        return f"{row.day:%b} {row.day.day:<6}  {row.day:%b} {row.day.day:<6}  {row.text:<56}{amount:>14}"

    return f"""
Venture card | Visa Signature ending in 7788
Dec 09, 2023 - Jan 08, 2024   |   31 days in Billing Cycle
Account Summary
Previous Balance                            $1,204.55
Payments                                  - $1,204.55
Other Credits                                - $45.10
Transactions                                + ${us(held.paid_out)}
New Balance                                 = ${us(-held.closing)}

Transactions
Visit capitalone.com to see detailed transactions.
JANE Q SAMPLE #7788: Payments, Credits and Adjustments
Trans Date   Post Date   Description                                             Amount
{lines(held.credits(), write)}
JANE Q SAMPLE #7788: Transactions
Trans Date   Post Date   Description                                             Amount
{lines(held.debits(), write)}
JANE Q SAMPLE #7788: Total Transactions                                      ${us(held.paid_out)}
Total Transactions for This Period                                           ${us(held.paid_out)}
Fees
Total Fees for This Period                                                        $0.00
Interest Charge on Purchases                                                      $0.00
"""


def capital_one_360() -> str:
    held = US_CHECKING

    def write(row: Row) -> str:
        sign = "-" if row.amount < 0 else "+"
        kind = "Debit" if row.amount < 0 else "Credit"
        return f"{row.day:%b} {row.day.day:<7}{row.text:<66}{kind:<10}{f'{sign} ${us(abs(row.amount))}':>14}{f'${us(row.balance)}':>14}"

    return f"""
Capital One     Here's your January 2024 bank statement.     STATEMENT PERIOD  Dec 9, 2023 - Jan 8, 2024
Account Summary
ACCOUNT NAME                         Dec 9            Jan 8
360 Checking...4821              $2,841.17        ${us(held.closing)}

360 Checking - 36012344821
DATE      DESCRIPTION                                                       CATEGORY         AMOUNT       BALANCE
Dec 9     Opening Balance                                                                               $2,841.17
{lines(held.rows, write)}
Jan 8     Closing Balance                                                                               ${us(held.closing)}
ANNUAL PERCENTAGE YIELD EARNED 0.10%     YTD INTEREST $0.31
"""


def amex_card() -> str:
    held = US_CARD

    def write(row: Row) -> str:
        amount = f"-${us(row.amount)}" if row.amount > 0 else f"${us(-row.amount)}"
        star = "*" if "Payment" in row.text else ""
        note = (
            "\n             140.00 Euros\n             TICKET NUMBER 0162345678901"
            if "UNITED" in row.text
            else ""
        )
        return f"{row.day:%m/%d/%y}{star}    {row.text:<70}{amount:>14}{note}"

    return f"""
American Express Gold Card                                            Closing Date 01/08/24
JANE SAMPLE                                                           Account Ending 3-41007
Previous Balance                             $1,204.55
Payments/Credits                            -${us(held.paid_in)}
New Charges                                 +${us(held.paid_out)}
Fees                                            +$0.00
Interest Charged                                +$0.00
New Balance                                   ${us(-held.closing)}
Days in Billing Period: 31

Payments and Credits
Summary                                                                         Total
Payments                                                                   -$1,204.55
Credits                                                                       -$45.10
Total Payments and Credits                                                 -${us(held.paid_in)}
Detail    *Indicates posting date
Payments                                                                       Amount
{lines([row for row in held.credits() if "Payment" in row.text], write)}
Credits                                                                        Amount
{lines([row for row in held.credits() if "Payment" not in row.text], write)}
New Charges
Summary                                                                         Total
Total New Charges                                                             ${us(held.paid_out)}
Detail
JANE SAMPLE    Card Ending 3-41007                                             Amount
{lines(held.debits(), write)}
Fees                                                                           Amount
Total Fees for this Period                                                      $0.00
2024 Fees and Interest Totals Year-to-Date
Total Fees in 2024   $0.00
"""


def discover_card() -> str:
    held = US_CARD

    def write(row: Row) -> str:
        amount = f"-${us(row.amount)}" if row.amount > 0 else f"${us(-row.amount)}"
        kind = "" if row.amount > 0 else "Merchandise"
        return f"{row.day:%m/%d}      {row.text:<60}{kind:<16}{amount:>12}"

    return f"""
DISCOVER IT CARD ENDING IN 2210
OPEN TO CLOSE DATE: 12/09/2023 - 01/08/2024
ACCOUNT SUMMARY
Previous Balance                             $1,204.55
Payments and Credits                        -${us(held.paid_in)}
Purchases                                   +${us(held.paid_out)}
Balance Transfers                               +$0.00
Interest Charged                                +$0.00
New Balance                                   ${us(-held.closing)}
Cashback Bonus Balance                          $18.22

TRANS.
DATE       PAYMENTS AND CREDITS                                                          AMOUNT
{lines(held.credits(), write)}
DATE       PURCHASES                                                   MERCHANT CATEGORY       AMOUNT
{lines(held.debits(), write)}
TOTAL FEES FOR THIS PERIOD                                                                $0.00
INTEREST CHARGED FOR THIS PERIOD                                                          $0.00
2024 Totals Year-to-Date
TOTAL FEES CHARGED IN 2024                                                                $0.00
"""


def us_bank() -> str:
    held = US_CHECKING

    def write(row: Row) -> str:
        amount = f"{us(-row.amount)}-" if row.amount < 0 else us(row.amount)
        return f"{row.day:%b} {row.day.day:>2}   {row.text:<76}{amount:>14}"

    balances = "".join(
        f"{day:%b} {day.day:>2}          {us(rows[-1].balance):>12}\n" for day, rows in held.by_day()
    )
    return f"""
U.S. Bank National Association                           Statement Period:  Dec 9, 2023 through Jan 8, 2024
Smartly Checking                                         Account Number 1-234-5678-4821
Account Summary
Beginning Balance on Dec 9                               $    2,841.17
Deposits / Credits                                            {us(held.paid_in)}
Withdrawals                                                   {us(held.paid_out)}-
Ending Balance on Jan 8, 2024                            $    {us(held.closing)}

Deposits / Credits
Date     Description of Transaction                                              Ref Number       Amount
{lines(held.credits(), write)}
                                             Total Deposits / Credits                       $    {us(held.paid_in)}
Withdrawals
Date     Description of Transaction                                              Ref Number       Amount
{lines(held.debits(), write)}
                                             Total Withdrawals                              $    {us(held.paid_out)}-
Balance Summary
Date            Ending Balance
{balances}
Balances only appear for days reflecting change.
"""


def pnc() -> str:
    held = US_CHECKING

    def write(row: Row) -> str:
        return f"{row.day:%m/%d}      {us(abs(row.amount)):>12}     {row.text}"

    balances = "".join(f"{day:%m/%d}    {us(rows[-1].balance):>12}\n" for day, rows in held.by_day())
    return f"""
PNC Bank     Virtual Wallet Spend Statement          For the period 12/09/2023 to 01/08/2024
Primary account number: XX-XXXX-4821
Balance Summary
Beginning          Deposits and          Checks and other           Ending
balance            other additions       deductions                 balance
2,841.17             {us(held.paid_in)}               {us(held.paid_out)}              {us(held.closing)}

Deposits and Other Additions
Date            Amount     Description
{lines(held.credits(), write)}
Banking/Debit Card Withdrawals and Purchases
Date            Amount     Description
{lines(held.debits(), write)}
Daily Balance Detail
Date         Balance
{balances}
"""


def td_us() -> str:
    held = US_CHECKING

    def write(row: Row) -> str:
        return f"{row.day:%m/%d}          {row.text:<76}{us(abs(row.amount)):>14}"

    return f"""
TD Bank, America's Most Convenient Bank            STATEMENT OF ACCOUNT
Statement Period:   Dec 09 2023-Jan 08 2024        Primary Account #:  432-1234821
ACCOUNT SUMMARY
Beginning Balance                 2,841.17         Average Collected Balance        2,611.04
Electronic Deposits               {us(held.paid_in)}         Interest Earned This Period          0.31
Electronic Payments               {us(held.paid_out)}         Annual Percentage Yield Earned      0.10%
Ending Balance                    {us(held.closing)}         Days in Period                       31

DAILY ACCOUNT ACTIVITY
Electronic Deposits
POSTING DATE   DESCRIPTION                                                                      AMOUNT
{lines(held.credits(), write)}
                                                                        Subtotal:          {us(held.paid_in)}
Electronic Payments
POSTING DATE   DESCRIPTION                                                                      AMOUNT
{lines(held.debits(), write)}
                                                                        Subtotal:          {us(held.paid_out)}
"""


def ally() -> str:
    held = US_CHECKING

    def write(row: Row) -> str:
        credit = f"${us(row.amount)}" if row.amount > 0 else "$0.00"
        debit = f"-${us(-row.amount)}" if row.amount < 0 else "-$0.00"
        return f"{row.day:%m/%d/%Y}   {row.text:<66}{credit:>12}{debit:>14}{f'${us(row.balance)}':>14}"

    return f"""
Ally Bank     Interest Checking     Account Number xxxxxx4821     Statement Date 01/08/2024
Beginning Balance, as of 12/09/2023      $2,841.17
Ending Balance, as of 01/08/2024         ${us(held.closing)}
Activity
Date         Description                                                           Credits        Debits       Balance
12/09/2023   Beginning Balance                                                                                $2,841.17
{lines(held.rows, write)}
01/08/2024   Ending Balance                                                                                   ${us(held.closing)}
"""


def navy_federal() -> str:
    held = US_CHECKING
    return f"""
NAVY FEDERAL Credit Union         Statement of Account          Statement Period 12/09/23 - 01/08/24
                       Previous Balance   Deposits/Credits   Withdrawals/Debits   Ending Balance
EveryDay Checking
7012344821                    $2,841.17          ${us(held.paid_in)}            ${us(held.paid_out)}        ${us(held.closing)}
Checking
EveryDay Checking - 7012344821
Date     Transaction Detail                                                          Amount($)      Balance($)
12-09    Beginning Balance                                                                           2,841.17
{lines(held.rows, lambda row: f"{row.day:%m-%d}    {row.text:<70}{trailing(row.amount):>16}{us(row.balance):>14}")}
01-08    Ending Balance                                                                              {us(held.closing)}
"""


def rbc() -> str:
    held, seen = CANADIAN, []

    def write(row: Row) -> str:
        day = f"{row.day.day} {row.day:%b}" if row.day not in seen else ""
        last = [one for one in held.rows if one.day == row.day][-1]
        seen.append(row.day)
        return (
            f"{day:<8}{row.text:<60}{out(row):>14}{into(row):>14}{us(row.balance) if row is last else '':>14}"
        )

    return f"""
Royal Bank of Canada     Your RBC personal banking account statement     From December 15, 2023 to January 15, 2024
Your account number: 04321-1234567
Summary of your account for this period
Your opening balance on December 15, 2023                        $1,650.22
Total deposits into your account                               + {us(held.paid_in)}
Total withdrawals from your account                            - {us(held.paid_out)}
Your closing balance on January 15, 2024                       = ${us(held.closing)}
Details of your account activity
Date    Description                                               Withdrawals ($)  Deposits ($)   Balance ($)
        Opening Balance                                                                                1,650.22
{lines(held.rows, write)}
        Closing Balance                                                                               ${us(held.closing)}
"""


def td_canada_card() -> str:
    held = US_CARD

    def write(row: Row) -> str:
        amount = f"-${us(row.amount)}" if row.amount > 0 else f"${us(-row.amount)}"
        note = (
            "\n                         FOREIGN CURRENCY 52.80 USD\n                         @ EXCHANGE RATE 1.36648"
            if "UNITED" in row.text
            else ""
        )
        return (
            f"{row.day:%b}".upper()
            + f" {row.day.day:<7}"
            + f"{row.day:%b}".upper()
            + f" {row.day.day:<9} {row.text:<56}{amount:>12}{note}"
        )

    return f"""
TD CASH BACK VISA INFINITE CARD          The Toronto-Dominion Bank
JANE SAMPLE  4520 XXXX XXXX 1122         STATEMENT DATE: January 08, 2024
STATEMENT PERIOD: December 09, 2023 to January 08, 2024
TRANSACTION  POSTING
DATE         DATE         ACTIVITY DESCRIPTION                                         AMOUNT($)
             PREVIOUS STATEMENT BALANCE                                                $1,204.55
{lines(held.rows, write)}
             NET AMOUNT OF MONTHLY ACTIVITY                                              -${us(held.closing - held.opening)}
             TOTAL NEW BALANCE                                                           ${us(-held.closing)}
All amounts in Canadian dollars. Annual Interest Rate: Purchases 20.99%
Calculating Your Balance
Previous Balance                $1,204.55
Payments & Credits              ${us(held.paid_in)}
Purchases & Other Charges       ${us(held.paid_out)}
NEW BALANCE                     ${us(-held.closing)}
"""


def bmo() -> str:
    held = CANADIAN
    return f"""
BMO Bank of Montreal     Your Everyday Banking statement     For the period ending January 15, 2024
Your branch 00012 TORONTO     Summary of your account
Account                        Opening balance ($)   Total amounts deducted ($)   Total amounts added ($)   Closing balance ($) on Jan 15, 2024
Chequing # 0012 3987-654                  1,650.22                     {us(held.paid_out)}                  {us(held.paid_in)}                 {us(held.closing)}
Transaction details
                                                        Amounts deducted     Amounts added to
Date      Description                                  from your account ($)   your account ($)        Balance ($)
Dec 15    Opening balance                                                                                1,650.22
{lines(held.rows, lambda row: f"{row.day:%b %d}    {row.text:<50}{out(row):>16}{into(row):>20}{us(row.balance):>18}")}
Jan 15    {"Closing totals":<50}{us(held.paid_out):>16}{us(held.paid_in):>20}
"""


def itau() -> str:
    held = BRAZILIAN
    text = ""
    for day, rows in held.by_day():
        text += lines(rows, lambda row: f"{row.day:%d/%m/%Y}   {row.text:<50}{de(row.amount):>16}")
        text += f"{day:%d/%m/%Y}   SALDO DO DIA{'':<54}{de(rows[-1].balance):>16}\n"
    return f"""
Itau Uniclass     extrato conta corrente     agencia 1234     conta 56789-0
periodo de visualizacao: 01/08/2024 ate 31/08/2024
data         lancamentos                                            valor (R$)      saldo (R$)
31/07/2024   SALDO ANTERIOR                                                           3.210,00
{text}
"""


def bbva_mexico() -> str:
    held = BRAZILIAN

    def day(row: Row) -> str:
        return f"{row.day:%d}/{MONTHS[row.day.month - 1]}"

    return f"""
BBVA MEXICO, S.A.     Estado de Cuenta     Periodo DEL 01/08/2024 AL 31/08/2024     No. de Cuenta 0123456789
Informacion Financiera     MONEDA NACIONAL
Comportamiento
Saldo Anterior                          3,210.00
Depositos / Abonos (+)    2             {us(held.paid_in)}
Retiros / Cargos (-)      4             {us(held.paid_out)}
Saldo Final                             {us(held.closing)}
Detalle de Movimientos Realizados
OPER      LIQ       DESCRIPCION                                   REFERENCIA         CARGOS        ABONOS      OPERACION   LIQUIDACION
{lines(held.rows, lambda row: f"{day(row):<10}{day(row):<10}{row.text:<50}{'':<12}{out(row):>10}{into(row):>14}{us(row.balance):>14}{us(row.balance):>14}")}
Total de Movimientos
TOTAL IMPORTE CARGOS     {us(held.paid_out)}     TOTAL MOVIMIENTOS CARGOS     4
TOTAL IMPORTE ABONOS     {us(held.paid_in)}     TOTAL MOVIMIENTOS ABONOS     2
"""


def american_papers() -> Iterator[Made]:
    for layout in (chase_checking, wells_fargo, capital_one_360, us_bank, pnc, td_us, ally, navy_federal):
        yield file_of(layout.__name__, "statement.pdf", draw(layout()), US_CHECKING, "USD", True)
    for layout in (chase_card, citi_card, capital_one_card, amex_card, discover_card):
        yield file_of(layout.__name__, "statement.pdf", draw(layout()), US_CARD, "USD", True)
    yield file_of("td_canada_card", "statement.pdf", draw(td_canada_card()), US_CARD, "CAD", True)
    for layout in (rbc, bmo):
        yield file_of(layout.__name__, "statement.pdf", draw(layout()), CANADIAN, "CAD", True)
    yield file_of("itau", "extrato.pdf", draw(itau()), BRAZILIAN, "BRL", True)
    yield file_of("bbva_mexico", "estado.pdf", draw(bbva_mexico(), wide=True), BRAZILIAN, "MXN", True)
