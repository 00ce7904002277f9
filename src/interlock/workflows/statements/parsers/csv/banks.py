"""The tables that banks export: one mapping for each layout, by the names in its header. What `MAPPINGS` lists is registered."""

from __future__ import annotations

from .mapping import CsvMapping, Leg, When
from .words import PENDING

# Bank of America: accounts with a summary block before the header, and cards; money out is negative in both.
BANK_OF_AMERICA: tuple[CsvMapping, ...] = (
    CsvMapping(
        "bofa_csv",
        layout="account",
        header=("Date", "Description", "Amount", "Running Bal."),
        date="Date",
        description=("Description",),
        legs=(Leg("Amount"),),
        balance="Running Bal.",
    ),
    CsvMapping(
        "bofa_csv",
        layout="card",
        header=("Posted Date", "Reference Number", "Payee", "Address", "Amount"),
        date="Posted Date",
        description=("Payee",),
        legs=(Leg("Amount"),),
    ),
)

# Chase: accounts, whose rows end in one comma more than the header, and cards in the present and the old layout.
_NOT_BOOKED = (When("Status", PENDING),)

CHASE: tuple[CsvMapping, ...] = (
    CsvMapping(
        "chase_csv",
        layout="account",
        header=("Details", "Posting Date", "Description", "Amount", "Type"),
        date="Posting Date",
        description=("Description",),
        legs=(Leg("Amount"),),
        balance="Balance",
        dates=("mdy", "ymd"),
    ),
    CsvMapping(
        "chase_csv",
        layout="card",
        is_card=True,
        header=("Transaction Date", "Post Date", "Description", "Category", "Type", "Amount"),
        date="Transaction Date",
        description=("Description",),
        legs=(Leg("Amount"),),
        account="Card",
        skip=_NOT_BOOKED,
        dates=("mdy", "ymd"),
    ),
    CsvMapping(
        "chase_csv",
        layout="old card",
        is_card=True,
        header=("Type", "Trans Date", "Post Date", "Description", "Amount"),
        date="Trans Date",
        description=("Description",),
        legs=(Leg("Amount"),),
        dates=("mdy", "ymd"),
    ),
)

# Wells Fargo: five columns without a header, with a star in the third; and the newer table with one.
WELLS_FARGO: tuple[CsvMapping, ...] = (
    CsvMapping(
        "wells_fargo_csv",
        layout="without header",
        columns=("Date", "Amount", "Star", "Check Number", "Description"),
        date="Date",
        description=("Description",),
        legs=(Leg("Amount"),),
        fits=(When("Star", r"\*?"), When("Check Number", r"\d*")),
        certainty=0.9,
    ),
    CsvMapping(
        "wells_fargo_csv",
        layout="with header",
        header=("Date", "Description", "Amount", "Check #|Check Number", "Status"),
        date="Date",
        description=("Description",),
        legs=(Leg("Amount"),),
        skip=_NOT_BOOKED,
    ),
)

# American Express: charges are printed positive and payments negative, so the sign is turned; with or without card member and details.
_AMERICAN_EXPRESS_DATES = ("mdy", "dmy", "ymd")
_AMERICAN_EXPRESS_LEGS = (Leg("Amount", "inverted"),)

AMERICAN_EXPRESS: tuple[CsvMapping, ...] = (
    CsvMapping(
        "amex_csv",
        layout="United Kingdom",
        header=("Date", "Description", "Amount", "Town/City", "Postcode"),
        date="Date",
        is_card=True,
        description=("Description",),
        legs=_AMERICAN_EXPRESS_LEGS,
        account="Account #",
        currency="GBP",
        dates=("dmy", "ymd"),
    ),
    CsvMapping(
        "amex_csv",
        layout="with card member",
        header=("Date", "Description", "Card Member|Cardmember", "Amount"),
        date="Date",
        is_card=True,
        description=("Description",),
        legs=_AMERICAN_EXPRESS_LEGS,
        account="Account #",
        dates=_AMERICAN_EXPRESS_DATES,
    ),
    CsvMapping(
        "amex_csv",
        layout="with details",
        header=("Date", "Description", "Amount", "Extended Details|Appears On Your Statement As"),
        date="Date",
        is_card=True,
        description=("Description",),
        legs=_AMERICAN_EXPRESS_LEGS,
        account="Account #",
        dates=_AMERICAN_EXPRESS_DATES,
    ),
    CsvMapping(
        "amex_csv",
        layout="short",
        header=("Date", "Description", "Amount"),
        date="Date",
        is_card=True,
        description=("Description",),
        legs=_AMERICAN_EXPRESS_LEGS,
        dates=_AMERICAN_EXPRESS_DATES,
        certainty=0.0,
    ),
)
"""The short layout is any bank's three columns: `auto` leaves it to the generic reader, which looks at what payments and charges say."""

# Discover cards: charges are printed positive and payments negative, so the sign is turned.
DISCOVER: tuple[CsvMapping, ...] = (
    CsvMapping(
        "discover_csv",
        layout="card",
        header=("Trans. Date|Trans Date", "Post Date", "Description", "Amount", "Category"),
        date="Trans. Date|Trans Date",
        is_card=True,
        description=("Description",),
        legs=(Leg("Amount", "inverted"),),
        dates=("mdy", "ymd"),
    ),
)

# Citi cards: debits and credits in columns of their own; some exports print credits with a minus, which changes nothing.
CITI: tuple[CsvMapping, ...] = (
    CsvMapping(
        "citi_csv",
        layout="card",
        is_card=True,
        header=("Status", "Date", "Description", "Debit", "Credit"),
        date="Date",
        description=("Description",),
        legs=(Leg("Debit", "out"), Leg("Credit", "in")),
        skip=_NOT_BOOKED,
        dates=("mdy", "ymd"),
    ),
)

# Capital One: cards with debit and credit columns; accounts with unsigned amounts and a word that says the direction.
_CAPITAL_ONE_TYPE = "Transaction Type"

CAPITAL_ONE: tuple[CsvMapping, ...] = (
    CsvMapping(
        "capital_one_csv",
        layout="card",
        is_card=True,
        header=("Transaction Date", "Posted Date", "Card No.|Card Number", "Description", "Debit", "Credit"),
        date="Transaction Date",
        description=("Description",),
        legs=(Leg("Debit", "out"), Leg("Credit", "in")),
        account="Card No.|Card Number",
        dates=("ymd", "mdy"),
    ),
    CsvMapping(
        "capital_one_csv",
        layout="account",
        header=(
            "Account Number",
            "Transaction Description",
            "Transaction Date",
            _CAPITAL_ONE_TYPE,
            "Transaction Amount",
        ),
        date="Transaction Date",
        description=("Transaction Description",),
        account="Account Number",
        balance="Balance",
        dates=("mdy", "ymd"),
        legs=(
            Leg("Transaction Amount", "out", when=(When(_CAPITAL_ONE_TYPE, "debit"),)),
            Leg("Transaction Amount", "in", when=(When(_CAPITAL_ONE_TYPE, "credit"),)),
            Leg("Transaction Amount", when=(When(_CAPITAL_ONE_TYPE, "(?!debit$|credit$).*"),)),
        ),
    ),
)

# Royal Bank of Canada: one amount column per currency.
RBC: tuple[CsvMapping, ...] = (
    CsvMapping(
        "rbc_csv",
        layout="account",
        header=("Account Type", "Account Number", "Transaction Date", "Description 1", "CAD$"),
        date="Transaction Date",
        description=("Description 1", "Description 2"),
        legs=(Leg("CAD$", currency="CAD"), Leg("USD$", currency="USD")),
        account="Account Number",
        currency="CAD",
        dates=("mdy", "dmy", "ymd"),
    ),
)

# Apple Card: purchases are printed positive and payments negative, so the sign is turned.
APPLE_CARD: tuple[CsvMapping, ...] = (
    CsvMapping(
        "apple_card_csv",
        layout="card",
        header=("Transaction Date", "Clearing Date", "Description", "Merchant", "Amount (USD)"),
        date="Transaction Date",
        is_card=True,
        description=("Description|Merchant",),
        legs=(Leg("Amount (USD)", "inverted"),),
        dates=("mdy", "ymd"),
    ),
)

# Wise: the statement of one balance, and the history of all of them, where a line has a source, a target and fees.
_WISE_OUT, _WISE_IN, _WISE_BETWEEN = (
    (When("Direction", "out"),),
    (When("Direction", "in"),),
    (When("Direction", "neutral"),),
)
_WISE_SOURCE, _WISE_TARGET = "Source amount (after fees)", "Target amount (after fees)"

WISE: tuple[CsvMapping, ...] = (
    CsvMapping(
        "wise_csv",
        layout="statement",
        header=("TransferWise ID|Wise ID|ID", "Date", "Amount", "Currency", "Running Balance"),
        date="Date",
        description=("Description", "Payment Reference"),
        legs=(Leg("Amount"),),
        currency_column="Currency",
        balance="Running Balance",
        balance_by=("Currency",),
        dates=("dmy", "ymd"),
        decimal="",
    ),
    CsvMapping(
        "wise_csv",
        layout="history",
        header=("ID", "Status", "Direction", _WISE_SOURCE, _WISE_TARGET),
        date="Finished on|Created on",
        description=("Target name", "Reference"),
        dates=("ymd", "dmy"),
        decimal="",
        skip=(When("Status", "(?!completed$).+"),),
        legs=(
            Leg(_WISE_SOURCE, "out", "Source currency", _WISE_OUT),
            Leg(
                "Source fee amount",
                "out",
                "Source fee currency",
                _WISE_OUT,
                note="(fee)",
                only_if_not_zero=True,
            ),
            Leg(_WISE_TARGET, "in", "Target currency", _WISE_IN, description=("Source name", "Reference")),
            Leg(_WISE_SOURCE, "out", "Source currency", _WISE_BETWEEN),
            Leg(_WISE_TARGET, "in", "Target currency", _WISE_BETWEEN),
            Leg(
                "Source fee amount",
                "out",
                "Source fee currency",
                _WISE_BETWEEN,
                note="(fee)",
                only_if_not_zero=True,
            ),
        ),
    ),
)

# Revolut: the fee is not in the amount and leaves the balance too, so it is a row of its own; reverted lines never happened.
_REVOLUT_STARTED = (
    "Started Date|Fecha de inicio|Datum des Beginns|"
    "Beginndatum|Date de début|Data di inizio|Data rozpoczęcia|Startdatum|Data de início"
)
_REVOLUT_COMPLETED = (
    "Completed Date|Fecha de finalización|Datum des Abschlusses|Abschlussdatum|Date de fin|Data di completamento|"
    "Data zrealizowania|Voltooiingsdatum"
    "|Data de Conclusão"
)
_REVOLUT_AMOUNT = "Amount|Importe|Betrag|Montant|Importo|Kwota|Bedrag|Montante"
_REVOLUT_FEE = "Fee|Comisión|Gebühr|Frais|Costo|Opłata|Kosten|Comissão"
_REVOLUT_CURRENCY = "Currency|Divisa|Währung|Devise|Valuta|Waluta|Moeda"
_REVOLUT_STATE = "State|Estado|Status|État|Stato|Stan"
_REVOLUT_PRODUCT = "Product|Producto|Produkt|Produit|Prodotto|Produto"

REVOLUT: tuple[CsvMapping, ...] = (
    CsvMapping(
        "revolut_csv",
        layout="account",
        header=(_REVOLUT_STARTED, _REVOLUT_COMPLETED, _REVOLUT_AMOUNT, _REVOLUT_FEE, _REVOLUT_CURRENCY),
        date=f"{_REVOLUT_STARTED}|{_REVOLUT_COMPLETED}",
        posted=_REVOLUT_COMPLETED,
        description=("Description|Descripción|Beschreibung|Descrizione|Opis|Omschrijving|Descrição",),
        legs=(Leg(_REVOLUT_AMOUNT), Leg(_REVOLUT_FEE, "out", note="(fee)", only_if_not_zero=True)),
        currency_column=_REVOLUT_CURRENCY,
        balance="Balance|Saldo|Kontostand|Guthaben|Solde",
        balance_by=(_REVOLUT_PRODUCT, _REVOLUT_CURRENCY),
        dates=("ymd", "dmy"),
        decimal="",
        skip=(
            When(
                _REVOLUT_STATE,
                "reverted|pending|declined|failed|cancell?ed|created|rückgängig.*|ausstehend|revertid[oa]|pendiente|annulé.*|en attente",
            ),
        ),
    ),
)

# N26: the present layout with booking dates and partners, and the old one, in English and German.
_N26_AMOUNT = "Amount (EUR)|Betrag (EUR)|Montant (EUR)|Importo (EUR)|Cantidad (EUR)|Importe (EUR)"

N26: tuple[CsvMapping, ...] = (
    CsvMapping(
        "n26_csv",
        layout="bookings",
        header=("Booking Date", "Partner Name", "Payment Reference", _N26_AMOUNT),
        date="Booking Date|Value Date",
        description=("Partner Name|Type", "Payment Reference"),
        legs=(Leg(_N26_AMOUNT),),
        account="Account Name",
        currency="EUR",
        dates=("ymd", "dmy"),
        decimal="",
    ),
    CsvMapping(
        "n26_csv",
        layout="payees",
        header=(
            "Date|Datum|Fecha",
            "Payee|Empfänger|Beneficiario",
            "Payment reference|Verwendungszweck|Referencia de pago",
            _N26_AMOUNT,
        ),
        date="Date|Datum|Fecha",
        currency="EUR",
        dates=("ymd", "dmy"),
        decimal="",
        legs=(Leg(_N26_AMOUNT),),
        description=(
            "Payee|Empfänger|Beneficiario|Transaction type|Transaktionstyp",
            "Payment reference|Verwendungszweck|Referencia de pago",
        ),
    ),
)

# PayPal: the net is read, for the balance moves by gross less fee; holds, authorisations and what did not complete moved nothing.
_PAYPAL_NET = "Net|Netto|Net Amount|Total|Neto|Avant commission et taxes"
_PAYPAL_CURRENCY = "Currency|Währung|Devise|Moneda|Divisa|Valuta"
_PAYPAL_TYPE = "Type|Typ|Tipo|Description|Beschreibung"
_PAYPAL_STATUS = "Status|État|Estado|Stato"

PAYPAL: tuple[CsvMapping, ...] = (
    CsvMapping(
        "paypal_csv",
        layout="activity",
        header=(
            "Date|Datum|Fecha|Data",
            "Name|Nom|Nombre|Nome",
            _PAYPAL_STATUS,
            _PAYPAL_CURRENCY,
            "Gross|Brutto|Amount|Bruto|Lordo",
            "Fee|Fees|Gebühr|Tarifa|Tariffa",
            _PAYPAL_NET,
        ),
        date="Date|Datum|Fecha|Data",
        description=(f"Name|Nom|Nombre|Nome|{_PAYPAL_TYPE}",),
        legs=(Leg(_PAYPAL_NET),),
        currency_column=_PAYPAL_CURRENCY,
        dates=("mdy", "dmy", "ymd"),
        decimal="",
        skip=(
            When(
                _PAYPAL_STATUS,
                "pending|denied|cancell?ed|expired|removed|placed|active|unclaimed|held|created|failed|processing|ausstehend|"
                "abgelehnt|storniert|offen",
            ),
            When("Balance Impact|Auswirkung auf Guthaben", "memo"),
            When(
                _PAYPAL_TYPE,
                ".*(?:authori[sz]ation|account hold|temporary hold|hold on|payment hold|payment review hold|hold release|"
                "order$|autorisierung|einbehalt).*",
            ),
        ),
    ),
)

# Venmo: title lines, an empty first column, balances in the first and last row; what a bank or card paid is not in the balance.
VENMO: tuple[CsvMapping, ...] = (
    CsvMapping(
        "venmo_csv",
        layout="statement",
        header=("ID", "Datetime", "Type", "Status", "Amount (total)"),
        date="Datetime",
        description=("Note|Type", "From", "To"),
        legs=(Leg("Amount (total)"),),
        dates=("ymd", "mdy"),
        beginning="Beginning Balance",
        ending="Ending Balance",
        unique="ID",
        skip=(When("Status", "(?:pending|failed|cancell?ed|expired|declined|reversed|held).*"),),
        not_in_balance=(
            (When("Amount (total)", r"\s*-.*"), When("Funding Source", "(?!venmo balance).+")),
            (When("Amount (total)", r"\s*[+$\d].*"), When("Destination", "(?!venmo balance).+")),
        ),
    ),
)

MAPPINGS: tuple[CsvMapping, ...] = (
    *BANK_OF_AMERICA,
    *CHASE,
    *WELLS_FARGO,
    *AMERICAN_EXPRESS,
    *DISCOVER,
    *CITI,
    *CAPITAL_ONE,
    *RBC,
    *APPLE_CARD,
    *WISE,
    *REVOLUT,
    *N26,
    *PAYPAL,
    *VENMO,
)
