"""Compares the behaviour of two versions of this package, by stored results and decisions of a list of runs.

    goldens.py freeze OUT_DIR --stma PATH --inputs DIR    runs everything with one version and keeps what comes of it
    goldens.py compare DIR_A DIR_B [--rename FILE]        names the first difference of each golden between two versions

A golden is the same when every row, every episode and every decision log is, digit by digit. What a clock or the
system's memory measures is left out. Standard library only: one script freezes any version that has an `stma`.

The inputs are made once and read by both versions: `foreign` is what another robot recorded, with a mapping file, the
truth, a reference map and questions; `cooking_replies` and `household_replies` are what the stand-in of
`stma serve-model` replied. A prompt that is not the same, byte for byte, has no reply there, which shows in the
decisions and in `calls_failed`.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any

RESULT = "result.json"
LOG = "stma.log"
CACHE = "cache"
COMPARED = ("*.json", "**/decisions.jsonl", "**/answers.json", "**/map.pgm")
"""What is compared of a golden's folder; everything else there is for people."""

MEASURED = re.compile(r"run_time|latency|latencies|memory_mb|_per_s$")
"""Keys of what a clock or the system's memory measures, at any depth."""

UNCOMPARED = ("settings",)
"""Keys at the top of a result: what was asked for, which names folders."""

TEXT_PRESETS = (
    "full",
    "stma",
    "stma_no_memory",
    "stma_no_summariser",
    "stma_no_spatial_summariser",
    "stma_no_spatial_memory",
    "stma_no_aggregator",
    "stma_no_critic",
    "react",
    "reflexion",
    "adaplanner",
    "random",
    "nearest_exit",
)
"""Every preset that fits worlds of text."""

_LONGEST = 3600.0  # [s] that a command may take


@dataclass(frozen=True)
class Golden:
    """Something to run.

    Attributes:
        name: Of its folder.
        commands: Arguments of `stma`, run in turn with the folder of inputs as working directory. `{out}` is the
            golden's folder, `{jobs}` the number of processes.
        inputs: The folders that they read there.
    """

    name: str
    commands: tuple[str, ...]
    inputs: tuple[str, ...] = ()


def _bench(name: str, suite: str, *inputs: str) -> Golden:
    """A golden that is one benchmark.

    Args:
        name: Of the golden.
        suite: The suite and its options.
        inputs: The folders of inputs that it reads.
    """
    command = f"bench {suite} --jobs {{jobs}} --json {{out}}/{RESULT} --out {{out}}/run"
    return Golden(name, (command,), inputs)


GOLDENS = (
    _bench("household", "rearrangement --preset full --episodes 20 --seed 1000"),
    _bench("cooking", "cooking --preset stma"),
    _bench(
        "cooking_presets",
        "cooking --episodes 4 --seed 1000 " + " ".join(f"--preset {preset}" for preset in TEXT_PRESETS),
    ),
    _bench(
        "cooking_noise",
        "cooking --preset stma --preset react --preset reflexion --episodes 8 --seed 1001 "
        "--set noise=0.2 --set noise_seed=7",
    ),
    _bench("perception", "perception --preset full --episodes 3 --seed 1000"),
    _bench("perception_noise", "perception --preset full --episodes 2 --seed 1001 --set noise=true"),
    Golden(
        "foreign_bag",
        (
            "replay foreign/bag --topics-file foreign/topics.yaml --ask 'the table' --ask '@10 the chair' "
            "--json {out}/watched.json --out {out}/watched",
            "score {out}/watched --truth foreign/truth.yaml --grid foreign/map.yaml "
            f"--questions foreign/questions.yaml --json {{out}}/{RESULT}",
        ),
        ("foreign",),
    ),
    _bench(
        "recorded_cooking",
        "cooking --preset stma --episodes 4 --seed 1000 --set model=recorded:cooking_replies "
        "--set model.on_failure=fail",
        "cooking_replies",
    ),
    _bench(
        "recorded_household",
        "rearrangement --preset full --episodes 2 --seed 1000 --set model=recorded:household_replies "
        "--set model.on_failure=fail",
        "household_replies",
    ),
)


def freeze(golden: Golden, stma: Path, inputs: Path, out: Path, jobs: int) -> str:
    """Runs a golden and stores its results; an earlier run in the same place is replaced.

    Text games are stored there, too, not in the user's cache, so that each version generates its own.

    Args:
        golden: What to run.
        stma: The executable of the version to freeze.
        inputs: The folder of inputs.
        out: The golden's folder.
        jobs: Processes of a benchmark.

    Returns:
        What went wrong, for people; empty where nothing did.
    """
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True)
    environment = {**os.environ, "COLUMNS": "120", "XDG_CACHE_HOME": str(out / CACHE)}
    with (out / LOG).open("w", encoding="utf-8") as log:
        for command in golden.commands:
            words = [word.format(out=out, jobs=jobs) for word in shlex.split(command)]
            log.write(f"$ stma {shlex.join(words)}\n")
            log.flush()
            try:
                status = subprocess.run(
                    [str(stma), *words],
                    cwd=inputs,
                    env=environment,
                    stdin=subprocess.DEVNULL,
                    stdout=log,
                    stderr=subprocess.STDOUT,
                    timeout=_LONGEST,
                    check=False,
                ).returncode
            except subprocess.TimeoutExpired:
                return f"`stma {words[0]}` took longer than {_LONGEST:.0f} s; see {out / LOG}"
            if status != 0:
                return f"`stma {words[0]}` ended with status {status}; see {out / LOG}"
    return ""


def compare(first: Path, second: Path, rename: Callable[[str], str]) -> tuple[str, int]:
    """Compares two freezes of one golden.

    Args:
        first: Its folder in one freeze.
        second: Its folder in the other.
        rename: What becomes of a name in the first before it is compared.

    Returns:
        The first difference, for people (empty where there is none), and how many files were compared.
    """
    for folder in (first, second):
        if not (folder / RESULT).is_file():
            return f"{folder} holds no {RESULT}; freeze it first", 0
    ours = {rename(name): file for name, file in _compared_files(first).items()}
    theirs = _compared_files(second)
    for name in sorted({*ours, *theirs}):
        if name not in theirs:
            return f"{name} is only in the first", 0
        if name not in ours:
            return f"{name} is only in the second", 0
        difference = _file_difference(ours[name], theirs[name], rename)
        if difference:
            return f"{name}: {difference}", 0
    return "", len(ours)


def _compared_files(folder: Path) -> dict[str, Path]:
    """By their path below the folder."""
    found = {file for pattern in COMPARED for file in folder.glob(pattern)}
    return {str(file.relative_to(folder)): file for file in found}


def _file_difference(first: Path, second: Path, rename: Callable[[str], str]) -> str:
    if first.suffix == ".json":
        ours, theirs = (_without(_read(file.read_text("utf-8")), UNCOMPARED) for file in (first, second))
        return next(_differences(ours, theirs, rename, ""), "")
    if first.suffix != ".jsonl":
        return "" if first.read_bytes() == second.read_bytes() else "not the same bytes"
    mine, yours = (file.read_text("utf-8").splitlines() for file in (first, second))
    for number, lines in enumerate(zip(mine, yours, strict=False), start=1):
        ours, theirs = (_read(line) for line in lines)
        for difference in _differences(ours, theirs, rename, ""):
            place = ", ".join(f"{key} {ours.get(key)}" for key in ("task", "step", "kind", "revision"))
            return f"line {number} ({place}): {difference}"
    return "" if len(mine) == len(yours) else f"{len(mine)} lines, then {len(yours)}"


def _read(text: str) -> Any:
    """JSON, every number with the digits that it is written with."""
    return json.loads(text, parse_float=Decimal)


def _without(value: Any, keys: Sequence[str]) -> Any:
    return {key: item for key, item in value.items() if key not in keys} if isinstance(value, dict) else value


def _differences(first: Any, second: Any, rename: Callable[[str], str], where: str) -> Iterator[str]:
    """Where two JSON values part. `1` and `1.0` are not the same, nor are `0.0` and `-0.0`."""
    if isinstance(first, dict) and isinstance(second, dict):
        ours = {rename(key): value for key, value in first.items() if not MEASURED.search(key)}
        theirs = {key: value for key, value in second.items() if not MEASURED.search(key)}
        for key in {**ours, **theirs}:
            place = f"{where}.{key}" if where else key
            if key not in theirs:
                yield f"{place} is only in the first"
            elif key not in ours:
                yield f"{place} is only in the second"
            else:
                yield from _differences(ours[key], theirs[key], rename, place)
    elif isinstance(first, list) and isinstance(second, list):
        for number, (mine, yours) in enumerate(zip(first, second, strict=False)):
            yield from _differences(mine, yours, rename, f"{where}[{number}]")
        if len(first) != len(second):
            yield f"{where} has {len(first)} entries, then {len(second)}"
    else:
        mine = rename(first) if isinstance(first, str) else first
        if repr(mine) != repr(second):
            yield f"{where} is {_shown(mine)}, then {_shown(second)}"


def _shown(value: Any) -> str:
    return str(value) if isinstance(value, Decimal) else repr(value)


def renaming(names: Mapping[str, str]) -> Callable[[str], str]:
    """What renames whole words in a text, all at once.

    Args:
        names: The new name of each old one. A name within a longer one stays as it is.
    """
    if not names:
        return lambda text: text
    longest_first = sorted(names, key=len, reverse=True)
    pattern = re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, longest_first))})(?!\w)")
    return lambda text: pattern.sub(lambda match: names[match[0]], text)


def main() -> int:
    """The command line.

    Returns:
        The exit status: 1 where a golden could not be frozen, or is not the same.
    """
    options = _parser().parse_args()
    chosen = [golden for golden in GOLDENS if not options.only or golden.name in options.only]
    status: int = options.verb(options, chosen)
    return status


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    verbs = parser.add_subparsers(title="verbs", metavar="VERB", required=True)
    names = [golden.name for golden in GOLDENS]
    freezing = verbs.add_parser("freeze", help="run the goldens with one version and keep what comes of it")
    freezing.add_argument("out", type=Path, metavar="OUT_DIR")
    freezing.add_argument(
        "--stma", type=Path, default=Path(".venv/bin/stma"), metavar="PATH", help="default: .venv/bin/stma"
    )
    freezing.add_argument("--inputs", type=Path, metavar="DIR", help="what some of them read")
    freezing.add_argument("--jobs", type=int, default=2, metavar="N", help="processes (default: 2)")
    freezing.set_defaults(verb=_freeze)
    comparing = verbs.add_parser("compare", help="name the first difference of each golden; status 1 for any")
    comparing.add_argument("first", type=Path, metavar="DIR_A")
    comparing.add_argument("second", type=Path, metavar="DIR_B")
    comparing.add_argument(
        "--rename",
        type=Path,
        metavar="FILE",
        help='JSON: {"old": "new"}, for whole words in the texts of DIR_A',
    )
    comparing.set_defaults(verb=_compare)
    for verb in (freezing, comparing):
        verb.add_argument("--only", nargs="+", choices=names, metavar="NAME", help=f"of {', '.join(names)}")
    return parser


def _freeze(options: argparse.Namespace, chosen: Sequence[Golden]) -> int:
    stma, out = options.stma.absolute(), options.out.absolute()
    if not os.access(stma, os.X_OK):
        raise SystemExit(f"error: {stma} is no program; name the version's with --stma")
    inputs = (options.inputs or Path()).absolute()
    for golden in chosen:
        missing = [name for name in golden.inputs if options.inputs is None or not (inputs / name).is_dir()]
        if missing:
            raise SystemExit(
                f"error: {golden.name} reads the folder {missing[0]}; say where it is with --inputs, or name others "
                "with --only"
            )
    failed = 0
    for golden in chosen:
        begun = time.monotonic()
        error = freeze(golden, stma, inputs, out / golden.name, options.jobs)
        failed += bool(error)
        print(f"{golden.name}: {error or 'frozen'} ({time.monotonic() - begun:.0f} s)", flush=True)
    return 1 if failed else 0


def _compare(options: argparse.Namespace, chosen: Sequence[Golden]) -> int:
    names = json.loads(options.rename.read_text("utf-8")) if options.rename else {}
    differing = 0
    for golden in chosen:
        difference, files = compare(
            options.first / golden.name, options.second / golden.name, renaming(names)
        )
        differing += bool(difference)
        print(f"{golden.name}: {'DIFFERS: ' + difference if difference else f'the same, {files} files'}")
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main())
