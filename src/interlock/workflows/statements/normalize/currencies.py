"""The currencies of ISO 4217 and how many decimals each has; a code that is not here is refused."""

from __future__ import annotations

from decimal import Decimal

_TWO = """
AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF CHE CHF CHW CNY COP COU CRC CUP CVE CZK
DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR
LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MXV MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR
SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD USN UYU UZS VED VES WST XCD XCG YER ZAR
ZMW ZWG
ANG BGN CUC EEK HRK LTL LVL SKK SLL VEF ZWL
"""
"""The last line: withdrawn ones that old statements still carry."""
_NONE = "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF"
_THREE = "BHD IQD JOD KWD LYD OMR TND"
_FOUR = "CLF UYW"

MINOR_UNITS: dict[str, int] = {
    code: places
    for places, codes in ((2, _TWO), (0, _NONE), (3, _THREE), (4, _FOUR))
    for code in codes.split()
}
SELDOM_WITH_CENTS = frozenset(
    ["HUF", "IDR", "COP", "TWD", "RSD", "KZT", "TZS", "NGN", "ARS", "LBP", "MMK", "KHR", "LAK", "UZS"]
)
"""Currencies that have cents and are printed without them."""
IN_THOUSANDTHS = frozenset(code for code in _THREE.split() if code != "IQD")
"""Currencies whose amounts are printed with three decimals; those of Iraq are printed as whole dinars too."""
_POINT = """
USD GBP CAD AUD NZD SGD HKD CNY INR PKR LKR BDT MXN THB MYR PHP ILS EGP AED SAR QAR KES GHS CHF IQD BHD JOD KWD OMR
"""
WITH_A_POINT = frozenset(_POINT.split())
"""Currencies whose countries write a point before the decimals."""
_STEPS = {places: Decimal(1).scaleb(-places) for places in range(5)}


def format_amount(amount: Decimal, currency: str) -> str:
    """The amount with the decimals its currency has; more are kept where they say something, for money is never rounded."""
    places = MINOR_UNITS[currency]
    text = f"{amount:f}"
    given = len(text.partition(".")[2])
    if given == places:
        return text
    if given < places:
        return f"{amount:.{places}f}"
    fitted = amount.quantize(_STEPS[places])
    return f"{fitted:f}" if fitted == amount else text


def is_finer(amount: str, currency: str) -> bool:
    """More decimals than the currency has."""
    return len(amount.partition(".")[2]) > MINOR_UNITS[currency]
