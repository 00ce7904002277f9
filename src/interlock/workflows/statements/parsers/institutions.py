"""Banks by the names they print, with the country whose currency a bare symbol then means; data, and one function to search it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache


@dataclass(frozen=True, slots=True)
class Institution:
    """A bank: the name to show, the pattern of its printed names, and its home currency; empty where it serves several countries alike."""

    name: str
    pattern: str
    currency: str


def _many(currency: str, names: str) -> list[Institution]:
    """One institution for each line of `shown name = pattern`; without a pattern the name itself is it."""
    made = []
    for line in names.strip().splitlines():
        name, _, pattern = (part.strip() for part in line.partition("="))
        made.append(Institution(name, pattern or re.escape(name).replace(r"\ ", r"\s+"), currency))
    return made


INSTITUTIONS: tuple[Institution, ...] = (
    *_many(
        "CAD",
        r"""
        Royal Bank of Canada = royal bank of canada|rbc royal bank|\brbc\b
        TD Canada Trust = td canada trust|toronto[- ]dominion
        Scotiabank = scotiabank|bank of nova scotia
        BMO = \bbmo\b|bank of montreal
        CIBC = \bcibc\b|canadian imperial bank
        National Bank of Canada = national bank of canada|banque nationale du canada
        Desjardins
        Tangerine = tangerine bank|tangerine\.ca
        EQ Bank
        """,
    ),
    *_many(
        "AUD",
        r"""
        Commonwealth Bank = commonwealth bank|commbank|netbank\.com\.au
        Westpac = westpac(?! new zealand)
        National Australia Bank = national australia bank|\bnab\b
        ANZ = \banz\b(?!.{0,12}new zealand)|australia and new zealand banking
        Macquarie Bank
        Bendigo Bank
        Bank of Queensland
        St.George = st\.? ?george bank
        ING Australia
        Suncorp
        """,
    ),
    *_many(
        "NZD",
        r"""
        ANZ New Zealand = anz (?:bank )?new zealand
        ASB Bank = \basb bank\b
        Bank of New Zealand = bank of new zealand|\bbnz\b
        Kiwibank
        Westpac New Zealand
        """,
    ),
    *_many(
        "SGD",
        r"""
        DBS = \bdbs\b|posb
        OCBC = \bocbc\b
        UOB = \buob\b|united overseas bank
        """,
    ),
    *_many(
        "HKD",
        r"""
        Hang Seng Bank
        HSBC Hong Kong = hsbc.{0,20}hong kong|hongkong and shanghai banking corporation limited
        Bank of East Asia
        Bank of China (Hong Kong) = bank of china \(hong kong\)
        """,
    ),
    *_many(
        "USD",
        r"""
        Bank of America = bank\s?of\s?america|bankofamerica\.com
        Chase = jp ?morgan chase|\bchase(?:\.com|\b)
        Wells Fargo = wells\s?fargo
        Citi = citibank|citicards|\bciti\b
        Capital One = capital\s?one
        U.S. Bank = u\.?s\.? ?bank(?:\b|corp)
        PNC Bank = \bpnc\b
        Truist
        American Express = american\s?express
        Discover = discover (?:bank|card|it|financial)|\bdiscover\b
        Ally Bank = \bally (?:bank|financial)
        Charles Schwab
        Fidelity = fidelity (?:investments|brokerage)
        Vanguard
        USAA
        Navy Federal = navy federal
        TD Bank = td bank(?:,| n\.?a|\b)
        Citizens Bank
        Fifth Third = fifth third
        KeyBank
        Regions Bank = regions bank
        M&T Bank = m ?& ?t bank
        Huntington = huntington national bank
        First Republic
        Goldman Sachs = goldman sachs|marcus by
        SoFi = \bsofi\b
        Chime = \bchime\b
        Venmo
        Synchrony
        Barclaycard US = barclays bank delaware
        Apple Card
        """,
    ),
    *_many(
        "GBP",
        r"""
        Barclays = \bbarclays\b|barclaycard
        HSBC UK = hsbc uk|first direct
        Lloyds Bank = lloyds bank
        Halifax
        NatWest = natwest|national westminster
        Royal Bank of Scotland = royal bank of scotland
        Santander UK = santander uk
        Nationwide = nationwide building society
        Monzo
        Starling Bank = starling bank
        TSB = \btsb bank
        Co-operative Bank = co-operative bank
        Metro Bank
        """,
    ),
    *_many(
        "CHF",
        r"""
        UBS = \bubs\b
        Credit Suisse
        PostFinance
        Raiffeisen Switzerland = raiffeisen schweiz
        Zürcher Kantonalbank = z.rcher kantonalbank|\bzkb\b
        """,
    ),
    *_many(
        "EUR",
        r"""
        Deutsche Bank
        Commerzbank
        Sparkasse = sparkasse
        Volksbank = volksbank
        DKB = \bdkb\b|deutsche kreditbank
        Postbank
        comdirect
        N26
        BNP Paribas
        Société Générale = soci[ée]t[ée] g[ée]n[ée]rale
        Crédit Agricole = cr[ée]dit agricole
        La Banque Postale
        BBVA = \bbbva\b(?!.{0,20}m[ée]xico)
        CaixaBank
        Santander Spain = banco santander
        ING = \bing(?:[- ]diba| bank| belgi| nederland)?\b(?! australia)
        ABN AMRO = abn ?amro
        Rabobank
        bunq
        KBC
        Belfius
        UniCredit
        Intesa Sanpaolo
        Erste Bank
        Bank of Ireland
        AIB = allied irish
        Millennium BCP = millennium bcp
        """,
    ),
    *_many(
        "SEK",
        r"""
        SEB = \bseb\b|skandinaviska enskilda
        Swedbank
        Handelsbanken
        """,
    ),
    *_many(
        "NOK",
        r"""
        DNB = \bdnb\b
        SpareBank 1 = sparebank ?1
        """,
    ),
    *_many(
        "DKK",
        r"""
        Danske Bank
        Nykredit
        Jyske Bank
        """,
    ),
    *_many(
        "PLN",
        r"""
        PKO Bank Polski = pko bank polski|pko bp
        mBank = \bmbank\b
        Pekao = bank pekao
        Santander Polska = santander bank polska
        """,
    ),
    *_many(
        "INR",
        r"""
        HDFC Bank
        ICICI Bank
        State Bank of India = state bank of india|\bsbi\b
        Axis Bank
        Kotak Mahindra = kotak mahindra
        Punjab National Bank
        Yes Bank = yes bank
        """,
    ),
    *_many(
        "JPY",
        r"""
        MUFG Bank = mufg|mitsubishi ufj
        Mizuho
        Sumitomo Mitsui = sumitomo mitsui|\bsmbc\b
        Rakuten Bank = rakuten bank
        """,
    ),
    *_many(
        "BRL",
        r"""
        Itaú = ita[úu](?: unibanco)?\b
        Bradesco
        Banco do Brasil
        Nubank
        Caixa Econômica = caixa econ[ôo]mica
        """,
    ),
    *_many(
        "MXN",
        r"""
        Banorte
        BBVA México = bbva.{0,20}m[ée]xico|bancomer
        Citibanamex = banamex
        Banco Azteca
        """,
    ),
    *_many(
        "ZAR",
        r"""
        FNB = first national bank.{0,40}(?:south africa|zar)|\bfnb\b
        Absa = \babsa\b
        Nedbank
        Standard Bank = standard bank of south africa
        Capitec
        """,
    ),
    *_many(
        "KRW",
        r"""
        KB Kookmin = kookmin
        Shinhan Bank
        Woori Bank
        """,
    ),
    *_many(
        "CZK",
        r"""
        Česká spořitelna = česk[áa] spořitelna
        Komerční banka = komer[čc]n[íi] banka
        """,
    ),
    *_many(
        "HUF",
        r"""
        OTP Bank
        """,
    ),
    *_many(
        "",
        r"""
        HSBC
        Wise
        Revolut
        PayPal
        Santander
        """,
    ),
)
DOLLARS = {
    "CAD": r"\bcanad(?:a|ian)\b|\bchequing\b|\binterac\b|\bC\$|\bCA\$",
    "AUD": r"\bAustralian?\b|\bBSB\b|\bABN\b|\bAFSL\b|\bA\$|\bAU\$",
    "NZD": r"\bNew Zealand\b|\bNZ\$",
    "SGD": r"\bSingapore\b|\bS\$|\bSG\$",
    "HKD": r"\bHong ?Kong\b|\bHK\$",
    "MXN": r"\bM[ée]xico\b|\bCLABE\b|\bRFC\b|\bMX\$",
    "USD": r"\b(?:FDIC|NCUA)\b|\bU\.?S\.? dollars?\b|\bUS\$|\brouting (?:number|no)|\b[A-Z]{2} \d{5}(?:-\d{4})?\b|\bUnited States\b|"
    r"\bN\.A\.|\b1-8(?:00|66|77|88)-",
}
"""Words that tell whose dollar a bare `$` is."""


@cache
def _compiled() -> list[tuple[Institution, re.Pattern[str]]]:
    return [
        (
            one,
            re.compile(
                rf"(?<![\w@]){one.pattern}" if one.pattern[:1].isalnum() else one.pattern, re.IGNORECASE
            ),
        )
        for one in INSTITUTIONS
    ]


def institution_in(texts: list[str]) -> Institution | None:
    """The bank that these lines name; of several the one that is named first."""
    for text in texts:
        places = [
            (found.start(), -(found.end() - found.start()), place, one)
            for place, (one, pattern) in enumerate(_compiled())
            if (found := pattern.search(text))
        ]
        if places:
            return min(places)[3]
    return None


def dollar_of(text: str) -> str:
    """The currency that a bare `$` means in this text, or empty where its words name no country or several."""
    named = [
        code
        for code, words in DOLLARS.items()
        if re.search(words, text, 0 if code == "USD" else re.IGNORECASE)
    ]
    others = [code for code in named if code != "USD"]
    return others[0] if len(others) == 1 else "USD" if named == ["USD"] else ""
