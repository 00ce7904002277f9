"""Completion in a real shell, from the script that `interlock completion` prints."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.acceptance.conftest import Run

COMPLETE = """
eval "$(interlock completion bash)"
complete -p interlock
for words in "interlock record mo" "interlock completion "; do
    COMP_WORDS=($words); [[ $words == *" " ]] && COMP_WORDS+=("")
    COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); COMPREPLY=()
    _interlock_completion interlock
    echo "$words: ${COMPREPLY[*]}"
done
"""


@pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash")
def test_bash_completes_verbs_and_choices() -> None:
    environment = {**os.environ, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
    done = subprocess.run(
        ["bash", "-c", COMPLETE], env=environment, capture_output=True, text=True, check=True
    )
    registered, *answers = done.stdout.splitlines()
    assert registered.endswith("-F _interlock_completion interlock")
    assert answers == [
        "interlock record mo: move",
        "interlock completion : bash zsh fish",
    ]


def test_each_shell_has_a_script_that_asks_the_program(run: Run) -> None:
    for shell in ("bash", "zsh", "fish"):
        script = run("completion", shell)
        assert script.exit_code == 0
        assert f"_INTERLOCK_COMPLETE={shell}_complete" in script.stdout
        assert "interlock" in script.stdout
    assert run("completion", "tcsh").exit_code == 2
