"""Attacks on the folder of stored files: by another user of the machine, by whoever has come to write in it, and by what is left behind."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import Column, Integer, MetaData, Table

from interlock import App, Axis, Machine, Workflow
from interlock.cli.commands.upkeep.doctor import file_rights
from interlock.clock import FrozenClock, SystemClock
from interlock.errors import BadInput, StoreDamaged
from interlock.observe.invariants import check_files
from interlock.store.files.file_store import FileStore
from tests.security.attacks_on_files import ATTACKS, Attack
from tests.security.cheats import REFUSED
from tests.security.other_user import needs_another_user, public_folder, run_as_nobody

STATEMENT = b"Date,Description,Amount\n2026-01-02,COFFEE,-3.50\n"
FORGED = b"Date,Description,Amount\n2026-01-02,COFFEE,+3.50\n"
SECRET = b"what another program keeps"
LOG = "/logs/parse/UL_1.log.json"


@pytest.fixture
def files(tmp_path: Path) -> FileStore:
    return FileStore(tmp_path / "files")


@pytest.fixture
def secret(tmp_path: Path) -> Path:
    """A file outside the store, and a folder with an old file in it."""
    path = tmp_path / "elsewhere" / "secret"
    path.parent.mkdir()
    path.write_bytes(SECRET)
    os.utime(path, (0, 0))
    return path


@pytest.fixture
def app(files: FileStore, tmp_path: Path) -> Iterator[App]:
    orders = Table("orders", MetaData(), Column("id", Integer, primary_key=True))
    machine = Machine("order", initial="placed", moves={"placed": ["sent"]})
    opened = App(
        [Workflow("orders", records=orders, axes=[Axis("status", machine)])],
        database=f"sqlite:///{tmp_path / 'shop.db'}",
        files=files.location,
    )
    opened.migrate()
    yield opened
    opened.close()


def findings(app: App) -> list[tuple[str, str]]:
    return [(one.id, one.problem) for one in app.check().findings if one.invariant == "files"]


def notes(app: App) -> list[str]:
    return [one for one in app.check().notes if one.startswith("files: ")]


def rewrite(kept: Path, secret: Path) -> None:
    kept.write_bytes(FORGED)


def truncate(kept: Path, secret: Path) -> None:
    kept.write_bytes(STATEMENT[:10])


def empty(kept: Path, secret: Path) -> None:
    kept.write_bytes(b"")


def replace(kept: Path, secret: Path) -> None:
    kept.unlink()
    kept.write_bytes(FORGED)


def link(kept: Path, secret: Path) -> None:
    kept.unlink()
    kept.symlink_to(secret)


def hard_link(kept: Path, secret: Path) -> None:
    kept.unlink()
    kept.hardlink_to(secret)


def pipe(kept: Path, secret: Path) -> None:
    kept.unlink()
    os.mkfifo(kept)


def swap(kept: Path, secret: Path) -> None:
    """The folder that the file is in becomes a link to another one with the same names."""
    other = secret.parent / "copy"
    kept.parent.rename(other)
    (other / kept.name).write_bytes(FORGED)
    kept.parent.symlink_to(other, target_is_directory=True)


SWAPS = [rewrite, truncate, empty, replace, link, hard_link, pipe, swap]


@pytest.mark.parametrize("tamper", SWAPS)
def test_a_file_that_is_not_what_was_stored_is_noticed_before_it_is_read_and_by_a_check(
    app: App, files: FileStore, secret: Path, tamper: Callable[[Path, Path], None]
) -> None:
    stored = files.put(STATEMENT)
    assert findings(app) == []
    tamper(Path(files.location, stored.ref), secret)
    with pytest.raises(StoreDamaged) as refused:
        files.open(stored.ref)
    assert refused.value.code == "ILK-306"
    assert [name for name, _ in findings(app)] == [
        str(Path(stored.ref).parent) if tamper is swap else stored.ref
    ]


@pytest.mark.parametrize("tamper", [one for one in SWAPS if one is not swap])
@pytest.mark.parametrize("arrives", ["whole", "in pieces"])
def test_the_same_file_uploaded_again_takes_the_place_of_what_was_put_there(
    app: App, files: FileStore, secret: Path, tamper: Callable[[Path, Path], None], arrives: str
) -> None:
    """Before, a forged file of the same size was taken for equal bytes, and the right ones were thrown away."""
    stored = files.put(STATEMENT)
    tamper(Path(files.location, stored.ref), secret)
    if arrives == "whole":
        files.put(STATEMENT)
    else:
        with files.receive() as file:
            file.write(STATEMENT)
            file.keep()
    with files.open(stored.ref) as opened:
        assert opened.read() == STATEMENT
    assert findings(app) == []
    assert secret.read_bytes() == SECRET


def test_nothing_is_written_listed_or_removed_through_a_folder_that_is_a_link(
    files: FileStore, secret: Path
) -> None:
    stored = files.put(STATEMENT)
    top = Path(files.location, stored.ref.partition("/")[0])
    for name in (top, Path(files.location, "incoming")):
        for one in sorted(name.rglob("*"), reverse=True):
            one.unlink() if one.is_file() else one.rmdir()
        name.rmdir()
        name.symlink_to(secret.parent, target_is_directory=True)
    Path(files.location, "logs").mkdir()
    Path(files.location, "logs", "parse").symlink_to(secret.parent, target_is_directory=True)
    before = sorted(secret.parent.iterdir())
    for act in (
        lambda: FileStore(files.location).put(STATEMENT),
        lambda: files.receive().keep(),
        files.sweep,
        lambda: files.delete(stored.ref),
        lambda: files.write_log(LOG, b"{}"),
        lambda: files.read_log("/logs/parse/secret"),
    ):
        with pytest.raises(StoreDamaged):
            act()
    assert sorted(secret.parent.iterdir()) == before
    assert secret.read_bytes() == SECRET


def test_a_log_that_is_a_link_is_not_followed_and_is_replaced(
    app: App, files: FileStore, secret: Path
) -> None:
    files.write_log(LOG, b"{}")
    kept = Path(files.location, LOG.removeprefix("/"))
    kept.unlink()
    kept.symlink_to(secret)
    with pytest.raises(StoreDamaged):
        files.read_log(LOG)
    assert [name for name, _ in findings(app)] == [LOG.removeprefix("/")]
    files.write_log(LOG, b'{"again": 1}')
    assert (files.read_log(LOG), secret.read_bytes(), findings(app)) == (b'{"again": 1}', SECRET, [])


@pytest.mark.parametrize(
    "ref",
    [
        "../elsewhere/secret",
        "ab/cd/../../../elsewhere/secret",
        "logs/parse/UL_1.log.json",
        "/logs/parse/UL_1.log.json",
        "incoming/x",
        "notes.txt",
        "file:///etc/passwd",
        "ab/cd/" + "\N{FULLWIDTH DIGIT ONE}" * 64,
    ],
)
def test_a_reference_leads_to_stored_files_only(files: FileStore, secret: Path, ref: str) -> None:
    files.put(STATEMENT)
    files.write_log(LOG, b"{}")
    Path(files.location, "notes.txt").write_bytes(SECRET)
    Path(files.location, "incoming", "x").write_bytes(SECRET)
    with pytest.raises((BadInput, FileNotFoundError)):
        files.open(ref)


def test_what_killed_uploads_and_logs_left_is_noted_and_goes_with_the_next_upload(
    app: App, files: FileStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    files.put(STATEMENT)
    half = Path(files.location, "incoming", "half")
    half.write_bytes(STATEMENT[:10])
    link = half.with_name("link")
    link.symlink_to("/etc/passwd")
    half.with_name("folder").mkdir()
    assert notes(app) == []  # somebody may still write it
    for path in (half, half.with_name("folder"), link):
        os.utime(path, (0, 0), follow_symlinks=False)
    assert notes(app) == ["files: 1 unfinished uploads were left behind; the next upload removes them"]
    clock = FrozenClock(SystemClock().now() + timedelta(hours=2))
    FileStore(files.location, clock=clock).put(FORGED)
    assert (half.exists(), link.is_symlink(), Path("/etc/passwd").exists()) == (False, False, True)
    assert (notes(app), findings(app)) == ([], [])


def test_a_log_whose_writer_is_killed_leaves_nothing_beside_the_logs(
    files: FileStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Killed(BaseException):
        pass

    def die(*_: object, **__: object) -> None:
        raise Killed

    with monkeypatch.context() as patch:
        patch.setattr(Path, "replace", die)
        patch.setattr(Path, "unlink", die)  # nobody is left to clear up
        with pytest.raises(Killed):
            files.write_log(LOG, b"{}")
    left = [path.parent.name for path in Path(files.location).rglob("*") if path.is_file()]
    assert left == ["incoming"]
    assert FileStore(files.location, clock=FrozenClock(SystemClock().now() + timedelta(hours=2))).sweep() == 1


def test_rights_that_somebody_loosened_are_named_by_the_doctor_and_by_a_check() -> None:
    with public_folder() as folder:
        files = FileStore(folder / "files")
        assert file_rights(files).verdict == "ok"
        stored = files.put(STATEMENT)
        assert (file_rights(files).verdict, file_rights(files).finding) == (
            "ok",
            "only their owner can read stored files",
        )
        kept = Path(files.location, stored.ref)
        for path, mode in ((kept, 0o644), (kept.parent, 0o755), (Path(files.location), 0o701)):
            before = path.stat().st_mode
            path.chmod(mode)
            answer = file_rights(files)
            assert (answer.verdict, str(path) in answer.finding, "chmod" in answer.hint) == (
                "warn",
                True,
                True,
            )
            assert check_files(files, SystemClock().now()) == ([], [f"files: {answer.finding}"])
            path.chmod(before)
        folder.chmod(0o777)
        assert f"they may write {folder}" in file_rights(files).finding


READ = """
found = []
for path in json.loads(sys.argv[1]):
    for act in (lambda: open(path, "rb").read(), lambda: open(path, "r+b"), lambda: os.listdir(path), lambda: os.unlink(path),
                lambda: os.rename(path, path + "x"), lambda: os.link(path, sys.argv[2] + "/mine"), lambda: os.chmod(path, 0o777),
                lambda: os.symlink("/etc/passwd", path + ".link"), lambda: os.stat(path + "/.")):
        try:
            act()
            found.append(path)
        except OSError:
            pass
print(json.dumps(found))
"""


@needs_another_user
def test_another_user_reads_lists_and_replaces_nothing() -> None:
    with public_folder() as folder:
        files = FileStore(folder / "data" / "files")
        stored = files.put(STATEMENT)
        files.write_log(LOG, b"{}")
        Path(files.location, "incoming", "half").write_bytes(STATEMENT)
        root = Path(files.location)
        below = [str(path) for path in (root, *root.rglob("*"))]
        (folder / "drop").mkdir()
        (folder / "drop").chmod(0o777)
        assert json.loads(run_as_nobody(READ, json.dumps(below), str(folder / "drop"))) == []
        with files.open(stored.ref) as file:
            assert file.read() == STATEMENT
        assert files.read_log(LOG) == b"{}"
        assert list((folder / "drop").iterdir()) == []


@needs_another_user
def test_what_another_user_put_in_the_place_of_the_folder_is_not_taken_for_stored() -> None:
    """Somebody made the folder above writable for all: the store can be renamed away and forged, and reading finds it out."""
    with public_folder() as folder:
        folder.chmod(0o777)
        files = FileStore(folder / "files")
        stored = files.put(STATEMENT)
        forge = (
            "root, ref = sys.argv[1:]\nos.rename(root, root + '-kept')\nos.makedirs(os.path.dirname(root + '/' + ref))\n"
            "open(root + '/' + ref, 'wb').write(b'forged')"
        )
        run_as_nobody(forge, files.location, stored.ref)
        with pytest.raises(StoreDamaged):
            files.open(stored.ref)
        assert file_rights(files).verdict == "warn"


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda one: one.name)
def test_each_attack_on_the_page_of_threats_is_tried(attack: Attack) -> None:
    assert f"def {attack.test}(" in (Path(__file__).parents[2] / attack.place).read_text(encoding="utf-8")
    assert attack.verdict == REFUSED or attack.why
