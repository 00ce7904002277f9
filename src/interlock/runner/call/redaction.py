"""Takes secrets out of text that is kept: messages of exceptions and log lines quote URLs, headers, settings and records."""

from __future__ import annotations

import re
from collections.abc import Callable

HIDDEN = "***"

_WORD = (
    r"(?:pass(?:word|wd|phrase)|pwd|secret(?:[_-]?(?:access[_-]?)?key)?|token(?![a-z])"
    r"|(?:api|access|account|shared[_-]?access|private|encryption|signing|master|license)[_-]?key|credentials?|authorization|cookie"
    r"|session[_-]?id|(?:x-amz-)?signature|(?<=[?&])sig|client[_-]?secret)"
)
"""What the name of a setting, header, field or parameter ends with, if its value is a secret."""
_QUOTED = r"\\\"(?:[^\\]|\\(?!\"))*\\\"|\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*'"
_VALUE = rf"(?:b?(?:{_QUOTED})|[^\s,;&\"'<>)}}\]]+)"

_PARTS: dict[str, str] = {
    # blocks over several lines; one that was cut off hides everything after it
    "pem": r"-----BEGIN [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----.*?(?:-----END [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----|\Z)",
    # passwords may hold slashes and @ signs; a port before a path is none
    "url": r"(?P<url>\b[a-z][a-z0-9+.-]{0,30}://)[^\s/@:\"'<>]{0,200}:(?!\d{1,5}(?:[/?#\s,;\"')]|$))[^\s\"'<>]{1,500}@",
    "dsn": r"(?P<dsn>\bhttps?://)[0-9a-f]{32}@",
    "thin": r"(?P<thin>\bjdbc:oracle:\w+:)[^\s/@]{1,200}/[^\s@]{1,200}@",
    "webhook": r"(?P<webhook>https://hooks\.slack\.com/(?:services|workflows)/|https://discord(?:app)?\.com/api/webhooks/)[\w/-]+",
    # headers whose value goes to the end of the line
    "digest": r"(?P<digest>\b(?:proxy-)?authorization\s*[:=]\s*digest\s)[^\r\n]*",
    "header": r"(?P<header>(?<![\"'])\b(?:proxy-)?authorization\s*[:=]\s*(?!\w*\s?\*)(?:(?:bearer|basic|token|apikey|negotiate)\s+)?)"
    r"[^\s\"'<>,;*][^\r\n\"'<>]*",
    "cookies": r"(?P<cookies>[\"']?\b(?:set-)?cookies?[\"']?\s*:\s*[\"']?)[^\s\"'{\[=]+=[^\r\n\"'<>]*",
    "scheme": r"(?P<scheme>\b(?:bearer|basic)\s+)(?=[\w.~+/-]{0,100}(?-i:[\d=.A-Z]))[\w.~+/-]{8,}=*",
    # words of a command line, and of a netrc file
    "flag": rf"(?P<flag>(?<![\w-])--?(?:[\w-]{{0,60}}-)?{_WORD}(?:\s+|=))(?!-){_VALUE}",
    "login": rf"(?P<login>\blogin\s+\S{{1,200}}\s+password\s+){_VALUE}",
    "user": r"(?P<user>\bcurl\b[^\r\n]{0,300}?\s(?:-u|--user)\s+[\"']?[^\s:\"']{1,100}:)[^\s\"']+",
    "sshpass": rf"(?P<sshpass>\bsshpass\s+-p\s*){_VALUE}",
    "element": rf"(?P<element><(?:\w{{1,30}}:)?[\w.-]{{0,60}}{_WORD}(?:\s[^<>]{{0,300}})?>)[^<]+",
    # settings, JSON, YAML, query strings, connection strings
    "name": rf"(?P<name>(?:\\?[\"'])?\b[\w.-]{{0,60}}{_WORD}(?:[_-]?(?:value|base64|b64|hex|\d+))?(?:\\?[\"'])?\s*(?:=>|:=|[=:])\s*)"
    rf"(?!\s*(?:bearer|basic|null|none|true|false|undefined|(?:line|column|position|offset)\s\d+)\b|//|(?:\w+\s)?\*\*\*){_VALUE}",
    # what services issue
    "issued": r"\bilk_\w{8,}"
    r"|\b(?:AKIA|ASIA|ABIA|ACCA)[0-9A-Z]{16}\b"
    r"|\bgh[pousr]_\w{20,}|\bgithub_pat_\w{20,}|\bglpat-[\w-]{16,}"
    r"|\bxox[abeoprs]-[\w-]{10,}|\bxapp-[\w-]{10,}"
    r"|\b(?:sk|rk|pk)_(?:live|test)_\w{8,}|\bwhsec_\w{8,}|\bsk-(?:ant-|proj-)?[\w-]{20,}"
    r"|\bAIza[\w-]{30,}|\bya29\.[\w-]{10,}|\bGOCSPX-[\w-]{10,}"
    r"|\bSG\.[\w-]{10,}\.[\w-]{10,}|\bnpm_\w{30,}|\bpypi-[\w-]{20,}|\bhf_\w{20,}|\bdop_v1_\w{20,}|\bkey-[0-9a-f]{32}\b"
    r"|\b\d{8,10}:AA[\w-]{30,}|\bSK[0-9a-f]{32}\b"
    r"|\beyJ[\w-]{5,}\.[\w-]{5,}\.[\w-]*",
    # numbers of cards and accounts, if their check digits are right
    "card": r"(?P<card>(?<![\w.-])[2-6]\d{3}(?:[ -]?\d{4}){2}[ -]?\d{1,7}(?![\w-])|(?<![\w.-])3[47]\d{2}[ -]?\d{6}[ -]?\d{5}(?![\w-]))",
    "iban": r"(?P<iban>\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?\b)",
}
_CASED = {"issued", "iban"}
_SECRETS = re.compile(
    "|".join(part if name in _CASED else f"(?i:{part})" for name, part in _PARTS.items()), re.DOTALL
)
_SUSPECT = re.compile(
    r"(?i:://|bearer|basic|pass|pwd|secret|token|key|credential|authorization|cookie|session|signature|sig=|-----begin|jdbc:|curl\b)"
    r"|ilk_|A[KSBC][IC]A|gh[pousr]_|github_pat|glpat-|xox|xapp-|[srp]k_|whsec_|sk-|AIza|ya29|GOCSPX|SG\.|npm_|pypi-|hf_|dop_v1|:AA|SK[0-9a-f]"
    r"|eyJ|\d{4}[ -]?\d{4}|\d{4}[ -]?\d{6}|[A-Z]{2}\d{2} ?[A-Z0-9]{4}"
)
_NAMES = re.compile(rf"(?i:{_WORD}(?!s?[a-z]))")


def redacted(text: str) -> str:
    """The text with passwords, tokens, keys and numbers of cards and accounts replaced."""
    return _SECRETS.sub(_hide, text) if _SUSPECT.search(text) else text


def is_secret(name: str) -> bool:
    """Whether the value of a field of this name is never kept, whatever it is."""
    return _NAMES.search(name) is not None


def _hide(match: re.Match[str]) -> str:
    kind = match.lastgroup or ""
    if kind in _CHECKS and not _CHECKS[kind](match[0]):
        return match[0]
    if kind in ("url", "dsn", "thin"):
        return f"{match[kind]}{HIDDEN}@"
    return HIDDEN if kind in _CHECKS or not kind else f"{match[kind]}{HIDDEN}"


def _is_card(text: str) -> bool:
    """Whether the last digit of a card's number is the right one."""
    digits = [int(one) for one in text if one.isdigit()]
    doubled = [
        digit if at % 2 == 0 else sum(divmod(2 * digit, 10)) for at, digit in enumerate(reversed(digits))
    ]
    return 13 <= len(digits) <= 19 and sum(doubled) % 10 == 0


def _is_iban(text: str) -> bool:
    """Whether the check digits of an account's number are the right ones."""
    plain = text.replace(" ", "")
    return (
        15 <= len(plain) <= 34 and int("".join(str(int(one, 36)) for one in plain[4:] + plain[:4])) % 97 == 1
    )


_CHECKS: dict[str, Callable[[str], bool]] = {"card": _is_card, "iban": _is_iban}
