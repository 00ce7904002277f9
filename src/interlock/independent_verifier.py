"""Checks an exported ledger, or the proof of one record, with nothing but Python: one file, on its own, that shares no code with Interlock.

    python independent_verifier.py EXPORT.jsonl [MORE.jsonl …] [--seals SEALS.jsonl] [--key PUBLIC_KEY_HEX]
    python independent_verifier.py --proof PROOF.json [--seals SEALS.jsonl] [--key PUBLIC_KEY_HEX]

Exit code 0: everything holds; 7: something does not, and where; 2: a file cannot be read. The format is decision 0013 of Interlock.
"""

from __future__ import annotations

import argparse
import functools
import hashlib
import json
import sys
from collections.abc import Iterable, Iterator
from fileinput import FileInput
from pathlib import Path
from typing import Any

ENTRY = {"actor", "at", "axis", "cause", "detail", "from", "id", "kind", "machine", "origin", "role", "scope", "to", "token", "version"}
CLOSING = ("deletion", "erase")
PARTS = ("machine", "seal", "entry", "verdict")
Value = dict[str, Any]
Key = tuple[Any, ...]
Tree = list[tuple[int, bytes]]
dump = json.JSONEncoder(ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False).encode


def sha256(*parts: bytes) -> bytes:
    return hashlib.sha256(b"".join(parts)).digest()


# Ed25519, verification only.
P, L = 2**255 - 19, 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P) % P
Point = tuple[int, int, int, int]  # x, y, z and x·y, over the common divisor z


def plus(a: Point, b: Point) -> Point:
    low, high = (a[1] - a[0]) * (b[1] - b[0]) % P, (a[1] + a[0]) * (b[1] + b[0]) % P
    cross, depth = 2 * D * a[3] * b[3] % P, 2 * a[2] * b[2] % P
    e, f, g, h = high - low, depth - cross, depth + cross, high + low
    return e * f % P, g * h % P, f * g % P, e * h % P


def times(number: int, point: Point) -> Point:
    total: Point = (0, 1, 1, 0)
    while number:
        if number & 1:
            total = plus(total, point)
        point, number = plus(point, point), number >> 1
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
    base, key, start = point_of((4 * pow(5, -1, P) % P).to_bytes(32, "little")), point_of(public_key), point_of(signature[:32])
    scalar, sized = int.from_bytes(signature[32:], "little"), (len(public_key), len(signature)) == (32, 64)
    if base is None or key is None or start is None or scalar >= L or not sized:
        return False
    challenge = int.from_bytes(hashlib.sha512(signature[:32] + public_key + message).digest(), "little") % L
    left, right = times(scalar, base), plus(start, times(challenge, key))
    return (left[0] * right[2] - right[0] * left[2]) % P == 0 and (left[1] * right[2] - right[1] * left[2]) % P == 0


def join(right: bytes, left: bytes) -> bytes:
    return sha256(b"\x01", left, right)


def grow(tree: Tree, leaf: bytes) -> None:
    """Add a leaf to the subtrees, of which there is one for each size."""
    size = 1
    while tree and tree[-1][0] == size:
        leaf, size = join(leaf, tree.pop()[1]), 2 * size
    tree.append((size, leaf))


def entry_leaf(line: Value) -> bytes:
    return sha256(f"\0{line['hash']} {line['position']} {line['transaction']}".encode())


def fingerprint(definition: Value) -> str:
    """The hash of what a machine allows; order and aliases do not matter, and null stands before every state."""
    def rank(state: str | None) -> tuple[bool, str]:
        return state is not None, state or ""
    moves = sorted(([one["from"], one["to"], one["kind"], one["role"]] for one in definition["moves"]),
                   key=lambda one: (rank(one[0]), rank(one[1])))
    known = {"initial": definition["initial"], "moves": moves, "name": definition["name"], "states": sorted(definition["states"], key=rank)}
    return hashlib.sha256(json.dumps(known, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


def side_of(seal: Value, table: str, line: Value) -> str:
    """Whether a row is inside a seal, or may wait behind it. On SQLite all transactions are 0, and positions decide alone."""
    above, below = line["position"] > seal[f"from_{table}"], line["position"] <= seal[f"to_{table}"]
    later = seal["to_transaction"] and line["transaction"] >= seal["to_transaction"]
    if above and below and line["transaction"] >= seal["from_transaction"] and not later:
        return "inside"
    return "behind" if not below or (above and later) else "elsewhere"


def lawful(one: Value, machine: Value) -> bool:
    """A move of the machine, or a stay; a closing entry; or a plan that brings the record into a state which the machine has."""
    moved = one["to"] in machine["states"] if one["origin"] == "migration" else (one["from"], one["to"]) in machine["pairs"]
    return moved or one["origin"] in CLOSING or one["from"] == one["to"]


class Seals:
    """Seals in order, each with the tree of the rows that it covers."""

    def __init__(self, found: list[str], trusted: list[Value], key: str | None) -> None:
        self.found, self.trusted, self.key = found, {seal["number"]: seal for seal in trusted}, key
        self.known: list[tuple[Value, Tree, dict[str, int]]] = []
        self.at, self.whole = 0, True  # the seal that the last row belonged to; whether all rows of all kinds come

    def add(self, seal: Value, anywhere: bool) -> None:
        """The next seal; the first one may stand `anywhere` in the chain."""
        before: Value = {"number": seal["number"] - 1 if anywhere else 0, "hash": bytes(32).hex()}
        before = self.known[-1][0] if self.known else before
        if seal["number"] != before["number"] + 1:
            self.say(seal, f"seal {before['number'] + 1} is missing before it")
        elif seal["previous"] != before["hash"] and (self.known or not anywhere):
            self.say(seal, "it does not follow from the seal before it")
        said = {name: value for name, value in seal.items() if name not in ("hash", "signature")} | {"format": "interlock seal 1"}
        hashed, kept = sha256(b"\x02", dump(said).encode()), self.trusted.pop(seal["number"], seal)
        if hashed.hex() != seal["hash"]:
            self.say(seal, "its hash does not follow from its text")
        if kept["hash"] != seal["hash"]:
            self.say(seal, "it is not the seal that was kept elsewhere")
        if self.key is not None and seal["public_key"] != self.key:
            self.say(seal, f"it does not name the key {self.key}")
        key, signature = bytes.fromhex(seal["public_key"] or ""), bytes.fromhex(seal["signature"] or "")
        if (key or signature) and not signature_holds(key, hashed, signature):
            self.say(seal, "its signature does not hold")
        self.known.append((seal, [], {"entry": 0, "verdict": 0}))

    def place(self, table: str, line: Value, leaf: bytes) -> None:
        """Put a row into the tree of its seal."""
        for index in (self.at, self.at + 1, *range(len(self.known))):
            if index < len(self.known) and side_of(self.known[index][0], table, line) == "inside":
                self.at = index
                grow(self.known[index][1], leaf)
                self.known[index][2][table] += 1
                return
        if self.whole and self.known and side_of(self.known[-1][0], table, line) == "elsewhere":
            self.found.append(f"{table} at {line['transaction']}.{line['position']}: it is in no seal, but stands before the last one")

    def finish(self) -> None:
        for seal, tree, sizes in self.known if self.whole else ():
            if sizes != (wanted := {"entry": seal["entries"], "verdict": seal["verdicts"]}):
                self.say(seal, f"it sealed {wanted}, there are {sizes}")
            elif functools.reduce(join, [part for _, part in reversed(tree)]).hex() != seal["root"]:
                self.say(seal, "what it covers is not what was sealed")
        first = self.known[0][0]["number"] if self.known else 0
        for seal in self.trusted.values():
            if seal["number"] > first:
                self.say(seal, "it was kept elsewhere, but is not here: an older state was restored, or the tail was cut")

    def say(self, seal: Value, problem: str) -> None:
        self.found.append(f"seal {seal['number']}: {problem}")


class Chains:
    """The chain of each axis and scope of each record; entries come in commit order, which is not always theirs."""

    def __init__(self, found: list[str]) -> None:
        self.found, self.partial = found, False
        self.machines: dict[tuple[str, str, str], Value] = {}
        self.last: dict[Key, Value] = {}
        self.waiting: dict[Key, dict[int, Value]] = {}
        self.erased: set[Key] = set()
        self.silent: list[tuple[Key, int]] = []

    def machine(self, one: Value) -> None:
        if fingerprint(one["definition"]) != one["fingerprint"]:
            self.found.append(f"machine {one['fingerprint'][:16]} of {one['kind']}: its definition is not what was hashed")
        pairs = {(move["from"], move["to"]) for move in one["definition"]["moves"]}
        self.machines[one["kind"], one["axis"], one["fingerprint"][:16]] = {**one["definition"], "pairs": pairs}

    def add(self, line: Value, told: bool) -> None:
        one = line["entry"]
        key, version = (one["kind"], one["id"], one["axis"], one["scope"]), one["version"]
        if one["origin"] == "erase":
            self.erased.add(key[:2])
        if told:
            self.detail(key, one, line["said"])
        before, later = self.last.get(key), self.waiting.setdefault(key, {})
        expected = before["version"] + 1 if before else 0
        if version < expected or version in later:
            self.say(key, version, "history forks here: this version stands twice")
        else:
            later[version] = line
        if not (self.partial and before is None):  # a chain that begins elsewhere is judged at the end
            self.follow(key, later, expected)

    def follow(self, key: Key, later: dict[int, Value], expected: int, unchecked: bool = False) -> None:
        """Judge what follows from the last entry without a gap."""
        while (line := later.pop(expected, None)) is not None:
            one, before = line["entry"], self.last.get(key)
            previous = bytes.fromhex(before["hash"]) if before else bytes(32)
            if not unchecked and sha256(previous, dump(one).encode()).hex() != line["hash"]:
                self.say(key, expected, "its hash does not follow from its text and the entry before it")
            for problem in self.problems(one, before, unchecked):
                self.say(key, expected, problem)
            self.last[key] = {"version": expected, "hash": line["hash"], "to": one["to"], "origin": one["origin"]}
            expected, unchecked = expected + 1, False
        if not later:
            self.waiting.pop(key, None)

    def problems(self, one: Value, before: Value | None, unchecked: bool) -> Iterator[str]:
        machine = self.machines.get((one["kind"], one["axis"], one["machine"]))
        if one.keys() != ENTRY:
            yield "it has other members than an entry has"
        if machine is None:
            yield f"its machine {one['machine']} is not here"
        elif before is None:
            if not unchecked and one["origin"] != "backfill" and (one["from"] is not None or one["to"] != machine["initial"]):
                yield f"a record begins in {machine['initial']}, not in {one['to']}"
        elif before["to"] != one["from"]:
            yield f"it leaves {one['from']}, but the entry before it went to {before['to']}"
        elif not lawful(one, machine):
            yield f"{one['from']} → {one['to']} is not a move of its machine"
        if before and before["origin"] in CLOSING:
            yield "the record was closed before this entry"

    def detail(self, key: Key, one: Value, said: Value | None) -> None:
        hashed = said and sha256(bytes.fromhex(said["salt"]), dump([said["facts"], said["reason"]]).encode()).hex()
        if one["detail"] is not None and said is None:
            self.silent.append((key, one["version"]))
        elif hashed != one["detail"]:
            self.say(key, one["version"], "its reason or facts are not those that were hashed")

    def finish(self) -> None:
        for key, later in list(self.waiting.items()):
            while later:
                version, before = min(later), self.last.get(key)
                if before or not self.partial:
                    self.say(key, version, f"version {before['version'] + 1 if before else 0} is missing")
                self.follow(key, later, version, unchecked=True)
        for key, version in self.silent:
            if key[:2] not in self.erased:
                self.say(key, version, "its detail is missing, and the record was not erased")

    def say(self, key: Key, version: int, problem: str) -> None:
        self.found.append(f"{key[0]} {key[1]} {key[2]}{f'[{key[3]}]' if key[3] else ''} version {version}: {problem}")


def check_export(lines: Iterable[Value], trusted: list[Value], key: str | None = None) -> tuple[list[str], int, int]:
    """What is wrong with one export, or with several in order; and how many chains and seals it holds."""
    found: list[str] = []
    seals, chains, counts, told = Seals(found, trusted, key), Chains(found), dict.fromkeys(PARTS, 0), True
    for line in lines:
        name = next((name for name in PARTS if name in line), "")
        counts[name] = counts.get(name, 0) + 1
        if name == "entry":
            seals.place(name, line, entry_leaf(line))
            chains.add(line, told)
        elif name == "verdict":
            seals.place(name, line["verdict"], sha256(b"\x00", dump(line["verdict"]).encode()))
        elif name == "seal":
            seals.add(line["seal"], chains.partial)
        elif name == "machine":
            chains.machine(line["machine"])
        elif "end" in line:
            if line["end"] != {name: counts[name] for name in PARTS}:
                found.append(f"the file says that it holds {line['end']}, but {counts} were read")
            counts = dict.fromkeys(PARTS, 0)
        else:
            seals.whole, told = line["kind"] is None, line["detail"]
            chains.partial = chains.partial or bool(line["after_seal"] and not seals.known)
    chains.finish()
    seals.finish()
    return found + (["the file has no end: it was cut off"] if any(counts.values()) else []), len(chains.last), len(seals.known)


def check_proof(proof: Value, trusted: list[Value], key: str | None = None) -> tuple[list[str], int]:
    """What is wrong with the proof of one record, and how many of its entries are in no seal yet."""
    found: list[str] = []
    seals, chains, roots = Seals(found, trusted, key), Chains(found), {seal["number"]: seal["root"] for seal in proof["seals"]}
    for machine in proof["machines"]:
        chains.machine(machine)
    for seal in proof["seals"]:
        seals.add(seal, anywhere=True)
    for line in proof["entries"]:
        one, reached = line["entry"], entry_leaf(line)
        if (one["kind"], one["id"]) != (proof["kind"], proof["id"]):
            found.append("it holds an entry of another record")
        chains.add(line, proof["detail"])
        for side, beside in line["path"]:
            reached = join(reached, bytes.fromhex(beside)) if side == "left" else join(bytes.fromhex(beside), reached)
        if line["seal"] is not None and roots.get(line["seal"]) != reached.hex():
            found.append(f"{one['kind']} {one['id']} {one['axis']} version {one['version']}: its path does not lead to seal {line['seal']}")
    chains.finish()
    return found, sum(line["seal"] is None for line in proof["entries"])


def lines_of(files: str | list[str]) -> Iterator[Value]:
    with FileInput(files, encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def answer(asked: argparse.Namespace) -> int:
    found: list[str] = []
    kept, said = lines_of(asked.seals) if asked.seals else (), []
    trusted = [one for one in (line.get("seal", line) for line in kept) if "root" in one]  # a line each, alone or within an export
    if asked.proof:
        proof = json.loads(Path(asked.proof).read_text(encoding="utf-8"))
        found, open_ = check_proof(proof, trusted, asked.key)
        said.append(f"{proof['kind']} {proof['id']}: {len(proof['entries'])} entries hold, {open_} of them in no seal yet")
    if asked.exports:
        more, chains, seals = check_export(lines_of(asked.exports), trusted, asked.key)
        found += more
        said.append(f"{chains} chains and {seals} seals hold")
    sys.stdout.write("".join(f"{problem}\n" for problem in found) or f"ok: {'; '.join(said)}\n")
    return 7 if found else 0


def main(arguments: list[str] | None = None) -> int:
    words = argparse.ArgumentParser(description="Check an exported ledger, or the proof of one record, without Interlock.")
    words.add_argument("exports", nargs="*", help="an export, or several archives in order")
    words.add_argument("--seals", metavar="FILE", help="seals that were kept elsewhere")
    words.add_argument("--proof", metavar="FILE", help="the proof of one record")
    words.add_argument("--key", metavar="HEX", help="the public key that every seal must name")
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
