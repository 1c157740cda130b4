"""Writes the answers of the training questions anew, and the priors made of them.

The preset `blind` of the suite `eqa` answers by these.

    blind_prior.py [--out DIR]

Takes some five minutes; needs the extra `house`. A test says when a stored file is out of date.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path

from stma_ros.evaluation.eqa.generation.blind_prior import (
    ANSWER_PRIORS,
    PRIOR_FILE,
    TRAINING_EPISODES,
    BlindPrior,
    training_answers,
)

_CHUNK = 20  # episodes between two lines of progress


def main() -> None:
    """Generates the episodes and writes the files."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--out", type=Path, default=PRIOR_FILE.parent, help="folder of both files")
    out = parser.parse_args().out
    answered: list[tuple[str, str]] = []
    while len(answered) < TRAINING_EPISODES:
        answered += training_answers(len(answered), min(len(answered) + _CHUNK, TRAINING_EPISODES))
        print(f"{len(answered)} of {TRAINING_EPISODES} episodes", flush=True)
    _write(out / PRIOR_FILE.name, answered)
    _write(out / ANSWER_PRIORS.name, BlindPrior.of(answered).patterns)


def _write(path: Path, pairs: Sequence[tuple[str, str]]) -> None:
    rows = ",\n".join(json.dumps(pair) for pair in pairs)
    path.write_text(f"[\n{rows}\n]\n", encoding="utf-8")


if __name__ == "__main__":
    main()
