"""Text for the cells of spreadsheets: nothing in it is calculated when the file is opened."""

from __future__ import annotations

_STARTS_A_FORMULA = (*"=+-@\t\r\n|%", "\uff1d", "\uff0b", "\uff0d", "\uff20")


def safe_text(text: str) -> str:
    """Return the text with an apostrophe before what a spreadsheet would calculate, also behind leading spaces."""
    text = text.replace("\x00", "")
    is_formula = text.startswith(_STARTS_A_FORMULA) or text.lstrip().startswith(_STARTS_A_FORMULA)
    return f"'{text}" if is_formula else text
