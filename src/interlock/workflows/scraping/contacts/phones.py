"""Finds phone numbers, in the international form that every phone dials."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from urllib.parse import unquote, urlsplit

import phonenumbers
from phonenumbers import (
    Leniency,
    PhoneNumber,
    PhoneNumberFormat,
    PhoneNumberMatch,
    PhoneNumberMatcher,
    PhoneNumberType,
)

from ..web.page import Page
from ..web.text import drop_invisible, plain_digits, plain_width
from .countries import REGIONS, find_clues, find_countries, find_registers
from .phone_words import FAX_HEADING, LABEL, NAMED, NOT_A_PHONE, is_also_fax, says_fax

MOST = 50
_TEL = re.compile(r"^\s*(?:(?:tel|callto|sms)\s*:(?://)?|whatsapp:/*send/?\?phone=)", re.IGNORECASE)
_CHAT = re.compile(
    r"(?:(?:https?:)?//)?(?:wa\.me/|api\.whatsapp\.com/send/?\?(?:.*&)?phone=|whatsapp:/*send/?\?phone=)\s*(\+?\d[\d ()-]{6,24})",
    re.IGNORECASE,
)
_ZERO = re.compile(r"(?<=\d)\s?\(0\)")
"""The zero that is left out behind the code of a country, wherever it stands."""
DIALLED_IN_PLACE = 8
"""Last digits of a number that no two numbers of one page share."""
_CONTEXT = re.compile(r";phone-context=(\+[\d-]{1,12})", re.IGNORECASE)
"""What stands before the number of a link that is dialled at one place."""
_TEL_IN_CODE = re.compile(r"tel:([^'\"\s;]{4,40})")
_EXTENSION = re.compile(r"(?<=\d)\s*(?:[;,?&pwx#*]|ext)", re.IGNORECASE)
"""Where the number ends that is dialled first."""
_AMERICAN = {(3, 3, 4), (1, 3, 3, 4), (10,), (11,), (3, 7), (1, 3, 7), (1, 10)}
"""How long the groups of digits of a number are in North America."""
_INTERNATIONAL = re.compile(r"(?<![\d+(/.-])00(?=[1-9][\d ()./-]{7,})")
_PLACEHOLDER = re.compile(r"1234567|(\d)\1{5}|5551234|5550000")
_ADDRESS = re.compile(r"\S*@\S+|(?:https?://|www\.)\S+")
_BETWEEN = re.compile(r"\s*(?:[,;/|·•&+]|or|oder|und|and|y|e|et|ou|of|lub|nebo|og|och)\s*", re.IGNORECASE)
"""What is between two numbers of a list."""
_BETWEEN_WHOLE = re.compile(
    rf"(?:\s*\([^()]{{1,30}}\))?(?:{_BETWEEN.pattern}|\s+[–—-]\s+|\s+)(?:\([^()\d]{{1,30}}\)\s*)?",
    re.IGNORECASE,
)
"""What is between two whole numbers of a list: a dash as well, and words in brackets about one of them."""
_LOCAL = re.compile(r"[2-9](?:[ .-]?\d){5,8}(?!\s?[\d./@:(+-])")
"""A number behind another one of the same place, without the code of that place."""
_EXTENSIONS = re.compile(r"-\s?(\d{1,4})(?![\d./-])")
"""The last digits of a further line of the same switchboard: `-12 oder -14`."""
_LAST_DIGITS = re.compile(
    r"\s?/\s?(\d{1,4})(?![\w./:%€-]|\s?[\d(]|\s?(?:h\b|[ap]m\b|uhr|hrs|hours|days|std))", re.IGNORECASE
)
"""The last digits of the next line of the same switchboard: `2284 6173 / 74`."""
FRANCE = 33
MOST_NEXT = 30
_SECOND_LINE = re.compile(r"(?<=\d{5})/(?=\d{1,2}(?![\d/.-]| ?\d))")
SPLIT = "|"
"""What parts a number from the last digits of the next line, which are not its own: `28471936/37`."""
_VANITY = re.compile(
    r"(?<![\w.-])((?:\+?1[ .-]?)?\(?[2-9]\d\d\)?|0800|0508|1300|1800)([ .-])"
    r"(?=(?:[\d .-]{0,9}[A-Z]){3})([A-Z0-9](?:[ .-]?[A-Z0-9]){5,9})(?![\w-])"
)
"""(code, sign, word) of a number of which words are dialled: `1-800-GO-DRAIN`."""
_OLD_PREFIXES = {
    "MX": re.compile(r"(?<![\d+(-])(?:01|04[45])[ .-]+(?=\(?\d{2,3}\)?[ .-]\d)"),
    "PL": re.compile(r"(?<=\()0-(?=\d\d\))"),
}
"""What numbers of a country once began with, and pages still have."""
_FREE_CODES = frozenset({"800", "833", "844", "855", "866", "877", "888"})
_VANITY_LENGTHS = {"0800": 6, "0508": 6, "1300": 6, "1800": 6}
"""How many letters of a word are dialled behind a code; 7 in North America."""
_NO_WORDS = re.compile(r"(?:\d{2,4} ?[:|/-]\s?)?[ :(+|-]*")
"""Before a number that its label belongs to: nothing, or a short number such as that of the police."""
LONGEST_PREFIX = 12
"""Letters between the label of a register and its number: `BE`, `Brussel`."""
_ALWAYS = re.compile(
    r"\b(?:24\s?(?:/\s?7|x\s?7|-?(?:h|hrs?|hours?|hour|stunden|std|heures|horas|ore|uur|godzin\w*|t|timer|timmar)(?:\s?(?:/|sur)\s?24)?)|h\s?24|7\s?j(?:ours)?\s?(?:/|sur)\s?7)\b\.?",
    re.IGNORECASE,
)
"""Words for round the clock, whose digits are no number."""
_ASIDE = re.compile(r"\(([^()\d]{0,40})\)")
"""Words in brackets: between a label and its number they say when somebody answers, or who."""
_HOURS = re.compile(
    r"\b\d{1,2}(?:[:.]\d\d)?\s?[-–—]\s?\d{1,2}(?:[:.]\d\d)?\s?(?:h|uhr)?\s?:\s*$", re.IGNORECASE
)
"""When somebody answers, between a label and its number: `8–16:`."""
LONGEST_LABEL = 40
LONGEST_HEADING, LINES_OF_OFFICE = 80, 6
"""Letters of a line that names the country of an office, and lines that may be about it."""
MOST_LOOKED_AT = 100_000
_TIMES = re.compile(r"(?:[01]\d|2[0-4])[0-5]\d\s?[-–—]\s?(?:[01]\d|2[0-4])[0-5]\d")
"""From one time of a day to another: `0930-1700`."""
_NAMES = re.compile(r"(?:[^\W\d_]{2,}[.,:]?\s?){1,4}")
"""A few words in the line of a number: who answers it."""
_FREE_TO_CALL = {PhoneNumberType.TOLL_FREE, PhoneNumberType.SHARED_COST, PhoneNumberType.UAN}


def _regions(name: str) -> dict[str, str]:
    """The region of each language or top-level domain, from the file of regions."""
    return {one: region for region, names in REGIONS[name].items() for one in names.split()}


_OF_TOP_LEVEL, _OF_LANGUAGE = _regions("top_level"), _regions("language")
_WORLDWIDE = "US EU"
"""Regions of top-level domains that the whole world uses, or a whole continent."""


def guess_region(page: Page, country: str = "") -> str:
    """The country whose numbers are written without its code on this page: what it says of itself, its address, its language."""
    top = (urlsplit(page.url).hostname or "").rpartition(".")[2].lower()
    language, _, region = page.language.replace("_", "-").partition("-")
    registers = find_registers(page.text[:MOST_LOOKED_AT])
    by_top = _OF_TOP_LEVEL.get(top, top.upper())
    for one in (
        country,
        by_top if by_top not in _WORLDWIDE or top == "us" else "",
        region,
        registers[0] if len(registers) == 1 else "",
        _OF_LANGUAGE.get(language.lower(), ""),
        by_top,
    ):
        if one.upper() in phonenumbers.SUPPORTED_REGIONS:
            return one.upper()
    return "US"


def extract_phones(page: Page, country: str = "") -> list[str]:
    """The valid numbers on a page as E.164, in the order they are seen; faxes are left out."""
    regions = _likely_regions(page, country)
    chats = dict(_chats(page))
    faxes: set[str] = set()
    phones: dict[str, None] = {}
    faxes.update(number for text in _faxed(page) for one in regions[:1] if (number := _parsed(text, one)))
    for text in _dialled(page):
        dialled = (_parsed(_EXTENSION.split(text)[0], one) for one in regions)
        if number := next(filter(None, dialled), ""):
            phones.setdefault(number)
    cells = {
        number: is_fax or says_so
        for text, is_fax in _cells(page)
        for number, says_so in find_phones(text, regions[0], "Tel")
    }
    before = ""
    for line, places in _lines_with_places(page):
        numbers = next(
            (seen for one in (*places, *regions) if (seen := list(find_phones(line, one, before)))), []
        )
        for number, is_fax in numbers:
            (faxes.add if cells.get(number, is_fax) else phones.setdefault)(number)
        before = plain_width(line)
    for number, is_fax in cells.items():
        (faxes.add if is_fax else phones.setdefault)(number)
    whole = dict.fromkeys(chats.get(one[-DIALLED_IN_PLACE:], one) for one in phones if one not in faxes)
    return list(whole)[:MOST]


def _lines_with_places(page: Page) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Each line with the region of the office it belongs to: a line that ends with the name of a country heads the next ones."""
    places: tuple[str, ...] = ()
    left = 0
    for line in _lines(page):
        if len(line) <= LONGEST_HEADING and len(named := find_countries(line)) == 1 and _ends_with_name(line):
            places, left = tuple(named), LINES_OF_OFFICE
        yield line, places if left > 0 else ()
        left -= 1


def _ends_with_name(line: str) -> bool:
    """Whether the last words of a line name a country."""
    words = re.findall(r"[^\W\d_]+", line)
    return any(find_countries(" ".join(words[-count:])) for count in (1, 2, 3))


def _lines(page: Page) -> Iterator[str]:
    """What a page shows and reads aloud, without words that a link dials: their number is that of the link."""
    words = [link.text for link in page.links if _TEL.match(link.href) and _VANITY.search(link.text)]
    pattern = re.compile("|".join(map(re.escape, words[:MOST])) or r"(?!)")
    for line in (*page.lines, *islice(_read_aloud(page), MOST)):
        yield pattern.sub(" ", line)


def _chats(page: Page) -> Iterator[tuple[str, str]]:
    """(last digits, number) of the numbers that a page opens chats with: its text may lack what a mobile phone's begins with."""
    for link in page.links:
        if match := _CHAT.match(unquote(link.href)):
            number = _parsed(f"+{re.sub(r'[^0-9]', '', match[1])}", "ZZ")
            if len(number) > DIALLED_IN_PLACE:
                yield number[-DIALLED_IN_PLACE:], number


def _cells(page: Page) -> Iterator[tuple[str, bool]]:
    """(text, whether it is a fax) of the cells of tables under a heading that says phone or fax."""
    for table in islice(page.tree.iter("table"), 200):
        columns: dict[int, bool] = {}
        for row in islice(table.iter("tr"), 1000):
            cells = [
                " ".join("".join(map(str, cell.itertext()))[:200].split())
                for cell in row
                if cell.tag in ("td", "th")
            ]
            headings = dict(_headings(cells))
            if not headings:
                yield from ((cells[place], is_fax) for place, is_fax in columns.items() if place < len(cells))
            columns = headings or columns


def _headings(cells: list[str]) -> Iterator[tuple[int, bool]]:
    """(place, whether it says fax) of the cells that can head a column of numbers; none in a row that has a number."""
    if any(letter.isdigit() for text in cells for letter in text):
        return
    for place, text in enumerate(cells):
        if FAX_HEADING.fullmatch(text):
            yield place, True
        elif len(text) <= LONGEST_LABEL and LABEL.search(text):
            yield place, False


def _read_aloud(page: Page) -> Iterator[str]:
    """What buttons and pictures say to readers who do not see them, where it names itself a number."""
    for element in page.elements():
        for name in ("aria-label", "title", "alt"):
            value = str(element.get(name) or "")
            if (
                6 < len(value) <= 100
                and (digit := re.search(r"[\d+(]", value))
                and LABEL.search(value[: digit.start()])
            ):
                yield value


def _dialled(page: Page) -> Iterator[str]:
    """What the links, buttons and attributes of a page dial, and the numbers of chats that their links show."""
    chats = dict(_chats(page))
    for link in page.links:
        if number := chats.get(re.sub(r"\D", "", plain_digits(link.text))[-DIALLED_IN_PLACE:]):
            yield number
        if match := _TEL.match(link.href):
            yield _with_context(unquote(link.href[match.end() :]))
    for element in page.elements():
        for name, value in element.attrib.items():
            if name in ("data-phone", "data-tel"):
                yield str(value)
            elif str(name).startswith("on") and (match := _TEL_IN_CODE.search(str(value))):
                yield unquote(match[1])


def _faxed(page: Page) -> Iterator[str]:
    """What links dial that call themselves a fax and nothing else."""
    for link in page.links:
        match = _TEL.match(link.href)
        if match and FAX_HEADING.fullmatch(link.text or ""):
            yield unquote(link.href[match.end() :])


def _with_context(dialled: str) -> str:
    """What a link dials, behind the code of the place that it names for it."""
    context = _CONTEXT.search(dialled)
    return f"{context[1]}{dialled}" if context and not dialled.startswith("+") else dialled


def _likely_regions(page: Page, country: str) -> list[str]:
    """The regions whose numbers may stand on a page without their code, the likeliest first: the one of the site, the one that its text
    names, where that is one alone, and those that other numbers and registers on it belong to."""
    text = page.text[:MOST_LOOKED_AT]
    named = find_countries(text)
    clues = find_clues(text)
    likely = (
        guess_region(page, country),
        *(named if len(named) == 1 else ()),
        *(clues if len(clues) == 1 else ()),
    )
    return list(dict.fromkeys(likely))


def find_phones(line: str, region: str, line_before: str = "") -> Iterator[tuple[str, bool]]:
    """(number, whether it is a fax) for each number in a line. What the line before says counts as its label, as in the cell of a table."""
    if not any(letter.isdigit() for letter in line) or len(line) > 20_000:
        return
    line = _ALWAYS.sub(lambda match: " " * len(match[0]), plain_digits(plain_width(drop_invisible(line))))
    if region in _OLD_PREFIXES:
        line = _OLD_PREFIXES[region].sub(" ", line)
    line = _SECOND_LINE.sub(SPLIT, _VANITY.sub(_dialled_word, line))
    line = _INTERNATIONAL.sub(lambda match: "+" if _is_prefix(line, match) else match[0], line)
    label = f"{line_before} " if _is_label(line_before) else ""
    end, last = 0, ""
    for match in PhoneNumberMatcher(line, region, leniency=Leniency.VALID, max_tries=200):
        before = _ADDRESS.sub(" ", line[max(0, match.start - 120) : match.start])
        before = _HOURS.sub("", _ASIDE.sub(_without_aside, before))[-40:]
        if _NO_WORDS.fullmatch(before):
            before = label + before.lstrip("0123456789")
        elif label and len(before) <= LONGEST_PREFIX and not LABEL.search(before):
            before = label + before if NOT_A_PHONE.search(label + before) else before
        behind = line[match.end : match.end + 40]
        if says_fax(before, behind):
            kind = "fax"
        elif _is_believable(match.raw_string, before, match.number, behind) or (
            not NOT_A_PHONE.search(before) and _is_dialled_so(match, line)
        ):
            kind = "phone"
        else:  # one more of a list is what the one before it is
            kind = last if _BETWEEN_WHOLE.fullmatch(line[end : match.start]) else ""
        end, last = match.end, kind
        if kind:
            yield phonenumbers.format_number(match.number, PhoneNumberFormat.E164), kind == "fax"
        if kind == "phone" and not is_also_fax(before):
            yield from ((one, False) for one in _neighbours(match, line[match.end : match.end + 200]))


def _without_aside(match: re.Match[str]) -> str:
    """Nothing for words in brackets, unless they are themselves what the number is."""
    words = match[1]
    return match[0] if says_fax(words, "") or NOT_A_PHONE.search(words) or LABEL.search(words) else " "


def _is_prefix(line: str, match: re.Match[str]) -> bool:
    """Whether `00` stands for the plus: a label says so, or what follows is a number in groups and valid with it."""
    before = line[max(0, match.start() - LONGEST_LABEL) : match.start()]
    if LABEL.search(before):
        return True
    rest = re.match(r"[\d ()./-]+", line[match.end() : match.end() + 20])
    if rest is None or len(re.findall(r"\d+", rest[0])) < 3 or NOT_A_PHONE.search(before):
        return False
    return bool(_parsed(f"+{rest[0]}", "ZZ")) and phonenumbers.is_valid_number(
        phonenumbers.parse(f"+{rest[0]}")
    )


def _neighbours(match: PhoneNumberMatch, behind: str) -> Iterator[str]:
    """Further numbers of the same place behind one: written without the code of the place, or by their last digits alone."""
    groups = re.findall(r"\d+", _EXTENSION.split(match.raw_string)[0])
    national = str(match.number.national_number)
    behind = behind.replace(SPLIT, "/", 1)
    if (last := _LAST_DIGITS.match(behind)) and 0 < int(last[1]) - int(
        national[-len(last[1]) :]
    ) <= MOST_NEXT:
        yield from filter(
            None, [_parsed(f"+{match.number.country_code}{national[: -len(last[1])]}{last[1]}", "ZZ")]
        )
        return
    while between := _BETWEEN.match(behind):
        behind = behind[between.end() :]
        if (last := _EXTENSIONS.match(behind)) and _is_next_line(last[1], groups[-1]):
            number, behind = last[1], behind[last.end() :]
        elif local := _LOCAL.match(behind):
            number, behind = re.sub(r"\D", "", local[0]), behind[local.end() :]
            if len(number) != len("".join(_without_prefixes(groups, match.number)[1:])):
                return
        else:
            return
        text = f"+{match.number.country_code}{national[: -len(number)]}{number}"
        if len(number) >= len(national) or not (parsed := _parsed(text, "ZZ")):
            return
        yield parsed


def _is_next_line(digits: str, group: str) -> bool:
    """Whether digits take the place of a number's last group, or of the end of one that is not parted."""
    if len(digits) == len(group) < 5:
        return True
    return len(group) > 5 and len(digits) == 2 and 0 < int(digits) - int(group[-2:]) <= MOST_NEXT


def _without_prefixes(groups: list[str], number: PhoneNumber) -> list[str]:
    """The groups of digits of a number from the code of its place on, without the code of its country and a zero behind it."""
    rest = groups[1:] if groups[0].lstrip("0") == str(number.country_code) and len(groups) > 2 else groups
    return rest[1:] if rest[0] == "0" and len(rest) > 2 else rest


def _dialled_word(match: re.Match[str]) -> str:
    """A number of which a word is a part, in digits; as it was where nothing says that it is dialled, where it is too short, or
    too long for a number that is not free."""
    code, sign, word = match.groups()
    letters = re.sub(r"[ .-]", "", word)
    length = _VANITY_LENGTHS.get(code, 7)
    is_long = len(letters) > length and length == 7 and re.sub(r"\D", "", code)[-3:] not in _FREE_CODES
    before = match.string[max(0, match.start() - LONGEST_LABEL) : match.start()]
    is_dialled = sign == "-" or code.startswith(("1 ", "1-", "1.", "+")) or LABEL.search(before)
    if len(letters) < length or is_long or not is_dialled:
        return match[0]
    digits = phonenumbers.convert_alpha_characters_in_number(letters[:length])
    return f"{code}{sign}{digits[:3]}{sign}{digits[3:]}"


def _is_label(line: str) -> bool:
    """Whether a line can be the name of what the next one has."""
    return 0 < len(line) <= LONGEST_LABEL and not any(letter.isdigit() for letter in line)


def _is_believable(raw: str, before: str, number: PhoneNumber, behind: str) -> bool:
    """Digits are a phone number when they say so: by a plus, a label, or how they are grouped; dates and account numbers are not."""
    if re.search(r"\d\. \d|\d[–—]\d{1,2}[.:]\d\d", raw):
        return False  # the end of a sentence, or times of a day
    if raw.lstrip("( ").startswith("+") or LABEL.search(before):
        return not re.search(r"(?:\biban|\bvat|\bust-?id)[^\d+(]{0,12}$", before, re.IGNORECASE)
    if NOT_A_PHONE.search(before) or re.match(
        r"-\w|\s?(?:€|%|kg\b|km\b|px\b|eur\b|usd\b|chf\b|mm\b|cm\b|m²|hpa\b)", behind, re.IGNORECASE
    ):
        return False
    groups = re.findall(r"\d+", _EXTENSION.split(raw)[0])
    if number.country_code == 1 and tuple(map(len, groups)) not in _AMERICAN:
        return False
    if raw.lstrip("( ").startswith("00"):
        return len(groups) > 1 or not before.strip()  # the address of an electronic invoice is one long group
    if (
        len(groups) == 1
        and number.country_code == FRANCE
        and len(raw) == 10
        and not before.strip()
        and not behind.strip()
    ):
        return True  # many write their ten digits without a blank
    if len(groups) < 2 or re.fullmatch(r"\d{1,4}[./-]\d{1,2}[./-]\d{1,4}", raw.strip()):
        return False
    return not _TIMES.fullmatch(raw.strip()) and _is_grouped(raw, groups, before, number)


def _is_grouped(raw: str, groups: list[str], before: str, number: PhoneNumber) -> bool:
    """Whether digits without a label are grouped as people write numbers: behind a zero, a code in brackets, or a word and a colon."""
    if raw.lstrip().startswith(("(", "8" if number.country_code == 7 else "0", "0")):
        return True
    if re.match(rf"{number.country_code} ?\(\d", raw):
        return True  # the code of its country without a plus
    if len(groups) == 2 and NAMED.search(before):
        return groups in _usual_groups(number)
    return len(groups) >= 3 and (number.country_code == 1 or bool(NAMED.search(before)))


def _usual_groups(number: PhoneNumber) -> list[list[str]]:
    """The groups of digits in which a country writes a number, with and without the zero or the like that it begins with at home."""
    forms = (PhoneNumberFormat.NATIONAL, PhoneNumberFormat.INTERNATIONAL)
    at_home, abroad = (re.findall(r"\d+", phonenumbers.format_number(number, one)) for one in forms)
    return [at_home, abroad[1:]]


def _is_lone_mobile(match: PhoneNumberMatch, line: str) -> bool:
    """Whether a line is nothing but the number of a mobile phone behind its code: `335 7319428`."""
    code, *rest = re.findall(r"\d+", match.raw_string)
    is_alone = not f"{line[: match.start]}{line[match.end :]}".strip(" ()☎|·•.,")
    is_long = len(str(match.number.national_number)) > 8 and len(rest) == 1 and 2 < len(code) < 6
    return is_alone and is_long and phonenumbers.number_type(match.number) == PhoneNumberType.MOBILE


def _is_dialled_so(match: PhoneNumberMatch, line: str) -> bool:
    """Whether digits without a label are grouped like a number, and stand alone in their line or are free to call. What is grouped like a
    large amount must be what its country writes."""
    groups = re.findall(r"\d+", match.raw_string)
    if re.search(r"\d\.\s|[/:€$£]", match.raw_string):
        return False
    if len(groups) < 3:
        return _is_lone_mobile(match, line)
    usual = phonenumbers.format_number(match.number, PhoneNumberFormat.NATIONAL)
    if groups == re.findall(r"\d+", usual) and phonenumbers.number_type(match.number) in _FREE_TO_CALL:
        return True
    is_usual = groups == re.findall(r"\d+", usual)
    is_amount = all(len(one) == 3 for one in groups[1:]) and not is_usual
    rest = f"{line[: match.start]}{line[match.end :]}".strip(" ()☎|·•.,")
    return not is_amount and (
        not rest or (is_usual and len(groups) > 3 and _NAMES.fullmatch(rest) is not None)
    )


def _parsed(text: str, region: str) -> str:
    try:
        number = phonenumbers.parse(_ZERO.sub(" ", plain_digits(plain_width(text.strip()))), region)
    except phonenumbers.NumberParseException:
        return ""
    is_stated = text.strip().startswith("+") and not _PLACEHOLDER.search(str(number.national_number))
    if phonenumbers.is_valid_number(number) or (is_stated and _is_possible(number)):
        return phonenumbers.format_number(number, PhoneNumberFormat.E164)
    return ""


def _is_possible(number: PhoneNumber) -> bool:
    """Whether a number is as long as those of its country, though of a range that is not known."""
    return phonenumbers.is_possible_number_with_reason(number) == phonenumbers.ValidationResult.IS_POSSIBLE


def plain_phone(text: str, region: str) -> str:
    """A number that a page states as such, as E.164; empty where it is none."""
    return _parsed(text, region)
