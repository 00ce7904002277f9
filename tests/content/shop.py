"""An app with content, for commands: `--app tests.content.shop:workflows`."""

from __future__ import annotations

from interlock.workflows.content.workflow import declare

workflows = [declare()]
