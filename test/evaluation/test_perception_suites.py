"""Flats and scores of the suites `perception` and `frame_rate`."""

from __future__ import annotations

import pytest

from stma_ros.evaluation.episode_trace import EpisodeTrace
from stma_ros.evaluation.frame_rate import FrameRateEpisode
from stma_ros.evaluation.registry import make_suite
from stma_ros.evaluation.suite import Failure
from stma_ros.types import topics
from stma_ros.types.boxes import BoundingBox3D
from stma_ros.types.errors import ConfigurationError, StmaError
from stma_ros.types.planning import TaskResult
from stma_ros.types.scene_graph import ObjectNode, SceneGraph
from stma_ros.types.sensing import KeyframeDetections
from stma_ros.types.standard import Header, Point, Time, Vector3
from stma_ros.types.stepped import StepStamp
from stma_ros.types.truth import GroundTruth, GroundTruthObject

CUP = GroundTruthObject(
    name="cup_9",
    category="cup",
    box=BoundingBox3D.aligned(Point(1, 0, 0.8), Vector3(0.1, 0.1, 0.1)),
)


def witness_of(*nodes: ObjectNode, truth: GroundTruth) -> EpisodeTrace:
    witness = EpisodeTrace()
    witness(topics.GROUND_TRUTH, truth)
    witness(topics.SCENE_GRAPH, SceneGraph(at=StepStamp(header=truth.header), objects=nodes))
    return witness


def test_a_perception_episode_is_solved_when_no_object_is_missing_or_invented() -> None:
    episode = make_suite("perception", {}).episode(1000, 0)
    truth = GroundTruth(header=Header(Time(7, 0)), objects=(CUP,))
    node = ObjectNode(
        id="cup_1",
        category="cup",
        box=BoundingBox3D.aligned(Point(1, 0.03, 0.8), CUP.size),
    )
    score = episode.score(TaskResult(), witness_of(node, truth=truth))
    assert score.success
    assert score.measures["object_recall"] == 100
    assert score.measures["median_position_error"] == pytest.approx(0.03)
    ghost = ObjectNode(
        id="cup_2",
        category="cup",
        box=BoundingBox3D.aligned(Point(5, 0, 0.8), CUP.size),
    )
    score = episode.score(TaskResult(), witness_of(node, ghost, truth=truth))
    assert score.failure is Failure.NOT_FOUND
    assert score.measures["object_precision"] == 50


def test_recall_of_visible_things_is_told_by_size_with_what_they_are_taken_for() -> None:
    def thing(name: str, x: float, pixels: int, hidden: bool = False) -> GroundTruthObject:
        box = BoundingBox3D.aligned(Point(x, 0, 0.8), CUP.size)
        category = name.rpartition("_")[0]
        return GroundTruthObject(name=name, category=category, box=box, seen_pixels=pixels, hidden=hidden)

    truth = GroundTruth(
        header=Header(Time(7, 0)),
        objects=(
            thing("cup_1", 0, 300),
            thing("cup_2", 2, 300),
            thing("bowl_1", 4, 2000),
            thing("cup_3", 6, 119),  # shown by too few pixels
            thing("cup_4", 8, 500, hidden=True),
        ),
    )
    nodes = [
        ObjectNode(id=f"{kind}_{x}", category=kind, box=BoundingBox3D.aligned(Point(x, 0, 0.8), CUP.size))
        for kind, x in (("cup", 0), ("mug", 2), ("bowl", 4))
    ]
    score = make_suite("perception", {}).episode(1000, 0).score(TaskResult(), witness_of(*nodes, truth=truth))
    assert score.measures["seen_recall"] == pytest.approx(100 * 2 / 3)
    assert (score.measures["seen_recall_small"], score.measures["seen_recall_large"]) == (50, 100)
    assert score.detail.endswith("; cup taken for mug (1x)")


def test_perception_score_without_a_ground_truth_is_an_error() -> None:
    witness = EpisodeTrace()
    witness(topics.SCENE_GRAPH, SceneGraph())
    with pytest.raises(StmaError, match="no ground truth"):
        make_suite("perception", {}).episode(1000, 0).score(TaskResult(), witness)


def test_noise_and_image_size_of_the_suites_are_options_of_the_world() -> None:
    assert make_suite("perception", {"noise": "true"}).world_options == {"noise": True}
    assert make_suite("perception", {}).world_options == {}
    assert make_suite("frame_rate", {}).world_options == {"width": 640, "height": 480}


def test_different_episodes_and_suites_use_different_flats() -> None:
    perception, rearrangement = make_suite("perception", {}), make_suite("rearrangement", {"tasks": "find"})
    scenes = [perception.episode(seed, index).scene for seed in (0, 1, 1000) for index in range(20)]
    assert len(set(scenes)) == len(scenes)
    assert rearrangement.episode(1000, 0).scene not in scenes
    with pytest.raises(ConfigurationError, match="seed"):
        perception.episode(-1, 0)


def test_the_frame_rate_is_that_of_the_keyframes(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter([10.0, 10.1, 10.5, 11.0])
    monkeypatch.setattr("stma_ros.evaluation.episode_trace.time.perf_counter", lambda: next(clock))
    witness = EpisodeTrace()
    for keyframe in (True, False, True, True):
        witness(topics.KEYFRAME_DETECTIONS, KeyframeDetections(keyframe=keyframe))
    episode = FrameRateEpisode(0, "flat_1", 1, 30, rate=2.5)
    assert (witness.frames, witness.keyframes, witness.seconds) == (4, 3, 1.0)
    score = episode.score(TaskResult(), witness)
    assert score.measures["keyframes_per_s"] == pytest.approx(2.0)
    assert score.failure is Failure.TOO_SLOW
