"""Plays one history from one seed: turns, delays, faults and time that passes; then a calm part, until nothing is left to do."""

from __future__ import annotations

import traceback
from collections.abc import Callable
from datetime import timedelta

from ...errors import StoreError
from .actors import Actor, RunnerActor
from .faults import Crash, drawn
from .world import World

FEWEST, MOST = 8, 22
MISFORTUNE = 0.18
HELD_UP, HELD_UP_AMID = 0.03, 0.02
DEEPEST = 2
ROUNDS = 250
LEAP, STRIDE = 4500.0, 25.0
SOON, LATER, LONG = (0.0, 0.2, 1.0, 3.0, 8.0), (12.0, 31.0, 45.0), (120.0, 400.0, 1300.0, 4000.0)
SKEWS = (timedelta(), timedelta(hours=1), timedelta(hours=-1), timedelta(seconds=20), timedelta(seconds=-20))


class Violated(Exception):
    """Raised when something happened that must never happen."""


def play(world: World) -> None:
    """Play the part with faults, then the calm one. Raises what it finds while it plays; the judge finds the rest."""
    world.interlude = hold_up
    for client in (*world.clients, *world.clients[:1]):
        turn(world, client)
    for _ in range(world.random.randint(FEWEST, MOST)):
        happen(world)
    world.calm = True
    settle(world)


def happen(world: World) -> None:
    """Let one event happen, at random: a turn, a hint, time that passes, a stop."""
    random = world.random
    what = random.random()
    if what < 0.14:
        let_time_pass(world)
    elif what < 0.16:
        wrong_clock(world, random.choice(world.actors))
    elif what < 0.18 and world.runners:
        stop(world, random.choice(world.runners))
    elif what < 0.36 and (topic := world.transport.deliver()) is not None:
        turn(world, random.choice([actor for actor in world.actors if actor.topic == topic] or world.actors))
    else:
        turn(world, somebody(world))


def somebody(world: World) -> Actor:
    """Return a random actor; clients, which stand for people, take part in half of the draws only."""
    return world.random.choice(
        world.actors if world.random.random() < 0.5 else world.actors[: -len(world.clients)]
    )


def let_time_pass(world: World) -> None:
    kind = world.random.random()
    some = SOON if kind < 0.5 else LATER if kind < 0.88 else LONG
    world.pass_time(world.random.choice(some))
    world.note("time", f"{world.time:%H:%M:%S.%f}")


def wrong_clock(world: World, actor: Actor) -> None:
    actor.clock.skew = world.random.choice(SKEWS)
    world.note(actor.name, f"clock is off by {actor.clock.skew}")


def stop(world: World, runner: RunnerActor) -> None:
    """Stop an actor gracefully; a fault may be injected then too."""
    if runner not in world.acting and not runner.away:
        _guarded(world, runner, runner.stop, "stops")


def turn(world: World, actor: Actor) -> None:
    """Let one actor make a step, unless it is stopped or on hold."""
    if actor in world.acting:
        return
    if actor.away:
        actor.away -= 1
        return
    if not world.calm and isinstance(actor, RunnerActor) and world.random.random() < 0.03:
        actor.away = world.random.randint(2, 8)  # SIGSTOP: it steps on later as if nothing had happened
    _guarded(world, actor, actor.turn, "steps")


def _guarded(world: World, actor: Actor, act: Callable[[], int | None], what: str) -> int:
    faults = world.faults
    world.acting.append(actor)
    faults.watch(None if world.calm else drawn(world.random, MISFORTUNE))
    world.note(actor.name, what)
    try:
        return act() or 0
    except Crash:
        faults.dead = False
        world.note(actor.name, "is killed")
        actor.begin()
        actor.away = world.random.randint(0, 3)
    except StoreError as error:
        world.note(actor.name, f"is told: {type(error).__name__}")
    except AssertionError:
        raise
    except Exception as error:
        raise Violated(
            f"{actor.name} raised {type(error).__name__}: {error}\n{traceback.format_exc()}"
        ) from error
    finally:
        faults.watch(None)
        world.acting.pop()
    return 1


def hold_up(world: World, actor: Actor, *, amid: bool = False) -> None:
    """Between two transactions of an actor, or `amid` one: others have some turns, and time may pass, longer than a lease."""
    if world.depth >= DEEPEST or world.random.random() >= (HELD_UP_AMID if amid else HELD_UP):
        return
    before = world.faults.plan
    world.depth += 1
    world.note(actor.name, "is held up amid a transaction" if amid else "is held up")
    if world.random.random() < 0.4:
        let_time_pass(world)
    for _ in range(world.random.randint(1, 4)):
        turn(world, somebody(world))
    world.depth -= 1
    world.note(actor.name, "goes on")
    world.faults.watch(before)


def settle(world: World) -> None:
    """Play the calm part: no more faults, right clocks, resumed stages; everybody works until nothing is left, however long it takes."""
    for actor in world.actors:
        actor.clock.skew, actor.away = timedelta(), 0
    for client in world.clients:
        if client.unheard is not None:
            _guarded(world, client, client.turn, "asks again")
    app = world.clients[0].app
    for workflow in world.kinds:
        for stage in workflow.stages:
            app.resume(workflow, stage)
    for actor in (*world.runners[1:], *world.coordinators[1:]):
        _guarded(world, actor, actor.turn, "settles")
    work_off(world)


def work_off(world: World) -> None:
    """One coordinator and one runner are enough; time passes in leaps whenever they wait, in strides that keep a lease while something
    hangs. At last two sweeps must find nothing."""
    coordinator = world.coordinators[0]
    some: list[Actor] = [*world.runners[:1], coordinator]
    for _ in range(ROUNDS):
        if sum(_guarded(world, actor, actor.turn, "settles") for actor in some):
            continue
        world.pass_time(STRIDE if any(runner.executor.hangs() for runner in world.runners[:1]) else LEAP)
        if not pending(world):
            coordinator.coordinator.sweep()
            if not coordinator.coordinator.sweep() and not pending(world):
                return
    raise Violated(f"still busy after {ROUNDS} calm rounds: {pending(world)} pieces of work are left")


def pending(world: World) -> int:
    """Attempts that are open, records that are to be admitted, and records that are due, now or later."""
    return sum(int(world.ground.plainly(sql).fetchone()[0]) for sql in world.pendings)
