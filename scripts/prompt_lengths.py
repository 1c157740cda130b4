"""Prints how long the prompts of recorded calls to models are, by role: as a whole, with the instructions.

    stma bench pddl --preset hiagent --set model=... --out runs/pddl
    prompt_lengths.py runs/pddl/hiagent runs/pddl/standard

Each folder is searched for the file in which a run records its calls. Lengths are in word pieces of all-MiniLM-L6-v2
(`make models`), and in the package's own unit, words and punctuation marks.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path
from statistics import fmean
from typing import Any

from stma_ros.evaluation.tokenizing import MINILM, WORDS, find_tokenizer
from stma_ros.models.replies import read_lines
from stma_ros.types.telemetry import REPLIES_FILE


def prompts(folder: Path) -> Iterator[tuple[str, str]]:
    """Yields role and prompt of each recorded call in a folder and those below it; pictures are left out."""
    for path in sorted(folder.rglob(REPLIES_FILE)):
        yield from read_lines(path, lambda call: (call["role"], text_of(call)))


def text_of(call: Mapping[str, Any]) -> str:
    parts = [part for turn in call["turns"] for part in turn["parts"]]
    return "\n\n".join(part for part in parts if isinstance(part, str))


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folders", nargs="+", type=Path, metavar="FOLDER")
    words, pieces = find_tokenizer(WORDS), find_tokenizer(MINILM)
    print(f"{'folder':24} {'role':24} {'calls':>6} {'word pieces':>12} {'words':>7}")
    for folder in parser.parse_args().folders:
        by_role: dict[str, list[str]] = defaultdict(list)
        for role, text in prompts(folder):
            by_role[role].append(text)
        for role, texts in sorted(by_role.items()):
            lengths = [fmean(len(split(text)) for text in texts) for split in (pieces, words)]
            print(f"{folder.name:24} {role:24} {len(texts):6} {lengths[0]:12.0f} {lengths[1]:7.0f}")


if __name__ == "__main__":
    main()
