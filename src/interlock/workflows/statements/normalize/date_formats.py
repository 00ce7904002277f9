"""Date formats as people write them (`mm/dd/yyyy`, `dd mon yy`), compiled to patterns; month names of several languages."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

# English, German, French, Spanish, Italian, Portuguese, Dutch, the Nordic languages, Turkish, Polish, Czech, Hungarian, Romanian,
# Indonesian; no name means two months, so the Polish November, which is the Croatian October, is none.
_NAMES = {
    1: "january januar janvier enero gennaio janeiro januari janner jan ene gen "
    "janv ocak oca stycznia styczen sty tammikuuta tammikuu ianuarie leden ledna",
    2: "february februar fevrier febrero febbraio fevereiro februari feb fev febr "
    "fevr subat sub lutego luty lut helmikuuta helmikuu februarie unora unor",
    3: "march marz maerz mars marzo marco maart mar mrz mrt "
    "mart marca marzec maaliskuuta maaliskuu martie marcius maret brezna brezen",
    4: "april avril abril aprile apr avr abr nisan nis "
    "kwietnia kwiecien kwi huhtikuuta huhtikuu aprilie aprilis dubna duben",
    5: "may mai mayo maggio maio mei mag mayis maja maj toukokuuta toukokuu majus kvetna kveten",
    6: "june juni juin junio giugno junho jun giu haziran "
    "haz czerwca czerwiec cze kesakuuta kesakuu iunie junius cervna cerven",
    7: "july juli juillet julio luglio julho jul lug juil temmuz "
    "tem lipca lipiec lip heinakuuta heinakuu iulie julius cervence cervenec",
    8: "august aout agosto augustus augusti aug ago aou agustos "
    "sierpnia sierpien sie elokuuta elokuu augusztus agustus srpna srpen",
    9: "september septembre septiembre settembre setembro sept sep set eylul "
    "eyl wrzesnia wrzesien wrz syyskuuta syyskuu septembrie szeptember zari",
    10: "october oktober octobre octubre ottobre outubro oct okt ott out "
    "ekim eki pazdziernika pazdziernik paz lokakuuta lokakuu octombrie rijna rijen",
    11: "november novembre noviembre novembro nov kasim kas marraskuuta marraskuu noiembrie",
    12: "december dezember decembre diciembre dicembre dezembro dec dez dic aralik "
    "ara grudnia grudzien gru joulukuuta joulukuu decembrie desember des prosince prosinec",
}
_NUMBER_OF = {name: number for number, names in _NAMES.items() for name in names.split()}
_TOKENS = {
    "yyyy": r"(?P<year>\d{4})",
    "yy": r"(?P<year>\d{2})",
    "mm": r"(?P<month>\d{1,2})",
    "dd": r"(?P<day>\d{1,2})",
    "mon": r"(?P<name>[^\W\d_]{3,10})\.?",
}
_TOKEN = re.compile("yyyy|yy|mm|dd|mon")
_ALLOWED = re.compile(r"(?:yyyy|yy|mm|dd|mon|[-/. ,])+")
_WEEKDAY = r"(?:[^\W\d_]{2,10}\.?,? )?"
_TIME = r"(?:(?:T| |, | at )\d{1,2}[:.h]\d{2}.{0,40})?"  # the printed day is the day; its hour and zone are not asked
_STAMP = re.compile(
    r"(?P<year>\d{4})(?P<month>\d{2})(?P<day>\d{2})(?:\d{2,6}(?:\.\d{1,6})?)?\s*(?:\[[^\]]{0,20}\])?"
)


def month_number(name: str) -> int | None:
    """The month that a name or its abbreviation means."""
    plain = unicodedata.normalize("NFKD", name.casefold().replace("ı", "i"))
    return _NUMBER_OF.get("".join(letter for letter in plain if not unicodedata.combining(letter)))


def problem(text: str) -> str | None:
    """Why this is no date format, or None."""
    tokens = _TOKEN.findall(text)
    if not _ALLOWED.fullmatch(text):
        return "a date format is written with yyyy, yy, mm, mon, dd and - / . , or spaces"
    if text == "yyyymmdd":
        return None
    if (
        len(tokens) != 3
        or not {"yyyy", "yy"} & set(tokens)
        or not {"mm", "mon"} & set(tokens)
        or "dd" not in tokens
    ):
        return "a date format has one year, one month and one day"
    return None


@lru_cache(maxsize=256)
def compiled(text: str) -> re.Pattern[str]:
    """The pattern of a format; a time of day may follow the date."""
    if text == "yyyymmdd":
        return _STAMP
    parts: list[str] = []
    place = 0
    for token in _TOKEN.finditer(text):
        parts += [_literal(text[place : token.start()]), _TOKENS[token.group()]]
        if token.group() == "dd" and "mon" in text:
            parts.append("(?:st|nd|rd|th)?")
        place = token.end()
    before = _WEEKDAY if "mon" in text else ""
    return re.compile(before + "".join(parts) + _literal(text[place:]) + _TIME, re.IGNORECASE)


def _literal(text: str) -> str:
    """Spaces are as many as there are, and a comma beside one is a matter of taste."""
    if not text:
        return ""
    if text.strip(" ,") == "":
        return r",?\s*"
    return re.escape(text.strip()) + (r"\s*" if text.endswith(" ") else "")
