"""`interlock serve`: the HTTP API of an app; to other machines only where there is a key to come in with."""

from __future__ import annotations

import logging
import os
import socket
from ipaddress import ip_address
from typing import Any

import click

from ...app import App
from ...errors import BadInput
from ...store.records import api_keys as keys
from ..grammar import Verb, session
from ..render.output import note
from .logs import log_option, say_what_happens, server_logs

GRACE_SECONDS = 5
require_key_option = click.option(
    "--require-key",
    is_flag=True,
    help="Let nobody in without a key, not even the user who runs this. Say it where a proxy of the same user stands before it.",
)


@click.command(
    cls=Verb,
    examples=(
        "interlock --app shop.workflows:app serve",
        "interlock serve --port 8080",
        "interlock serve --host 0.0.0.0 --allow-host interlock.example.org",
    ),
)
@click.option(
    "--host",
    default="127.0.0.1",
    show_default=True,
    metavar="ADDRESS",
    help="Where to listen. Any address but this machine's own needs a key to exist.",
)
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=8700,
    show_default=True,
    help="The port; 0 takes a free one.",
)
@click.option(
    "--allow-host",
    "hosts",
    multiple=True,
    metavar="NAME",
    help="Answer only requests to this name; default: any.",
)
@require_key_option
@log_option
def serve(host: str, port: int, hosts: tuple[str, ...], require_key: bool, form: str) -> None:
    """Serve the HTTP API until Ctrl-C."""
    running = session()
    app = running.app
    app.ready()
    say_what_happens(logging.WARNING, form, moves_of_people=True)
    uvicorn = server_package()
    refuse_open_door(app, host, running.clock.now())
    with listening_on(host, port) as listening:
        config = server_config(app.asgi(hosts=hosts, require_key=require_key), form)
        shown = f"[{host}]" if ":" in host else host
        note(f"interlock serves http://{shown}:{listening.getsockname()[1]}/api/v1; Ctrl-C ends it")
        uvicorn.Server(config).run(sockets=[listening])


def listening_on(host: str, port: int) -> socket.socket:
    """Bind the socket as IPPROTO_TCP: asyncio sets TCP_NODELAY only then, and without it the second part of an answer waits 40 ms."""
    try:
        bound = socket.create_server(
            (host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET, backlog=2048
        )
    except OSError as error:
        if error.errno is None:
            raise
        raise OSError(error.errno, os.strerror(error.errno), f"{host}:{port}") from error
    return socket.socket(bound.family, bound.type, socket.IPPROTO_TCP, fileno=bound.detach())


def server_package() -> Any:
    try:
        import uvicorn
    except ModuleNotFoundError as error:
        raise BadInput(
            f"serving needs the package {error.name}", hint="pip install 'interlock[service]'"
        ) from error
    return uvicorn


def server_config(application: Any, form: str = "text") -> Any:
    """How uvicorn serves an application of ours."""
    from ...service.connections.slow_clients import ending_slow_clients

    return server_package().Config(
        application,
        http=ending_slow_clients(),
        log_level="warning",
        access_log=False,
        server_header=False,
        proxy_headers=False,
        timeout_graceful_shutdown=GRACE_SECONDS,
        **server_logs(form),
    )


def refuse_open_door(app: App, host: str, now: Any) -> None:
    """Raise where the service would listen beyond this machine while no API key is valid: it would let everybody in."""
    if is_own(host):
        return
    with app.database.read() as tx:
        guarded = keys.any_holds(tx, now)
    if not guarded:
        raise BadInput(
            f"listening on {host} without any key would let everybody in who can reach it",
            hint="Make one first: `interlock key create NAME --scope admin`. Or listen on 127.0.0.1, and put a proxy before it.",
        )


def is_own(host: str) -> bool:
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False
