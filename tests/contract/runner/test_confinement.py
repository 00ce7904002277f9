"""What an isolated process cannot do: reach the runner, its environment, its database, or anything else that is not its own."""

from __future__ import annotations

import ctypes
import fcntl
import os
import resource
import signal
import sqlite3
import struct
import tempfile
import termios
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import closing, suppress
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import pytest

from interlock import Done, Failed, Work
from interlock.runner.isolation import confine, kernel
from interlock.runner.isolation.limits import LARGEST_FILE
from interlock.runner.isolation.probe import measure_protections
from tests.contract.executing import Way, process_name

pytestmark = pytest.mark.skipif(kernel.landlock_version() < 6, reason="the protections are Linux's")
SECRET = "INTERLOCK_TEST_SECRET"


@pytest.fixture
def isolated(tmp_path: Path) -> Iterator[Way]:
    opened = Way("isolated", tmp_path)
    yield opened
    opened.close()


@pytest.fixture(params=["everything", "no namespaces", "no Landlock", "no filters"])
def offered(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """What the system offers; processes are forked from this one, and find the same."""
    if request.param == "no Landlock":
        request.getfixturevalue("namespaces")
    if request.param == "no namespaces":
        monkeypatch.setattr(confine, "_TRIED", ())
    if request.param == "no Landlock":
        monkeypatch.setattr(kernel, "landlock_version", lambda: 0)
    if request.param == "no filters":
        monkeypatch.setattr(confine, "refuse_privileged_calls", lambda protected=(): False)
    return str(request.param)


def answer(isolated: Way, function: Callable[[Work], Any], **options: Any) -> Any:
    """What the function answers from its process."""
    record = {"runner": os.getpid()}
    stage = isolated.stage(function, **options)
    stage.save(lambda tx, work, result: None)
    outcome = isolated.run_task(isolated.task(stage, Work(1, record)))
    assert isinstance(outcome, Done), outcome
    return outcome.result


def errors(*acts: Callable[[], Any]) -> list[str]:
    """What became of each act: the name of its exception, or nothing."""
    names = []
    for act in acts:
        try:
            act()
            names.append("")
        except OSError as error:
            names.append(type(error).__name__)
    return names


@pytest.fixture(scope="session")
def namespaces() -> None:
    """Skips a test where the system makes no namespaces for isolated processes."""
    if not measure_protections().processes:
        pytest.skip("this system makes no namespaces for isolated processes")


@pytest.mark.usefixtures("namespaces")
def test_everything_is_enforced_on_this_system(isolated: Way) -> None:
    answer(isolated, lambda work: Done())
    executor: Any = isolated.executor()
    assert executor._zygote.protections.missing() == []


def test_it_cannot_signal_the_runner_or_its_helpers(isolated: Way, offered: str) -> None:
    heard: list[int] = []
    before = signal.signal(signal.SIGUSR2, lambda *_: heard.append(1))
    numbers: list[int] = []

    def signalling(work: Work) -> Done[list[str]]:
        return Done(errors(*(lambda pid=pid: os.kill(pid, signal.SIGUSR2) for pid in work.record["pids"])))

    stage = isolated.stage(signalling)
    executor: Any = isolated.executor()
    numbers = [os.getpid(), executor._zygote.keeper_pid, executor._zygote.pid, -os.getpgid(0)]
    outcome = isolated.run_task(isolated.task(stage, Work(1, {"pids": numbers})))
    signal.signal(signal.SIGUSR2, before)
    assert isinstance(outcome, Done)
    assert "" not in outcome.result
    assert heard == []
    assert isinstance(isolated.run_task(isolated.task(stage, Work(1, {"pids": []}))), Done)


def test_filters_alone_keep_it_from_the_runner_by_every_other_call_that_names_a_process(
    isolated: Way, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without namespaces and Landlock, as in many containers: a pipe that signals its owner, limits, priorities, processor time."""
    monkeypatch.setattr(confine, "_TRIED", ())
    monkeypatch.setattr(kernel, "landlock_version", lambda: 0)
    heard: list[int] = []
    caught = (signal.SIGUSR2, signal.SIGIO)
    before = {number: signal.signal(number, lambda *_: heard.append(1)) for number in caught}
    limits, priority = resource.getrlimit(resource.RLIMIT_NOFILE), os.getpriority(os.PRIO_PROCESS, 0)

    def reaching(work: Work) -> Done[list[str]]:
        runner = work.record["runner"]
        reading, writing = os.pipe()

        def let_a_pipe_signal() -> None:
            fcntl.fcntl(reading, fcntl.F_SETOWN, runner)
            fcntl.fcntl(reading, fcntl.F_SETFL, os.O_ASYNC | os.O_NONBLOCK)
            os.write(writing, b"x")

        return Done(
            errors(
                let_a_pipe_signal,
                lambda: fcntl.fcntl(reading, fcntl.F_SETSIG, signal.SIGUSR2),
                lambda: fcntl.fcntl(reading, 15, struct.pack("ii", 1, runner)),
                lambda: fcntl.ioctl(reading, 0x8901, struct.pack("i", runner)),
                lambda: fcntl.ioctl(1, termios.TIOCSTI, b"x"),
                lambda: resource.prlimit(runner, resource.RLIMIT_NOFILE, (16, 16)),
                lambda: os.setpriority(os.PRIO_PROCESS, runner, 19),
                lambda: os.setpriority(os.PRIO_USER, 0, 19),
                lambda: os.setpriority(os.PRIO_PGRP, os.getpgid(runner), 19),
                lambda: os.sched_setaffinity(runner, {0}),
                lambda: os.sched_setscheduler(runner, os.SCHED_IDLE, os.sched_param(0)),
            )
        )

    try:
        assert "" not in answer(isolated, reaching)
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
    assert heard == []
    assert resource.getrlimit(resource.RLIMIT_NOFILE) == limits
    assert os.getpriority(os.PRIO_PROCESS, 0) == priority


def test_filters_leave_its_own_limits_and_threads_alone(isolated: Way) -> None:
    def modest(work: Work) -> Done[int]:
        resource.setrlimit(resource.RLIMIT_CPU, (60, resource.getrlimit(resource.RLIMIT_CPU)[1]))
        os.sched_setaffinity(0, os.sched_getaffinity(0))
        os.nice(1)
        with open("/dev/null", "wb") as file:  # noqa: PTH123
            fcntl.fcntl(file, fcntl.F_SETFD, fcntl.FD_CLOEXEC)
        return Done(os.getpriority(os.PRIO_PROCESS, 0))

    assert answer(isolated, modest) >= 1


def test_it_cannot_read_the_environment_or_memory_of_the_runner(
    isolated: Way, offered: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(SECRET, "hush")

    def looking(work: Work) -> Done[Any]:
        read = [f"/proc/{work.record['runner']}/{name}" for name in ("environ", "mem", "maps")]
        return Done(
            {
                "of others": errors(*(lambda path=path: Path(path).read_bytes() for path in read)),
                "own": [os.environ.get(SECRET), b"hush" in Path("/proc/self/environ").read_bytes()],
                "arguments": b"pytest" in Path("/proc/self/cmdline").read_bytes(),
                "kept": "PATH" in os.environ,
            }
        )

    seen = answer(isolated, looking)
    assert "" not in seen["of others"]
    assert seen["own"] == [None, False]
    assert (seen["arguments"], seen["kept"]) == (False, True)


@pytest.mark.usefixtures("namespaces")
def test_it_sees_no_process_but_its_own(isolated: Way) -> None:
    def looking(work: Work) -> Done[list[str]]:
        return Done(sorted(one.name for one in Path("/proc").iterdir() if one.name.isdigit()))

    assert answer(isolated, looking) == ["1", "2"]


@pytest.fixture
def database(tmp_path: Path) -> Path:
    path = tmp_path / "interlock.db"
    with closing(sqlite3.connect(path)) as made:
        made.execute("PRAGMA journal_mode=WAL")
        made.execute("CREATE TABLE uploads(id TEXT)")
        made.execute("INSERT INTO uploads VALUES ('UL_1')")
        made.commit()
    return path


def test_it_cannot_write_the_database_file_nor_anything_around_it(
    isolated: Way, offered: str, database: Path
) -> None:
    def tampering(work: Work) -> Done[list[str]]:
        return Done(
            errors(
                lambda: database.open("ab").write(b"x"),
                lambda: os.truncate(database, 0),
                database.unlink,
                lambda: database.rename(database.with_suffix(".old")),
                lambda: database.with_name("interlock.db-wal").write_bytes(b"x"),
                lambda: database.with_name("other").symlink_to(database),
                lambda: database.with_name("folder").mkdir(),
            )
        )

    before = database.read_bytes()
    assert "" not in answer(isolated, tampering)
    assert database.read_bytes() == before
    with closing(sqlite3.connect(database)) as opened:
        assert opened.execute("SELECT id FROM uploads").fetchall() == [("UL_1",)]


@pytest.mark.usefixtures("namespaces")
def test_it_sees_nothing_of_the_database_nor_of_stored_files(
    isolated: Way, database: Path, tmp_path: Path
) -> None:
    stored = isolated.files.put(b"another customer's statement")
    wal = database.with_name("interlock.db-wal")
    with closing(sqlite3.connect(database)) as held:
        held.execute("INSERT INTO uploads VALUES ('UL_2')")
        held.commit()
        assert wal.exists()

        def looking(work: Work) -> Done[Any]:
            with closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as opened:
                try:
                    rows = opened.execute("SELECT * FROM uploads").fetchall()
                except sqlite3.Error as error:
                    rows = [str(error)]
            with work.open(stored.ref) as file:
                given = file.read()
            return Done(
                {
                    "files": [database.read_bytes(), wal.read_bytes()],
                    "rows": rows,
                    "stored": sorted(str(one) for one in (tmp_path / "files").rglob("*")),
                    "handed over": given,
                }
            )

        stage = isolated.stage(looking)
        stage.save(lambda tx, work, result: None)
        isolated.hidden = [str(database), str(wal), str(tmp_path / "files")]
        outcome = isolated.run_task(isolated.task(stage))
    assert isinstance(outcome, Done), outcome
    assert outcome.result["files"] == [b"", b""]
    assert "UL_1" not in str(outcome.result["rows"])
    assert outcome.result["stored"] == []
    assert outcome.result["handed over"] == b"another customer's statement"
    assert database.read_bytes() != b""


def test_what_it_is_handed_is_a_copy_of_the_stored_file(isolated: Way, offered: str, tmp_path: Path) -> None:
    """The file would be its own user's: its rights could be changed by its descriptor, and it could be opened anew to write."""
    content = b"another customer's statement"
    stored = isolated.files.put(content)
    kept = tmp_path / "files" / stored.ref

    def tampering(work: Work) -> Done[Any]:
        with work.open(stored.ref) as file:
            number = file.fileno()

            def rewrite() -> None:
                with open(f"/proc/self/fd/{number}", "r+b") as again:  # noqa: PTH123 a magic link, followed as such
                    again.write(b"MY")

            errors(
                lambda: os.write(number, b"MY"),
                lambda: os.ftruncate(number, 3),
                lambda: os.fchmod(number, 0o666),
                lambda: os.utime(number, (0, 0)),
                rewrite,
                lambda: os.link(f"/proc/self/fd/{number}", "/tmp/mine", follow_symlinks=True),
            )
        with work.open(stored.ref) as file:
            return Done(file.read())

    before = kept.stat()
    assert answer(isolated, tampering) == content  # the next one that it asks for is another copy
    after = kept.stat()
    assert kept.read_bytes() == content
    assert (after.st_mode, after.st_mtime_ns, after.st_nlink) == (before.st_mode, before.st_mtime_ns, 1)


def test_the_runner_opens_no_path_for_it_and_no_log_of_another_record(
    tmp_path: Path, offered: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A process that was taken over may ask for any reference: for the runner's own environment, for what others wrote."""
    monkeypatch.setenv(SECRET, "hush")

    def asking(work: Work) -> Done[Any]:
        with work.open("/proc/self/environ") as file:
            return Done(b"hush" in file.read())

    def logs(work: Work) -> Done[Any]:
        refs = ("logs/parse/u1.log.json", "/logs/parse/u1.log.json", "incoming/x", "/proc/self/environ")
        names = []
        for ref in refs:
            try:
                work.open(ref)
                names.append("")
            except Exception as error:  # noqa: BLE001 its name is asserted
                names.append(type(error).__name__)
        return Done(names)

    bare, whole = Way("isolated", tmp_path), Way("isolated", tmp_path / "with files")
    bare.files = None  # type: ignore[assignment]
    whole.files.write_log("/logs/parse/u1.log.json", b"{}")
    try:
        outcome = bare.run(asking)
        assert isinstance(outcome, Done), outcome
        assert outcome.result is False
        assert answer(whole, logs) == ["BadInput"] * 4
    finally:
        bare.close()
        whole.close()


@pytest.mark.usefixtures("namespaces")
def test_it_cannot_change_the_rights_of_files(isolated: Way, database: Path) -> None:
    def tampering(work: Work) -> Done[list[str]]:
        return Done(errors(lambda: database.chmod(0o777), lambda: os.utime(database, (0, 0))))

    before = database.stat()
    assert answer(isolated, tampering) == ["OSError", "OSError"]
    assert (database.stat().st_mode, database.stat().st_mtime) == (before.st_mode, before.st_mtime)


def test_it_may_write_temporary_files_and_what_its_stage_declares(
    isolated: Way, offered: str, tmp_path: Path
) -> None:
    (tmp_path / "out").mkdir()

    def writing(work: Work) -> Done[Any]:
        with tempfile.NamedTemporaryFile(delete=False) as file:
            file.write(b"x")
        (tmp_path / "out" / "report").write_text("made")
        Path(os.devnull).write_text("gone")
        return Done([file.name, errors(lambda: (tmp_path / "report").write_text("x"))])

    name, refused = answer(isolated, writing, writes=[tmp_path / "out", tmp_path / "not there"])
    assert (tmp_path / "out" / "report").read_text() == "made"
    assert "" not in refused
    assert Path(name).exists()
    isolated.close()
    assert not Path(name).parents[2].exists()  # the runner's own temporary folder went with it


def test_its_temporary_files_are_gone_when_its_process_is(isolated: Way) -> None:
    def leaving(work: Work) -> Done[str]:
        Path(tempfile.gettempdir(), "left").write_text("x")
        os.fork() or os._exit(0)  # leaves a process behind: it is replaced
        return Done(tempfile.gettempdir())

    stage = isolated.stage(leaving)
    first, second = (isolated.run_task(isolated.task(stage)) for _ in range(2))
    assert isinstance(first, Done)
    assert isinstance(second, Done)
    assert first.result != second.result
    assert not Path(first.result).exists()


def test_it_has_no_privileges_and_gets_none_back(isolated: Way) -> None:
    def looking(work: Work) -> Done[Any]:
        library = ctypes.CDLL(None, use_errno=True)
        lines = Path("/proc/self/status").read_text().splitlines()
        status = dict(line.split(":\t", 1) for line in lines if ":\t" in line)
        return Done(
            {
                "capabilities": {status[name] for name in ("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb")},
                "new": status["NoNewPrivs"],
                "calls": [
                    library.unshare(kernel.NEW_USER),
                    library.umount2(b"/proc", 2),
                    library.mount(b"none", b"/proc", b"proc", 0, None),
                    library.ptrace(16, 1, 0, 0),
                    library.syscall(56, kernel.NEW_USER | signal.SIGCHLD, 0, 0, 0, 0)
                    if os.uname().machine == "x86_64"
                    else -1,
                ],
            }
        )

    assert answer(isolated, looking) == {"capabilities": {"0" * 16}, "new": "1", "calls": [-1] * 5}


def bomb(work: Work) -> Done[int]:
    """Forks until it is refused; each child stays."""
    return Done(fork(2000))


def a_few(work: Work) -> Done[int]:
    """Forks a few times."""
    return Done(fork(5))


def fork(most: int) -> int:
    born = 0
    with suppress(OSError):
        while born < most:
            if os.fork() == 0:
                signal.pause()
            born += 1
    return born


def test_it_cannot_change_settings_of_the_machine(isolated: Way, offered: str) -> None:
    """Where the runner is root, some of them ask for nothing but its user."""

    def tampering(work: Work) -> Done[list[str]]:
        names = ("sys/kernel/pid_max", "sys/kernel/core_pattern", "sys/vm/swappiness", "self/oom_score_adj")
        return Done(errors(*(lambda name=name: Path("/proc", name).open("w") for name in names)))

    before = Path("/proc/sys/kernel/pid_max").read_text()
    assert "" not in answer(isolated, tampering)
    assert Path("/proc/sys/kernel/pid_max").read_text() == before


@pytest.mark.usefixtures("namespaces")
def test_it_cannot_fork_without_end(tmp_path: Path) -> None:
    """Tried from a process of its own: the one that runs all tests is large, and each of four hundred forks would copy its page tables."""
    if os.geteuid() == 0 and not confine._counts_per_namespace():
        pytest.skip("this kernel counts the processes of root for the whole machine")
    with ProcessPoolExecutor(1, get_context("spawn")) as small:
        born, born_again = small.submit(fork_twice, tmp_path).result()
    assert 5 < born < 500
    assert born_again == 5, "nothing of the first is left"


def fork_twice(folder: Path) -> list[Any]:
    """How often an isolated process could fork that tried without end, and how often one after it that tried five times."""
    isolated = Way("isolated", folder)
    stages = [isolated.stage(bomb, timeout="85s"), isolated.stage(a_few)]
    with closing(isolated):
        outcomes = [isolated.run_task(isolated.task(stage)) for stage in stages]
    return [outcome.result if isinstance(outcome, Done) else str(outcome) for outcome in outcomes]


def test_it_cannot_fill_the_disk_with_one_file(isolated: Way) -> None:
    def writing(work: Work) -> Done[int]:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        with tempfile.TemporaryFile() as file:
            file.seek(LARGEST_FILE)
            file.write(b"x")
            file.flush()
        return Done(1)

    outcome = isolated.run(writing)
    assert isinstance(outcome, Failed)
    assert outcome.code == "OSError"


def test_what_is_not_enforced_is_logged_once(
    isolated: Way, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(confine, "_TRIED", ())
    stage = isolated.stage(lambda work: Done(process_name()))
    for _ in range(2):
        isolated.run_task(isolated.task(stage))
    lines = [
        one.message for one in caplog.records if "isolated processes" in one.message and "give" in one.message
    ]
    assert lines == [
        "this system does not give isolated processes an empty network, process numbers of its own; `interlock doctor` tells more"
    ]
