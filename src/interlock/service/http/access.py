"""Who may do what: every route with the least scope that reaches it, in one table. A route that is not in it cannot be served."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from ...console.screens import SCREENS
from ...errors import NotAuthorized
from ..connections.identity import Identity

Table = Mapping[tuple[str, str], str]

OPEN: Final = "open"
V1: Final = "/api/v1"
RECORD: Final = f"{V1}/{{kind}}/records/{{id}}"
OPERATION: Final = f"{V1}/operations/{{id}}"

LEAST: Final[Table] = {
    ("GET", "/health"): OPEN,
    ("GET", f"{V1}/openapi.json"): OPEN,
    ("GET", "/sign-in"): OPEN,
    ("POST", "/console/sign-in"): OPEN,
    ("POST", "/console/sign-out"): OPEN,
    ("GET", "/console/{version}/{name}"): OPEN,
    **{("GET", screen.path): screen.least for screen in SCREENS},
    ("GET", "/metrics"): "viewer",
    ("GET", f"{V1}/kinds"): "viewer",
    ("GET", f"{V1}/machines"): "viewer",
    ("GET", f"{V1}/counts"): "viewer",
    ("GET", f"{V1}/errors"): "viewer",
    ("GET", f"{V1}/attention"): "viewer",
    ("GET", f"{V1}/activity"): "viewer",
    ("GET", f"{V1}/working"): "viewer",
    ("GET", f"{V1}/{{kind}}/patterns"): "viewer",
    ("GET", f"{V1}/{{kind}}/versions"): "viewer",
    ("GET", f"{V1}/{{kind}}/change"): "viewer",
    ("GET", f"{V1}/check"): "operator",
    ("GET", f"{V1}/runners"): "viewer",
    ("GET", f"{V1}/ledger"): "viewer",
    ("GET", f"{V1}/ledger/verify"): "operator",
    ("GET", f"{V1}/ledger/seals"): "viewer",
    ("POST", f"{V1}/ledger/seals"): "operator",
    ("GET", f"{V1}/ledger/as-of"): "viewer",
    ("GET", f"{V1}/ledger/export"): "admin",
    ("GET", f"{V1}/live"): "viewer",
    ("GET", f"{V1}/stages"): "viewer",
    ("GET", f"{V1}/schedules"): "viewer",
    ("GET", f"{V1}/{{kind}}/schedules/{{name}}/runs"): "viewer",
    ("POST", f"{V1}/{{kind}}/schedules/{{name}}/pause"): "operator",
    ("POST", f"{V1}/{{kind}}/schedules/{{name}}/resume"): "operator",
    ("POST", f"{V1}/{{kind}}/stages/{{name}}/pause"): "operator",
    ("POST", f"{V1}/{{kind}}/stages/{{name}}/resume"): "operator",
    ("GET", f"{V1}/adoptions"): "viewer",
    ("GET", f"{V1}/{{kind}}/adoption/scan"): "operator",
    ("GET", f"{V1}/{{kind}}/adoption/preview"): "operator",
    ("POST", f"{V1}/{{kind}}/adoption/backfill"): "operator",
    ("POST", f"{V1}/{{kind}}/adoption/compare"): "operator",
    ("POST", f"{V1}/{{kind}}/adoption/follow"): "operator",
    ("POST", f"{V1}/{{kind}}/adoption/cutover"): "operator",
    ("POST", f"{V1}/{{kind}}/adoption/pause"): "operator",
    ("POST", f"{V1}/{{kind}}/adoption/resume"): "operator",
    ("POST", f"{V1}/{{kind}}/adoption/drop-flags"): "admin",
    ("GET", f"{V1}/keys"): "admin",
    ("POST", f"{V1}/keys"): "admin",
    ("DELETE", f"{V1}/keys/{{name}}"): "admin",
    ("GET", f"{V1}/{{kind}}/machines"): "viewer",
    ("GET", f"{V1}/{{kind}}/machines/{{axis}}/diagram"): "viewer",
    ("GET", f"{V1}/{{kind}}/counts"): "viewer",
    ("GET", f"{V1}/{{kind}}/errors"): "viewer",
    ("GET", f"{V1}/{{kind}}/pairs"): "viewer",
    ("GET", f"{V1}/{{kind}}/records"): "viewer",
    ("POST", f"{V1}/{{kind}}/records"): "operator",
    ("GET", RECORD): "viewer",
    ("GET", f"{RECORD}/timeline"): "viewer",
    ("GET", f"{RECORD}/why"): "viewer",
    ("GET", f"{RECORD}/verdicts"): "viewer",
    ("GET", f"{RECORD}/proof"): "viewer",
    ("POST", f"{RECORD}/moves"): "curator",
    ("POST", f"{RECORD}/retry"): "operator",
    ("POST", f"{RECORD}/amend"): "operator",
    ("POST", f"{RECORD}/reset"): "operator",
    ("POST", f"{RECORD}/cancel"): "operator",
    ("POST", f"{RECORD}/erase"): "admin",
    ("POST", f"{V1}/operations"): "operator",
    ("GET", f"{V1}/operations"): "viewer",
    ("GET", OPERATION): "viewer",
    ("GET", f"{OPERATION}/items"): "viewer",
    ("POST", f"{OPERATION}/run"): "operator",
    ("POST", f"{OPERATION}/pause"): "operator",
    ("POST", f"{OPERATION}/resume"): "operator",
    ("POST", f"{OPERATION}/undo"): "operator",
}
"""Method and path to the least scope. The routes that a workflow brings say theirs themselves, and stand in one table with these."""

RANKS: Final = {"viewer": 1, "curator": 2, "operator": 3, "admin": 4}
FOR_RUNNERS: Final = frozenset({f"{V1}/kinds", f"{V1}/machines", f"{V1}/{{kind}}/machines", f"{V1}/runners"})
"""A runner is on no rung of that ladder: it may learn what there is to work on, and nothing about records."""


def reaches(scope: str, method: str, path: str, table: Table = LEAST) -> bool:
    """Whether a scope reaches a route."""
    least = table[method, path]
    if least == OPEN:
        return True
    if scope == "runner":
        return path in FOR_RUNNERS
    return RANKS.get(scope, 0) >= RANKS[least]


def authorise(who: Identity, method: str, path: str, table: Table = LEAST) -> None:
    if not reaches(who.scope, method, path, table):
        raise NotAuthorized(
            f"{who.actor} has the scope {who.scope}; this needs {table[method, path]}",
            scope=who.scope,
            needs=table[method, path],
        )
