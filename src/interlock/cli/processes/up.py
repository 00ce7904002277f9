"""`interlock up`, `coordinator` and `runner`: the processes of an app, each until one Ctrl-C."""

from __future__ import annotations

import logging
import os
import signal
import socket
import sys
import threading
import webbrowser
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import TYPE_CHECKING, Any

import click

from ...app import App
from ...errors import BadInput
from ...serving import Serving, settled
from ...store.files.private_files import open_to_others
from ...workflow.durations import span
from ..grammar import SPAN, Verb, session
from ..render.output import note
from .exposing import figures_of, metrics_options
from .logs import log_option, say_what_happens
from .sealing import seal_keeper, seal_options
from .serve import listening_on, refuse_open_door, require_key_option, server_config, server_package

if TYPE_CHECKING:
    from ...service.browser.sign_in import SignIn
    from ..context import Session

DEMO = "interlock.workflows.demo"
DEMO_FOLDER = "interlock-demo"


@contextmanager
def stopped_by_signals(stop: Callable[[], None]) -> Iterator[None]:
    """The first SIGINT or SIGTERM asks to end in good order; a second one is not waited for."""

    def asked(number: int, frame: Any) -> None:
        signal.signal(number, signal.SIG_DFL)
        stop()

    before = {number: signal.signal(number, asked) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@click.command(
    cls=Verb,
    examples=(
        "interlock --app shop.workflows:app coordinator",
        "interlock coordinator --quiet",
        "interlock coordinator --metrics-port 9701",
    ),
)
@click.option(
    "--listen",
    "direct",
    metavar="URL",
    help="A direct database URL for hints, where the app's own goes through a pooler.",
)
@click.option("--quiet", is_flag=True, help="Only warnings, not a line for every move.")
@seal_options
@metrics_options
@log_option
def coordinator(
    direct: str | None,
    quiet: bool,
    seal_every: str | None,
    seal_to: tuple[str, ...],
    metrics_port: int | None,
    metrics_host: str,
    form: str,
) -> None:
    """Dispatch work, judge reports and sweep, until Ctrl-C; run as many as you like."""
    app = session().app
    app.ready()
    say_what_happens(logging.WARNING if quiet else logging.INFO, form)
    serving = Serving(
        app, runs=False, direct=direct, sealing=seal_keeper(app, session().settings, seal_every, seal_to)
    )
    note("interlock coordinates; Ctrl-C ends it")
    with stopped_by_signals(serving.stop), figures_of(serving, metrics_host, metrics_port), settled():
        serving.run()


@click.command(
    cls=Verb,
    examples=(
        "interlock --app shop.workflows:app runner",
        "interlock runner --stage parse --concurrency 8",
        "interlock runner --stage statements.parse --stage statements.normalize --lease 1m",
    ),
)
@click.option(
    "--stage",
    "stages",
    multiple=True,
    metavar="STAGE",
    help="Serve this stage only, as stage or kind.stage; default: all.",
)
@click.option(
    "--concurrency",
    type=click.IntRange(1, 1024),
    default=4,
    show_default=True,
    help="How much to work on at once.",
)
@click.option(
    "--name",
    metavar="NAME",
    help="The name that others see; default: the host's name. Its identity is a number of its own.",
)
@click.option(
    "--lease",
    default="30s",
    show_default=True,
    type=SPAN,
    metavar="SPAN",
    help="How long others wait for a runner that is not heard of.",
)
@click.option(
    "--listen",
    "direct",
    metavar="URL",
    help="A direct database URL for hints, where the app's own goes through a pooler.",
)
@click.option("--quiet", is_flag=True, help="Only warnings.")
@metrics_options
@log_option
def runner(
    stages: tuple[str, ...],
    concurrency: int,
    name: str | None,
    lease: str,
    direct: str | None,
    quiet: bool,
    metrics_port: int | None,
    metrics_host: str,
    form: str,
) -> None:
    """Take work and do it, until Ctrl-C: then finish it or give it back. Needs no more than the database's runner role."""
    app = session().app
    say_what_happens(logging.WARNING if quiet else logging.INFO, form)
    serving = Serving(
        app,
        coordinates=False,
        stages=stages or None,
        concurrency=concurrency,
        name=name,
        lease=span(lease),
        direct=direct,
    )
    if serving.runner is None:
        raise BadInput(
            "none of this app's workflows has a stage: there is nothing to run",
            hint="Declare one: @orders.stage(waiting=…, done=…). Records of a workflow without stages are moved by app.move().",
        )
    app.ready()
    note(f"interlock runs {', '.join(serving.runner.served)} as {serving.runner.id}; Ctrl-C ends it")
    with stopped_by_signals(serving.stop), figures_of(serving, metrics_host, metrics_port), settled():
        serving.run()


@click.command(
    cls=Verb,
    examples=(
        "interlock up",
        "interlock up --demo",
        "interlock --app shop.workflows:app up --port 8080",
        "interlock up --data ./somewhere",
        "interlock up --database postgresql://me@db/shop --no-browser",
    ),
)
@click.option(
    "--host", default="127.0.0.1", show_default=True, metavar="ADDRESS", help="Where the API listens."
)
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=8700,
    show_default=True,
    help="Its port; 0 takes a free one.",
)
@click.option(
    "--data", metavar="FOLDER", help="The folder of the embedded database and of files. [env: INTERLOCK_DATA]"
)
@click.option(
    "--concurrency",
    type=click.IntRange(1, 1024),
    default=4,
    show_default=True,
    help="How much to work on at once.",
)
@require_key_option
@seal_options
@click.option(
    "--demo",
    is_flag=True,
    help="Fill the bundled workflows with moving sample traffic, in a folder of its own.",
)
@click.option("--no-browser", is_flag=True, help="Open no browser.")
@click.option("--verbose", is_flag=True, help="A line for every move.")
@log_option
def up(
    host: str,
    port: int,
    data: str | None,
    concurrency: int,
    require_key: bool,
    seal_every: str | None,
    seal_to: tuple[str, ...],
    demo: bool,
    no_browser: bool,
    verbose: bool,
    form: str,
) -> None:
    """Everything in one process: database, coordinator, runner and API; one Ctrl-C stops it all."""
    running = session()
    if data is not None:
        running.flags["data"] = data
    if demo:
        prepare_demo(running, data)
    app = running.bundled_app()
    app.migrate()
    say_what_happens(logging.INFO if verbose else logging.WARNING, form, moves_of_people=not demo)
    uvicorn = server_package()
    refuse_open_door(app, host, running.clock.now())
    sign_in = None if require_key else sign_in_where_needed()
    sealing = seal_keeper(app, running.settings, seal_every, seal_to)
    serving = Serving(
        app, concurrency=concurrency, sealing=sealing
    )  # before any thread: isolated work is forked from it
    with listening_on(host, port) as listening:
        url = f"http://{f'[{host}]' if ':' in host else host}:{listening.getsockname()[1]}"
        served = app.asgi(facts=serving.figures, sign_in=sign_in, require_key=require_key)
        server = uvicorn.Server(server_config(served, form))
        greet(app, url)
        if sign_in is not None:
            note(f"  sign in    {sign_in.address(url)} (works once)")
        if not no_browser and sys.stdout.isatty():
            webbrowser.open(url if sign_in is None else sign_in.address(url))
        with settled(), demo_traffic(app, demo):
            work(serving, server, listening)


def prepare_demo(running: Session, data: str | None) -> None:
    """Set the demo's workflows as the app, and a data folder of its own unless a folder or database was named."""
    if running.settings.app is not None:
        raise BadInput("--demo brings its own workflows", hint="Leave --app out, or --demo.")
    running.flags["app"] = f"{DEMO}:workflows"
    if data is None and running.settings.database is None and not os.environ.get("INTERLOCK_DATA"):
        running.flags["data"] = DEMO_FOLDER


@contextmanager
def demo_traffic(app: App, demo: bool) -> Iterator[None]:
    """Traffic as long as the context lasts, where the demo runs."""
    if not demo:
        yield
        return
    traffic = import_module(DEMO).start_traffic(app)  # above this layer, as every app is
    try:
        yield
    finally:
        traffic.stop()


def work(serving: Serving, server: Any, listening: socket.socket) -> None:
    """The API in this thread, the work in another; if one ends, so does the other."""
    faults: list[BaseException] = []

    def serve() -> None:
        try:
            serving.run()
        except BaseException as error:  # noqa: BLE001 told to whoever waits below
            faults.append(error)
        finally:
            server.should_exit = True

    thread = threading.Thread(target=serve, name="interlock-serving")
    with stopped_by_signals(
        serving.stop
    ):  # uvicorn ends in good order first, and then passes on to us what it was told
        thread.start()
        try:
            server.run(sockets=[listening])
        finally:
            serving.stop()
            thread.join()
    if faults:
        raise faults[0]


def sign_in_where_needed() -> SignIn | None:
    """A one-time address for the owner's browser, where the system does not say whose a connection is."""
    from ...service.browser.sign_in import SignIn
    from ...service.connections.peers import are_known

    return None if are_known() else SignIn()


def greet(app: App, url: str) -> None:
    note(f"interlock is up: {url}")
    note(f"  workflows  {', '.join(app.workflows)}")
    note(f"  database   {app.database.engine.url.render_as_string(hide_password=True)}")
    note(f"  API        {url}/api/v1 (OpenAPI: {url}/api/v1/openapi.json)")
    file = app.database.sql.connections.file(app.database.engine.url)
    if file is not None and (mode := open_to_others(file)):
        note(f"  warning    other users of this machine have rights on {file} ({mode}): chmod go-rwx it")
    note("  Ctrl-C ends it")
