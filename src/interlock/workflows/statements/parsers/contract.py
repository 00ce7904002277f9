"""What a parser is: it says how sure it is that a document is its own, and reads it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

from ..parsed import Parsed, ParseFault, Remark
from .html_tables import Page, charset_of, is_page, read_page
from .text import HEAD, decode, decoded_head


@dataclass(frozen=True)
class Document:
    """A file as it was uploaded: its name only hints, its bytes decide."""

    name: str
    content: bytes

    @cached_property
    def extension(self) -> str:
        return self.name.rpartition(".")[2].lower() if "." in self.name else ""

    @cached_property
    def is_pdf(self) -> bool:
        return b"%PDF-" in self.content[:1024]

    @cached_property
    def is_page(self) -> bool:
        """Whether it is a web page, with tables of days and amounts or without."""
        return is_page(self.content)

    @cached_property
    def page(self) -> Page:
        """The tables of a web page."""
        return read_page(decode(self.content, charset_of(self.content)))

    @property
    def text(self) -> str:
        """All of it as text, or LAYOUT_MISMATCH if it is binary; of a web page with tables of days and amounts, these tables."""
        if self.is_page and self.page.problem:
            raise ParseFault("LAYOUT_MISMATCH", f"the file is a web page {self.page.problem}")
        return (self.page.text if self.is_page else "") or decode(self.content)

    @property
    def doubts(self) -> list[Remark]:
        """What the form of the file leaves open."""
        if not self.is_page:
            return []
        hidden = self.page.hidden_rows
        rows = (
            "a row with a day that a browser does not show is"
            if hidden == 1
            else f"{hidden} rows with a day that a browser does not show are"
        )
        doubts = [] if self.page.is_whole else ["the web page ends within a table; rows may be missing"]
        doubts += [f"{rows} read; others may say the same"] if hidden else []
        return [Remark(one) for one in doubts]

    @cached_property
    def text_head(self) -> str:
        """Its first lines as text, for detection; empty if it is not text."""
        if not self.is_page or not decoded_head(self.content):
            return decoded_head(self.content)
        text = self.page.text
        if not text:
            return decoded_head(self.content)
        return text if len(text) <= HEAD else text[: text.rfind("\n", 0, HEAD) + 1]


class Parser(Protocol):
    """Registered once per source type."""

    @property
    def parser_id(self) -> str: ...
    @property
    def version(self) -> str: ...
    @property
    def source_type(self) -> str: ...

    def confidence(self, document: Document) -> float:
        """From 0 (not mine) to 1 (certainly mine); cheap, and never raises."""
        ...

    def parse(self, document: Document) -> Parsed:
        """Read it, or raise ParseFault."""
        ...
