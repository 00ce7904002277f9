"""What the house rules are asked of: the files of this project and the imports of its source."""

from __future__ import annotations

import subprocess
from pathlib import Path

import grimp
import pytest

ROOT = Path(__file__).parents[2]
LEFT_BY_TOOLS = {
    ".git",
    ".venv",
    "__pycache__",
    ".mypy_cache",
    ".pytest_cache",
    ".ruff_cache",
    ".hypothesis",
    ".import_linter_cache",
}


@pytest.fixture(scope="session")
def root() -> Path:
    return ROOT


@pytest.fixture(scope="session")
def files(root: Path) -> list[Path]:
    """Every file that is tracked or about to be."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
    if listed.returncode == 0:
        paths = [root / name for name in listed.stdout.split("\0") if name]
    else:
        paths = [path for path in root.rglob("*") if not LEFT_BY_TOOLS & set(path.relative_to(root).parts)]
    return sorted(path for path in paths if path.is_file())


@pytest.fixture(scope="session")
def sources(files: list[Path], root: Path) -> list[Path]:
    return [path for path in files if path.suffix == ".py" and path.is_relative_to(root / "src")]


@pytest.fixture(scope="session")
def graph() -> grimp.ImportGraph:
    return grimp.build_graph("interlock", include_external_packages=True)
