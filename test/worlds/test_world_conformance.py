"""Every world keeps the promises of types/world.py."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from stma_ros.testing.world_conformance import Check, Subject, Trial, checks_for
from support.worlds.conformance_subjects import SUBJECTS

pytestmark = pytest.mark.filterwarnings(
    "ignore:Game .* is not fully supported"
)  # of TextWorld's own interpreter

PAGE = Path(__file__).resolve().parents[2] / "docs" / "howto" / "own_world.md"

_CASES = [
    pytest.param(subject, check, id=f"{subject.name}-{check.name}".replace(" ", "_"), marks=marks)
    for subject, marks in SUBJECTS.values()
    for check in checks_for(subject)
]


@pytest.fixture(scope="module")
def trials() -> Iterator[dict[str, Trial]]:
    """One world of each kind for all checks, which must not affect one another."""
    started: dict[str, Trial] = {}
    yield started
    for trial in started.values():
        trial.close()


@pytest.mark.parametrize(("subject", "check"), _CASES)
def test_every_world_passes_the_conformance_checks(
    subject: Subject, check: Check, trials: dict[str, Trial]
) -> None:
    check.run(trials.setdefault(subject.name, Trial(subject)))


def test_the_howto_page_shows_how_to_run_the_conformance_checks(capsys: pytest.CaptureFixture[str]) -> None:
    (code,) = re.findall(r"```python\n(.*?)```", PAGE.read_text(), flags=re.DOTALL)
    exec(compile(code, str(PAGE), "exec"), {})
    assert "canceled_during_a_motion: A motion whose token is set" in capsys.readouterr().out
