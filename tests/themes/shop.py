"""An app with themes, for commands: `--app tests.themes.shop:workflows`."""

from __future__ import annotations

from interlock.workflows.themes.options import Options
from interlock.workflows.themes.workflow import declare

workflows = [declare(Options())]
