"""Heads of tables: which words name a column, and what it holds."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from .lines import Line, Word
from .money import CODES

Role = Literal[
    "date",
    "posted",
    "description",
    "debit",
    "credit",
    "amount",
    "balance",
    "check",
    "type",
    "foreign",
    "other",
]
MONEY: tuple[Role, ...] = ("debit", "credit", "amount", "balance")
FLOWS: tuple[Role, ...] = ("debit", "credit", "amount")

WORDS: list[tuple[Role, str]] = [
    ("posted", r"记账日期?|入账日期?|記帳日期?|入帳日期?|計上日|起息日"),
    (
        "date",
        r"交易(?:日期?|时间|時間)|取引日(?:付|時)?|日付|年月日|ご?利用日|消費日期?|거래(?:일시?|일자|날짜)|이용일자?|날짜|sold(?=\s+posted)",
    ),
    (
        "foreign",
        r"交易地金额|外币金额|外幣(?:交易)?金額|現地(?:通貨)?(?:利用)?金額|해외이용금액|original\s+tran(?:saction)?\.?\s+amounts?|"
        r"\d{1,2}月(?:お?支払|請求)金額|\d{1,2}月以降繰越残高|(?:今回|当月)お?(?:支払|請求)金?額",
    ),
    ("balance", r"差引残高|残高|現在高|(?:账户|帐户|联机)?余额|(?:帳戶)?(?:結餘|餘額)|거래후\s?잔액|잔액"),
    (
        "debit",
        r"支出(?:金[额額])?|お?支払い?金額|お?引出し?(?:金額|額)?|お引き出し|提款|借方(?:金[额額])?|출금(?:금액|액)?|찾으신\s?금액",
    ),
    (
        "credit",
        r"收入(?:金[额額])?|存入(?:金額)?|存款|預かり金額|お預り?(?:入れ)?(?:金額|額)?|お?預入(?:金額|額)?|贷方(?:金[额額])?|"
        r"입금(?:금액|액)?|맡기신\s?금액",
    ),
    (
        "amount",
        r"(?:交易|人民币|入账|新臺幣|新台幣|臺幣|台幣)金[额額]|ご?利用金額|取引金額|金[额額]|거래금액|이용금액",
    ),
    (
        "description",
        r"交易摘要|摘要(?:内容)?|ご?利用店名(?:・商品名)?|商品名|取引内容|取扱内容|お取り?扱い?内容|交易(?:说明|說明|描述)|적요|거래내용|이용가맹점|가맹점명?",
    ),
    (
        "other",
        r"卡号末四位|卡號末四碼|对手信息|ご?利用者|支払(?:方法|区分)|보낸분/받는분|처리점|거래점|취급점|货币|币种|幣別|通貨|備註|备注|メモ",
    ),
    (
        "amount",
        r"soll\s*/\s*haben|haben\s*/\s*soll|withdrawals?\s*/\s*deposits?|deposits?\s*/\s*withdrawals?",
    ),
    (
        "posted",
        r"datum(?=\s+datum\s+beleg)|bokf[öo]ringsdag(?=\s+transaktionsdag)|дата\s+(?:проводки|валютиране|обробки)|arvopv",
    ),
    (
        "date",
        r"transaktionsdag|kirjpv|дата(?:\s+[iіи]\s+час)?(?:\s+(?:операції|операции|документа))?|"
        r"ημ(?:/νία|ερομην[ίι]α)(?:\s+συναλλαγ[ήη]ς)?",
    ),
    ("foreign", r"сума\s+в\s+валюті\s+операції|сумма\s+в\s+валюте\s+операции"),
    (
        "other",
        r"radnr|taso|arkistointitunnus|сума\s+(?:комісій|кешбеку)|(?:комісія|комиссия|кешбек|кэшбэк|курс|валюта|mcc)",
    ),
    ("amount", r"сума\s+в\s+валюті\s+(?:картки|рахунку)|сумма\s+в\s+валюте\s+(?:карты|счета)|сумм?а|ποσ[όο]"),
    ("balance", r"залишок(?:\s+після\s+операції)?|остаток(?:\s+после\s+операции)?|салдо|υπ[όο]λοιπο"),
    (
        "description",
        r"referens|(?:деталі|опис|призначення|описание|назначение)(?:\s+(?:операції|операции|платежу|платежа))?|основание|"
        r"αιτιολογ[ίι]α|περιγραφ[ήη]",
    ),
    ("debit", r"дебет|списання|списание|χρ[έε]ωση"),
    ("credit", r"кредит|зарахування|зачисление|π[ίι]στωση"),
    ("type", r"χ\s*/\s*π"),
    ("date", r"datum\s+beleg|belegdatum"),
    ("other", r"taksit\s*/\s*tutar|אסמכתא"),
    ("posted", r"data\s+valor"),
    ("date", r"data\s+lan[çc]\.?(?:amento)?"),
    ("description", r"descritivo"),
    ("date", r"תאריך"),
    ("description", r"הפעולה|תיאור(?:\s+פעולה)?|פרטים"),
    ("debit", r"חובה"),
    ("credit", r"זכות"),
    ("balance", r"יתרה"),
    ("posted", r"verbucht(?:\s+am)?(?=\s+\w)"),
    ("date", r"transaktion(?=\s+verbucht)|(?:[iİı][şs]lem\s+)?tarih[iİı]?"),
    ("foreign", r"gross(?:\s+amount)?(?=.*\bnet\b)|brutto(?:betrag)?(?=.*\bnetto)|bruto(?=.*\bneto\b)"),
    ("amount", r"(?<=\s)net(?=\s|$)|netto(?:betrag)?|tutar[ıiİ]?"),
    (
        "other",
        r"fees?(?=.*\bnet\b)|geb[üu]hr(?:en)?(?=.*\bnetto)|comisi[óo]n(?=.*\bneto\b)|name\s*/\s*email|"
        r"daily\s+cash|cash\s?back|rewards?|bonus|puan|miles|taksit|kategorie",
    ),
    ("description", r"[iİı][şs]lem|a[çc][ıi]klama"),
    (
        "foreign",
        r"(?:foreign|original|orig\.?|fx|int(?:ernationa)?l\.?(?:\s*#)?|merchant|transaction currency)\s+"
        r"(?:currency\s+)?(?:transaction\s+)?"
        r"(?:amounts?|spend|value)(?:\s+and\s+rate)?|"
        r"amounts?\s+in\s+(?:foreign|original|local|transaction)\s+currency|exchange\s+rate|fremdw[aä]hrung(?:sbetrag)?|betrag\s+(?:in\s+)?(?:fw|fremdw[aä]hrung)|"
        r"(?:bedrag\s+in\s+)?vreemde\s+valuta|montant\s+en\s+devises?|(?:importe|monto)\s+(?:en\s+)?(?:divisa|moneda)\s+(?:extranjera|de\s+origen)|"
        r"importo\s+in\s+(?:divisa|valuta)(?:\s+estera)?",
    ),
    (
        "balance",
        r"(?:(?:running|ending|closing|available|current|daily|account|new|ledger|resulting)\s+)*balances?(?:\s+amount)?|saldo|solde|kontostand|bakiye|z[ůu]statek|zostatok|egyenleg|stanje|sold",
    ),
    (
        "posted",
        r"(?:post(?:ing|ed)?\.?|process(?:ing|ed)?|value|effective|entry|settle(?:ment|d)?|clear(?:ed|ing)?|val\.?)\s+(?:date|dt\.?)|date\s+(?:posted|processed)|valuta|wert(?:stellung)?|"
        r"date\s+(?:de\s+)?valeur|(?:fecha|f\.)\s+valor|valeur|data\s+valuta|valutadag|rentedatum|rentedato|received\s+by\s+us|posted(?:\s+on)?|[ée]rt[ée]knap|provedeno",
    ),
    (
        "date",
        r"(?:(?:trans(?:action)?|tran|trn|activity|booking|purchase|sale|txn)\.?\s+)?dates?(?:\s*(?:of\s+)?(?:transaction|purchase|paid|&\s*time))?|datum|fecha(?:\s+operaci[oó]n)?|"
        r"(?:ver)?buchung(?:stag|sdatum)?|bu-tag|trans\s+dt|f\.\s+oper\.?|dato|data(?:\s+(?:operacji|operazione|contabile|registrazione|mov\.?))?|"
        r"bokf[öo]ringsdag|transaktionsdatum|reskontradatum|boekdatum|za[úu][čc]tov[áa]no|k[öo]nyvel[ée]s|d[áa]tum(?:a)?",
    ),
    (
        "other",
        r"ch(?:e)?q(?:ue)?s?\.?\s*(?:no\.?)?\s*/\s*ref(?:erence)?\.?\s*(?:no\.?|numbers?|#)?|"
        r"ref(?:erence)?\.?\s*(?:no\.?|numbers?|#)?\s*/\s*ch(?:e)?q(?:ue)?s?\.?\s*(?:no\.?|numbers?|#)?|"
        r"(?:utr|instrument|inst\.?|transaction|trans\.?|tran|txn)\s+(?:no\.?|id|numbers?|#)|s\.?\s?no\.?|sl\.?\s+no\.?",
    ),
    (
        "check",
        r"(?:check|cheque|chq|chk|ck)s?\.?\s*(?:/\s*serial\s*)?(?:no\.?|numbers?|nbr\.?|num\.?|#)(?:\s+or\s+id)?|che(?:ck|que)(?=\s+(?:date|ref|amount))",
    ),
    (
        "debit",
        r"withdrawn|zu\s+ihren\s+lasten|withdrawals?(?:\s*(?:/|and|&|or)\s*(?:other\s+)?(?:subtractions|debits?|payments?|charges))?(?:\s+(?:amount|amt)\.?)?|"
        r"(?:total\s+)?debits?(?:\s*(?:/|and|&|or)\s*(?:withdrawals?|charges))?(?:\s+(?:amount|amt)\.?)?|"
        r"money\s+out|paid\s+out|(?:amount\s+)?subtract(?:ed|ions?)|payments?\s+out|cheques\s*&\s*debits|charges?(?:\s*/\s*debits?)?|soll|d[eé]bits?|(?:cheques?\s+[oy]\s+)?cargos?|"
        r"retiros?|lastschrift(?:en)?|"
        r"belastung(?:en)?|addebiti?|uscite|dare|sa[íi]das?|d[ée]bitos?|ut\s+fra\s+konto|outgoing|spent|out|(?:bedrag\s+)?af(?:\s*\(debet\))?|terhel[ée]s|isplat[ae]|pl[ăa][țt]i",
    ),
    (
        "credit",
        r"zu\s+ihren\s+gunsten|deposits?(?:\s*(?:/|and|&|or)\s*(?:other\s+)?(?:additions|credits?|receipts|interest))?(?:\s+(?:amount|amt)\.?)?|"
        r"credits?(?:\s*(?:/|and|&|or)\s*(?:deposits?|payments?))?(?:\s+(?:amount|amt)\.?)?|money\s+in|"
        r"paid\s+in|(?:amount\s+)?add(?:ed|itions?)|payments?\s+in|haben|cr[eé]dits?|(?:dep[óo]sitos?\s+[oy]\s+)?abonos?|"
        r"dep[óo]sitos?|gutschrift(?:en)?|accrediti?|entrate|avere|entradas?|cr[ée]ditos?|inn\s+på\s+konto|incoming|received|(?<!\()in|(?:bedrag\s+)?bij(?:\s*\(credit\))?|j[óo]v[áa][íi]r[áa]s|uplat[ae]|[îi]ncas[ăa]ri",
    ),
    (
        "amount",
        r"(?:transaction\s+|total\s+|net\s+|local\s+)?amounts?(?:\s+in\s+\w+)?|(?:betrag|importe|montant|importo|bedrag)\s+(?:in|en)\s+[a-z]{3}|betrag|importe|monto|montant|umsatz|importo|kwota|belopp|bel[øo]b|bel[øo]p|bedrag|valor|[čc][áa]stka|[čc]iastka|[öo]sszeg|iznos|znesek|sum[ăa]",
    ),
    (
        "description",
        r"(?:merchant\s+name\s+or\s+)?(?:transaction\s+|payment\s+type\s+and\s+|activity\s+|payee\s+)?(?:description|details?)(?:\s+of\s+\w+)?(?:\s+of)?|particulars|narrati(?:ve|on)|remarks?|memo|merchant(?!\s+category)(?:\s+name)?|"
        r"payee|transactions?(?!\s+(?:type|date))|activity|verwendungszweck|buchungstext|vorgang|text|concepto|"
        r"detalle(?:\s+de\s+transacci[oó]n)?|descripci[oó]n|libell[eé](?:s)?|op[eé]rations?|nature\s+of|descrizione|causale|descri[çc][ãa]o|hist[óo]rico|opis(?:\s+operacji)?|omschrijving|"
        r"beskrivning|tekst|forklaring|erl(?:[äa]|ae)uterung|informationen|beschreibung|angaben\s+zu\s+den\s+ums(?:[äa]|ae)tzen|megnevez[ée]s|popis(?:\s+\w+)?|opis\s+transakcije|descriere",
    ),
    (
        "type",
        r"(?:transaction\s+|payment\s+|trans\.?\s+)?type|(?:merchant\s+)?category|kategorie|dr\s*/\s*cr|cr\s*/\s*dr",
    ),
    (
        "other",
        r"(?:bank\s+|customer\s+)?ref(?:erence|\.)?(?:\s*(?:no\.?|number|#))?|account(?:\s*(?:no\.?|number|#))?|numbers?|code|branch|card(?:\s*(?:no\.?|number))?|currency|rate|total|location|"
        r"w[äa]hrung|kurs|beleg(?:nr\.?)?|serial(?:\s+no\.?)?|city|state|points|time|no\.?|#|daily|ending|trans\.?|posting|post|trace",
    ),
    ("date", r"(?:completion|initiation)\s+time|kirjausp[äa]iv[äa]|bokf[øo]rt"),
    ("posted", r"arvop[äa]iv[äa]|liq\.?"),
    ("description", r"saaja(?:\s*/\s*maksaja)?|maksaja|selite|selitys"),
    ("debit", r"ut\s+av\s+konto"),
    ("amount", r"m[äa]{2}r[äa]|m[äa][äa]r[äa]\s+eur"),
]
NAMES = re.compile(
    "|".join(f"(?P<r{number}>(?<![\\w/])(?:{words})(?![\\w]))" for number, (_, words) in enumerate(WORDS)),
    re.IGNORECASE,
)
NOISE = re.compile(
    r"[\W_]+|\((?:in )?(?:"
    + "|".join(CODES)
    + r"|[A-Z]{1,3}\$|[Kk]r\.?|\W)\)|[A-Z]{1,2}\$|"
    + "|".join(CODES)
    + r"|(?:in|of|the|your|and|us)\b",
    re.IGNORECASE,
)

LEGEND = re.compile(r"(?:^| )[*†‡§] ?\w")
"""What explains a mark: “*Indicates posting date” names no column."""
IN_CURRENCY = re.compile(rf"\s*\(?(?:in\s+)?(?:{'|'.join(CODES)})\b")
CHECKS = re.compile(
    r"\W*(?:your |summary of )?che(?:ck|que)s?(?: (?:paid|cleared|posted|processed|listing|in|number|order|and|substitute))*\W*",
    re.IGNORECASE,
)
DAY = re.compile(r"(?:dates?|dat[ae]|datum|fecha)(?: (?:of|de|de la|di|der|van))?", re.IGNORECASE)
POSTED = re.compile(r"post(?:ing|ed)?\.?|process(?:ing|ed)?|value|effective|settle(?:ment|d)?", re.IGNORECASE)
NUMBER = re.compile(r"(?:serial )?(?:numbers?|no\.?|#)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Label:
    role: Role
    x0: float
    x1: float
    text: str

    @property
    def middle(self) -> float:
        return (self.x0 + self.x1) / 2


def labels_of(line: Line) -> list[Label]:
    """The column names on a line, or none if it is no head of a table."""
    if len(line.words) > 24 or len(line.words) < 2 or LEGEND.search(line.text):
        return []
    labels, own, covered = list[Label](), list[Label](), 0
    for found in NAMES.finditer(line.text):
        role = WORDS[int((found.lastgroup or "r0")[1:])][0]
        words = line.words_at(found.start(), found.end())
        labels.append(Label(role, words[0].x0, words[-1].x1, found.group().lower()))
        covered += len(words)
        if role == "amount" and (
            IN_CURRENCY.match(line.text, found.end()) or IN_CURRENCY.search(found.group())
        ):
            own.append(labels[-1])
    labels = _with_foreign(labels, own)
    noise = sum(1 for word in line.words if NOISE.fullmatch(word.text))
    if covered < 0.62 * (len(line.words) - noise) or not is_head(labels) or not _apart(line):
        return []
    return _without_section(labels)


def _with_foreign(labels: list[Label], own: list[Label]) -> list[Label]:
    """“Betrag – Kurs – Betrag in EUR”: of two amounts the one whose currency is not named is that of the payment abroad."""
    if len(own) != 1 or [label.role for label in labels].count("amount") != 2:
        return labels
    return [
        Label("foreign", label.x0, label.x1, label.text)
        if label.role == "amount" and label is not own[0]
        else label
        for label in labels
    ]


def _without_section(labels: list[Label]) -> list[Label]:
    """“Date – Payments and credits – Amount”: the name in the middle is that of the section, not of a column of money."""
    roles = [label.role for label in labels]
    if "amount" not in roles or ("debit" in roles) == ("credit" in roles):
        return labels
    return [
        Label("description", label.x0, label.x1, label.text) if label.role in ("debit", "credit") else label
        for label in labels
    ]


def is_head(labels: list[Label]) -> bool:
    """A head names a date or a description, and money."""
    roles = [label.role for label in labels]
    dated = "date" in roles or "posted" in roles
    money = any(role in MONEY for role in roles)
    flows = "amount" in roles or {"debit", "credit"} <= set(roles)
    return (dated and money) or ("description" in roles and flows and len(labels) >= 3)


def _apart(line: Line) -> bool:
    """Names of columns stand apart; a sentence does not."""
    gaps = [after.x0 - before.x1 for before, after in zip(line.words, line.words[1:], strict=False)]
    return max(gaps) > 0.9 * line.height


def head_at(lines: list[Line], index: int) -> tuple[list[Label], int]:
    """The head that begins on this line, and over how many lines it goes; a head of two lines is read column by column."""
    line = lines[index]
    after = lines[index + 1] if index + 1 < len(lines) else None
    alone = _with_checks(labels_of(line), lines[index - 1] if index else None)
    alone = _with_posted(alone, lines[index - 1] if index else None, line)
    alone = _with_date_above(alone, lines[index - 1] if index else None, line)
    if after is not None and is_stacked(line, after) and (whole := _names_over_names(line, after, alone)):
        return whole, 2
    if alone and after is not None and not _moves(alone) and is_stacked(line, after):
        both = labels_of(stacked(line, after))
        if _moves(both) and not _moves(labels_of(after)):
            return both, 2  # the names of the payments stand in the lower line
    if alone and not _same_twice(alone):
        return alone, 1
    if (
        after is not None
        and after.page == line.page
        and after.y - line.y <= 1.7 * line.height
        and not any(c.isdigit() for c in line.text + after.text)
    ):
        under = labels_of(after)
        if not under or _same_twice(under):  # else the line above it is a heading
            both = labels_of(stacked(line, after))
            if both:
                return both, 2
    return (alone, 1) if alone else ([], 0)


def _names_over_names(line: Line, after: Line, alone: list[Label]) -> list[Label]:
    """The columns of a head whose upper line has days over the names of others (“Date | Date” over “processed | transaction”), or amounts
    that the lower line tells apart; empty where its lines need not be read together."""
    phrases = _phrases(line)
    days = sum(1 for phrase in phrases if DAY.fullmatch(phrase.text))
    is_above_names = all(
        any(word.x0 < phrase.x1 + 1 and word.x1 > phrase.x0 - 1 for word in after.words) for phrase in phrases
    )
    roles = [label.role for label in alone]
    if not is_above_names and not (days and roles.count("amount") > 1):
        return []
    under, both = labels_of(after), labels_of(stacked(line, after))
    if not both or _same_twice(both):
        return []
    names = [label.role for label in both]
    is_clearer = names.count("amount") == 1 and (not alone or roles.count("amount") > 1)
    has_days = sum(name in ("date", "posted") for name in names) > sum(
        label.role in ("date", "posted") for label in under
    )
    balance = next((label for label in both if label.role == "balance"), None)
    has_balance = balance is not None and not any(
        label.x0 < balance.x1 and label.x1 > balance.x0 for label in under
    )
    is_fuller = bool(under) and ((days > 1 and has_days) or has_balance)
    return both if (days and is_clearer) or (is_fuller and not alone) else []


def _with_checks(labels: list[Label], above: Line | None) -> list[Label]:
    """“Number” below the word “Check” is the number of a check."""
    if above is None or not re.search(r"check|cheque", above.text, re.IGNORECASE):
        return labels
    if CHECKS.fullmatch(above.text):
        numbers = [label.role == "other" and NUMBER.fullmatch(label.text) is not None for label in labels]
        return [
            Label("check", label.x0, label.x1, label.text) if number else label
            for label, number in zip(labels, numbers, strict=True)
        ]
    places = [
        (word.x0, word.x1) for word in above.words if re.match(r"che(?:ck|que)", word.text, re.IGNORECASE)
    ]
    return [
        Label("check", label.x0, label.x1, label.text)
        if label.role == "other" and any(x0 < label.x1 and x1 > label.x0 for x0, x1 in places)
        else label
        for label in labels
    ]


def _with_posted(labels: list[Label], above: Line | None, line: Line) -> list[Label]:
    """Two columns called “Date”, below “Post” and “Trans”: the first word says which is the day of posting."""
    dates = [label for label in labels if label.role == "date"]
    if len(dates) != 2 or above is None or above.page != line.page or line.y - above.y > 1.7 * line.height:
        return labels
    posted = [
        label
        for label in dates
        if any(
            word.x0 < label.x1 and word.x1 > label.x0 and POSTED.fullmatch(word.text) for word in above.words
        )
    ]
    if len(posted) != 1:
        return labels
    return [
        Label("posted", label.x0, label.x1, label.text) if label is posted[0] else label for label in labels
    ]


def _moves(labels: list[Label]) -> bool:
    return any(label.role in FLOWS for label in labels)


def _with_date_above(labels: list[Label], above: Line | None, line: Line) -> list[Label]:
    """Names without a day of the transaction, below “Date” and “Date”: the two lines together say which is which."""
    if (
        not labels
        or above is None
        or not is_stacked(above, line)
        or any(one.role == "date" for one in labels)
    ):
        return labels
    if not all(
        any(word.x0 < below.x1 + 1 and word.x1 > below.x0 - 1 for below in line.words) for word in above.words
    ):
        return labels
    both = labels_of(stacked(above, line))
    return both if any(one.role == "date" for one in both) and len(both) >= len(labels) else labels


def _same_twice(labels: list[Label]) -> bool:
    """Two amounts beside one date: the line above or below must say which is which."""
    roles = [label.role for label in labels]
    return roles.count("amount") > max(roles.count("date"), 1)


def is_stacked(upper: Line, lower: Line) -> bool:
    """Whether two lines without figures stand close enough to be one line of names."""
    near = upper.page == lower.page and lower.y - upper.y <= 1.7 * upper.height
    return near and not any(character.isdigit() for character in upper.text + lower.text)


def stacked(upper: Line, lower: Line) -> Line:
    """Two lines as one: words above each other belong together."""
    left = list(lower.words)
    words = []
    for word in _phrases(upper):
        under = [below for below in left if below.x0 < word.x1 + 1 and below.x1 > word.x0 - 1]
        left = [below for below in left if below not in under]
        stack = [word, *under]
        words.append(
            Word(
                " ".join(part.text for part in stack),
                min(part.x0 for part in stack),
                max(part.x1 for part in stack),
                lower.y,
                word.height,
            )
        )
    return Line(lower.page, lower.y, sorted([*words, *left], key=lambda word: word.x0), lower.place)


def _phrases(line: Line) -> list[Word]:
    """Words that stand close together, as one."""
    phrases: list[Word] = []
    for word in line.words:
        last = phrases[-1] if phrases else None
        if last and word.x0 - last.x1 < 0.4 * word.height:
            phrases[-1] = Word(f"{last.text} {word.text}", last.x0, word.x1, last.y, last.height)
        else:
            phrases.append(word)
    return phrases


FEWEST_NAMES = 4
APART = 2.0  # heights of a letter between the names of two columns
ELSEWHERE = 8.0  # points: so far from the edges of every known column stands the name of another


def names_other_columns(line: Line, labels: list[Label]) -> bool:
    """Whether a line has nothing but names that stand apart like those of columns, most of them at other places than these."""
    if any(character.isdigit() for character in line.text):
        return False
    groups: list[list[Word]] = []
    for word in line.words:
        if groups and word.x0 - groups[-1][-1].x1 < APART * word.height:
            groups[-1].append(word)
        else:
            groups.append([word])
    if len(groups) < FEWEST_NAMES or any(len(group) > 3 for group in groups):
        return False
    elsewhere = sum(
        all(
            abs(group[0].x0 - label.x0) > ELSEWHERE and abs(group[-1].x1 - label.x1) > ELSEWHERE
            for label in labels
        )
        for group in groups
    )
    return elsewhere >= len(groups) / 2
