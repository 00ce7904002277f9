"""Checks an exported ledger, or the proof of one record, with nothing but Python: one file, on its own, that shares no code with Interlock.

    python independent_verifier.py EXPORT.jsonl [MORE.jsonl …] [--seals SEALS.jsonl] [--key PUBLIC_KEY_HEX] [--processes N]
    python independent_verifier.py --proof PROOF.json [--seals SEALS.jsonl] [--key PUBLIC_KEY_HEX]

Exit code 0: everything holds; 7: something does not, and where; 2: a file cannot be read. The format is decision 0013 of Interlock.
Of a long export each process reads all lines; one minds the seals, the others the chains of their share of the records.
"""

from __future__ import annotations

import argparse
import contextlib
import functools
import itertools
import json
import multiprocessing
import os
import re
import sys
import zlib
from fileinput import FileInput
from hashlib import sha256, sha512
from pathlib import Path
from typing import Any

PARTS = ("machine", "seal", "entry", "verdict")
MEMBERS = b",".join(
    rb'"%b":(null|"[^"\\]*(?:\\.[^"\\]*)*")' % name.encode()
    for name in (
        "actor",
        "at",
        "axis",
        "cause",
        "detail",
        "from",
        "id",
        "kind",
        "machine",
        "origin",
        "role",
        "scope",
        "to",
        "token",
    )
)
# An entry's line is cut into the JSON of its members, not read: that is quicker, and what is hashed is the text as it stands there.
PLACE = rb'"hash":"([0-9a-f]{64})","position":(\d+),"said":(null|\{.*\}),"transaction":(\d+)\}\s*'
LINE, TAIL = re.compile(rb'\{"entry":(\{%b,"version":(\d+)\}),%b' % (MEMBERS, PLACE)), re.compile(PLACE)
Value = dict[str, Any]
Key = tuple[bytes, ...]  # kind, id, axis and scope
dump = json.JSONEncoder(ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False).encode

P, L = 2**255 - 19, 2**252 + 27742317777372353535851937790883648493  # Ed25519, verification only
D = -121665 * pow(121666, -1, P) % P
Point = tuple[int, int, int, int]  # x, y, z and x·y, over the common divisor z


def plus(a: Point, b: Point) -> Point:
    low, high = (a[1] - a[0]) * (b[1] - b[0]) % P, (a[1] + a[0]) * (b[1] + b[0]) % P
    cross, depth = 2 * D * a[3] * b[3] % P, 2 * a[2] * b[2] % P
    e, f, g, h = high - low, depth - cross, depth + cross, high + low
    return e * f % P, g * h % P, f * g % P, e * h % P


def times(number: int, point: Point) -> Point:
    total: Point = (0, 1, 1, 0)
    for bit in f"{number:b}":
        total = plus(plus(total, total), point) if bit == "1" else plus(total, total)
    return total


def point_of(text: bytes) -> Point | None:
    """The point that 32 bytes stand for, or None if they stand for none."""
    odd, y = divmod(int.from_bytes(text, "little"), 2**255)
    square = (y * y - 1) * pow(D * y * y + 1, -1, P) % P
    x = pow(square, (P + 3) // 8, P)
    if (x * x - square) % P:
        x = x * pow(2, (P - 1) // 4, P) % P
    if y >= P or (x * x - square) % P or (x == 0 and odd):
        return None
    x = P - x if x & 1 != odd else x
    return x, y, 1, x * y % P


def signature_holds(public_key: bytes, message: bytes, signature: bytes) -> bool:
    """Whether this is the Ed25519 signature of the message by this key (RFC 8032)."""
    base, key, start = (
        point_of((4 * pow(5, -1, P) % P).to_bytes(32, "little")),
        point_of(public_key),
        point_of(signature[:32]),
    )
    scalar, sized = int.from_bytes(signature[32:], "little"), (len(public_key), len(signature)) == (32, 64)
    if base is None or key is None or start is None or scalar >= L or not sized:
        return False
    challenge = int.from_bytes(sha512(signature[:32] + public_key + message).digest(), "little") % L
    left, right = times(scalar, base), plus(start, times(challenge, key))
    return (left[0] * right[2] - right[0] * left[2]) % P == 0 and (
        left[1] * right[2] - right[1] * left[2]
    ) % P == 0


def join(right: bytes, left: bytes) -> bytes:
    return sha256(b"\x01" + left + right).digest()


def fingerprint(definition: Value) -> str:
    """The hash of what a machine allows; order and aliases do not matter, and null stands before every state."""
    moves = [
        [one["from"], one["to"], one["kind"], one["role"], *([one["after"]] if "after" in one else [])]
        for one in definition["moves"]
    ]
    moves.sort(key=lambda one: [(state is not None, state or "") for state in one[:2]])
    states = sorted(definition["states"], key=lambda state: (state is not None, state or ""))
    known = {"initial": definition["initial"], "moves": moves, "name": definition["name"], "states": states}
    return sha256(json.dumps(known, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


def side_of(seal: Value, table: str, position: int, transaction: int) -> str:
    """Whether a row is inside a seal, or may wait behind it. On SQLite all transactions are 0, and positions decide alone."""
    above, below = position > seal[f"from_{table}"], position <= seal[f"to_{table}"]
    later = seal["to_transaction"] and transaction >= seal["to_transaction"]
    if above and below and transaction >= seal["from_transaction"] and not later:
        return "inside"
    return "behind" if not below or (above and later) else "elsewhere"


class Seals:
    """Minds the seals in order, each with the tree of the rows that it covers."""

    def __init__(self, trusted: list[Value], key: str | None, partial: bool = False) -> None:
        self.found, self.trusted, self.key = list[str](), {seal["number"]: seal for seal in trusted}, key
        self.known: list[
            tuple[Value, list[tuple[int, bytes]], dict[str, int]]
        ] = []  # with subtrees, one for each size
        self.at, self.whole, self.partial = (
            0,
            True,
            partial,
        )  # the last row's seal; all kinds come; a beginning is left out

    def header(self, one: Value) -> None:
        self.whole, self.partial = (
            one["kind"] is None,
            self.partial or bool(one["after_seal"] and not self.known),
        )

    def entry(self, line: bytes) -> None:
        if (fits := TAIL.match(line, line.find(b',"hash":') + 1)) is not None:
            self.place(
                "entry", int(fits[2]), int(fits[4]), sha256(b"\x00%b %b %b" % fits.group(1, 2, 4)).digest()
            )

    def verdict(self, one: Value) -> None:
        self.place(
            "verdict", one["position"], one["transaction"], sha256(b"\x00" + dump(one).encode()).digest()
        )

    def seal(self, seal: Value) -> None:
        """The next seal; the first one may stand anywhere in the chain, if something before it was left out."""
        start: Value = {"number": seal["number"] - 1 if self.partial else 0, "hash": bytes(32).hex()}
        before = self.known[-1][0] if self.known else start
        if seal["number"] != before["number"] + 1:
            self.say(seal, f"seal {before['number'] + 1} is missing before it")
        elif seal["previous"] != before["hash"] and (self.known or not self.partial):
            self.say(seal, "it does not follow from the seal before it")
        said = {name: value for name, value in seal.items() if name not in ("hash", "signature")} | {
            "format": "interlock seal 1"
        }
        hashed, kept = sha256(b"\x02" + dump(said).encode()).digest(), self.trusted.pop(seal["number"], seal)
        for wrong, problem in (
            (hashed.hex() != seal["hash"], "its hash does not follow from its text"),
            (kept["hash"] != seal["hash"], "it is not the seal that was kept elsewhere"),
            (self.key not in (None, seal["public_key"]), f"it does not name the key {self.key}"),
        ):
            if wrong:
                self.say(seal, problem)
        key, signature = bytes.fromhex(seal["public_key"] or ""), bytes.fromhex(seal["signature"] or "")
        if (key or signature) and not signature_holds(key, hashed, signature):
            self.say(seal, "its signature does not hold")
        self.known.append((seal, [], {"entry": 0, "verdict": 0}))

    def place(self, table: str, position: int, transaction: int, leaf: bytes) -> None:
        """Put a row into the tree of its seal."""
        for index in itertools.chain((self.at, self.at + 1), range(len(self.known))):
            if (
                index < len(self.known)
                and side_of(self.known[index][0], table, position, transaction) == "inside"
            ):
                self.at, (_, tree, sizes), size = index, self.known[index], 1
                while tree and tree[-1][0] == size:
                    leaf, size = join(leaf, tree.pop()[1]), 2 * size
                tree.append((size, leaf))
                sizes[table] += 1
                return
        if (
            self.whole
            and self.known
            and side_of(self.known[-1][0], table, position, transaction) == "elsewhere"
        ):
            self.found.append(
                f"{table} at {transaction}.{position}: it is in no seal, but stands before the last one"
            )

    def finish(self) -> int:
        for seal, tree, sizes in self.known if self.whole else ():
            if sizes != (wanted := {"entry": seal["entries"], "verdict": seal["verdicts"]}):
                self.say(seal, f"it sealed {wanted}, there are {sizes}")
            elif functools.reduce(join, [part for _, part in reversed(tree)]).hex() != seal["root"]:
                self.say(seal, "what it covers is not what was sealed")
        first = self.known[0][0]["number"] if self.known else 0
        for seal in self.trusted.values():
            if seal["number"] > first:
                self.say(
                    seal,
                    "it was kept elsewhere, but is not here: an older state was restored, or the tail was cut",
                )
        return len(self.known)

    def say(self, seal: Value, problem: str) -> None:
        self.found.append(f"seal {seal['number']}: {problem}")


class Chains:
    """Minds the chains of a share of the records; entries come in commit order, which is not always that of a chain."""

    def __init__(self, share: int = 0, of: int = 1, told: bool = True) -> None:
        self.found, self.share, self.of, self.told, self.partial = list[str](), share, of, told, False
        self.machines, self.legalities = dict[tuple[str, str, str], Value](), dict[Key, Any]()
        self.last = dict[Key, Any]()  # of each chain the version, hash and law of the newest entry
        self.waiting = dict[Key, dict[int, Any]]()  # entries that came too early, by version
        # Records that were erased; entries without their detail; the detail that was said last, often of many records at once.
        self.erased, self.silent, self.heard = set[Key](), list[tuple[Key, int]](), (b"null", b"null")

    def header(self, one: Value) -> None:
        self.told, self.partial = one["detail"], self.partial or bool(one["after_seal"] and not self.machines)

    def machine(self, one: Value) -> None:
        if fingerprint(one["definition"]) != one["fingerprint"]:
            self.found.append(
                f"machine {one['fingerprint'][:16]} of {one['kind']}: its definition is not what was hashed"
            )
        pairs = {(move["from"], move["to"]) for move in one["definition"]["moves"]}
        self.machines[one["kind"], one["axis"], one["fingerprint"][:16]] = {
            **one["definition"],
            "pairs": pairs,
        }
        self.legalities.clear()

    def legality(self, members: Key) -> Any:
        """Of all entries with these members: from, to, whether they close, and what is wrong with them as a first entry and as a later."""
        kind, axis, named, origin, old, new = map(json.loads, members)
        machine, closes = self.machines.get((kind, axis, named)), origin in ("deletion", "erase")
        first = other = f"its machine {named} is not here"
        if machine is not None:
            begins = (
                new in machine["states"]
                if origin == "backfill"
                else old is None and new == machine["initial"]
            )
            first = "" if begins else f"a record begins in {machine['initial']}, not in {new}"
            # Without an edge of the machine: a stay, a closing entry, a plan that brings the record into a state which the machine has.
            moved = new in machine["states"] if origin == "migration" else (old, new) in machine["pairs"]
            # A write past Interlock, while its table was being adopted, leads from any value to any value.
            other = (
                ""
                if moved or closes or old == new or origin == "legacy"
                else f"{old} → {new} is not a move of its machine"
            )
        return self.legalities.setdefault(members, (members[4], members[5], closes, first, other))

    def entry(self, line: bytes) -> None:
        if (
            self.of > 1
            and zlib.crc32(line.partition(b',"id":')[2].partition(b',"kind":')[0]) % self.of != self.share
        ):
            return
        if (fits := LINE.fullmatch(line)) is None:
            self.found.append(
                "{kind} {id} {axis} version {version}: it is not written as an entry is".format(
                    **json.loads(line)["entry"]
                )
            )
            return
        (
            text,
            _,
            _,
            axis,
            _,
            detail,
            old,
            id,
            kind,
            machine,
            origin,
            _,
            scope,
            new,
            _,
            number,
            hashed,
            _,
            said,
            _,
        ) = fits.groups()
        key, version, members = (kind, id, axis, scope), int(number), (kind, axis, machine, origin, old, new)
        self.erased.update([key[:2]] if origin == b'"erase"' else ())
        if self.told and (detail, said) != self.heard:
            self.detail(key, version, detail, said)
        before, later = self.last.get(key), self.waiting.get(key, {})
        expected = before[0] + 1 if before else 0
        if version < expected or version in later:
            self.say(key, version, "history forks here: this version stands twice")
            return
        later[version] = (
            text,
            bytes.fromhex(hashed.decode()),
            self.legalities.get(members) or self.legality(members),
        )
        if version > expected or (
            self.partial and not before
        ):  # a chain that begins elsewhere is judged at the end
            self.waiting[key] = later
        else:
            self.judge(key, version, later, before)

    def judge(
        self, key: Key, version: int, later: dict[int, Any], before: Any, unchecked: bool = False
    ) -> None:
        """Judge an entry, and what follows it without a gap."""
        while version in later:
            text, hashed, law = later.pop(version)
            if not unchecked and sha256((before[1] if before else bytes(32)) + text).digest() != hashed:
                self.say(key, version, "its hash does not follow from its text and the entry before it")
            if before and before[2][1] != law[0]:
                self.say(
                    key,
                    version,
                    f"it leaves {json.loads(law[0])}, but the entry before it went to {json.loads(before[2][1])}",
                )
            elif problem := law[4] if before else law[3] * (not unchecked):
                self.say(key, version, problem)
            if before and before[2][2]:
                self.say(key, version, "the record was closed before this entry")
            before, version, unchecked = (version, hashed, law), version + 1, False
        self.last[key] = before

    def detail(self, key: Key, version: int, detail: bytes, said: bytes) -> None:
        told = json.loads(said)
        hashed = (
            told
            and sha256(
                bytes.fromhex(told["salt"]) + dump([told["facts"], told["reason"]]).encode()
            ).hexdigest()
        )
        if detail != b"null" and told is None:
            self.silent.append((key, version))
        elif hashed != json.loads(detail):
            self.say(key, version, "its reason or facts are not those that were hashed")
        else:
            self.heard = detail, said

    def finish(self) -> int:
        for key, later in self.waiting.items():
            while later:
                version, before = min(later), self.last.get(key)
                if before or not self.partial:
                    self.say(key, version, f"version {before[0] + 1 if before else 0} is missing")
                self.judge(key, version, later, before, unchecked=True)
        for key, version in self.silent:
            if key[:2] not in self.erased:
                self.say(key, version, "its detail is missing, and the record was not erased")
        return len(self.last)

    def say(self, key: Key, version: int, problem: str) -> None:
        kind, id, axis, scope = map(json.loads, key)
        self.found.append(f"{kind} {id} {axis}{f'[{scope}]' if scope else ''} version {version}: {problem}")


def check_part(files: list[str], minds: Seals | Chains) -> tuple[list[str], int]:
    """Read exports as one that minds seals or chains: what it found, and how many of them there are."""
    counts, name = dict.fromkeys(PARTS, 0), "end"
    with FileInput(files, mode="rb") as lines:
        for line in lines:
            name = "entry" if line.startswith(b'{"entry":') else ""
            if name:
                minds.entry(line)
            else:
                value = json.loads(line)
                name = (
                    "header"
                    if "interlock" in value
                    else next((name for name in (*PARTS, "end") if name in value), "")
                )
                getattr(minds, name, len)(value if name == "header" else value[name])
            if name in counts:
                counts[name] += 1
            elif name == "end":
                minds.found += (
                    []
                    if value["end"] == counts
                    else [f"the file says that it holds {value['end']}, but {counts} were read"]
                )
                counts = dict.fromkeys(PARTS, 0)
    minds.found += [] if name == "end" else ["the file has no end: it was cut off"]
    return minds.found, minds.finish()


def check_export(
    files: list[str], trusted: list[Value], key: str | None = None, processes: int = 1
) -> tuple[list[str], int, int]:
    """What is wrong with one export, or with several in order; and how many chains and seals it holds."""
    tasks: list[Any] = [
        (files, Seals(trusted, key)),
        *((files, Chains(share, processes)) for share in range(processes)),
    ]
    with multiprocessing.Pool(len(tasks)) if processes > 1 else contextlib.nullcontext() as crowd:
        parts = (
            crowd.starmap(check_part, tasks, chunksize=1)
            if crowd
            else list(itertools.starmap(check_part, tasks))
        )
    return (
        list(dict.fromkeys(problem for found, _ in parts for problem in found)),
        sum(count for _, count in parts[1:]),
        parts[0][1],
    )


def check_proof(proof: Value, trusted: list[Value], key: str | None = None) -> tuple[list[str], int]:
    """What is wrong with the proof of one record, and how many of its entries are in no seal yet."""
    seals, chains = Seals(trusted, key, partial=True), Chains(told=proof["detail"])
    roots = {one["number"]: one["root"] for one in proof["seals"]}
    for method, values in ((chains.machine, proof["machines"]), (seals.seal, proof["seals"])):
        for value in values:
            method(value)
    for line in proof["entries"]:
        one, reached = (
            line["entry"],
            sha256(f"\0{line['hash']} {line['position']} {line['transaction']}".encode()).digest(),
        )
        if (one["kind"], one["id"]) != (proof["kind"], proof["id"]):
            chains.found.append("it holds an entry of another record")
        chains.entry(
            dump({name: value for name, value in line.items() if name not in ("seal", "path")}).encode()
        )
        for side, beside in line["path"]:
            reached = (
                join(reached, bytes.fromhex(beside))
                if side == "left"
                else join(bytes.fromhex(beside), reached)
            )
        if line["seal"] is not None and roots.get(line["seal"]) != reached.hex():
            chains.found.append(
                "{kind} {id} {axis} version {version}".format(**one)
                + f": its path does not lead to seal {line['seal']}"
            )
    chains.finish()
    return seals.found + chains.found, sum(line["seal"] is None for line in proof["entries"])


def answer(asked: argparse.Namespace) -> int:
    found, said = list[str](), list[str]()
    kept = [
        json.loads(line[line.index(b"{") :])
        for line in (Path(asked.seals).read_bytes().splitlines() if asked.seals else ())
        if b'"root"' in line and line.rstrip().endswith(b"}")  # a line that was cut is in the file once more
    ]
    trusted = [
        one for one in (line.get("seal", line) for line in kept) if "root" in one
    ]  # a line each, alone, within an export, or behind the words of a log
    if asked.proof:
        proof = json.loads(Path(asked.proof).read_text(encoding="utf-8"))
        found, open_ = check_proof(proof, trusted, asked.key)
        said.append(
            f"{proof['kind']} {proof['id']}: {len(proof['entries'])} entries hold, {open_} of them in no seal yet"
        )
    if asked.exports:
        long = (
            sum(Path(name).stat().st_size for name in asked.exports) > 2**25
        )  # bytes; less is not worth a second process
        more, chains, seals = check_export(
            asked.exports, trusted, asked.key, max(1, asked.processes) if long else 1
        )
        found, said = found + more, [*said, f"{chains} chains and {seals} seals hold"]
    sys.stdout.write("".join(f"{problem}\n" for problem in found) or f"ok: {'; '.join(said)}\n")
    return 7 if found else 0


def main(arguments: list[str] | None = None) -> int:
    words = argparse.ArgumentParser(
        description="Check an exported ledger, or the proof of one record, without Interlock."
    )
    words.add_argument("exports", nargs="*", help="an export, or several archives in order")
    for name, value, help in (
        ("seals", "FILE", "seals that were kept elsewhere"),
        ("proof", "FILE", "the proof of one record"),
        ("key", "HEX", "the public key that every seal must name"),
    ):
        words.add_argument(f"--{name}", metavar=value, help=help)
    words.add_argument(
        "--processes",
        metavar="N",
        type=int,
        default=os.cpu_count() or 1,
        help="for a long export; the number of cores",
    )
    asked = words.parse_args(arguments)
    if not asked.exports and not asked.proof:
        words.error("name an export, or --proof FILE")
    try:
        return answer(asked)
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        sys.stderr.write(f"cannot be read: {error!r}\n")
        return 2


if __name__ == "__main__":
    sys.exit(main())
