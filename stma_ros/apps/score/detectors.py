"""Scores the detectors of a bag's perception against the truth (`stma score --detectors`)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from stma_ros.evaluation.offline.detector_score import MIDDLING, DetectorScore, DetectorScorer, settings_of
from stma_ros.evaluation.tally import Tally
from stma_ros.memory.category_knowledge import CategoryKnowledge
from stma_ros.replay.recorded_message import Reader
from stma_ros.sensing.assembler import FrameAssembler
from stma_ros.types import topics
from stma_ros.types.sensing import KeyframeDetections
from stma_ros.types.truth import GroundTruth

_READ = (*topics.DEPTH_FRAME, topics.KEYFRAME_DETECTIONS, topics.GROUND_TRUTH)


def score_detectors(
    reader: Reader,
    truth: GroundTruth | None,
    knowledge: CategoryKnowledge | None,
    progress: Callable[[int], None],
) -> Mapping[str, DetectorScore]:
    """Returns the score of each detector of a run; empty where nothing is known of the truth, or no depth was recorded.

    Args:
        reader: Of the bag.
        truth: What there is; None = as a simulator recorded it.
        knowledge: Of synonyms.
        progress: Called now and then with the number of messages read.
    """
    scorer, frames = DetectorScorer(truth, knowledge), FrameAssembler(topics.DEPTH_FRAME)
    waiting: list[KeyframeDetections] = []
    for number, (topic, _, message) in enumerate(reader.decoded(_READ)):
        match message:
            case GroundTruth():
                scorer.take_truth(message)
            case KeyframeDetections():
                waiting.append(message)
            case _:
                frame = frames.add(topic, message)
                if frame is not None:
                    scorer.take_frame(frame)
                    for update in [each for each in waiting if each.header.stamp <= frame.stamp]:
                        waiting.remove(update)
                        scorer.take_detections(update)
        if number % 100 == 0:
            progress(number)
    for update in waiting:
        scorer.take_detections(update)
    return scorer.scores


def told(scores: Mapping[str, DetectorScore]) -> Iterator[str]:
    """Yields the lines that people read."""
    if not scores:
        yield "no detector is scored: the bag holds no keyframes with depth, or no truth (--truth FILE)"
        return
    for name, score in scores.items():
        found, right, middling = score.found, score.right, score.middling
        yield (
            f"{name or 'the detector'} finds {_percent(found.right, found.true)} of the things in plain view; "
            f"{_percent(right.right, right.said)} of its finds are right, {_percent(middling.right, middling.said)} "
            f"with scores from {MIDDLING[0]} to {MIDDLING[1]}"
        )
    if assignments := settings_of(scores):
        yield f"as settings: {' '.join(f'--set {each}' for each in assignments)}"


def in_json(scores: Mapping[str, DetectorScore]) -> Mapping[str, Any]:
    """Returns the counts by detector."""
    return {
        name: {
            "in_plain_view": score.found.true,
            "found": score.found.right,
            "finds": score.right.said,
            "right": score.right.right,
            "middling_finds": score.middling.said,
            "middling_right": score.middling.right,
        }
        for name, score in scores.items()
    }


def _percent(part: int, whole: int) -> str:
    return f"{Tally(part, whole).precision:.0%} ({part} of {whole})" if whole else "none (there are none)"
