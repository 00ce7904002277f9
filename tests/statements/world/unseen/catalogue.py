"""Statements whose authors never saw the readers: which are read by the day of posting, which stay in doubt, and why."""

from __future__ import annotations

from collections.abc import Iterator

from ..truth import Made
from . import exchange, exports, papers


def unseen_files() -> Iterator[Made]:
    """Every file but those of which a reader may well take the details of an entry instead of the entry."""
    for room in (exports, exchange, papers):
        yield from (made for made in room.made() if not made.notes or "either" not in made.notes[0])


NO_CURRENCY = "names no currency, or a sign that several countries share"
NOT_READ = "days without a year in a table"
AN_ERROR = "the bank answered an error and no statement"
PENDING = "a row that is not booked yet"
CENTS = "amounts in cents"
OF_THE_BANK = "amounts, signs or balances that only those tell apart who know the bank"
IN_DOUBT = {
    "Chase checking, US: newest first, a pending row without balance, one comma more in each row": PENDING,
    "Increase, US: amounts and balances in cents, said so in the header (trap)": CENTS,
    "Square sales, US: gross, tax, collected, fees and net total beside one another": OF_THE_BANK,
    "Quicken register report, US: balances and totals as rows with days in them (trap)": OF_THE_BANK,
    "Barclaycard, UK: no header, two-digit years, credits negative before debits": OF_THE_BANK,
    "Bank of Ireland: the balance only beside the last row of a day": NO_CURRENCY,
    "LCL, France: no header, a last line with a day that is the account's balance (trap)": OF_THE_BANK,
    "Santander Bank Polska, Poland: no header, a first line of account and both balances": OF_THE_BANK,
    "Standard Bank, South Africa: records by kind, balances in dated lines (trap)": NO_CURRENCY,
    "HDFC Bank card, India: divided by ~|~, Cr beside payments and nothing beside purchases": NO_CURRENCY,
    "BCA, Indonesia: days without year (the period has it), DB and CR in a column without name": NOT_READ,
    "Chunghwa Post, Taiwan: years of the republic (trap), Big5, dollars without decimals": NO_CURRENCY,
    "Sumitomo Mitsui Card, Japan: no header, holder above, the sum below, purchases positive (trap)": OF_THE_BANK,
    "Commonwealth Bank, Australia: no header, a plus before balances": NO_CURRENCY,
    "Virgin Money card, Australia: the balance is what is owed, DR behind it (trap)": NO_CURRENCY,
    "ING, Australia: credit before negative debit": NO_CURRENCY,
    "Macquarie, Australia: categories and notes between text and money": NO_CURRENCY,
    "ANZ Visa, New Zealand: D and C, two dates, foreign amounts and charges behind (trap)": NO_CURRENCY,
    "Itaú, Brazil: no header, semicolons": NO_CURRENCY,
    "Banorte, Mexico: pesos with dollar signs, a dash in the empty column, deposits first": NO_CURRENCY,
    "Bancolombia, Colombia: pesos in millions, semicolons around grouped thousands": NO_CURRENCY,
    "Santander card, Chile: purchases positive, a minus behind the dollar sign, 01/01 is no day": NO_CURRENCY,
    "Mercado Pago, Argentina: a table of one row with both balances above that of transactions": NO_CURRENCY,
    "Banco Galicia, Argentina: quoted newlines in texts, zeros in the empty column": NO_CURRENCY,
    "First Tech Federal Credit Union, OFX 1.03: an error response without a statement": AN_ERROR,
    "Tangerine, QIF Bank: 6/3'2024, the last record is not closed": NO_CURRENCY,
    "Kiwibank, QIF Bank: byte order mark, blank lines, payee only in the memo": NO_CURRENCY,
    "Nordea Sweden, QIF Bank: -1 234,56 with no-break spaces, ending .txt": NO_CURRENCY,
    "TD Canada Trust, Canada: the date stands right of the amounts, JAN05, over New Year": NO_CURRENCY,
    "BPI, Philippines card: months in full without a year over New Year, instalment balance with a date": NO_CURRENCY,
}
"""Files that are not read right, and why: each of them must say that it is in doubt."""
BY_POSTING = {
    "Navy Federal checking, US: two dates, a Credit/Debit indicator",
    "Chase Sapphire card, US: two dates, purchases negative",
    "Capital One Venture card, US: two dates, debit and credit columns",
    "Apple Card, US: two dates, purchases positive, the currency in the header",
    "BMO Mastercard, Canada: two dates in eight digits, purchases positive",
    "Rogers Bank Mastercard, Canada: two dates, purchases positive with dollar sign, a declined row (trap)",
    "Halifax Clarity card, UK: two dates, purchases positive, a comma at each end",
    "DKB Visa, Germany: two dates, the original amount in dollars beside some (trap)",
    'Barclays Visa, Germany: two dates, a reference in ="...", the amount again as original amount',
    "UBS card, Switzerland: sep=; first, two dates, the shop's amount before the billed one, totals (trap)",
    "ICS Visa, Netherlands: two dates, Af and Bij, dollars before euros in some rows (trap)",
    "Nexi Visa, Italy: two dates with Italian months, A (avere) and D (dare)",
    "Swedbank, Sweden: a line with a star above, three dates, latin-1",
    "Nordea, Finland: tabs, three dates, empty lines around the header",
    "SEB Kort SAS Mastercard, Sweden: two dates, purchases positive, a foreign amount before, a total (trap)",
    "Bank Norwegian card, Norway: currency amount before the billed one (trap), three dates",
    "ADCB card, UAE: two dates as Excel makes them, CR behind payments",
    "HSBC card, Hong Kong: three dates, that of the statement in each row (trap)",
    "Citi, QFX 1.02: DTUSER some days before DTPOSTED, over New Year",
    "HypoVereinsbank, MT940: entry date and value date on different sides of New Year",
    "ČSOB, MT940: DK and CK with a funds code, an entry in the year behind its value",
}
"""Their truth has the day of posting; the reader takes that of the transaction and keeps the other."""
FEES_APART = {
    "Revolut: two currencies, fees beside amounts, reverted rows without balance, two dates (trap)",
    "Capitec, South Africa: negative money out and a fee of its own beside it, two dates (trap)",
}
"""Their truth has the fee within its row; the reader makes a row of it, and both come to the same."""
UNPROVED = {
    "PNC checking, US: no header, a first line of account, period and both balances",
    "Brex business account, US: two dates, a failed wire without balance (trap)",
    "TD Canada Trust account, Canada: no header, withdrawal, deposit, balance",
    "TD Aeroplan Visa, Canada: no header, the balance is what is owed (trap)",
    "Desjardins, Canada: no header, fourteen columns, latin-1",
    "Banque Nationale, Canada: French, a zero in the empty one of debit and credit",
    "Coinbase Exchange dollars, US: sixteen decimals, fees in rows of their own",
    "first direct, UK: no day after the 12th, so days look like months (trap)",
    "ASN Bank, Netherlands: no header, the balance before each row (trap)",
    "OTP Bank, Hungary: no header, forints without decimals, days in eight digits, latin-2",
    "SEB, Sweden: three decimals, semicolons",
    "SMBC, Japan: years of Reiwa (trap), the text between money and balance, Shift-JIS",
    "Banco do Brasil, Brazil: both balances as dated rows in the amount's column (trap), latin-1",
    "Desjardins, Canada in French: a fee column that is empty, other products' balances with dates",
    "BBVA, Mexico: days as 07/MAR, two balance columns, three lines a row",
    "Nubank, Brazil card: next bills and payment plans with dates, dollars below a row",
    "AIB, Ireland: sterling lines under rows, dr for overdrawn, fees announced for a later day",
    "Deutsche Bank, Germany: the year on the line below day and month, several lines a row",
    "SEB, Sweden: dated opening and closing balance rows, a card's day in the text",
    "Danske Bank, Denmark: trailing minus on amounts and balances, interest days",
    "ICICI, India card: reward and dollar columns, lakhs as 1,23,456, a table of instalments, backquote for the rupee",
    "Cathay United, Taiwan: years of the republic (114/03/05 is 2025), other products' days and amounts around",
    "N26, Germany: the day right of the text, value days on lines below, balances only at the end, a second little account's summary",
}
"""Files that state balances and are read right, and yet leave something open."""
