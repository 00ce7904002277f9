"""Finds e-mail addresses: plain, in links, written around (`name [at] host dot com`), and hidden from robots by well-known means."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from urllib.parse import unquote, urlsplit

import idna

from ..web.addresses import without_www
from ..web.page import Page
from ..web.text import drop_invisible, plain_width, unescape
from .nobody import COUNTRIES, is_somebodys
from .scripts import decode_base64, read_script_texts, rotate_by_13

LONGEST = 254
LONGEST_LINE = 20_000
"""Letters of a line in which addresses that are written around are looked for."""
_LETTERS = "A-Za-zÀ-ɏͰ-ӿ"
"""Letters of alphabets with blanks between words: behind one of them no address begins."""
_LOCAL = r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*"
_HOST = r"(?:[A-Za-z0-9\u00a1-\uffff](?:[A-Za-z0-9\u00a1-\uffff-]{0,61}[A-Za-z0-9\u00a1-\uffff])?\.)+[A-Za-z\u00a1-\uffff]{2,24}"
PLAIN = re.compile(rf"(?<![{_LETTERS}0-9._%+/@=-])({_LOCAL}@{_HOST})(?![A-Za-z0-9@_-])")
_OPENED, _CLOSED = r"\s*[\[({<|【（「*«“„\"]\s*", r"\s*[\])}>|】）」*»“”\"]\s*"
_IN_URL = re.compile(r"//[^\s/]*$")
"""Before the name of a user in a URL."""
_AT_WORDS = (
    "at|ät|æt|at[ -]?sign|at[ -]?zeichen|symbol[ -]at|arroba|arobase|chez|klammeraffe|affenschwanz|chiocciola|małpa|malpa|zavináč|"
    "zavinac|kukac|snabel-?a|krøllalfa|alfakrøll|miukumauku|apenstaartje|アットマーク|アット|골뱅이|собака|собачка|afna|manki|majmun|маймуна|кльомба|hjá|la|strudel|שטרודל|παπάκι|et|@|a"
)
_SHOUTED = "DOT|POINT|PUNKT|PUNTO|PONTO|PUNT"
_BARE_DOT = f"dot|{_SHOUTED}|punkt|point|punto|ponto|punt|punct|bodka|tečka|točka|pika|kropka|pont|piste|nokta|taškas|точка|крапка|τελεία"
"""Words that stand for the dot of a host where they stand alone."""
_DOT_WORDS = rf"{_BARE_DOT}|tecka|prikk|ドット|\."
_SURE_AT = (
    "arroba|arobase|klammeraffe|chiocciola|małpa|zavináč|zavinac|kukac|snabel-a|snabela|krøllalfa|alfakrøll|apenstaartje|"
    "собака|παπάκι|골뱅이|アットマーク"
)
"""Words that stand for the @ and, before the name of a host, for nothing else."""
_AT = (
    rf"(?:{_OPENED}(?i:{_AT_WORDS}){_CLOSED}|\s+(?:at|AT|ät|ÄT|CHEZ|(?i:{_SURE_AT}))\s+|"
    r"\s*(?:골뱅이|アットマーク|собака)\s*|\s*_+(?i:at|ät|arobase|arroba)_+\s*|\s+[-~=]+(?i:at)[-~=]+\s+|"
    r"\s*(?:#(?i:at)#|'(?i:at)'|=(?i:at)=|!(?i:at)!|\.{2,3}(?i:at)\.{2,3})\s*|\s*@\s+|\s+@(?=[A-Za-z])|@)"
)
_DOT = (
    rf"(?:{_OPENED}(?i:{_DOT_WORDS}){_CLOSED}|\s*(?:#(?i:dot)#|'(?i:dot)'|=(?i:dot)=|!(?i:dot)!|\.{{2,3}}(?i:dot)\.{{2,3}})\s*|\s+(?:{_BARE_DOT})\s+|\s+\.\s+|\s*_+(?i:{_SHOUTED})_+\s*|"
    r"\s+[-~=]+(?i:dot)[-~=]+\s+|\.)"
)
_WORD = r"[A-Za-z0-9_-]{1,63}"
WRITTEN = re.compile(
    rf"(?<![{_LETTERS}0-9._%+@-])({_WORD}(?:(?:{_DOT}|\+){_WORD}){{0,4}})({_AT})({_WORD}(?:{_DOT}{_WORD}){{0,4}}){_DOT}([A-Za-z]{{2,24}})(?![A-Za-z0-9@-])"
)
_SHOUTED_DOT = re.compile(rf" (?:{_SHOUTED}) ")
_BRACKETED = re.compile(r"[\[({<|_【（「*~=«“„\"#'!.-]")
_WRITTEN_DOT = re.compile(_DOT)
_BEFORE_ADDRESS = re.compile(r"(?:^|[:|,;(–—-]|\bmail)\s*$", re.IGNORECASE)
_BEHIND_LABEL = re.compile(
    r"(?:\b(?:e-?)?mail\w*(?:\s+(?:us|me|uns|to|at|an))?|\b(?:courr?iel|correo|posta?|e)\b)\W*$",
    re.IGNORECASE,
)
"""Before an address: the word for it in many languages."""
_BEHIND_ADDRESS = re.compile(
    r"^\s*(?:$|[|,;).–—-]|(?:or|oder|ou|of|o|lub|and|und|et|y|e|en|i)\s)", re.IGNORECASE
)
_NO_HOSTS = frozenset({"the", "a", "an", "our", "this", "that", "my", "your", "least", "all", "home", "work"})
_COLLECTED = re.compile(
    rf"[{{\[]\s*([\w.+-]{{1,40}}(?:\s*[,;|/]\s*[\w.+-]{{1,40}}){{0,19}})\s*[}}\]]\s*(?:@|{_AT})\s*({_HOST})(?![A-Za-z0-9@_-])"
)
"""Several names at one host, as papers have them: `{ann, bob}@firma.de`."""
_REPLACED = re.compile(
    r"([#*★☆●○■□◆◇※~^$!%&])\s*(?:を|は|换成|改成|改为|替换为|換成|改為|->|=>|→|=|with|by|durch|par|por|con)\s*"
    r"(?:[「『\"'(（]?\s*)?(?:@|＠|at\b|アットマーク|半角@)",
    re.IGNORECASE,
)
"""How a page tells its readers which sign stands for the @."""
_REMOVED = re.compile(
    r"([._-]?)(?:(?i:no[-_]?spam(?:please)?)|REMOVE(?:[-_]?(?:THIS|ME))?|DELETE(?:[-_]?(?:THIS|ME))?|ENTFERNEN|KEIN[-_]?SPAM|SPAM[-_]?FREE|OHNE[-_]?SPAM)([._-]?)"
)
"""Words that readers are to leave out."""
_SCRAMBLED = re.compile(
    r"linkTo_UnCryptMailto\(\s*(?:%27|['\"])(.{3,200}?)(?:%27|['\"])\s*(?:,\s*-?\d+\s*)?\)", re.IGNORECASE
)
MOST_SCRIPT = 500_000
_CLOUDFLARE = re.compile(r"/cdn-cgi/l/email-protection#([0-9a-fA-F]{6,500})")
_DISPLAYED = re.compile(r"^\s*(?:https?:/*)?(?:(?:mailto|mail|e-?mail)\s*:(?://)?\s*)+", re.IGNORECASE)
_WEB_PREFIXED = re.compile(r"https?://([^\s/@:]+@[^\s/@:?#]+)/?", re.IGNORECASE)
"""The link of an address to which an editor of web pages put a scheme."""
_GLUED = re.compile(r"(?<=\.)([a-z]{2,24}?)(?:[A-Z][A-Za-z]*|www(?:\.[^@]*)?)$")
"""The end of a host to which the word behind it is glued: `firma.deTelefon`."""
_SENTENCE = re.compile(r"(?<=\.)([a-z]{2,4})\.([A-Z][a-z]*)$")
"""The end of a host, and the first word of the next sentence: `firma.de.Wir`."""
_LISTED = re.compile(rf"(@{_HOST})/(?=[\w.+-]+@)")
"""A slash between two addresses."""
_MAILTO_IN_SCRIPT = re.compile(r"mailto:[^\s'\"<>\\)]{3,200}@[^\s'\"<>\\)?]{3,200}", re.IGNORECASE)
_ROTATED_IN_SCRIPT = re.compile(
    r"['\"(]([\w.+-]{1,64}@[\w.-]{1,180}\.(?:pbz|qr|arg|ay|pu|hx|rf|ryh|rh|bet))['\")]", re.IGNORECASE
)
"""An address whose letters a script moves by 13: hardly any host ends so."""
_USER_ATTRIBUTE = re.compile(
    r"data-(?:[\w-]*-)?(?:user|name|local|localpart|account|mailbox|u|before|first|left|part-?[a1])"
)
_HOST_ATTRIBUTE = re.compile(
    r"data-(?:[\w-]*-)?(?:domain|host|hostname|site|website|d|after|last|right|part-?[b2])"
)
_TOP_ATTRIBUTE = re.compile(r"data-(?:[\w-]*-)?(?:tld|part-?[c3])")
_SPIP = re.compile(r"#([\w.+-]{1,64})#mc#((?:[\w-]{1,63}\.)+[A-Za-z]{2,24})#")
"""(name, host) of a link by which SPIP hides an address."""
_COMPOSES = re.compile(
    r"https?://(?:mail\.google\.com|outlook\.(?:live|office)\.com|outlook\.office365\.com|compose\.mail\.yahoo\.com)/[^#]*[?&]to=([^&#]{5,200})",
    re.IGNORECASE,
)
"""A link that opens a letter in a mail service on the web."""
_DATA_NAMES = re.compile(
    r"data-(?:[\w-]+-)?(?:contact|address|rot(?:13)?|obfuscated|encoded|encrypted|reversed?|protected)"
)
"""Attributes of addresses that are plain or hidden."""
_READ_ALOUD = ("alt", "title", "aria-label")
_NAMES_OF_META = frozenset({"reply-to", "contact", "email", "e-mail", "owner", "author"})

_WORLDWIDE = frozenset({"com", "org", "net", "info", "biz"})


def extract_emails(page: Page) -> list[str]:
    """The addresses on a page, in lower case, in the order they are seen; those of nobody are left out."""
    plain = dict.fromkeys(plain_email(text) for text in _candidates(page))
    return [one for one in plain if one and is_somebodys(one, page.url)]


def _candidates(page: Page) -> Iterator[str]:
    yield from _protected(page)
    for link in page.links:
        yield from _of_link(link.href)
    for element in page.elements():
        if element.attrib:
            attributes = {str(name): str(value) for name, value in element.attrib.items()}
            yield from _of_attributes(attributes, page.url)
        if element.tag == "meta" and (element.get("name") or "").lower() in _NAMES_OF_META:
            yield from find_emails(str(element.get("content") or ""))
        elif element.tag in ("input", "textarea") and element.get("readonly") is not None:
            yield from find_emails(str(element.get("value") or element.text or "")[:400])
        elif element.tag == "link" and _DISPLAYED.match(element.get("href") or ""):
            yield from read_mailto(str(element.get("href")))
    yield from _of_lines(page)
    yield from find_script_emails(_scripts(page))


def _of_link(href: str) -> Iterator[str]:
    """The addresses that a link writes to."""
    if _DISPLAYED.match(href):
        yield from read_mailto(href)
    elif prefixed := _WEB_PREFIXED.fullmatch(href):
        yield prefixed[1]
    elif composes := _COMPOSES.match(href):
        yield from _in_list(unquote(composes[1]))
    elif hidden := _SPIP.fullmatch(href):
        yield f"{hidden[1]}@{hidden[2]}"
    elif PLAIN.fullmatch(href):
        yield href  # the scheme was forgotten
    elif "UnCryptMailto" in href:
        yield from _unscrambled(href)


def _of_lines(page: Page) -> Iterator[str]:
    """The addresses in what a reader of the page sees."""
    own = _own_host(page.url)
    for line in page.lines:
        yield from find_emails(line)
        if own is not None:
            yield from _at_own_host(line, own)


def _scripts(page: Page) -> str:
    """The code of a page: its scripts, and what its elements do when they are touched."""
    parts: list[str] = []
    for element in page.elements():
        if element.tag == "script" and "json" not in (element.get("type") or ""):
            parts.append("".join(map(str, element.itertext())))
        parts += [
            str(value)
            for name, value in element.attrib.items()
            if str(name).startswith("on") or str(value)[:11].lower() == "javascript:"
        ]
    return "\n".join(parts)[:MOST_SCRIPT]


def find_script_emails(script: str) -> Iterator[str]:
    """The addresses that code writes to: those it puts together or unpacks, and those behind a `mailto:`."""
    for text in read_script_texts(script):
        yield from (match[1] for match in PLAIN.finditer(text.replace("mailto:", " ")))
    for match in _ROTATED_IN_SCRIPT.finditer(script):
        yield rotate_by_13(match[1])
    for match in _MAILTO_IN_SCRIPT.finditer(script):
        yield from read_mailto(match[0])


def find_emails(line: str) -> Iterator[str]:
    """The addresses in a line of text, plain or written around."""
    line = _LISTED.sub(r"\1 ", _with_plain_signs(line))
    line, collected = _without_collected(line)
    yield from collected
    for match in PLAIN.finditer(line):
        if not _IN_URL.search(line, max(0, match.start() - 200), match.start()):
            yield _GLUED.sub(r"\1", _SENTENCE.sub(_without_sentence, match[1]))
    if len(line) > LONGEST_LINE:
        return
    for match in WRITTEN.finditer(line):
        user, at, host, top = match.groups()
        if spells_address(user, at, host, match[0], line[: match.start()], line[match.end() :]):
            yield f"{_joined(user)}@{_joined(host)}.{top}"


def _without_collected(line: str) -> tuple[str, list[str]]:
    """A line without its lists of names at one host, and the addresses that these stand for."""
    if len(line) > LONGEST_LINE or not ("{" in line or "[" in line):
        return line, []
    collected = [
        f"{name.strip()}@{match[2]}"
        for match in _COLLECTED.finditer(line)
        for name in re.split(r"[,;|/]", match[1])
    ]
    return (_COLLECTED.sub(" ", line) if collected else line), collected


def _without_sentence(end: re.Match[str]) -> str:
    """The end of a host without a word behind it that begins a sentence; `.com.Br` is a whole one."""
    is_host = end[2].lower() in COUNTRIES and end[1] in ("com", "co", "org", "net", "gov", "edu", "ac")
    return end[1] if not is_host and (end[1] in COUNTRIES or end[1] in _WORLDWIDE) else end[0]


def _at_own_host(line: str, host: re.Pattern[str]) -> Iterator[str]:
    """The addresses at a page's own host that stand alone, with an `at` in capitals or a word in brackets for their sign."""
    for match in host.finditer(line) if len(line) <= LONGEST_LINE else ():
        before = line[: match.start()]
        if match[2] == "AT" and match[1].islower():
            is_alone: object = True  # nobody shouts one small word otherwise
        elif match[2] == "AT" or "[" in match[2]:
            is_alone = _BEFORE_ADDRESS.search(before)
        else:
            is_alone = _BEHIND_LABEL.search(before)
        if is_alone and _BEHIND_ADDRESS.match(line[match.end() :]):
            yield f"{match[1]}@{match[3]}"


@lru_cache(maxsize=64)
def _own_host(url: str) -> re.Pattern[str] | None:
    """Matches (name, sign, host) for a page at the host of this URL; None where that is no name."""
    host = (urlsplit(url).hostname or "").removeprefix("www.")
    if "." not in host or host.rpartition(".")[2].isdigit():
        return None
    sign = r"at|AT|\[\s*[^\W\d]{1,14}\s*\]|\(\s*[^\W\d]{1,14}\s*\)|\{\s*[^\W\d]{1,14}\s*\}"
    return re.compile(
        rf"(?<![\w.%+@-])({_WORD}(?:\.{_WORD}){{0,4}})\s+({sign})\s+((?i:{re.escape(host)}))(?![\w@/-])"
    )


def _with_plain_signs(line: str) -> str:
    """A line with the @ where it has another sign for it: the wide one of East Asia, or one that the line itself explains."""
    line = plain_width(drop_invisible(line)).replace("\\@", "@")
    explained = _REPLACED.search(line)
    if explained is None:
        return line
    return f"{line[: explained.start()].replace(explained[1], '@')} {line[explained.end() :]}"


def spells_address(user: str, at: str, host: str, whole: str, before: str = "", behind: str = "") -> bool:
    """Whether words around an `at` mean an address. Brackets say so. A bare `at` needs a written dot as well, for people meet at places,
    and must stand for itself in its line, for they look at the dot com boom."""
    if at == "@" or (at[:1].isspace() and at.endswith("@")):
        return _is_plain_sign(at, host, whole, before)
    if _BRACKETED.search(at) or "@" in at or at.strip().lower() in _SURE_AT.split("|"):
        return True
    if at.isupper() and _SHOUTED_DOT.search(whole):
        return True  # nobody shouts two such words otherwise
    if before.endswith("<") and behind.startswith(">"):
        return True
    if host.lower() in _NO_HOSTS or not _BEFORE_ADDRESS.search(before) or not _BEHIND_ADDRESS.match(behind):
        return False
    between = whole[len(user) + len(at) :]
    return bool(re.search(rf"\s(?:{_BARE_DOT})\s|[\[({{<|_]", between))


def _is_plain_sign(at: str, host: str, whole: str, before: str) -> bool:
    """Whether an @ without a blank behind it belongs to an address that is not written as usual: with a dot in brackets or as the only
    word behind the host, or with a blank before it and a label before that."""
    if at != "@":
        return bool(_BEHIND_LABEL.search(before))
    behind = whole.partition("@")[2]
    return bool(re.search(r"[\[({<][^\])}>]{1,8}[\])}>]", behind)) or (
        "." not in host and bool(re.search(r"\s\w+\s", behind))
    )


def _joined(text: str) -> str:
    return re.sub(r"\.+", ".", _WRITTEN_DOT.sub(".", text)).strip(".")


def read_mailto(href: str) -> Iterator[str]:
    """The addresses of a `mailto:` link: its own, and those it copies to."""
    text = unescape(unquote(_DISPLAYED.sub("", href)))
    own, _, asked = text.partition("?")
    yield from _in_list(own)
    for part in asked.split("&"):
        name, _, value = part.partition("=")
        if name.strip().lower() in ("cc", "bcc", "to"):
            yield from _in_list(value)


def _in_list(text: str) -> Iterator[str]:
    """The addresses of a list, with or without the names of people before them."""
    for part in re.split(r"[,;]", text):
        named = re.search(r"<([^<>]+)>", part)
        if named or "@" in part:
            yield named[1] if named else part
        else:
            yield from find_emails(part)


def _protected(page: Page) -> Iterator[str]:
    for element in page.elements():
        if coded := element.get("data-cfemail"):
            yield decode_cloudflare(coded)
    for link in page.links:
        if match := _CLOUDFLARE.search(link.href):
            yield decode_cloudflare(match[1])


def decode_cloudflare(coded: str) -> str:
    """The address behind Cloudflare's protection: each byte is masked by the first."""
    try:
        data = bytes.fromhex(coded.strip())
        return bytes(one ^ data[0] for one in data[1:]).decode("utf-8").partition("?")[0]
    except (ValueError, IndexError, UnicodeDecodeError):
        return ""


def _of_attributes(attributes: dict[str, str], url: str) -> Iterator[str]:
    """Addresses that scripts put together from an element's attributes, on a page with this URL."""
    user = next((value for name, value in attributes.items() if _USER_ATTRIBUTE.fullmatch(name)), "")
    host = next((value for name, value in attributes.items() if _HOST_ATTRIBUTE.fullmatch(name)), "")
    if user and host and "@" not in user:
        if host[::-1].lower() == without_www((urlsplit(url).hostname or "").lower()):
            user, host = user[::-1], host[::-1]  # a style sheet turns both around
        top = next(
            (value for name, value in attributes.items() if _TOP_ATTRIBUTE.fullmatch(name)), ""
        ).lstrip(".")
        yield f"{user}@{host}{f'.{top}' if top and '.' not in host else ''}"
    for name, value in attributes.items():
        if name in _READ_ALOUD and len(value) <= 400:
            yield from find_emails(value)
        elif (name.startswith("data-") and "mail" in name) or _DATA_NAMES.fullmatch(name):
            yield from _of_data(name, unquote(value).removeprefix("mailto:"))
            if name == "data-mailto-token":
                yield from _shifted_back(value)
        elif name.startswith("data-") and 12 <= len(value) <= 400:
            yield from (text for text in (value, decode_base64(value)) if PLAIN.fullmatch(text))


def _of_data(name: str, value: str) -> Iterator[str]:
    """The address in an attribute for scripts: plain, or turned around, rotate_by_13 or packed."""
    if not value or len(value) > 400:
        return
    if "enc" in name or "rot" in name:
        yield from find_emails(rotate_by_13(value.replace("[at]", "@")))
        return
    hidden = (value[::-1], rotate_by_13(value), decode_base64(value))
    if _ROTATED_IN_SCRIPT.fullmatch(f"'{value}'"):
        yield hidden[1]
        return
    yield from list(find_emails(value)) or (text for text in hidden if PLAIN.fullmatch(text))


def _unscrambled(href: str) -> Iterator[str]:
    match = _SCRAMBLED.search(href)
    if match is not None:
        yield from _shifted_back(unquote(match[1]))


def _shifted_back(scrambled: str) -> Iterator[str]:
    """TYPO3 moves each letter by a few places; the shift that gives `mailto:` is the one."""
    for shift in range(-25, 26):
        text = "".join(_shifted(one, shift) for one in scrambled[:400])
        if text.lower().startswith("mailto:"):
            yield from read_mailto(text)
            return


def _shifted(letter: str, shift: int) -> str:
    """TYPO3's ranges: digits and their neighbours, capitals, small letters, each turning in itself."""
    for low, high in ((0x2B, 0x3A), (0x40, 0x5A), (0x61, 0x7A)):
        if low <= ord(letter) <= high:
            return chr((ord(letter) - low + shift) % (high - low + 1) + low)
    return letter


def plain_email(text: str) -> str:
    """One spelling for each address; empty where it is none."""
    trimmed = (
        text.strip().strip(".,;:<>()[]{}\"'“”‘’ \u200b\u00ad").replace("\u200b", "").replace("\u00ad", "")
    )
    trimmed = _REMOVED.sub(lambda match: match[1] if match[1] and match[2] else "", trimmed)
    user, mark, host = trimmed.rpartition("@")
    if not mark or len(trimmed) > LONGEST or not PLAIN.fullmatch(f"{user}@{host}"):
        return ""
    try:
        host = host.lower() if host.isascii() else idna.encode(host, uts46=True).decode()
    except (idna.IDNAError, UnicodeError):
        return ""
    return f"{user.lower()}@{host.lower()}" if len(user) <= 64 and not user.startswith((".", "-")) else ""
