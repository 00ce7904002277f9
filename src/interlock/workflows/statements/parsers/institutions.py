"""Banks by the names they print, with the country whose currency a bare symbol then means; data, and one function to search it."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
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
    *_many("MYR", "Maybank\nCIMB Bank\nPublic Bank Berhad\nRHB Bank"),
    *_many(
        "THB", "Kasikornbank = kasikornbank|kasikorn bank\nBangkok Bank\nSiam Commercial Bank\nKrungthai Bank"
    ),
    *_many("IDR", "Bank Central Asia\nBank Mandiri\nBank Negara Indonesia\nBank Rakyat Indonesia"),
    *_many("COP", "Bancolombia\nDavivienda\nBanco de Bogotá = banco de bogot[áa]"),
    *_many(
        "CLP",
        "Banco de Chile\nBancoEstado\nBanco de Crédito e Inversiones = banco de cr[ée]dito e inversiones",
    ),
    *_many("KES", "Equity Bank Kenya = equity bank \\(?kenya\nKCB Bank Kenya\nM-PESA = \\bm-?pesa\\b"),
    *_many("JPY", "Japan Post Bank = ゆうちょ銀行|japan post bank\nRakuten Card = 楽天カード"),
    *_many("TWD", "Cathay United Bank = 國泰世華|cathay united"),
    *_many("CNY", "China Merchants Bank = 招商银行|china merchants bank"),
    *_many("NGN", "Guaranty Trust Bank\nZenith Bank"),
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
        Inbursa
        Banregio
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
        Fio banka
        ČSOB = \b[čc]sob\b
        """,
    ),
    *_many(
        "TRY",
        r"""
        Garanti BBVA = garant[iİ](?:\s+bbva)?
        İş Bankası = (?:t[üu]rkiye )?[iİ][şs] bankas[ıi]
        Akbank
        Yapı Kredi = yap[ıi] kredi
        Ziraat Bankası = ziraat bankas[ıi]
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
    "MXN": r"\bM[ée]xico\b|\bCLABE\b|\bRFC\b|\bMX\$|\bCDMX\b|\bCAT promedio\b",
    "USD": r"\b(?:FDIC|NCUA)\b|(?i:\bfederal credit union\b)|"
    r"\bU\.?S\.? dollars?\b|\bUS\$|\brouting (?:number|no)|\b(?!CP )[A-Z]{2} \d{5}(?:-\d{4})?\b|\bUnited States\b|"
    r"(?<![\w.])N\.A\.|\b1-8(?:00|66|77|88)-",
}
"""Words that tell whose dollar a bare `$` is."""

COUNTRIES = {
    "GBP": r"uk|united kingdom|great britain",
    "EUR": r"ireland|deutschland|germany|france|españa|spain|italia|italy|nederland|netherlands|belgi\w{1,4}|luxembourg|suomi|finland|"
    r"portugal|österreich|austria|eesti|estonia|latvi[aj]a?|lithuania|lietuva",
    "CHF": r"schweiz|suisse|switzerland",
    "PLN": r"polska|poland",
    "CZK": r"czech|česk\w+",
    "HUF": r"hungary|magyar\w+",
    "RON": r"romania|românia",
    "BGN": r"bulgaria",
    "TRY": r"t[üu]rkiye|turkey",
    "SEK": r"sverige|sweden",
    "NOK": r"norge|norway",
    "DKK": r"danmark|denmark",
    "CAD": r"canada",
    "MXN": r"m[ée]xico",
    "BRL": r"brasil|brazil",
    "ARS": r"argentina",
    "CLP": r"chile",
    "COP": r"colombia",
    "PEN": r"per[úu]",
    "UYU": r"uruguay",
    "AUD": r"australia",
    "NZD": r"new zealand",
    "SGD": r"singapore",
    "HKD": r"hong ?kong",
    "INR": r"india",
    "MYR": r"malaysia",
    "IDR": r"indonesia",
    "THB": r"thailand|thai",
    "PHP": r"philippines",
    "JPY": r"japan",
    "AED": r"u\.?a\.?e\.?|united arab emirates",
    "ZAR": r"south africa",
    "KES": r"kenya",
    "NGN": r"nigeria",
    "USD": r"u\.?s\.?a\.?|united states",
}
"""Countries as they follow the name of a bank that works in several, by their currency."""
_COUNTRY = re.compile(
    r"[\s,(–-]{0,4}(?:(?:bank|banco|n\.?a\.?|plc|ltd|limited|s\.?a\.?|ag|se|branch)[\s,.(–-]{1,3}){0,3}("
    + "|".join(f"(?P<{code}>(?:{words})(?!\\w))" for code, words in COUNTRIES.items())
    + ")",
    re.IGNORECASE,
)
_OF_ONE_COUNTRY = {
    code: re.compile(words)
    for code, words in {
        "MXN": r"\bCLABE\b|\bR\.?F\.?C\.?\b|(?i:pesos mexicanos)",
        "ARS": r"\bCBU\b|\bCUIT\b",
        "BRL": r"\bCNPJ\b|\bCPF\b",
        "INR": r"\bIFSC\b",
        "AUD": r"\bBSB\b|\bAFSL\b",
        "GBP": r"(?i:\bsort ?code\b)",
        "USD": r"\bFDIC\b|\bNCUA\b|(?i:\brouting (?:number|no\b)|\bfederal credit union\b)",
    }.items()
}


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
    """The bank that these lines name; of several the one that is named first. A country behind the name says whose money it is."""
    for text in texts:
        places = [
            (found.start(), -(found.end() - found.start()), place, one, found.end())
            for place, (one, pattern) in enumerate(_compiled())
            if (found := pattern.search(text))
        ]
        if places:
            *_, one, end = min(places)
            return _abroad(one, text[end:])
    return None


def _abroad(one: Institution, behind: str) -> Institution:
    """The bank with the currency of the country that directly follows its name: `Banco Santander México`, `Citibank N.A. Singapore`."""
    found = _COUNTRY.match(behind)
    code = next((code for code in COUNTRIES if found and found[code]), one.currency)
    if not found or code == one.currency:
        return one
    return replace(one, name=f"{one.name} {found[1].strip().title()}", currency=code)


def country_currency(text: str) -> str:
    """The currency of the only country whose own words of banking a text has, such as CLABE or IFSC; else empty."""
    named = [code for code, words in _OF_ONE_COUNTRY.items() if words.search(text)]
    return named[0] if len(named) == 1 else ""


def dollar_of(text: str) -> str:
    """The currency that a bare `$` means in this text, or empty where its words name no country or several."""
    named = [
        code
        for code, words in DOLLARS.items()
        if re.search(words, text, 0 if code == "USD" else re.IGNORECASE)
    ]
    others = [code for code in named if code != "USD"]
    return others[0] if len(others) == 1 else "USD" if named == ["USD"] else ""
