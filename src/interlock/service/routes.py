"""The table of routes: every address of the HTTP API, the function that answers it, and the shape of its answer."""

from __future__ import annotations

from ..app import App
from .browser.sign_in import PATH as SIGN_IN
from .browser.sign_in import SigningIn
from .connections.feed import Feed
from .connections.identity import Callers
from .http.access import OPERATION, RECORD, V1
from .http.limits import Limits
from .http.route import Route
from .resources.access_keys import AccessKeys
from .resources.admission import ADMITTED, EXISTS, MANY, Admitting
from .resources.adoptions import Adoptions, adoption_routes
from .resources.exports import EXPORT, Exporting
from .resources.health import EXPOSITION, Metrics, Readiness
from .resources.ledger import History
from .resources.live import Live
from .resources.machines import Machines
from .resources.moves import Commands
from .resources.operations import BulkOperations, Turns
from .resources.proofs import Proofs
from .resources.records import Records
from .resources.schedules import Schedules
from .resources.stages import Stages
from .schemas import access as access_shapes
from .schemas import activity as activity_shapes
from .schemas import admission as admission_shapes
from .schemas import machines as machine_shapes
from .schemas import operations as operation_shapes
from .schemas import proofs as proof_shapes
from .schemas import records as record_shapes
from .schemas import schedules as schedule_shapes
from .schemas import stages as stage_shapes
from .schemas import system as system_shapes


def every_route(
    app: App,
    limits: Limits,
    feed: Feed,
    readiness: Readiness,
    callers: Callers,
    turns: Turns,
    metrics: Metrics,
) -> list[Route]:
    """Every route of the API; the first match wins, so the most frequent routes come first."""
    machines, records, commands = Machines(app), Records(app, limits.page), Commands(app)
    history, keys, bulk = (
        History(app, limits.page),
        AccessKeys(app, callers.forget),
        BulkOperations(app, turns),
    )
    return [
        Route("GET", f"{V1}/{{kind}}/records", records.list, record_shapes.Page, "records"),
        Route("GET", RECORD, records.show, record_shapes.Record, "records"),
        Route(
            "POST",
            f"{V1}/{{kind}}/records",
            Admitting(app).admit,
            admission_shapes.Admitted,
            "commands",
            ADMITTED,
            also={EXISTS: admission_shapes.Admitted, MANY: admission_shapes.AdmittedRows},
        ),
        Route("GET", f"{RECORD}/timeline", records.timeline, record_shapes.Timeline, "records"),
        Route("GET", f"{RECORD}/why", records.why, record_shapes.Why, "records"),
        Route("GET", f"{RECORD}/verdicts", records.verdicts, record_shapes.Verdicts, "records"),
        Route("POST", f"{RECORD}/moves", commands.move, record_shapes.Answer, "commands"),
        Route("POST", f"{RECORD}/retry", commands.retry, record_shapes.Answer, "commands"),
        Route("POST", f"{RECORD}/amend", commands.amend, record_shapes.Answer, "commands"),
        Route("POST", f"{RECORD}/reset", commands.reset, record_shapes.Answer, "commands"),
        Route("POST", f"{RECORD}/cancel", commands.cancel, record_shapes.Answer, "commands"),
        Route("POST", f"{RECORD}/erase", commands.erase, record_shapes.Erased, "commands"),
        Route("GET", "/health", readiness.health, system_shapes.Health, "service"),
        Route("GET", SIGN_IN, SigningIn(callers.sign_in).open, access_shapes.SignedIn, "service"),
        Route("GET", "/metrics", metrics.scrape, None, "service", content=EXPOSITION),
        Route("GET", f"{V1}/kinds", machines.kinds, machine_shapes.Kinds, "machines"),
        Route("GET", f"{V1}/machines", machines.machines, machine_shapes.Machines, "machines"),
        Route("GET", f"{V1}/counts", machines.counts, machine_shapes.Counts, "records"),
        Route("GET", f"{V1}/errors", machines.errors, machine_shapes.ErrorGroups, "records"),
        Route("GET", f"{V1}/runners", machines.runners, system_shapes.Runners, "service"),
        Route("GET", f"{V1}/attention", machines.attention, system_shapes.Attentions, "records"),
        Route("GET", f"{V1}/{{kind}}/patterns", machines.patterns, activity_shapes.Patterns, "records"),
        Route(
            "GET", f"{V1}/{{kind}}/versions", machines.versions, machine_shapes.MachineVersions, "machines"
        ),
        Route("GET", f"{V1}/{{kind}}/change", machines.change, machine_shapes.MachineChange, "machines"),
        Route("GET", f"{V1}/working", machines.working, activity_shapes.Working, "records"),
        Route("GET", f"{V1}/activity", machines.activity, activity_shapes.Activity, "records"),
        Route("GET", f"{V1}/check", history.check, system_shapes.Checked, "history"),
        Route("GET", f"{V1}/ledger", history.tail, record_shapes.Tail, "history"),
        Route("GET", f"{V1}/ledger/verify", history.verify, system_shapes.Verified, "history"),
        *proof_routes(Proofs(app, history), Exporting(app, limits)),
        Route("GET", f"{V1}/live", Live(app, feed).follow, None, "history"),
        *stage_routes(Stages(app)),
        *schedule_routes(Schedules(app)),
        *adoption_routes(Adoptions(app)),
        Route("GET", f"{V1}/keys", keys.list, access_shapes.Keys, "keys"),
        Route("POST", f"{V1}/keys", keys.create, access_shapes.MadeKey, "keys", 201),
        Route("DELETE", f"{V1}/keys/{{name}}", keys.revoke, access_shapes.Key, "keys"),
        Route("GET", f"{V1}/{{kind}}/machines", machines.of_kind, machine_shapes.Machines, "machines"),
        Route("GET", f"{V1}/{{kind}}/machines/{{axis}}/diagram", machines.diagram, None, "machines"),
        Route("GET", f"{V1}/{{kind}}/counts", machines.counts_of_kind, machine_shapes.Counts, "records"),
        Route("GET", f"{V1}/{{kind}}/errors", machines.errors_of_kind, machine_shapes.ErrorGroups, "records"),
        Route("GET", f"{V1}/{{kind}}/pairs", machines.pairs, machine_shapes.Pairs, "records"),
        Route("POST", f"{V1}/operations", bulk.create, operation_shapes.OperationAnswer, "operations"),
        Route("GET", f"{V1}/operations", bulk.newest, operation_shapes.OperationList, "operations"),
        Route("GET", OPERATION, bulk.show, operation_shapes.Operation, "operations"),
        Route("GET", f"{OPERATION}/items", bulk.items, operation_shapes.OperationItems, "operations"),
        Route("POST", f"{OPERATION}/run", bulk.run, operation_shapes.Operation, "operations"),
        Route("POST", f"{OPERATION}/pause", bulk.pause, operation_shapes.Operation, "operations"),
        Route("POST", f"{OPERATION}/resume", bulk.resume, operation_shapes.Operation, "operations"),
        Route("POST", f"{OPERATION}/undo", bulk.undo, operation_shapes.OperationAnswer, "operations"),
    ]


def proof_routes(proofs: Proofs, exporting: Exporting) -> list[Route]:
    return [
        Route("GET", f"{V1}/ledger/seals", proofs.seals, proof_shapes.Seals, "history"),
        Route("POST", f"{V1}/ledger/seals", proofs.seal, proof_shapes.Sealed, "history"),
        Route("GET", f"{V1}/ledger/as-of", proofs.as_of, proof_shapes.Past, "history"),
        Route("GET", f"{V1}/ledger/export", exporting.export, None, "history", content=EXPORT),
        Route("GET", f"{RECORD}/proof", proofs.proof, proof_shapes.Proof, "records"),
    ]


def stage_routes(stages: Stages) -> list[Route]:
    one = f"{V1}/{{kind}}/stages/{{name}}"
    return [
        Route("GET", f"{V1}/stages", stages.list, stage_shapes.StageStates, "stages"),
        Route("POST", f"{one}/pause", stages.pause, stage_shapes.Paused, "stages"),
        Route("POST", f"{one}/resume", stages.resume, stage_shapes.Paused, "stages"),
    ]


def schedule_routes(schedules: Schedules) -> list[Route]:
    one = f"{V1}/{{kind}}/schedules/{{name}}"
    return [
        Route("GET", f"{V1}/schedules", schedules.list, schedule_shapes.EverySchedule, "schedules"),
        Route("GET", f"{one}/runs", schedules.runs, schedule_shapes.ScheduleRuns, "schedules"),
        Route("POST", f"{one}/pause", schedules.pause, schedule_shapes.ScheduleSwitch, "schedules"),
        Route("POST", f"{one}/resume", schedules.resume, schedule_shapes.ScheduleSwitch, "schedules"),
    ]
