"""What a parser is: it says how sure it is that a document is its own, and reads it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

from ..parsed import Parsed
from .text import decoded_head


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
    def text_head(self) -> str:
        """Its first lines as text, for detection; empty if it is not text."""
        return decoded_head(self.content)


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
