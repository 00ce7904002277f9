"""The words by which columns are known in several languages; what a column holds decides where a word means two things."""

from __future__ import annotations

import re
from functools import lru_cache

from ..currency_words import CODES, code_in

_NOT_THE_AMOUNT = (
    r"original|foreign|fremdw|einzel|single|orig\.|exchange|rate|kurs|"
    r"fee|gebühr|tax|limit|count|points|reward|cashback|local|instructed|spend"
)

ROLES: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (role, re.compile(pattern))
    for role, pattern in (
        (
            "ignore",
            r".*(?:exchange|wechselkurs|credit limit|credit card|card type|card holder|cardholder|category|kategorie|"
            r"categor[ií]a|cat[ée]gorie|subcategory).*",
        ),
        (
            "status",
            r"(?:\w+ )?(?:status|state)|buchungsstatus|estado|[ée]tat|statut|stato|contabilizzazione|info|статус|交易状态|"
            r"当前状态",
        ),
        (
            "balance",
            r".*balance.*|.*\bbal\b.*|.*\bsaldo\b.*|.*kontostand.*|.*\bsolde\b.*|.*\bguthaben\b.*|.*\bbakiye\b.*|"
            r"available(?: funds)?|disponible|.*\bsold\b.*|.*\bstanje\b.*|.*egyenleg.*|.*z[ůu]statek.*|.*残高.*|"
            r"現在.*高|.*остаток.*|.*залишок.*|.*잔액.*|.*餘額.*|.*余额.*|.*結餘.*|.*zostatok.*|.*likutis.*|"
            r".*יתרה.*|.*ยอด(?:เงิน)?คงเหลือ.*|салдо|bilance|atlikums|số dư|शिल्लक|.*staða.*|.*υπόλοιπο.*|.*الرصيد.*|結存.*",
        ),
        (
            "credit",
            r"inn på konto|inn|insättning(?:ar)?|預かり金額|入金(?!.*出金).*|お預入.*|受入金額.*|приход.*|"
            r"입금.*|存入.*|收入(?!/).*|存款金額|בזכות|זכות|ฝากเงิน|πίστωση|دائن|кредит|kred[īi]ts|uplat[ae]|存|ghi có|जमा",
        ),
        (
            "debit",
            r"ut fra konto|ut|uttag|支払い?金額|出金.*|お引出.*|払出金額.*|расход.*|출금.*|支出.*|提款金額|בחובה|חובה|"
            r"ถอนเงิน|χρέωση|مدين|дебит|debets|isplat[ae]|提|提取|ghi nợ|नावे",
        ),
        (
            "direction",
            r"(?:debit|dr|soll|d)\s?[/ -]\s?(?:credit|cr|haben|c)(?: indicator)?|(?:credit|cr|c)\s?[/ -]?\s?(?:debit|dr|d|"
            r"debet)(?: indicator)?|af ?/? ?bij"
            r"|(?:transaction |trans |entry )?type|type of transaction|transaction|direction|sens|sign|segno|umsatzart|"
            r"πρόσημο.*|soll-haben-kennung|"
            r"debit or credit|dc|creditdebet|s/h|收/支",
        ),
        (
            "value date",
            r"value date|valuta|wert(?:stellung)?(?:sdatum)?|date (?:de )?valeur|fecha valor|data valuta|valutadatum|"
            r"rentedatum|rentedato|valutadag|arvop[äa]iv[äa]|vaxtadagsetning|вальор|תאריך ערך|settlement date|settled date|"
            r"clearing date"
            r"|effective date|post(?:ed|ing)? ?date|date posted|processed date|date processed",
        ),
        (
            "date",
            r".*\bdate\b.*|.*datum\b.*|.*\bfecha\b.*|.*\bdata\b.*|buchungstag|buchung|.*\bdatetime\b.*|.*\btimestamp\b.*|"
            r".*\btarihi\b.*|"
            r"booked|bokf[öo]r[dt]|bogf[øo]rt|päivämäärä|dato|.*\bdag\b.*|transaktionstag|.*\btarih\b.*"
            r"|tanggal.*|tarikh.*|d[áa]tum.*"
            r"|created on|completed|completed on|when|day|time|booked at|.*päivä|.*\bfecha\b|datums|תאריך רכישה|"
            r".*(?:transaktions|bokf[öo]rings)dag|日付|日期|दिनांक|ngày.*|取引日|利用日|"
            r".*年月日|ημ/νία.*|ημερομηνία.*|التاريخ|дата.*|거래일자?|날짜|交易日期?|交易时间|記帳日|תאריך|วันที่|"
            r"dagsetning|kuup[äa]ev",
        ),
        (
            "debit",
            r".*\bdebits?\b.*|.*withdrawals?.*|retiros?|paid out.*|money out.*|.*\bsoll\b.*|.*lastschrift.*|belastung.*|"
            r".*d[ée]bits?\b.*|.*\bcargos?\b.*|debe|uscite.*|addebit[io].*|dare"
            r"|.*sa[íi]das?\b.*|d[ée]bitos?|out(?:going|flow)?(?: amount)?|spent|payments?(?: out)?|uitgaven|ausgaben?|"
            r"ausgang|withdrawn|obci[ąa][żz]enia?|terhelés|expense|charges?|dr|af|お支払金額|お引出金額",
        ),
        (
            "credit",
            r".*\bcredits?\b.*|.*\bdeposits?\b.*|dep[óo]sitos?|paid in.*|money in.*|.*\bhaben\b.*|gutschrift.*|"
            r".*cr[ée]dits?\b.*|"
            r".*\babonos?\b.*|haber|entrate.*|accredit[io].*|avere"
            r"|.*entradas?\b.*|cr[ée]ditos?|in(?:coming|flow)?(?: amount)?|received|receipts?|inkomsten|einnahmen?|eingang|"
            r"deposited|uznania?|jóváírás|income|cr|bij|kredit|お預り金額|お預入金額",
        ),
        (
            "amount",
            rf"(?!.*(?:{_NOT_THE_AMOUNT}))(?:.*\bamount\b.*|.*betrag.*|.*\bumsatz\b.*|.*\bimporte\b.*|.*\bmonto\b.*|"
            rf".*montant.*|.*\bimporto\b.*|.*\bvalor\b.*|.*bedrag.*|.*belopp.*"
            r"|.*\bkwota\b.*|.*\bcantidad\b.*|value|sum|net|netto|total|(?:transaction |trans\.? )?amt|.*beløb.*|"
            r".*\btutar\b.*|summa|määrä|összeg|cad\$|"
            r"usd\$|[a-z]{3} amount|credit/debit amount|määrä .*|objem|.*částka.*|сумма платежа|сумма|"
            r"сума(?! комісій| кешбек).*|.*beløp.*|金額|利用金額|入出金(?:\s*[(（].*円.*)?|金额|금액|upphæð|"
            r"jumlah|nominal|iznos|znesek|suma|ποσό|סכום חיוב)",
        ),
        (
            "currency",
            r"(?:billing |account |payment |settlement |posted )?currency.*|ccy|νόμισμα|"
            r"w(?:ä|a|ae)hrung.*|měna účtu|val[ūu]ta|devise|divisa|moneda|moeda|munt(?:soort)?|valuta(?:code)?|"
            r"waluta|curr\.?|m[ěe]na|валюта платежа",
        ),
        (
            "account",
            r"account(?: ?(?:number|no\.?|#|name|id))?|auftragskonto|iban auftragskonto|own account|card(?: no\.?| number)?",
        ),
        ("perhaps account", r"konto(?:nummer)?|rekening(?:nummer)?|cuenta|compte|conto|iban"),
        (
            "description",
            r".*descri.*|.*payee.*|.*\bname\b.*|.*naam.*|.*\bnom\b.*|.*\bmemo\b.*|.*details?\b.*|.*verwendungszweck.*|"
            r".*buchungstext.*|.*beguenstigter.*|.*begünstigter.*"
            r"|.*zahlungs(?:pflichtiger|beteiligter|empf).*|.*auftraggeber.*|.*empf[äa]nger.*|.*libell[ée].*|.*concepto.*|"
            r".*conceito.*|.*causale.*|.*merchant.*|.*narrati.*|label|title|.*movimiento.*"
            r"|.*particulars.*|.*reference.*|.*omschrijving.*|.*mededeling.*|.*beschreibung.*|.*bezeichnung.*|.*note.*|"
            r".*counter ?party.*|.*opis.*|.*tytu[łl].*|.*kontrahent.*"
            r"|keterangan|uraian|butiran|a[çc][ıi]klama|namen"
            r"|.*texte?.*|.*remark.*|.*hist[óo]rico.*|.*detalhes?.*|.*transaction$|transaction info|.*beneficiar.*|"
            r".*intitul[ée].*|.*közlemény.*|.*partner.*|.*motif.*|.*message.*|rubrik|beskrivning|.*\bnamn\b.*|forklaring|"
            r"tekst|"
            r"selite|selitys|viesti|saaja.*|.*popis.*|název.*|zpráva.*|.*identifikace.*|описание|摘要.*|"
            r"利用店名.*|.*取り扱い内容|입출금내용|적요|내용|תיאור|รายการ|交易摘要|交易對方|交易对方|交易內容|"
            r"skýring|selgitus|apraksts|основание|交易詳情|摘要|תיאור.*|שם בית עסק|mô tả|तपशील|αιτιολογία|περιγραφή|الوصف|"
            r"деталі.*|transaction ref\d",
        ),
    )
)


def _words(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"\S+", text))


OUT_WORDS = _words(
    "debit dr d db out aus - s soll af withdrawal withdraw purchase payment sale charge expense debito débit débito addebito "
    "uscita belastung lastschrift outgoing sent pos atm fee check"
    " ach_debit debet uitgave d- sortie deb debetas dare odchozí odchádzajúca ausgang χ χρέωση 支出 出金 支払 출금"
)
IN_WORDS = _words(
    "credit cr c in ein + h haben bij deposit refund income credito crédit crédito accredito entrata gutschrift incoming received "
    "interest ach_credit inkomst entrée return a avere cred kredit kreditas příchozí prichádzajúca eingang k π πίστωση 收入 入金 預入 입금"
)
NEITHER_WORDS = _words("不计收支")
"""Beside words for money in and for money out: what counts as neither, a refund or a transfer between own accounts."""
PENDING = (
    r"pending|declined|failed|cancell?ed|reverted|authori[sz]ed|processing|vorgemerkt|"
    r"rejected|refused|denied|blocked|void(?:ed)?|expired|abgelehnt|storniert|refus[ée]e?|rechazad[oa]|"
    r"ausstehend|offen|en attente|pendiente|in sospeso|.*\bvorgemerkt|reserver(?:at|t|et)|gereserveerd|venter|"
    r"väntar|avventer|"
    r"in behandeling|in bearbeitung|pendente|oczekuj\w+|odottaa|geweigerd|afgewezen|slettet|autorizzat[oa]|"
    r"non contabilizzat[oa]|rifiutat[oa]|"
    r"reserviert|reserverad|väntande|odrzucon[ay]|отклонен[оа]?|交易关闭|已关闭|closed"
)
PENDING_HEADING = re.compile(
    r"\b(?:pending|processing|upcoming|scheduled|declined|failed|cancell?ed|rejected|authori[sz](?:ed|ations?)|unposted|"
    r"not (?:yet )?(?:posted|booked)|vorgemerkte?|ausstehende?|en attente|pendientes?|pendentes?|in sospeso|in behandeling|"
    r"reserver(?:ingen|ade|te)|väntande|oczekujące|odottavat)\b",
    re.IGNORECASE,
)
"""In a line of one short cell: the rows under it are not booked."""
BOOKED_HEADING = re.compile(
    r"\b(?:posted|booked|completed|cleared|settled|processed|executed|history|gebuchte?|comptabilis[ée]e?s|contabilizad[oa]s|"
    r"contabilizzati|geboekt|bokförda|bokførte|zaksięgowane)\b|^\W*(?:(?:account|your|all|other) )?(?:transactions|activity)\W*$",
    re.IGNORECASE,
)
"""In such a line: the rows under it are booked."""
NO_HEADING = re.compile(
    r"\b(?:not? included?|excluded?|without|included?|including|balance)\b", re.IGNORECASE
)
SETTLED = (
    r"|posted|booked|approved|geaccepteerd|交易成功|支付成功|已完成|cleared|complete[d]?|settled|executed|"
    r"processed|paid|done|success(?:ful)?|ok|sent|received|issued|gebucht|"
    r"ausgef[üu]hrt|abgeschlossen|umsatz gebucht|comptabilis[ée]e?|ex[ée]cut[ée]e?|ejecutad[oa]|contabilizzato|"
    r"conclu[íi]d[oa]|"
    r"udført|normal|transfer sent|"
    r"payment (?:sent|deposited)|\*|x|c|r"
)
"""States of rows that are booked; any other word in a column of states is said."""
FEE = re.compile(
    r"(?:transaction |bank )?(?:fees?|charges?|commission)(?: amount)?|geb[üu]hr(?:en)?|frais|comisi[óo]n|commissione|"
    r"poplatek\b.*"
)
"""Names of a column of fees."""
ANY_FEE = re.compile(rf"(?:service |processing |card |transfer )?(?:{FEE.pattern})(?: \(.*\))?")
"""The same, with names of which it is only said where they are not read."""
INCOME = re.compile(
    r"deposit|payroll|salary|interest|transfer from|direct dep|\bfrom\b|\bgehalt\b|\blohn\b|\bsalaire\b|"
    r"\bn[óo]mina\b|\bsalario\b|"
    r"\bstipendio\b|\bl[öo]n\b|wynagrodzenie|\bwages\b",
    re.IGNORECASE,
)
WAGES = re.compile(
    r"payroll|salary|\bwages\b|\bgehalt\b|\blohn\b|\bsalaire\b|\bn[óo]mina\b|\bsalario\b|\bstipendio\b|\bl[öo]n\b|"
    r"wynagrodzenie|\bsal[áa]rio\b|\bsalaris\b|direct dep",
    re.IGNORECASE,
)
SPENDING = re.compile(
    r"\bpurchase\b|\bwithdrawal\b|\bpos\b|\batm\b|card payment|direct debit|lastschrift|kartenzahlung|carte|pr[ée]l[èe]?v|"
    r"compra|recibo|pago con|pagamento|acquisto|betaalautomaat|zakup|supermarket|market\b|grocer|pharmacy|"
    r"restaurant|netflix|uber\b",
    re.IGNORECASE,
)
PAYMENT = re.compile(
    r"payment.{0,20}thank|thank you.{0,20}payment|autopay|auto pay|automatic payment|payment received|online payment|"
    r"mobile payment|e-?payment|payment - thank|pymt|pagamento recebido|zahlung erhalten|[öo]demeniz i[çc]in te[şs]ekk[üu]r|"
    r"monto cancelado|"
    r"su pago|pago recibido|gracias por su pago|paiement.{0,3}merci|einzahlung.{0,3}besten dank|ge[ïi]ncasseerd|"
    r"betaling ontvangen|"
    r"din (?:in)?betalning|inbetalning|innbetaling",
    re.IGNORECASE,
)

REFERENCE = re.compile(
    r"(?:bank |customer |transaction |trans(?:action)?\.? |payment )?(?:reference|ref\.?)(?: ?(?:number|no\.?|id|#))?|"
    r"(?:transaction|trans\.?|txn|confirmation|trace|serial|entry|receipt) ?(?:id|number|no\.?|#|code)|fitid|id|"
    r"(?:check|cheque)(?: or slip)? ?(?:number|no\.?|#)|referenz(?:nummer)?|referencia|r[ée]f[ée]rence|"
    r"kundenreferenz|end-?to-?end.*"
)
TRADE_COLUMNS = {
    "symbol": re.compile(r"symbol|ticker(?: symbol)?|cusip|isin|security(?: id| symbol)?|instrument"),
    "quantity": re.compile(r"quantity|qty\.?|(?:no\.? of )?shares|units|st[üu]ck|anzahl"),
    "price": re.compile(r"(?:unit |share |trade )?price(?: per share| \(.*\))?|kurs"),
    "action": re.compile(r"action|activity(?: type)?|(?:transaction |trade )?type|side"),
}
HOLD = re.compile(r"blokad|blocked|\bholds?\b|\breserved|vorgemerkt|reserviert|retenid|bloquead|заблокир")
"""Names of columns of sums that are not booked."""
DAY_OF_TRANSACTION = re.compile(
    r"^trans|transact|transaktion|transakcj|purchase|einkauf|^kauf|umsatztag|beleg|operaci|operazion|op[ée]ration|"
    r"operacj|compra|"
    r"acquisto|achat|aankoop|k[öo]p|kj[øo]p|k[øo]b|maksup[äa]iv[äa]|tapahtuma|ostop[äa]iv|транзакц|операц|交易|"
    r"利用日|i[şs]lem"
)
DAY_OF_BOOKING = re.compile(
    r"book|buchung|bokf|bogf|post(?:ed|ing|ering)|reskontra|kirjaus|registr|contab|comptab|ksi[ęe]gow|za[úu][čc]tov|boek|"
    r"settle|process|記帳|入帳"
)
"""Where a table has both, the first is the row's day and the second is kept beside it."""
CATEGORY = re.compile(
    r"(?:transaction |merchant |spending )?category|kategorie|hauptkategorie|categor[ií]a|cat[ée]gorie|categorie"
)


_AMOUNT_OF = re.compile(r"amount \((credit|debit)s?\)|(?:credit ?/ ?debit|debit ?/ ?credit) amount")


@lru_cache(maxsize=4096)
def role_of(name: str) -> str:
    """What a column with this (plain) name is, or empty."""
    if not name or len(name) > 60:
        return ""
    if found := _AMOUNT_OF.fullmatch(name):
        return found[1] or "amount"
    bare = re.sub(r"\s*[(\[].*?[)\]]\s*", " ", name).strip() or name
    apart = re.sub(
        r"\s+([a-z]{3}|euros?)$",
        lambda end: "" if end[1].upper() in CODES | {"EURO", "EUROS"} else end[0],
        bare,
    )
    return next((role for role, pattern in ROLES if pattern.fullmatch(bare) or pattern.fullmatch(apart)), "")


_CURRENCY_IN_NAME = re.compile(r"\b([a-z]{3})\b")
_SYMBOLS = {
    "€": "EUR",
    "£": "GBP",
    "¥": "JPY",
    "₹": "INR",
    "円": "JPY",
    "원": "KRW",
    "₩": "KRW",
    "บาท": "THB",
    'ש"ח': "ILS",
    "₴": "UAH",
    "₸": "KZT",
    "₾": "GEL",
    "₪": "ILS",
}
_NAMED_IN_WORDS = re.compile(r"\beuro(?:s|a)?\b")
_CODES = _words(
    "usd eur gbp cad aud chf jpy cny inr sek nok dkk pln czk huf brl mxn nzd sgd hkd zar try ron bgn ils thb aed sar krw gel kzt vnd"
)


def currency_in(text: str) -> str:
    """A currency that a header or an amount names."""
    for symbol, code in _SYMBOLS.items():
        if symbol in text:
            return code
    if _NAMED_IN_WORDS.search(text.casefold()):
        return "EUR"
    return code_in(text) or next(
        (found.upper() for found in _CURRENCY_IN_NAME.findall(text.casefold()) if found in _CODES), ""
    )
