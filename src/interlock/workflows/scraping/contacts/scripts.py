"""Reads the texts that scripts of a page put together or unpack, without running them."""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator
from itertools import islice
from urllib.parse import unquote

from ..web.text import unescape

_LITERAL = r"""(?:'(?:[^'\\\n]|\\.){0,4000}'|"(?:[^"\\\n]|\\.){0,4000}")"""
_ONE_LITERAL = re.compile(_LITERAL)
_NAME = r"[A-Za-z_$][\w$]{0,40}"
_TERM = rf"(?:{_LITERAL}|{_NAME}(?:\.{_NAME}){{0,2}})"
_SUM = re.compile(rf"(?<![\w$.]){_TERM}(?:\s*\+\s*{_TERM}){{1,15}}")
_TERMS = re.compile(_TERM)
_ASSIGNED = re.compile(
    rf"\b([A-Za-z_$][\w$]{{0,40}})\s*\+?=\s*(?:\1\s*\+\s*)?({_LITERAL}(?:\s*\+\s*{_LITERAL}){{0,12}})\s*(?=[;,)\n}}]|$)"
)
_CODES = re.compile(r"fromCharCode(?:\.apply\(\s*[\w.]{1,20}\s*,|\()\s*\[?([\d,\s]{5,8000})\]?\)")
_CODE_LIST = re.compile(r"\[((?:\s*\d{2,3}\s*,){6,300}\s*\d{2,3})\s*,?\s*\]")
_CALLED = re.compile(rf"\b(unescape|decodeURI|decodeURIComponent|atob)\(\s*({_LITERAL})")
_TURNED = re.compile(rf"({_LITERAL}|[A-Za-z_$][\w$]{{0,40}})\s*\.split\(\s*(?:''|\"\")\s*\)\s*\.reverse\(\)")
_EXCHANGED = re.compile(
    rf"(?<![\w$])({_LITERAL}|[A-Za-z_$][\w$]{{0,40}})((?:\s*\.replace(?:All)?\(\s*(?:{_LITERAL}|/[^/\n]{{1,20}}/g?i?)\s*,\s*{_LITERAL}\s*\)){{1,4}})"
)
LONGEST_EXCHANGED = 300
"""Letters of a text in which signs are put in the place of others: addresses are shorter, and each one can make it longer."""
_EXCHANGES = re.compile(rf"\(\s*({_LITERAL}|/[^/\n]{{1,20}}/g?i?)\s*,\s*({_LITERAL})\s*\)")
_ROTATED = re.compile(rf"({_LITERAL})\s*\.replace\(\s*/\[a-z", re.IGNORECASE)
_JOINED = re.compile(rf"\[\s*({_LITERAL}(?:\s*,\s*{_LITERAL}){{1,12}})\s*\]\s*\.join\(\s*({_LITERAL})\s*\)")
_LIST = re.compile(rf"\b([A-Za-z_$][\w$]{{0,40}})\s*=\s*\[\s*({_LITERAL}(?:\s*,\s*{_LITERAL}){{1,12}})\s*\]")
_LIST_JOINED = re.compile(
    rf"(?<![\w$.])([A-Za-z_$][\w$]{{0,40}})(\.reverse\(\))?\.join\(\s*({_LITERAL})\s*\)"
)
_CONCATENATED = re.compile(rf"(?<![\w$])({_TERM})\.concat\(\s*({_TERM}(?:\s*,\s*{_TERM}){{0,12}})\s*\)")
_TEMPLATE = re.compile(r"`([^`]{3,1000})`")
_IN_TEMPLATE = re.compile(rf"\$\{{\s*({_NAME}(?:\.{_NAME}){{0,2}})\s*\}}")
_PROPERTY = re.compile(rf"[{{,]\s*['\"]?({_NAME})['\"]?\s*:\s*({_LITERAL})\s*(?=[,}}])")
_ESCAPED = re.compile(r"\\(?:x40|u0040|100|x2e|x6d)", re.IGNORECASE)
"""What a text has that hides an address behind escapes."""
MOST_PROPERTIES = 2000
_WRITES = re.compile(
    rf"\b(\w{{0,30}}(?:mail|spam|crypt|contact|kontakt|address)\w{{0,30}}|mt|ml|mto)\(\s*({_LITERAL}(?:\s*,\s*{_LITERAL}){{1,5}})",
    re.IGNORECASE,
)
"""A call of a function that, by its name, writes an address from its parts."""
_USER = re.compile(r"[\w.+-]{1,64}")
_HOST = re.compile(r"(?:[\w-]{1,63}\.)+[a-z]{2,24}", re.IGNORECASE)
_TOP = re.compile(r"\.?[a-z]{2,10}", re.IGNORECASE)
_ESCAPE = re.compile(r"\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|([0-7]{3})|(.))")


def read_script_texts(script: str) -> Iterator[str]:
    """The texts that a script makes and that have an @: sums and lists of literals and variables, character codes, escapes, Base64,
    signs put in the place of others, letters turned around or moved by 13."""
    for text in _made(script):
        plain = unescape(text.replace("%40", "@"))
        if "@" in plain:
            yield plain


def _made(script: str) -> Iterator[str]:
    variables = {
        f".{match[1]}": _plain(match[2]) for match in islice(_PROPERTY.finditer(script), MOST_PROPERTIES)
    }
    in_parts: set[str] = set()
    for match in _ASSIGNED.finditer(script):
        pieces = _ONE_LITERAL.findall(match[2])
        before = match[0][: match.start(2) - match.start()]
        is_added = "+=" in before or before.count(match[1]) > 1
        value = "".join(map(_plain, pieces))
        variables[match[1]] = variables.get(match[1], "") + value if is_added else value
        if is_added or len(pieces) > 1:
            in_parts.add(match[1])
    yield from (variables[name] for name in variables if name in in_parts)
    for match in _SUM.finditer(script):
        terms = _TERMS.findall(match[0])
        if not re.search(
            rf"{re.escape(terms[0])}\s*=\s*$", script[max(0, match.start() - 60) : match.start()]
        ):
            yield "".join(_value(one, variables) for one in terms)
    if _ESCAPED.search(script):
        yield from (_plain(one) for one in _ONE_LITERAL.findall(script) if _ESCAPED.search(one))
    yield from _of_codes(script)
    for match in _CALLED.finditer(script):
        text = _plain(match[2])
        yield decode_base64(text) if match[1] == "atob" else unquote(text)
    yield from _filled_in(script, variables)
    yield from _joined(script)
    for match in _WRITES.finditer(script):
        yield _of_call([_plain(one) for one in _ONE_LITERAL.findall(match[2])])
    for match in _TURNED.finditer(script):
        yield _value(match[1], variables)[::-1]
    yield from _exchanged(script, variables)
    for match in _ROTATED.finditer(script):
        yield rotate_by_13(_plain(match[1]))


def _joined(script: str) -> Iterator[str]:
    """The texts of lists whose parts a script joins, at once or by the name of the list."""
    for match in _JOINED.finditer(script):
        yield _plain(match[2]).join(map(_plain, _ONE_LITERAL.findall(match[1])))
    lists = {match[1]: list(map(_plain, _ONE_LITERAL.findall(match[2]))) for match in _LIST.finditer(script)}
    for match in _LIST_JOINED.finditer(script):
        parts = lists.get(match[1], [])
        yield _plain(match[3]).join(reversed(parts) if match[2] else parts)


def _filled_in(script: str, variables: dict[str, str]) -> Iterator[str]:
    """The texts that a script makes by `'ann'.concat('@', host)`, and those of templates with variables in them."""
    for match in _CONCATENATED.finditer(script):
        yield "".join(_value(one, variables) for one in (match[1], *_TERMS.findall(match[2])))
    for match in _TEMPLATE.finditer(script):
        if "${" in match[1]:
            yield _IN_TEMPLATE.sub(lambda one: _variable(one[1], variables)[:LONGEST_EXCHANGED], match[1])


def _exchanged(script: str, variables: dict[str, str]) -> Iterator[str]:
    """The texts that a script makes by putting signs in the place of others: `'ann#firma.de'.replace('#', '@')`."""
    for match in _EXCHANGED.finditer(script):
        text = _value(match[1], variables)
        for sign, other in _EXCHANGES.findall(match[2]):
            pattern = sign.rpartition("/")[0][1:].replace("\\", "") if sign[0] == "/" else _plain(sign)
            if not pattern or len(text) > LONGEST_EXCHANGED or len(other) > LONGEST_EXCHANGED:
                break
            text = text.replace(pattern, _plain(other))
        yield text


def _of_call(parts: list[str]) -> str:
    """The address that a function is called with the parts of: a user and a host, or a host without its top level and that."""
    user, host, *rest = parts
    if not _USER.fullmatch(user):
        return ""
    if _HOST.fullmatch(host):
        return f"{user}@{host}"
    is_split = bool(rest) and _HOST.fullmatch(f"{host}.x.{rest[0].lstrip('.')}") and _TOP.fullmatch(rest[0])
    return f"{user}@{host}.{rest[0].lstrip('.')}" if is_split else ""


def _of_codes(script: str) -> Iterator[str]:
    """The texts that a script makes of numbers of characters."""
    for match in _CODES.finditer(script):
        numbers = [int(one) for one in match[1].replace(",", " ").split() if len(one) < 6]
        yield "".join(chr(one) for one in numbers if 8 < one < 0x3000)
    for match in _CODE_LIST.finditer(script):
        codes = [int(one) for one in match[1].replace(",", " ").split() if len(one) < 4]
        yield "".join(chr(one) for one in codes if 31 < one < 127)


def _value(term: str, variables: dict[str, str]) -> str:
    """What a literal or a variable stands for; a blank for what is not known."""
    return _plain(term) if term[0] in "'\"" else _variable(term, variables)


def _variable(name: str, variables: dict[str, str]) -> str:
    """What a variable or a property of one stands for; a blank for what is not known."""
    return variables.get(name) or variables.get(f".{name.rpartition('.')[2]}" if "." in name else "", " ")


def _plain(literal: str) -> str:
    """The text of a literal, its escapes undone."""
    return undo_escapes(literal[1:-1])


def undo_escapes(text: str) -> str:
    """Text of a script or of JSON with characters where it has escapes of them."""

    def undone(match: re.Match[str]) -> str:
        if match[4]:
            return {"n": "\n", "t": "\t"}.get(match[4], match[4])
        return chr(int(match[1] or match[2] or match[3], 8 if match[3] else 16))

    return _ESCAPE.sub(undone, text)


def decode_base64(text: str) -> str:
    """What a text in Base64 stands for; empty where it is none."""
    try:
        return base64.b64decode(text, validate=True).decode("utf-8").removeprefix("mailto:")
    except (ValueError, UnicodeDecodeError):
        return ""


def rotate_by_13(text: str) -> str:
    """Text with each letter moved by 13 places."""
    return "".join(
        chr((ord(one) - base + 13) % 26 + base)
        if one.isalpha() and one.isascii() and (base := 97 if one.islower() else 65)
        else one
        for one in text
    )
