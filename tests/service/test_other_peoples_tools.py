"""Tools of other people read what we publish: a generator of clients the API, Prometheus' own checker the figures and the rules."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

import httpx
import pytest
from prometheus_client.parser import text_string_to_metric_families

from interlock.observe.metrics.rules import shipped
from interlock.service.application import build
from tests.service.conftest import WIDE, make_app, make_key
from tests.service.serving import served

ROOT = Path(__file__).parents[2]
PROGRAMS = Path(os.environ.get("INTERLOCK_TEST_PROGRAMS", ROOT / ".venv" / "programs" / "bin"))
"""Where `make programs` puts what no package of ours may depend on."""
USE = """
import sys

from generated import AuthenticatedClient
from generated.api.records import get_kind_records_id, get_kind_records_id_timeline
from generated.api.statements import get_uploads_id_timeline

address, key = sys.argv[1:]
client = AuthenticatedClient(base_url=address, token=key)
record = get_kind_records_id.sync("statements", "u1", client=client)
timeline = get_kind_records_id_timeline.sync("statements", "u1", client=client)
print(record.where[0].state, [entry.new_status for entry in timeline.entries])
"""


@pytest.mark.sqlite_only
def test_a_generated_client_is_compiled_and_used(database_url: str, tmp_path: Path) -> None:
    generator = PROGRAMS / "openapi-python-client"
    if not generator.exists():
        pytest.skip("openapi-python-client is not here: make programs")
    described = ROOT / "docs" / "reference" / "openapi-statements.json"
    command = [generator, "generate", "--path", described, "--meta", "none", "--output-path", "generated"]
    made = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    omitted = [
        line for line in (made.stdout + made.stderr).splitlines() if line.startswith("WARNING parsing")
    ]
    assert omitted == [
        "WARNING parsing GET /api/v1/ledger/export within history."
    ]  # lines of JSON: not its trade
    (tmp_path / "use.py").write_text(USE)
    app = make_app(database_url)
    try:
        with served(build(app, limits=WIDE)) as address:
            done = subprocess.run(
                [PROGRAMS / "python", "use.py", address, make_key(app, "viewer")],
                cwd=tmp_path,
                capture_output=True,
                text=True,
                check=False,
            )
        assert (done.stdout, done.stderr) == ("queued_for_parse ['queued_for_parse']\n", "")
    finally:
        app.close()


@pytest.mark.sqlite_only
def test_only_summaries_have_quantiles_and_only_histograms_have_buckets(
    database_url: str, tmp_path: Path
) -> None:
    """What `promtool check metrics` asks for; where it is installed, it is asked itself."""
    app = make_app(database_url)
    try:
        with served(build(app, limits=WIDE)) as address:
            headers = {"Authorization": f"Bearer {make_key(app, 'viewer')}"}
            text = httpx.get(f"{address}/metrics", headers=headers, timeout=30).text
    finally:
        app.close()
    families = list(text_string_to_metric_families(text))
    assert any(one.name == "interlock_state_age_seconds" for one in families), json.dumps(
        [one.name for one in families]
    )
    reserved = {"quantile": "summary", "le": "histogram"}
    assert {
        (one.name, label)
        for one in families
        for sample in one.samples
        for label in sample.labels
        if reserved.get(label, one.type) != one.type
    } == set()
    if shutil.which("promtool") is not None:
        checked = subprocess.run(
            ["promtool", "check", "metrics"], input=text, capture_output=True, text=True, check=False
        )
        ours = [
            line for line in (checked.stdout + checked.stderr).splitlines() if line.startswith("interlock_")
        ]
        assert ours == []
        (tmp_path / "rules.yaml").write_text(shipped())
        rules = subprocess.run(
            ["promtool", "check", "rules", "rules.yaml"],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=False,
        )
        assert rules.returncode == 0, rules.stderr
