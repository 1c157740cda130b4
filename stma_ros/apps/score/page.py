"""The page of `stma score --html`: one file without external references."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from stma_ros.apps.console import figure
from stma_ros.apps.report.svg import data_uri
from stma_ros.apps.score.figure import COLOURS, series_figure
from stma_ros.apps.score.table import shown_tables
from stma_ros.evaluation.offline.bag_score import BagScore
from stma_ros.evaluation.offline.decision_agreement import Disagreement, compared_inputs, decision_text
from stma_ros.evaluation.offline.decisions import PLAN
from stma_ros.evaluation.offline.questions import Marked

_TEMPLATE = "score/page.html.j2"
_MAX_DISAGREEMENTS = 100  # shown for one replay
_TITLES = {
    "object_recall": "objects: recall [%]",
    "object_precision": "objects: precision [%]",
    "relation_f1": "relations: F1",
    "state_accuracy": "states right [%]",
    "median_position_error": "position error [m]",
    "map_coverage": "map: known [%]",
    "map_accuracy": "map: right [%]",
}


@dataclass(frozen=True)
class _InputView:
    name: str
    recorded: str
    other: str


@dataclass(frozen=True)
class _DisagreementView:
    where: str
    asked: str
    differs: str
    recorded: str
    other: str
    inputs: tuple[_InputView, ...]


@dataclass(frozen=True)
class _AnswerView:
    ask: str
    at: str
    right: bool
    aspects: tuple[tuple[str, bool], ...]
    expected: str
    text: str
    seen: str
    picture: str


@dataclass(frozen=True)
class _BagView:
    """One bag: as recorded, and its replays."""

    name: str
    scores: tuple[BagScore, ...]
    figures: tuple[Markup, ...]
    answers: tuple[tuple[str, tuple[_AnswerView, ...]], ...]
    disagreements: tuple[tuple[BagScore, tuple[_DisagreementView, ...]], ...]


def page(outcome: Mapping[str, Any], scores: Sequence[BagScore]) -> str:
    """Returns the HTML page of the result of `table.result`."""
    environment = Environment(
        loader=PackageLoader("stma_ros.apps", "."),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["figure"] = figure
    bags = [_bag(name, [s for s in scores if s.bag == name]) for name in dict.fromkeys(s.bag for s in scores)]
    settings = outcome["settings"]
    against = [
        f"{name} {Path(settings[name]).name}" for name in ("truth", "grid", "questions") if settings[name]
    ]
    return environment.get_template(_TEMPLATE).render(
        title=bags[0].name if len(bags) == 1 else f"{len(bags)} bags",
        lead=", ".join(against) or "against what the bags hold themselves",
        tables=shown_tables(outcome["rows"]),
        bags=bags,
        colours=COLOURS,
    )


def _bag(name: str, scores: Sequence[BagScore]) -> _BagView:
    measures = dict.fromkeys(measure for score in scores for measure in score.series)
    return _BagView(
        name,
        tuple(scores),
        tuple(
            series_figure(
                _TITLES[measure],
                [(score.preset, score.series[measure]) for score in scores if measure in score.series],
                max(score.duration for score in scores),
            )
            for measure in measures
        ),
        tuple(_answers(scores)),
        tuple(
            (
                score,
                tuple(
                    _disagreement(disagreement)
                    for disagreement in score.agreement.disagreements[:_MAX_DISAGREEMENTS]
                ),
            )
            for score in scores
            if score.agreement is not None
        ),
    )


def _answers(scores: Sequence[BagScore]) -> Iterator[tuple[str, tuple[_AnswerView, ...]]]:
    """Yields the answers of the recorded run, and those of each replay that differ."""
    known: tuple[_AnswerView, ...] = ()
    for score in scores:
        answers = tuple(map(_answer, score.answers))
        otherwise = tuple(answer for answer in answers if answer not in known)
        known = known or answers
        if otherwise:
            yield score.preset, otherwise


def _disagreement(disagreement: Disagreement) -> _DisagreementView:
    point, recorded = disagreement.point, disagreement.recorded
    inputs = [_InputView(*sight) for sight in compared_inputs(recorded, disagreement.other)]
    revision = f", revision {point.revision}" if point.revision else ""
    return _DisagreementView(
        f"{point.task_id}, step {point.step}{revision}",
        f"plan: {recorded.seen.task}" if point.kind == PLAN else f"verdict on {recorded.seen.proposal}",
        ", ".join(disagreement.differs),
        decision_text(recorded.said),
        "no answer" if disagreement.other is None else decision_text(disagreement.other.said),
        tuple(sorted(inputs, key=lambda sight: sight.recorded == sight.other)),
    )


def _answer(marked: Marked) -> _AnswerView:
    sighting, question = marked.sighting, marked.question
    seen, picture = "", ""
    if sighting is not None:
        where = sighting.position
        age = marked.answer.header.stamp.seconds - sighting.last_seen.seconds
        seen = (
            f"{sighting.object_id}, {sighting.place or 'place unknown'}, at ({where.x:.2f}, {where.y:.2f}, "
        )
        seen += f"{where.z:.2f}) m, last seen {age:.1f} s before"
        if sighting.picture.data.size:
            picture = data_uri(sighting.picture.data.tobytes(), "image/jpeg")
    return _AnswerView(
        question.ask,
        "at the end" if question.at is None else f"at {question.at:g} s",
        marked.is_right,
        tuple(marked.aspects.items()),
        str(question.expect),
        marked.answer.text,
        seen,
        picture,
    )
