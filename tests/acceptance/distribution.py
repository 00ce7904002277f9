"""`make dist`: wheel and sdist, the wheel installed into an empty environment and tried there, and the notes of the release."""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

ROOT = Path(__file__).parents[2]


def build() -> Path:
    """Build both into `dist/`; the wheel."""
    subprocess.run(
        [sys.executable, "-m", "build", "--no-isolation", "--outdir", "dist", "."],
        cwd=ROOT,
        check=True,
        stdout=subprocess.DEVNULL,
    )
    (wheel,) = (ROOT / "dist").glob("*.whl")
    return wheel


def install(wheel: Path, folder: Path) -> Path:
    """An empty environment with the wheel and its pinned dependencies; its folder of programs."""
    venv.create(folder, with_pip=True)
    programs = folder / ("Scripts" if sys.platform == "win32" else "bin")
    wanted = f"interlock[client,postgres,scraping,service,statements,themes] @ {wheel.as_uri()}"
    command = [programs / "python", "-m", "pip", "install", "-qq", "--disable-pip-version-check"]
    subprocess.run([*command, "--constraint", ROOT / "constraints.txt", wanted], check=True)
    return programs


def smoke(programs: Path, folder: Path) -> None:
    """Commands that reach every part of the package, away from its source."""
    for words in (
        ("--version",),
        ("tour",),
        ("machine", "lint"),
        ("statements", "import", str(ROOT / "examples" / "statements")),
        ("check",),
        ("doctor",),
    ):
        done = subprocess.run(
            [programs / "interlock", *words], cwd=folder, capture_output=True, text=True, check=False
        )
        shown = " ".join(("interlock", *words)).replace(f"{ROOT}/", "")
        print(f"  {'ok  ' if done.returncode == 0 else 'FAIL'} {shown}")  # noqa: T201 a program for people
        if done.returncode != 0:
            raise SystemExit(done.stdout + done.stderr)


def notes() -> str:
    """The newest section of the changelog."""
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    sections = re.split(r"^## ", text, flags=re.MULTILINE)
    return sections[1].strip()


def main() -> None:
    wheel = build()
    print(f"built: {', '.join(sorted(path.name for path in (ROOT / 'dist').iterdir()))}")  # noqa: T201 a program for people
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        programs = install(wheel, folder / "environment")
        (folder / "work").mkdir()
        smoke(programs, folder / "work")
    (ROOT / "dist" / "NOTES.md").write_text(notes() + "\n", encoding="utf-8")
    print("release notes: dist/NOTES.md")  # noqa: T201 a program for people


if __name__ == "__main__":
    main()
