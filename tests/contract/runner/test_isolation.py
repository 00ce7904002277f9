"""An isolated stage can hang, leak, crash or lie, and only its own attempt is lost."""

from __future__ import annotations

import asyncio
import ctypes
import importlib
import os
import pickle
import random
import select
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from decimal import Decimal
from enum import Enum
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

import psutil
import pytest

from interlock import Done, Failed, Outcome, Work
from interlock.errors import BadDeclaration, BadInput
from interlock.runner.isolation import confine, kernel
from interlock.runner.isolation.declared import codec_of
from interlock.runner.isolation.messages import LARGEST, RESULT
from interlock.runner.isolation.processes import RUNS_AFTER_LOSS
from tests.contract.executing import LONG, Way, one, process_name, several

pytestmark = pytest.mark.skipif(not hasattr(os, "pidfd_open"), reason="isolation is whole on Linux")


@pytest.fixture
def way(tmp_path: Path) -> Iterator[Way]:
    opened = Way("isolated", tmp_path)
    yield opened
    opened.close()


def failed(outcome: Any) -> tuple[str, str, bool]:
    assert isinstance(outcome, Failed), outcome
    return outcome.code, outcome.message, outcome.final


def crash(work: Work) -> None:
    ctypes.string_at(0)


def exit_at_once(work: Work) -> None:
    os._exit(3)


def kill_itself(work: Work) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def close_everything_and_hang(work: Work) -> None:
    os.closerange(3, 200)
    signal.pause()


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (crash, "the process ended with signal 11"),
        (exit_at_once, "the process ended with exit status 3"),
        (kill_itself, "the process ended with signal 9"),
        (close_everything_and_hang, "the process ended with signal 9"),
    ],
)
def test_a_process_that_dies_is_a_failure_and_is_replaced(
    way: Way, function: Callable[[Work], None], message: str
) -> None:
    bad, good = (
        way.stage(function, failures={OSError: Failed("IO")}),
        way.stage(lambda work: Done(process_name())),
    )
    assert failed(way.run_task(way.task(bad))) == ("CRASHED", message, False)
    assert isinstance(way.run_task(way.task(good)), Done)
    assert failed(way.run_task(way.task(bad))) == ("CRASHED", message, False)


def test_the_table_may_say_what_a_crash_means(way: Way) -> None:
    outcome = way.run(exit_at_once, failures={ChildProcessError: Failed("PDF_CORRUPT", final=True)})
    assert failed(outcome) == ("PDF_CORRUPT", "the process ended with exit status 3", True)


def test_what_was_said_before_a_crash_can_be_read_after_it(way: Way) -> None:
    def speaking(work: Work) -> None:
        work.log.warning("page 12 looks odd")
        os._exit(1)

    task = way.task(way.stage(speaking))
    way.run_task(task)
    assert b"page 12 looks odd" in way.files.read_log(task.work.log_ref)


def test_memory_is_limited(way: Way) -> None:
    def greedy(work: Work) -> Done[int]:
        return Done(len(bytearray(work.record["bytes"])))

    stage = way.stage(greedy, memory="64MB")
    assert failed(way.run_task(way.task(stage, Work(1, {"bytes": 200 << 20})))) == (
        "MEMORY_LIMIT",
        "needed more than 64MB",
        False,
    )
    assert isinstance(way.run_task(way.task(stage, Work(1, {"bytes": 32 << 20}))), Done)


def test_what_needs_memory_bit_by_bit_meets_the_limit_too(way: Way) -> None:
    kept: list[bytes] = []

    def leaking(work: Work) -> None:
        while True:
            kept.append(os.urandom(1 << 16))

    stage, good = (
        way.stage(leaking, memory="64MB", failures={MemoryError: Failed("TOO_BIG", final=True)}),
        way.stage(lambda work: Done()),
    )
    assert failed(way.run_task(way.task(stage)))[::2] == ("TOO_BIG", True)
    assert isinstance(way.run_task(way.task(good)), Done)


def test_a_process_that_kept_memory_is_replaced(way: Way) -> None:
    kept: list[bytes] = []

    def keeping(work: Work) -> Done[str]:
        kept.append(bytes(40 << 20))
        return Done(process_name())

    stage = way.stage(keeping, memory="64MB")
    outcomes = [way.run_task(way.task(stage)) for _ in range(4)]
    assert len({outcome.result for outcome in outcomes if isinstance(outcome, Done)}) == 4


def test_a_process_is_kept_warm(way: Way) -> None:
    stage = way.stage(lambda work: Done(process_name()))
    executor = way.executor(1)
    for _ in range(50):
        executor.submit(way.task(stage))
    assert (
        len(
            {
                finished.outcome.result
                for finished in several(executor, 50)
                if isinstance(finished.outcome, Done)
            }
        )
        == 1
    )


def leave_a_thread(work: Work) -> Done[str]:
    threading.Thread(target=threading.Event().wait, daemon=True).start()
    return Done(process_name())


def leave_a_process(work: Work) -> Done[str]:
    subprocess.Popen(["sleep", str(work.record["mark"])])
    return Done(process_name())


def leave_a_daemon(work: Work) -> Done[str]:
    """As daemons do: fork, begin a session, fork; the process between ends."""
    between = os.fork()
    if between == 0:
        os.setsid()
        if os.fork() == 0:
            os.execvp("sleep", ["sleep", str(work.record["mark"])])
        os._exit(0)
    os.waitpid(between, 0)
    return Done(process_name())


def marked(mark: int) -> list[psutil.Process]:
    """The processes that sleep for this long."""
    return [one for one in psutil.process_iter(["cmdline"]) if one.info["cmdline"] == ["sleep", str(mark)]]


@pytest.fixture(params=["everything", "no namespaces", "Landlock only", "nothing"])
def weaker(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """What the system offers; processes are forked from this one, and find the same."""
    if request.param != "everything":
        monkeypatch.setattr(confine, "_TRIED", ())
    if request.param in ("Landlock only", "nothing"):
        monkeypatch.setattr(confine, "refuse_privileged_calls", lambda protected=(): False)
    if request.param == "nothing":
        monkeypatch.setattr(kernel, "landlock_version", lambda: 0)
    return str(request.param)


@pytest.mark.parametrize("function", [leave_a_thread, leave_a_process, leave_a_daemon])
def test_a_process_that_left_something_behind_is_replaced_with_all_of_it(
    way: Way, function: Callable[[Work], Done[str]], weaker: str
) -> None:
    mark = random.randrange(10**6, 10**9)
    stage = way.stage(function)
    first, second = (way.run_task(way.task(stage, Work(number, {"mark": mark}))) for number in range(2))
    assert isinstance(first, Done)
    assert isinstance(second, Done)
    assert first.result != second.result
    assert marked(mark) == []


def hang_with_a_daemon(work: Work) -> None:
    leave_a_daemon(work)
    signal.pause()


def die_with_a_daemon(work: Work) -> None:
    leave_a_daemon(work)
    os.kill(os.getpid(), signal.SIGKILL)


@pytest.mark.parametrize(
    ("function", "timeout", "code"),
    [(hang_with_a_daemon, "500ms", "TIMEOUT"), (die_with_a_daemon, "20s", "CRASHED")],
)
def test_a_daemon_does_not_outlive_the_attempt_that_started_it(
    way: Way, function: Callable[[Work], None], timeout: str, code: str, weaker: str
) -> None:
    mark = random.randrange(10**6, 10**9)
    stage = way.stage(function, timeout=timeout)
    assert failed(way.run_task(way.task(stage, Work(1, {"mark": mark}))))[0] == code
    assert marked(mark) == []


def fork_and_die(work: Work) -> None:
    if os.fork() == 0:
        signal.pause()
    os._exit(4)


def test_a_death_is_noticed_though_a_grandchild_holds_the_line(way: Way) -> None:
    assert failed(way.run(fork_and_die)) == ("CRASHED", "the process ended with exit status 4", False)


@pytest.mark.parametrize("size", [LARGEST + 1])
def test_a_huge_result_is_refused_for_good(way: Way, size: int) -> None:
    code, message, final = failed(way.run(lambda work: Done(bytes(size))))
    assert (code, final) == ("RESULT_TOO_LARGE", True)
    assert f"at most {LARGEST:,}" in message


def test_a_large_result_and_large_input_travel(way: Way) -> None:
    outcome = way.run(lambda work, loaded: Done(loaded + b"!"), loaded=bytes(5_000_000))
    assert isinstance(outcome, Done)
    assert len(outcome.result) == 5_000_001


def test_a_result_that_is_no_value_is_refused_for_good(way: Way) -> None:
    code, message, final = failed(way.run(lambda work: Done(lambda: None)))
    assert (code, final) == ("BAD_OUTCOME", True)
    assert "cannot leave its process" in message


def test_input_that_cannot_be_pickled_is_refused_for_good(way: Way) -> None:
    assert failed(way.run(lambda work, loaded: Done(), loaded=threading.Lock()))[::2] == ("BAD_INPUT", True)


class Evil:
    """What unpickling would carry out."""

    def __init__(self, function: Any, *arguments: Any) -> None:
        self.call = (function, arguments)

    def __reduce__(self) -> Any:
        return self.call


def answer_by_hand(work: Any, payload: bytes) -> NoReturn:
    """Send bytes of its own in place of a result, as a parser that was taken over can."""
    work._link.send(RESULT, payload)
    signal.pause()
    raise AssertionError


BY_HAND = {
    "a pickle that runs a command": pickle.dumps(Evil(os.system, "touch pickled")),
    "a pickle of a plain outcome": pickle.dumps(["done", None, {}, None, []]),
    "nothing": b"",
    "a length without anything": b"\0\0\0\7",
    "no outcome": b'\0\0\0\x0b[["moved"],[]',
    "a class that is not declared": b'\0\0\0\x1b[["done",0,{},[7,1],[]],[]]',
    "nested without end": b"\0\1\x86\xa0" + b"[" * 100_000,
    "bytes that are not there": b'\0\0\0\x28[["done",null,{},["b",0],[]],[99999999]]',
    "a number without end": b"\0\0\x27\x10" + b"9" * 10_000,
}


@pytest.mark.parametrize("payload", BY_HAND.values(), ids=list(BY_HAND))
def test_whatever_a_process_sends_as_its_result_is_refused_and_nothing_runs(
    way: Way, payload: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)

    def lying(work: Work) -> None:
        answer_by_hand(work, payload)

    bad, good = way.stage(lying, timeout="20s"), way.stage(lambda work: Done())
    code, message, final = failed(way.run_task(way.task(bad)))
    assert (code, final) == ("BAD_OUTCOME", True), message
    assert not (tmp_path / "pickled").exists()
    assert isinstance(way.run_task(way.task(good)), Done)


def test_a_process_cannot_make_the_runner_import_a_module_that_it_wrote(
    way: Way, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It writes a module into a folder of the import path, and answers with an instance of a class from it."""
    folder, marker = tmp_path / "modules", tmp_path / "imported"
    folder.mkdir()
    monkeypatch.syspath_prepend(str(folder))
    source = (
        f"import os, pathlib\npathlib.Path({str(marker)!r}).write_text(str(os.getpid()))\nclass Trap: pass\n"
    )

    def escaping(work: Work) -> Done[Any]:
        (folder / "planted.py").write_text(source)
        importlib.invalidate_caches()
        return Done(importlib.import_module("planted").Trap())

    def escaping_by_pickle(work: Work) -> Done[Any]:
        (folder / "planted.py").write_text(source)
        importlib.invalidate_caches()
        answer_by_hand(work, pickle.dumps(importlib.import_module("planted").Trap()))

    stages = [way.stage(one, writes=[tmp_path]) for one in (escaping, escaping_by_pickle)]
    for stage in stages:
        assert failed(way.run_task(way.task(stage)))[::2] == ("BAD_OUTCOME", True)
        assert marker.read_text() != str(os.getpid())
    assert "planted" not in sys.modules


@dataclass(frozen=True, slots=True)
class Line:
    number: int
    price: Decimal
    notes: tuple[str, ...] = ()


class Colour(Enum):
    RED = "red"


class Point(NamedTuple):
    x: int
    y: int


@dataclass
class Sheet:
    lines: list[Line]
    colour: Colour = Colour.RED
    at: Point | None = None
    total: Decimal = field(init=False, default=Decimal(0))
    raw: bytes = field(kw_only=True, default=b"")

    def __post_init__(self) -> None:
        if not isinstance(self.lines, list):
            raise TypeError("lines are a list")
        self.total = sum((line.price for line in self.lines), Decimal(0))


@dataclass
class Hidden:
    value: int


def sheet() -> Sheet:
    return Sheet(
        [Line(1, Decimal("1.50"), ("a",)), Line(2, Decimal("2.50"))], Colour.RED, Point(1, 2), raw=b"\0\1"
    )


def test_classes_named_in_the_return_annotation_travel_with_those_of_their_fields(way: Way) -> None:
    def annotated(work: Work) -> Outcome[Sheet]:
        return Done(sheet())

    outcome = way.run(annotated)
    assert isinstance(outcome, Done)
    assert outcome.result == sheet()
    assert [type(one) for one in (outcome.result.lines[0], outcome.result.colour, outcome.result.at)] == [
        Line,
        Colour,
        Point,
    ]


def test_classes_that_only_its_save_names_travel_too(way: Way) -> None:
    stage = way.stage(lambda work: Failed("PARTIAL", "half", sheet()))

    @stage.save
    def keep(tx: Any, work: Work, result: Sheet) -> None: ...

    outcome = way.run_task(way.task(stage))
    assert isinstance(outcome, Failed)
    assert outcome.result == sheet()


def test_a_class_that_is_not_declared_is_refused_with_what_to_do(way: Way) -> None:
    def declaring(work: Work) -> Done[Any]:
        return Done(Hidden(1))

    stage, other = way.stage(lambda work: Done([Hidden(1)])), way.stage(declaring, returns=[Hidden])
    code, message, final = failed(way.run_task(way.task(stage)))
    assert (code, final) == ("UNDECLARED_RESULT", True)
    assert "Hidden is not declared" in message
    assert "returns=[…]" in message
    outcome = way.run_task(way.task(other))
    assert isinstance(outcome, Done)
    assert outcome.result == Hidden(1)


def test_what_a_declared_class_refuses_is_refused_in_the_runner_too(way: Way) -> None:
    def forging(work: Work) -> Outcome[Sheet]:
        answer_by_hand(work, forged)

    stage = way.stage(forging)
    forged = codec_of(stage).encode(Done(sheet())).replace(b'[0,["l",', b'[0,["t",')
    code, message, _ = failed(way.run_task(way.task(stage)))
    assert (code, "lines are a list" in message) == ("BAD_OUTCOME", True)


@pytest.mark.parametrize("made", [object, Evil, int])
def test_a_class_that_cannot_travel_is_refused_when_the_runner_starts(way: Way, made: Any) -> None:
    way.stage(lambda work: Done(), returns=[made])
    with pytest.raises(BadDeclaration, match="cannot leave an isolated process"):
        way.executor()


def test_there_is_no_network(way: Way) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server, socket.create_server(("127.0.0.1", 0)) as other:

        def calling(work: Work) -> Done[None]:
            socket.create_connection(("127.0.0.1", work.record["port"]), timeout=5).close()
            return Done()

        def calling_by_hand(work: Work) -> Done[int]:
            """As C code would, past Python's own refusal."""
            address = b"\x02\x00" + work.record["port"].to_bytes(2, "big") + bytes([127, 0, 0, 1]) + bytes(8)
            libc = ctypes.CDLL(None)
            return Done(libc.connect(libc.socket(2, 1, 0), address, 16))

        first, second = way.stage(calling), way.stage(calling_by_hand)
        assert failed(way.run_task(way.task(first, Work(1, {"port": server.getsockname()[1]})))) == (
            "PermissionError",
            "an isolated stage has no network",
            False,
        )
        by_hand = way.run_task(way.task(second, Work(1, {"port": other.getsockname()[1]})))
        assert isinstance(by_hand, Done)
        assert by_hand.result == -1


def test_sockets_in_the_file_system_cannot_be_reached_either(way: Way, tmp_path: Path) -> None:
    """As C code would; databases listen there and trust whoever comes."""
    path = str(tmp_path / "s")
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(path)
        server.listen()

        def calling(work: Work) -> Done[int]:
            libc = ctypes.CDLL(None)
            return Done(
                libc.connect(libc.socket(1, 1, 0), b"\x01\x00" + path.encode() + b"\0", len(path) + 3)
            )

        outcome = way.run(calling)
        assert isinstance(outcome, Done)
        assert outcome.result == -1
        with socket.socket(socket.AF_UNIX) as client:
            client.connect(path)  # the runner itself can


def test_files_and_sockets_of_the_runner_are_not_inherited(way: Way, tmp_path: Path) -> None:
    with (tmp_path / "secret").open("w") as secret:

        def looking(work: Work) -> Done[list[str]]:
            return Done(
                [
                    os.readlink(f"/proc/self/fd/{number}")  # noqa: PTH115
                    for number in os.listdir("/proc/self/fd")  # noqa: PTH208
                    if os.path.exists(f"/proc/self/fd/{number}")  # noqa: PTH110
                ]
            )

        outcome = way.run(looking)
        assert isinstance(outcome, Done)
        assert not any(secret.name in name for name in outcome.result)
        assert sum(name.startswith("socket:") for name in outcome.result) == 1  # the line to the runner


def test_limits_of_the_process_hold(way: Way) -> None:
    def looking(work: Work) -> Done[Any]:
        import resource

        return Done(
            [resource.getrlimit(limit) for limit in (resource.RLIMIT_CORE, resource.RLIMIT_NOFILE)],
            cpu=resource.getrlimit(resource.RLIMIT_CPU)[0],
            session=os.getsid(0) == os.getpid(),
        )

    outcome = way.run(looking, timeout="30s")
    assert isinstance(outcome, Done)
    assert outcome.result == [(0, 0), (256, 256)]
    assert 31 <= outcome.facts["cpu"] <= 40
    assert outcome.facts["session"] is True


def test_a_stop_of_the_whole_group_does_not_reach_the_work(way: Way) -> None:
    def stubborn(work: Work) -> Done[None]:
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            os.kill(os.getpid(), number)
            with suppress(PermissionError):
                os.kill(os.getppid(), number)
        return Done()

    stage = way.stage(stubborn)
    assert [type(way.run_task(way.task(stage))) for _ in range(2)] == [Done, Done]


def test_an_async_function_can_be_isolated(way: Way) -> None:
    async def sleepy(work: Work) -> Done[list[int]]:
        await asyncio.sleep(0)
        return Done(os.sched_getaffinity(0) and [threading.active_count(), os.getpid()])

    outcome = way.run(sleepy)
    assert isinstance(outcome, Done)
    assert outcome.result != [threading.active_count(), os.getpid()]


def test_long_work_can_say_that_it_is_alive(way: Way) -> None:
    task = way.task(way.stage(lambda work: Done(work.beat())))
    way.run_task(task)
    assert task.work.beats == 1


def test_nothing_is_left_open_after_many_deaths(way: Way) -> None:
    bad, good = way.stage(exit_at_once), way.stage(lambda work: Done())
    process = psutil.Process()
    others = process.children()  # servers of tests before this one

    def family() -> list[psutil.Process]:
        return [
            one
            for child in process.children()
            if child not in others
            for one in (child, *child.children(recursive=True))
        ]

    executor = way.executor()
    for stage in (bad, good):
        several_of(way, stage, 4)
    files, count = process.num_fds(), len(family())
    for stage in (bad, good, bad):
        several_of(way, stage, 10)
    assert process.num_fds() <= files + 4  # a second thread may have its own
    assert len(family()) <= count + 2
    executor.close(LONG)
    assert family() == []


def several_of(way: Way, stage: Any, count: int) -> None:
    for _ in range(count):
        way.executor().submit(way.task(stage))
    several(way.executor(), count)


def kill(pid: int) -> None:
    """Kill a process and wait until it is dead, buried or not."""
    handle = os.pidfd_open(pid)
    signal.pidfd_send_signal(handle, signal.SIGKILL)
    watch = select.poll()
    watch.register(handle, select.POLLIN)
    assert watch.poll(LONG * 1000)
    os.close(handle)


def test_a_zygote_that_is_killed_while_nothing_runs_is_replaced(way: Way) -> None:
    stage = way.stage(lambda work: Done(process_name()))
    executor: Any = way.executor()
    names = set()
    for _ in range(3):
        outcome = way.run_task(way.task(stage))
        assert isinstance(outcome, Done)
        names.add(outcome.result)
        kill(executor._zygote.pid)
    assert len(names) == 3
    assert executor.free(stage) > 0
    assert not executor.broken


def test_work_whose_zygote_is_killed_runs_again_and_its_neighbours_too(way: Way, tmp_path: Path) -> None:
    fifo = tmp_path / "begun"
    os.mkfifo(fifo)
    begun = os.open(fifo, os.O_RDWR)

    def once_slow(work: Work) -> Done[str]:
        """Hangs until the zygote was replaced."""
        with fifo.open("wb", buffering=0) as said:
            said.write(b"x")
        if not (tmp_path / "killed").exists():
            signal.pause()
        return Done(process_name())

    stage = way.stage(once_slow, writes=[tmp_path])
    executor: Any = way.executor(2)
    for number in range(2):
        executor.submit(way.task(stage, Work(number)))
    for _ in range(2):
        os.read(begun, 1)
    (tmp_path / "killed").touch()
    kill(executor._zygote.pid)
    assert [type(finished.outcome) for finished in several(executor, 2)] == [Done, Done]
    os.close(begun)


def test_work_that_ends_every_zygote_fails_with_a_code(way: Way, tmp_path: Path) -> None:
    fifo = tmp_path / "begun"
    os.mkfifo(fifo)
    begun = os.open(fifo, os.O_RDWR)

    def hanging(work: Work) -> None:
        with fifo.open("wb", buffering=0) as said:
            said.write(b"x")
        signal.pause()

    stage, good = way.stage(hanging, writes=[tmp_path]), way.stage(lambda work: Done())
    executor: Any = way.executor(1)
    executor.submit(way.task(stage))
    for _ in range(1 + RUNS_AFTER_LOSS):
        os.read(begun, 1)
        kill(executor._zygote.pid)
    assert failed(one(executor).outcome) == ("CRASHED", "its process ended with its zygote, 3 times", False)
    assert isinstance(way.run_task(way.task(good)), Done)
    os.close(begun)


def test_a_runner_whose_zygote_and_keeper_are_gone_takes_no_isolated_work_and_says_so(way: Way) -> None:
    stage = way.stage(lambda work: Done())
    executor: Any = way.executor()
    assert not executor.broken
    kill(executor._zygote.keeper_pid)
    assert isinstance(way.run_task(way.task(stage)), Done)  # the zygote lives on
    assert not executor.broken
    kill(executor._zygote.pid)
    assert (executor.free(stage), executor.broken) == (0, True)
    executor.submit(way.task(stage))
    assert type(one(executor).outcome).__name__ == "Again"  # another runner may do it


@pytest.mark.parametrize("memory", ["lots", "512", "0MB", "-1GB"])
def test_an_amount_of_memory_that_is_none_is_refused_at_the_start(way: Way, memory: str) -> None:
    def begin() -> None:
        way.stage(lambda work: Done(), memory=memory)
        way.executor()

    with pytest.raises(BadDeclaration, match="not an amount of memory"):
        begin()


def test_a_stage_that_the_runner_was_not_started_with_is_refused(way: Way) -> None:
    way.stage(lambda work: Done())
    executor = way.executor()
    late = way.stage(exit_at_once)
    with pytest.raises(BadInput, match="was started with"):
        executor.submit(way.task(late))
    assert executor.running() == []
