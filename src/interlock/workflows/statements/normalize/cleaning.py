"""Takes away from a description what is not the merchant's name: processors, card and store numbers, phones, dates, places."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

_STATES = """
AL AK AZ AR CA CO CT DE FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ NM NY NC ND OH OK OR PA RI SC SD TN TX UT VT
VA WA WV WI WY DC PR AB BC MB NB NL NS ON PE QC SK
"""
_CITIES = """
AKRON, ALAMEDA, ALBANY, ALBUQUERQUE, ALEXANDRIA, AMARILLO, ANAHEIM, ANCHORAGE, ANN ARBOR, ARLINGTON, ATLANTA, AUGUSTA, AURORA, AUSTIN,
BAKERSFIELD, BALTIMORE, BATON ROUGE, BELLEVUE, BERKELEY, BETHESDA, BIRMINGHAM, BOISE, BOSTON, BOULDER, BRAMPTON, BRIDGEPORT, BRONX,
BROOKLINE, BROOKLYN, BROWNSVILLE, BUFFALO, BURLINGTON, BURNABY, CALGARY, CAMBRIDGE, CAPE CORAL, CARY, CHANDLER, CHARLESTON, CHARLOTTE,
CHATTANOOGA, CHESAPEAKE, CHICAGO, CHULA VISTA, CINCINNATI, CLARKSVILLE, CLEVELAND, COLORADO SPRINGS, COLUMBIA, COLUMBUS, CONCORD, CORPUS
CHRISTI, CUPERTINO, DALLAS, DALY CITY, DAYTON, DENVER, DES MOINES, DETROIT, DURHAM, EDMONTON, EL PASO, ELK GROVE, EMERYVILLE, EUGENE,
EVANSTON, EVERETT, FAYETTEVILLE, FONTANA, FORT COLLINS, FORT LAUDERDALE, FORT WAYNE, FORT WORTH, FRAMINGHAM, FREMONT, FRESNO, FRISCO,
GARDEN GROVE, GARLAND, GILBERT, GLENDALE, GRAND PRAIRIE, GRAND RAPIDS, GREENSBORO, HALIFAX, HAMILTON, HARTFORD, HAYWARD, HENDERSON,
HIALEAH, HOBOKEN, HONOLULU, HOUSTON, HUNTINGTON BEACH, HUNTSVILLE, INDIANAPOLIS, IRVINE, IRVING, JACKSON, JACKSONVILLE, JERSEY CITY,
JOLIET, KANSAS CITY, KIRKLAND, KITCHENER, KNOXVILLE, LAKEWOOD, LANCASTER, LAREDO, LAS VEGAS, LEXINGTON, LINCOLN, LITTLE ROCK, LONDON,
LONG BEACH, LOS ANGELES, LOUISVILLE, LUBBOCK, MADISON, MANHATTAN, MCKINNEY, MEMPHIS, MENLO PARK, MESA, MIAMI, MILWAUKEE, MINNEAPOLIS,
MISSISSAUGA, MOBILE, MODESTO, MONTGOMERY, MONTREAL, MORENO VALLEY, MOUNTAIN VIEW, NAPERVILLE, NASHVILLE, NEW HAVEN, NEW ORLEANS, NEW
YORK, NEW YORK CITY, NEWARK, NEWPORT NEWS, NEWTON, NORFOLK, NORTH LAS VEGAS, OAKLAND, OCEANSIDE, OGDEN, OKLAHOMA CITY, OMAHA, ONTARIO,
ORLANDO, OTTAWA, OVERLAND PARK, OXNARD, PALMDALE, PALO ALTO, PASADENA, PEMBROKE PINES, PHILADELPHIA, PHOENIX, PITTSBURGH, PLANO, POMONA,
PORT ST LUCIE, PORTLAND, PROVIDENCE, PROVO, QUEBEC, QUEENS, QUINCY, RALEIGH, REDMOND, REDWOOD CITY, RENO, RICHMOND, RIVERSIDE,
ROCHESTER, ROCKVILLE, SACRAMENTO, SAINT LOUIS, SAINT PAUL, SALEM, SALINAS, SALT LAKE CITY, SAN ANTONIO, SAN BERNARDINO, SAN DIEGO, SAN
FRANCISCO, SAN JOSE, SAN LEANDRO, SAN MATEO, SAN RAFAEL, SANTA ANA, SANTA BARBARA, SANTA CLARA, SANTA CLARITA, SANTA CRUZ, SANTA MONICA,
SANTA ROSA, SAUSALITO, SAVANNAH, SCOTTSDALE, SEATTLE, SHREVEPORT, SILVER SPRING, SIOUX FALLS, SOMERVILLE, SPOKANE, SPRINGFIELD, ST
LOUIS, ST PAUL, ST PETERSBURG, STAMFORD, STATEN ISLAND, STOCKTON, SUNNYVALE, SURREY, SYRACUSE, TACOMA, TALLAHASSEE, TAMPA, TEMPE,
TOLEDO, TORONTO, TUCSON, TULSA, VANCOUVER, VICTORIA, VIRGINIA BEACH, WALNUT CREEK, WALTHAM, WASHINGTON, WATERLOO, WICHITA, WILMINGTON,
WINNIPEG, WINSTON SALEM, WORCESTER, YONKERS
"""

STATES = frozenset(_STATES.split())
CITIES = frozenset(" ".join(name.split()) for name in _CITIES.split(","))


LONGEST = 500
UNKNOWN = "Unknown"

_SPACES = re.compile(r"\s+")
_ACH = re.compile(
    r"\s+(?:DES|ID|INDN|CO ID|CONF|TRN|REF|WEB ID|PPD ID|CCD ID|ORIG CO NAME|SEC)\s?[:#].*$", re.IGNORECASE
)
_ORIGIN = re.compile(r"^ORIG CO NAME:\s*(?P<name>.+?)\s+(?:ORIG ID|DESC DATE|CO ENTRY).*$", re.IGNORECASE)
_PREFIX = re.compile(
    r"^(?:(?:POS|DEBIT CARD|CREDIT CARD|CHECK ?CARD|VISA|MASTERCARD|MC|BANKCARD|CONTACTLESS|RECURRING|PREAUTHORI[SZ]ED|PENDING|EXTERNAL|"
    r"EFTPOS|INTERAC|SIGNATURE|PIN|ACH|ELECTRONIC|CARD|KARTENZAHLUNG|PAIEMENT|ACHAT)\s+(?:DEBIT|CREDIT|PURCHASE|PAYMENT|WITHDRAWAL|CARD|POS|RETURN|REFUND|CB)?"
    r"(?:\s+AUTHORI[SZ]ED ON)?\s*[-:]?\s*(?:\d{2}/?\d{2}(?:/\d{2,4})?\s+)?|"
    r"(?:PURCHASE(?: RETURN)?|CHECK ?CARD|DEBIT|WITHDRAWAL|REFUND)(?: AUTHORI[SZ]ED ON)?\s+\d{2}/?\d{2}(?:/\d{2,4})?\s+|"
    r"(?:PURCHASE|DEBIT CARD|PAYMENT TO|CARD PAYMENT TO|DIRECT DEBIT|BILL PAYMENT)\s+(?:FROM |TO |AT )?|"
    r"(?:SQ|TST|PAYPAL|PP|SP|PY|IN|WPY|CKE|FSP|ZLR|BT|CRV|LS|UEP|TCB|APL|EB|DD|GG|FS|SQC|SMK|ETY|INT|IC|SUMUP|ZETTLE|IZ|PAYU|NYA|DRI|2CO|MSP|AB|CLOVER|"
    r"POY|BLS|EBAY|STRIPE|VIA|WL|GOOGLE|AMZ|SWA|CCI|TOAST|SPK)\s?\*+\s?)",
    re.IGNORECASE,
)
_BOOKING = re.compile(
    r"^(?:(?:SEPA[- ]?)?(?:BASIS)?LASTSCHRIFT(?:EINZUG)?|DAUERAUFTRAG|[ÜU]E?BERWEISUNG|GUTSCHRIFT|GIROCARD|EC[- ]?KARTE|"
    r"KARTENZAHLUNG|KARTENUMSATZ|"
    r"PR[ÉE]L[ÈE]VEMENT|PRLV|VIREMENT(?: RE[ÇC]U| [ÉE]MIS)?|VIR|PAIEMENT(?: PAR)? CARTE|ACHAT CB|FACTURE CARTE|CARTE|RETRAIT DAB|"
    r"VISA DDA PUR(?:CHASE)?|DDA PUR(?:CHASE)?|DBT CRD|DBT PURCHASE|MC DEBIT|POS(?: PURCHASE| PUR)?|"
    r"(?:APPLE|GOOGLE|SAMSUNG) PAY(?: ENDING(?: IN)? [X*•]*\d{4})?)"
    r"(?:\s+(?:SEPA|INST(?:ANT)?|DU|VOM|CB|NO|N°)\b)*(?:\s+\d{1,2}[/.]\d{1,2}(?:[/.]\d{2,4})?)?\s*[-:/]?\s+",
    re.IGNORECASE,
)
"""Words of the booking before the name: German and French ones, card networks, wallets."""
_FOREIGN = re.compile(
    r"[\s(]+(?:(?:FOREIGN|FRGN) (?:CURRENCY|AMT|AMOUNT)\b.*|(?:FX|EXCH(?:ANGE|G)?\.?) ?(?:RATE|RTE)\b.*|KURS \d.*|"
    r"[A-Z]{3} ?\d[\d.,]* ?(?:@|A|AT|X) ?\d[\d.,]*.*|\d[\d.,]* [A-Z]{3} ?(?:@|AT|X) ?\d[\d.,]*.*|APPLE PAY ENDING.*)$",
    re.IGNORECASE,
)
_NOISE = re.compile(
    r"\b(?:HTTPS?://\S+|WWW\.(?=\S))|\b(?:\+?1[-. ])?\(?\d{3}\)?[-. ]\d{3}[-. ]?\d{4}\b|\b\d{3}-\d{7}\b|\b\d{1,2}/\d{1,2}(?:/\d{2,4})?\b|"
    r"\b\d{4}-\d{2}-\d{2}\b|\bCARD(?: ENDING IN)?\s+[X*]{0,12}\d{4}\b|\b[SP]\d{12,16}\b|(?:[X*]{4,}|\.{2,})\d{2,6}\b|"
    r"\bCKCD\b|\b(?:RECURRING|PENDING)\b",
    re.IGNORECASE,
)
_STORE = re.compile(r"(?<=\S)\s*(?:#|\bNO\.?\s?)\s?[A-Z]?\d.*$|(?<=\S)\s+[A-Z]?-?\d{3,}\b.*$", re.IGNORECASE)
_CODE = re.compile(
    r"\s?\*+\s?(?=[A-Z0-9]*\d)[A-Z0-9-]{4,}.*$|\s+(?=[A-Z]*\d)(?=\d*[A-Z])[A-Z0-9]{7,}.*$", re.IGNORECASE
)
_COUNTRY = re.compile(r"[\s,]+(?:USA?|GBR?|CAN|DEU|FRA|IRL|NLD)$")
_LEGAL = re.compile(
    r"[\s,]+(?:LLC|INC|LTD|LIMITED|CORP|CO|PLC|GMBH|AG|SA|SARL|BV|LLP|PTY|SRL|SPA|AB|OY|KG)\.?$",
    re.IGNORECASE,
)
_LEGAL_ENDS = (
    *("llc", "inc", "ltd", "limited", "corp", "co", "plc", "gmbh", "ag", "sa"),
    *("sarl", "bv", "llp", "pty", "srl", "spa", "ab", "oy", "kg"),
)
_NOISE_SIGNS = ("/", "-", "www.", "card", "ckcd", "recurring", "pending", "xx", "**", "x*", "*x", "..")
_LONG_NUMBER = re.compile(r"\d{3}\)?[. ]\d{3}|\d{12}")
_THREE_DIGITS = re.compile(r"\d{3}")
_LETTER = re.compile(r"[^\W\d_]")
_DIGIT = re.compile(r"\d")
_PARTS = re.compile(r"([-/*])")
_MC = re.compile(r"^Mc([a-z])")
_TWO_LETTERS = re.compile(r"[^\W\d_].*[^\W\d_]")
_EDGES = " \t-–—*/,.;:_#&+'\"()"
_VOWELS = set("AEIOUY")
_ACRONYMS = {"ATM", "USA", "UK", "US", "EU", "ACH", "IRS", "IKEA", "YMCA", "NYC", "AC"}
_SMALL = {
    "and",
    "of",
    "the",
    "at",
    "for",
    "in",
    "on",
    "de",
    "la",
    "le",
    "du",
    "der",
    "und",
    "van",
    "von",
    "y",
    "e",
}


def collapsed(text: str) -> str:
    """One line, single spaces, nothing that does not print."""
    short = text[:LONGEST]
    if not short.isprintable():
        short = "".join(letter if letter.isprintable() else " " for letter in short)
    return _SPACES.sub(" ", short).strip()


def folded(text: str) -> str:
    """Upper case without accents: how descriptions are compared."""
    if not text.isascii():
        plain = unicodedata.normalize("NFKD", text.replace("ß", "ss"))
        text = "".join(letter for letter in plain if not unicodedata.combining(letter))
    return text.upper()


@lru_cache(maxsize=1024)
def clean_merchant(description: str) -> str:
    """The likely name of the merchant; `Unknown` if there is no letter in the description."""
    whole = collapsed(description)
    name = _keeping_something(_FOREIGN.sub("", _before_trailers(whole)), whole)
    name = _without_prefixes(_keeping_something(_BOOKING.sub("", name, count=1), name))
    for part, may_be_in in ((_NOISE, _may_have_noise), (_CODE, _may_have_code), (_STORE, _may_have_store)):
        if may_be_in(name):
            name = _keeping_something(part.sub(" ", name), name)
    name = _without_place(_trimmed(_SPACES.sub(" ", name)))
    if name.casefold().rstrip(".").endswith(_LEGAL_ENDS):
        name = _keeping_something(_LEGAL.sub("", name), name)
    name = _trimmed(name)
    if _LETTER.search(name) is None:
        name = whole.strip(_EDGES)
    return _titled(name) if _LETTER.search(name) else UNKNOWN


def _trimmed(text: str) -> str:
    """The text without marks at its ends; a bracket that closes one within it stays."""
    short = text.strip(_EDGES)
    is_closed = "(" in short and short.count("(") > short.count(")")
    return f"{short})" if is_closed and text.rstrip(" ")[-1:] == ")" else short


# Each of these expressions is tried at every place of a text; what most texts lack is looked for first, at a tenth of the cost.


def _may_have_noise(text: str) -> bool:
    plain = text.casefold()
    return any(sign in plain for sign in _NOISE_SIGNS) or _LONG_NUMBER.search(text) is not None


def _may_have_code(text: str) -> bool:
    return _DIGIT.search(text) is not None and ("*" in text or any(len(word) >= 7 for word in text.split()))


def _may_have_store(text: str) -> bool:
    return _DIGIT.search(text) is not None and (
        "#" in text or "no" in text.casefold() or _THREE_DIGITS.search(text) is not None
    )


def _before_trailers(text: str) -> str:
    if ":" not in text and "#" not in text:
        return text
    origin = _ORIGIN.match(text)
    return origin["name"] if origin else _keeping_something(_ACH.sub("", text), text)


def _without_prefixes(text: str) -> str:
    """Several may stand one before the other: POS DEBIT, then SQ *."""
    for _ in range(3):
        shorter = _keeping_something(_PREFIX.sub("", text, count=1), text)
        if shorter == text:
            break
        text = shorter
    return text


def _keeping_something(shorter: str, text: str) -> str:
    """What would leave less than two letters has taken the name itself."""
    return text if shorter == text or _TWO_LETTERS.search(shorter) is None else shorter.strip()


def _without_place(text: str) -> str:
    """A state at the end, and the city before it if it is known to be one."""
    words = _COUNTRY.sub("", text).split(" ")
    if len(words) < 2 or folded(words[-1]) not in STATES:
        return text
    words = words[:-1]
    for length in (3, 2, 1):
        if len(words) > length and folded(" ".join(words[-length:])) in CITIES:
            words = words[:-length]
            break
    return " ".join(words).strip(_EDGES)


def _titled(text: str) -> str:
    if text not in (text.upper(), text.lower()):
        return text  # somebody has chosen these letters
    return " ".join(_word(word, first=place == 0) for place, word in enumerate(text.split(" ")))


@lru_cache(maxsize=4096)
def _word(word: str, *, first: bool) -> str:
    if word.lower() in _SMALL and not first:
        return word.lower()
    bare = len(word) <= 4 and word.isalpha() and not _VOWELS & set(word.upper())
    if bare or "&" in word or word.upper() in _ACRONYMS or _DIGIT.search(word):
        return word.upper()  # BP, KFC, AT&T, 7UP
    parts = _PARTS.split(word.lower())
    joined = "".join(part[:1].upper() + part[1:] for part in parts)
    return _MC.sub(lambda found: "Mc" + found[1].upper(), joined) if len(word) > 4 else joined
