"""Writes the answers of the training questions anew, from which the preset `blind` of the suite `eqa` answers.

    blind_prior.py [--out FILE]

Takes some five minutes; needs the extra `house`. A test says when the stored file is out of date.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from stma_ros.evaluation.eqa.generation.blind_prior import PRIOR_FILE, TRAINING_EPISODES, training_answers

_CHUNK = 20  # episodes between two lines of progress


def main() -> None:
    """Generates the episodes and writes the file."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--out", type=Path, default=PRIOR_FILE)
    out = parser.parse_args().out
    answered: list[tuple[str, str]] = []
    while len(answered) < TRAINING_EPISODES:
        answered += training_answers(len(answered), min(len(answered) + _CHUNK, TRAINING_EPISODES))
        print(f"{len(answered)} of {TRAINING_EPISODES} episodes", flush=True)
    rows = ",\n".join(json.dumps(row) for row in answered)
    out.write_text(f"[\n{rows}\n]\n", encoding="utf-8")


if __name__ == "__main__":
    main()
