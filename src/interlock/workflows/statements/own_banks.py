"""A team's own banks: a folder, a file or a module with mappings, parsers and rules; all of it is checked before any of it counts."""

from __future__ import annotations

import importlib
import importlib.util
import re
import sys
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from types import ModuleType
from typing import Any

from interlock import InterlockError, Workflow
from interlock.errors import BadInput

from .parsers.contract import Parser
from .parsers.csv.configured import load_mappings
from .parsers.csv.mapping import CsvMapping, MappingInvalid
from .parsers.csv.parser import CsvParser
from .parsers.registry import AUTO, Parsers, bundled_parsers
from .rules import RuleSet, load_rules


class StatementsWorkflow(Workflow):
    """A workflow of uploads; its parsers travel with it, so that two apps of one process may have different banks."""

    def __init__(self, name: str, *, parsers: Parsers, **options: Any) -> None:
        self.parsers = parsers
        super().__init__(name, **options)


def parsers_of(workflow: Workflow) -> Parsers:
    """The parsers of a workflow of uploads."""
    return workflow.parsers if isinstance(workflow, StatementsWorkflow) else bundled_parsers()


SOURCE_TYPE = re.compile(r"[a-z][a-z0-9_]{1,40}", re.ASCII)
LENGTHS = {"parser_id": 64, "version": 32, "source_type": 64}
LONGEST_VERSION = 128
HINT = "A folder, a file or a module is named by banks in interlock.toml or by INTERLOCK_BANKS; docs/how-to/add-a-bank.md shows each."


@dataclass
class Banks:
    """What was found: parsers with the file that each came from, and the rules with theirs laid over ours."""

    rules: RuleSet
    parsers: dict[str, tuple[Parser, str]] = field(default_factory=dict)

    def add(self, parser: Any, where: str) -> None:
        wrong = problem(parser)
        if wrong:
            raise refused(where, wrong)
        if parser.source_type in self.parsers:
            other = self.parsers[parser.source_type][1]
            raise refused(
                where, f"{parser.source_type!r} is also in {other}; one of them would never be asked"
            )
        self.parsers[parser.source_type] = (parser, where)

    def lay(self, path: Path) -> None:
        self.rules = load_rules(path, over=self.rules)
        if len(self.rules.version) > LONGEST_VERSION:
            raise refused(
                path.name,
                f"the rules' version has more than {LONGEST_VERSION} characters: {self.rules.version}",
            )


def load_banks(named: str | Path, over: RuleSet | None = None) -> Banks:
    """Everything that the folder, file or module has. One mistake refuses all."""
    banks = Banks(load_rules() if over is None else over)
    path = Path(named).expanduser()
    if path.is_dir():
        _from_folder(banks, path)
    elif path.is_file():
        _from_file(banks, path)
    else:
        _from_module(banks, str(named))
    return banks


def _from_folder(banks: Banks, folder: Path, package: str = "") -> None:
    files = [
        path
        for path in sorted(folder.iterdir())
        if path.suffix in (".toml", ".py") and not path.name.startswith(("_", "."))
    ]
    if not files and not package:
        raise refused(str(folder), "has neither a .toml nor a .py file")
    for path in files:
        _from_file(banks, path, package)


def _from_file(banks: Banks, path: Path, package: str = "") -> None:
    if path.suffix == ".py":
        _from_code(banks, imported(f"{package}.{path.stem}") if package else executed(path), path.name)
    elif path.suffix == ".toml":
        _from_table(banks, path)
    else:
        raise refused(path.name, "is neither .toml nor .py")


def _from_table(banks: Banks, path: Path) -> None:
    """A file with [[csv]] describes tables; any other is a file of rules, and is told so."""
    try:
        has_tables = "csv" in tomllib.loads(path.read_text(encoding="utf-8"))
        parsers = load_mappings(path) if has_tables else []
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise refused(path.name, f"cannot be read: {error}") from error
    except MappingInvalid as error:
        raise BadInput(str(error), hint=HINT) from error
    for parser in parsers:
        banks.add(parser, path.name)
    if not has_tables:
        banks.lay(path)


def _from_module(banks: Banks, name: str) -> None:
    if not all(part.isidentifier() for part in name.split(".")):
        raise refused(name, "there is no such folder or file")
    module = imported(name)
    places = [Path(place) for place in getattr(module, "__path__", [])]
    found = _from_code(banks, module, name, needed=not places)
    for place in places:
        _from_folder(banks, place, name)
    if not found and not banks.parsers and banks.rules is load_rules():
        raise refused(name, "has neither MAPPINGS nor PARSERS, and no files beside it that have")


def _from_code(banks: Banks, module: ModuleType, where: str, *, needed: bool = True) -> bool:
    """MAPPINGS, as the files of our own banks have, and PARSERS: objects, or classes that need nothing to be made."""
    mappings, parsers = (read_list(module, name, where) for name in ("MAPPINGS", "PARSERS"))
    if wrong := [one for one in mappings if not isinstance(one, CsvMapping)]:
        raise refused(where, f"MAPPINGS holds {type(wrong[0]).__name__}; each must be a CsvMapping")
    for source_type in dict.fromkeys(mapping.source_type for mapping in mappings):
        banks.add(
            CsvParser(source_type, tuple(one for one in mappings if one.source_type == source_type)), where
        )
    for parser in parsers:
        banks.add(make_parser(parser, where), where)
    if needed and not mappings and not parsers:
        raise refused(where, "has neither MAPPINGS nor PARSERS")
    return bool(mappings or parsers)


def read_list(module: ModuleType, name: str, where: str) -> list[Any]:
    """The list of this name in a bank's module; empty where it has none."""
    found = getattr(module, name, ())
    if isinstance(found, str) or not isinstance(found, Iterable):
        raise refused(where, f"{name} must be a list, not {type(found).__name__}")
    return list(found)


def make_parser(parser: Any, where: str) -> Any:
    """The parser itself, made where its class was listed."""
    try:
        return parser() if isinstance(parser, type) else parser
    except Exception as error:
        raise refused(where, f"{parser.__name__} cannot be made: {type(error).__name__}: {error}") from error


def problem(parser: Any) -> str:
    """What keeps an object from being a parser, or nothing."""
    for name, most in LENGTHS.items():
        value = getattr(parser, name, None)
        if not isinstance(value, str) or not 0 < len(value) <= most:
            return f"{type(parser).__name__}.{name} must be a text of 1 to {most} characters, not {value!r}"
    if not SOURCE_TYPE.fullmatch(parser.source_type) or parser.source_type == AUTO:
        return f"source_type must be lower case letters, digits and underscores, and not 'auto'; it is {parser.source_type!r}"
    lacking = [name for name in ("confidence", "parse") if not callable(getattr(parser, name, None))]
    return f"{type(parser).__name__} lacks {' and '.join(lacking)}" if lacking else ""


def imported(name: str) -> ModuleType:
    """A module that is installed, or stands in the folder the process was started in."""
    if (here := str(Path.cwd())) not in sys.path:
        sys.path.append(here)
    try:
        return importlib.import_module(name)
    except InterlockError:
        raise
    except ModuleNotFoundError as error:
        own = bool(error.name) and name.startswith(str(error.name))
        raise refused(
            name, "there is no such folder, file or module" if own else f"cannot be imported: {error}"
        ) from error
    except Exception as error:
        raise broken(name, error) from error


def executed(path: Path) -> ModuleType:
    """A file of a folder, under a name of its own."""
    name = f"interlock_bank_{sha256(str(path.resolve()).encode()).hexdigest()[:12]}_{path.stem}"
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise refused(path.name, "cannot be imported")
    module = sys.modules[name] = importlib.util.module_from_spec(
        spec
    )  # classes look for their own module there
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        del sys.modules[name]
        if isinstance(error, InterlockError):
            raise
        raise broken(path.name, error) from error
    return module


def broken(where: str, error: Exception) -> BadInput:
    return refused(
        where,
        str(error)
        if isinstance(error, MappingInvalid)
        else f"importing it failed: {type(error).__name__}: {error}",
    )


def refused(where: str, why: str) -> BadInput:
    return BadInput(f"banks: {where}: {why}", hint=HINT)
