"""The workflows that come with Interlock; the engine never imports them."""

from __future__ import annotations

from .statements.workflow import declare as declare_statements

bundled = [declare_statements()]
"""What `interlock up` runs where no app is named."""
