"""The console over HTTP: its pages as whoever asks, its static files, and signing in. Pages read through the client; they never act."""

from __future__ import annotations

import re
from collections.abc import Callable, Coroutine, Mapping
from typing import Any
from urllib.parse import parse_qsl, quote

from fastapi import FastAPI
from fastapi.routing import APIRoute
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from ...app import App
from ...client import LocalClient
from ...console.frame import Viewer, frame_of
from ...console.page import Screen
from ...console.screens import screens_of
from ...console.static_files import static_files, static_version
from ...console.templates import render
from ...errors import BadInput, InterlockError, NoSuchRoute, NotAuthenticated, RequestTooLarge
from ...workflow.extension import PageContext
from ..connections.identity import Callers, Identity
from ..http.access import Table, authorise, reaches
from ..http.guard import SLASH
from ..http.problems import described, problem, unforeseen, unforeseen_words
from .sign_in import (
    SigningIn,
    carries_token,
    cookie,
    key_cookie_of,
    key_in_cookie,
    token_of,
    wants_page,
)

Handler = Callable[[Request], Coroutine[Any, Any, Response]]
CONTENT_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
STATIC = "/console/{version}/{name}"
FOR_EVER = "public, max-age=31536000, immutable"
LONGEST_FORM = 4_000
NO_PAGES = ("/api/", "/console/")
LONG_WORK = ("check", "verify", "pairs")
"""Fields of a query that start work over a whole table or ledger."""
OWN_PATH = re.compile(r"/(?![/\\])[\x21-\x7e]*")


class PageRoute(APIRoute):
    """A route of the console: it takes any query, and answers a browser with pages, also when it refuses."""

    endpoint: Callable[..., Any]

    def get_route_handler(self) -> Handler:
        async def handle(request: Request) -> Response:
            answer: Response = await self.endpoint(request)
            return answer

        return handle


class Console:
    """The pages of one app."""

    def __init__(self, app: App, callers: Callers, readiness: Any, table: Table) -> None:
        self.app, self.callers, self.readiness, self.table = app, callers, readiness, table
        self.signing_in = SigningIn(callers.sign_in)

    def add_to(self, api: FastAPI) -> None:
        """Add every page, the static files and the routes of signing in."""
        add(api, "GET", STATIC, self.static)
        add(api, "POST", "/console/sign-in", self.sign_in)
        add(api, "POST", "/console/sign-out", self.sign_out)
        for screen in screens_of(self.app):
            add(api, "GET", screen.path, self.page(screen))

    def page(self, screen: Screen) -> Handler:
        """The handler of one screen."""

        async def show(request: Request) -> Response:
            try:
                who = await self.callers.of(request)
                authorise(who, "GET", screen.path, self.table)
                await self.readiness.require()
                return await run_in_threadpool(self.rendered, request, who, screen)
            except NotAuthenticated as error:
                return self.ask_for_key(request, error)
            except InterlockError as error:
                return self.refused(request, error)

        return show

    def rendered(self, request: Request, who: Identity, screen: Screen) -> Response:
        """The page as this caller sees it; a screen may answer with an address instead."""
        client = LocalClient(self.app, who.actor)
        names = {name: str(value).replace(SLASH, "/") for name, value in request.path_params.items()}
        context = PageContext(
            client=client,
            kind=names.get("kind", ""),
            actor=who.actor,
            role=who.role,
            query=query_of(request),
            path=names,
            scope=who.scope,
            base=base_of(request),
            now=self.app.clock.now(),
            may=lambda method, path: self.needed(who, method, path),
            workflows={one.name: one for one in client.workflows()},
        )
        template, values = screen.render(context)
        if template == "redirect":
            return RedirectResponse(base_of(request) + str(values["to"]), 303)
        viewer = Viewer(
            who.actor,
            who.role,
            token_of(request),
            key_in_cookie(request) is not None,
            base_of(request),
            theme_of(request),
        )
        frame = frame_of(context, viewer, screen, screens_of(self.app), static_version())
        return html(render(template, {"title": screen.title, **values, "console": frame}))

    def needed(self, who: Identity, method: str, path: str) -> str:
        """What a caller needs for a route of the API; empty where they have it."""
        if reaches(who.scope, method, path, self.table):
            return ""
        return f"Needs the role {self.table[method, path]}; yours is {who.scope}."

    async def static(self, request: Request) -> Response:
        """A stylesheet, a script or the icon; for ever where the address names this version."""
        name = str(request.path_params["name"])
        one = static_files().get(name)
        if one is None:
            return problem(NoSuchRoute())
        headers = {
            "ETag": one.etag,
            "Cache-Control": FOR_EVER if request.path_params["version"] == static_version() else "no-cache",
        }
        if one.etag in request.headers.get("if-none-match", ""):
            return Response(status_code=304, headers=headers)
        return Response(one.content, headers=headers, media_type=one.media_type)

    async def sign_in(self, request: Request) -> Response:
        """Keep the key of a form in a cookie, if it holds, and go where the browser wanted to."""
        try:
            form = await read_fields(request)
            secret, next_ = form.get("key", "").strip(), own_path(form.get("next", "/"))
            if not secret:
                raise BadInput("the form has no key")
            await self.callers.of_key(request, secret)
        except NotAuthenticated as error:
            return self.ask_for_key(request, error, next_, tried=True)
        except InterlockError as error:
            return self.refused(request, error)
        header = {"Set-Cookie": cookie(request, key_cookie_of(request), secret)}
        return RedirectResponse(base_of(request) + next_, 303, header)

    async def sign_out(self, request: Request) -> Response:
        """Forget the key that this browser keeps."""
        if key_in_cookie(request) is not None and not carries_token(request):
            return problem(BadInput("the request does not carry the token of this session"))
        header = {"Set-Cookie": cookie(request, key_cookie_of(request), "", ends=True)}
        return Response(b"{}", headers=header, media_type="application/json")

    def ask_for_key(
        self, request: Request, error: NotAuthenticated, next_: str = "", *, tried: bool = False
    ) -> Response:
        """The page that asks for a key, where a page was asked for."""
        if not wants_page(request):
            return problem(error)
        here = request.url.path.removeprefix(base_of(request)) + (
            f"?{request.url.query}" if request.url.query else ""
        )
        message = (
            f"{error.message[:1].upper()}{error.message[1:]}." if tried or key_in_cookie(request) else ""
        )
        values = {"next": next_ or ("/" if here.startswith("/sign-in") else here), "problem": message}
        return self.bare(request, "sign_in.html", {"title": "Sign in", "page": "sign-in", **values}, 401)

    def refused(self, request: Request, error: InterlockError) -> Response:
        """The error as a page, where a page was asked for."""
        if not wants_page(request):
            return problem(error)
        return self.problem_page(request, {"instance": "", **described(error)})

    def failed(self, request: Request, error: Exception) -> Response:
        """What nobody expected, as a page where one was asked for: the log has all of it."""
        if not self.is_for_people(request):
            return unforeseen(error)
        return self.problem_page(request, unforeseen_words(error))

    def missing(self, request: Request) -> Response:
        """That nothing is at this address; as a page where a browser looks for one, and never below the API."""
        error = NoSuchRoute()
        if not self.is_for_people(request):
            return problem(error)
        words = {"detail": "There is no page at this address.", "hint": "", "instance": ""}
        return self.problem_page(request, {**described(error), **words})

    def is_for_people(self, request: Request) -> bool:
        """Whether a browser looks for a page here; an address below the API answers everybody alike."""
        path = request.url.path.removeprefix(base_of(request))
        return request.method == "GET" and wants_page(request) and not path.startswith(NO_PAGES)

    def problem_page(self, request: Request, words: Mapping[str, Any]) -> Response:
        """A problem as a page of its own."""
        _, _, kind = request.url.path.removeprefix(base_of(request)).partition("/records/")
        known = kind.partition("/")[0] if kind.partition("/")[0] in self.app.workflows else ""
        sentence = str(words["detail"])
        detail = sentence[:1].upper() + sentence[1:].rstrip(".") + "."
        values = {"title": detail, "page": "problem", "problem": {**words, "detail": detail}, "kind": known}
        return self.bare(request, "problem.html", values, words["status"])

    def bare(self, request: Request, template: str, values: Mapping[str, Any], status: int) -> Response:
        base = base_of(request)
        console = {
            "base": base,
            "static": f"{base}/console/{static_version()}",
            "theme": theme_of(request),
        }
        return html(render(template, {**values, "console": console}), status)


def add(api: FastAPI, method: str, path: str, endpoint: Handler) -> None:
    """Add a route of the console; like every route, it must be in the table of access."""
    api.state.table[method, path]
    route = PageRoute(
        path,
        endpoint,
        methods=[method],
        include_in_schema=False,
        response_model=None,
        response_class=Response,
    )
    api.router.routes.append(route)


def html(text: str, status: int = 200) -> Response:
    """A page with the policy that it runs under."""
    headers = {
        "Content-Security-Policy": CONTENT_POLICY,
        "Vary": "Cookie, Accept",
        "Referrer-Policy": "same-origin",  # without one a browser hides the origin of its own forms too
    }
    return Response(text.encode("utf-8", "replace"), status, headers, "text/html; charset=utf-8")


def base_of(request: Request) -> str:
    """The prefix under which the service runs; empty at the root."""
    return quote(str(request.scope.get("root_path", "")).rstrip("/"), safe="/")


def query_of(request: Request) -> dict[str, str]:
    """The query of the address. A link on another site may open a page, but may not start long work on it."""
    asked = dict(request.query_params)
    if request.headers.get("sec-fetch-site", "none") not in ("none", "same-origin"):
        for name in LONG_WORK:
            asked.pop(name, None)
    return asked


def theme_of(request: Request) -> str:
    """The theme that the address asks for, if any."""
    named = request.query_params.get("theme", "")
    return named if named in ("light", "dark") else ""


def own_path(path: str) -> str:
    """A path of this console; the board, where somebody else's address was put there."""
    return path if OWN_PATH.fullmatch(path) else "/"


async def read_fields(request: Request) -> dict[str, str]:
    """The fields of a small form."""
    if (
        request.headers.get("content-type", "").partition(";")[0].strip().lower()
        != "application/x-www-form-urlencoded"
    ):
        raise BadInput("the body must be a form, and say so")
    parts, size = [], 0
    async for part in request.stream():
        size += len(part)
        if size > LONGEST_FORM:
            raise RequestTooLarge(f"the form is larger than {LONGEST_FORM:,} bytes", limit=LONGEST_FORM)
        parts.append(part)
    return dict(parse_qsl(b"".join(parts).decode("utf-8", "replace")))
