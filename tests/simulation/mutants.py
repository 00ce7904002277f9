"""The protocol with one mechanism removed or misplaced at a time: each must be found out. A mutant that nobody meets would prove nothing,
so each counts how often it was in effect."""

from __future__ import annotations

from tests.simulation import mutants_of_attempts, mutants_of_plans, mutants_of_rounds
from tests.simulation.mutating import Mutant

MUTANTS: list[Mutant] = [*mutants_of_attempts.MUTANTS, *mutants_of_rounds.MUTANTS, *mutants_of_plans.MUTANTS]
