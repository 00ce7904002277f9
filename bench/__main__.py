"""`make bench`: measures, prints the table, and fails only if what was written is wrong."""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import replace
from pathlib import Path

from .measures import FULL, NAMES, QUICK
from .report import Progress, table
from .run import run
from .shapes.catalogue import SHAPES

DATABASES = ("postgresql", "sqlite")


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="make bench ARGS=…", description=__doc__)
    parser.add_argument(
        "--quick", action="store_true", help="a minute instead of several; for looking, not for quoting"
    )
    parser.add_argument("--database", choices=DATABASES, action="append", help="only this one")
    parser.add_argument(
        "--finished",
        type=int,
        nargs="+",
        metavar="N",
        help="finished records in the tables, a run for each (0 1000000)",
    )
    parser.add_argument(
        "--only",
        choices=NAMES,
        action="append",
        metavar="NAME",
        help=f"only this measurement: {', '.join(NAMES)}",
    )
    parser.add_argument(
        "--shape",
        choices=list(SHAPES),
        action="append",
        metavar="NAME",
        help=f"only this shape: {', '.join(SHAPES)}",
    )
    parser.add_argument("--records", type=int, metavar="N", help="so many records of each shape (20000)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the lines there too")
    return parser.parse_args()


def main() -> int:
    options = arguments()
    piles = options.finished or ([0, 20_000] if options.quick else [0, 1_000_000])
    progress = Progress()
    sizes = QUICK if options.quick else FULL
    sizes = replace(sizes, shaped=options.records) if options.records else sizes
    only = options.only or (["shapes"] if options.shape else NAMES)
    outcome = run(
        options.database or DATABASES, piles, sizes, only, progress.say, chosen=options.shape or tuple(SHAPES)
    )
    progress.done()
    print(table(outcome.lines))
    if options.json:
        options.json.write_text(
            json.dumps([line.facts() for line in outcome.lines], indent=2) + "\n", encoding="utf-8"
        )
    for problem in outcome.problems:
        print(f"WRONG: {problem}", file=sys.stderr)
    return 1 if outcome.problems else 0


if __name__ == "__main__":
    sys.exit(main())
