"""Scores of a bag that is read message by message, and the table over several bags."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace

import numpy as np
import pytest

from stma_ros.evaluation.offline.bag_score import BagScore, BagScorer, Reference
from stma_ros.evaluation.offline.graph_series import GraphSeries
from stma_ros.evaluation.offline.measures import Share
from stma_ros.evaluation.offline.table import csv_text, mean_interval, result, rows
from stma_ros.types import topics
from stma_ros.types.boxes import BoundingBox3D
from stma_ros.types.planning import Plan, PlanRequest, TaskResult, TaskStatus
from stma_ros.types.scene_graph import ObjectNode, SceneGraph
from stma_ros.types.standard import Header, MapMetaData, OccupancyGrid, Point, Pose, Time, Vector3
from stma_ros.types.stepped import StepStamp
from stma_ros.types.truth import GroundTruth, GroundTruthObject

SIZE = Vector3(0.1, 0.1, 0.1)
SECOND = 1_000_000_000


def truth(second: int, *places: float) -> GroundTruth:
    objects = tuple(
        GroundTruthObject(
            name=f"m{k}",
            category="mug",
            box=BoundingBox3D.aligned(Point(x, 0, 0), SIZE),
        )
        for k, x in enumerate(places)
    )
    return GroundTruth(header=Header(Time(second, 0), "map"), objects=objects)


def graph(second: int, *places: float, first_id: int = 1) -> SceneGraph:
    nodes = tuple(
        ObjectNode(
            id=f"mug_{first_id + k}",
            category="mug",
            box=BoundingBox3D.aligned(Point(x, 0, 0), SIZE),
        )
        for k, x in enumerate(places)
    )
    return SceneGraph(
        at=StepStamp(header=Header(Time(second, 0), "map"), task_id="t", step=second), objects=nodes
    )


def grid(*cells: int) -> OccupancyGrid:
    info = MapMetaData(resolution=1.0, width=len(cells), height=1, origin=Pose.planar(0, 0, 0))
    return OccupancyGrid(Header(), info, np.array(cells, np.int8))


def recalls(series: GraphSeries) -> list[float]:
    return [step.score.objects.recall for step in series.finish()]


def test_each_scene_graph_is_scored_against_the_truth_of_its_own_time_in_any_order_of_arrival():
    messages = [truth(1, 0.0), graph(1, 0.0), truth(2, 5.0), graph(2, 5.0), truth(3, 9.0), graph(3, 5.0)]
    assert recalls(fed(messages)) == [1.0, 1.0, 0.0]
    swapped = [messages[k] for k in (1, 0, 3, 2, 5, 4)]
    assert recalls(fed(swapped)) == [1.0, 1.0, 0.0]


def test_a_scene_graph_without_a_truth_of_its_time_is_scored_against_the_previous_truth():
    assert recalls(fed([truth(1, 0.0), graph(4, 0.0), truth(5, 9.0)])) == [1.0]
    assert recalls(fed([truth(1, 0.0), graph(4, 0.0)])) == [1.0]


def test_a_given_truth_holds_for_all_times_and_replaces_the_recorded_one():
    assert recalls(fed([truth(1, 9.0), graph(1, 0.0), graph(2, 0.0, 1.0)], truth(0, 0.0, 1.0))) == [0.5, 1.0]


def test_scene_graphs_are_not_scored_without_a_truth():
    series = fed([graph(1, 0.0)])
    assert (series.finish(), series.graphs, series.has_truth) == ((), 1, False)


def test_an_object_that_gets_another_id_is_one_identity_switch():
    series = fed([graph(1, 0.0), graph(2, 0.0, first_id=7), graph(3, 0.0, first_id=7)], truth(0, 0.0))
    assert [step.identity_switches for step in series.finish()] == [0, 1, 0]


def fed(messages: list[GroundTruth | SceneGraph], given: GroundTruth | None = None) -> GraphSeries:
    series = GraphSeries(given)
    for message in messages:
        series.take(message.header.stamp.nanoseconds, message)
    return series


def scored(reference: Reference, *messages: tuple[str, int, object], start: int = 10) -> BagScore:
    scorer = BagScorer(reference, start * SECOND)
    for topic, second, message in messages:
        scorer.take(topic, second * SECOND, message)
    return scorer.finish("run", "full")


def test_scores_are_of_the_final_scene_graph_and_series_hold_their_course():
    reference = Reference(truth(0, 0.0, 1.0), grid(0, 0, 100, 100))
    score = scored(
        reference,
        (topics.SCENE_GRAPH, 11, graph(1, 0.0)),
        (topics.MAP, 12, grid(0, -1, -1, -1)),
        (topics.MAP, 14, grid(0, 0, 0, -1)),
        (topics.SCENE_GRAPH, 15, graph(2, 0.0, 1.2, 8.0)),
        (topics.PLAN_REQUEST, 15, PlanRequest(at=StepStamp(task_id="t"))),
        (topics.PLAN, 15, Plan(at=StepStamp(task_id="t"))),
        (topics.TASK_RESULT, 16, TaskResult(task_id="t", status=TaskStatus.SUCCEEDED, commands=4)),
    )
    assert score.shares["object_recall"] == Share(2, 2)
    assert score.shares["object_precision"] == Share(2, 3)
    assert score.values["median_position_error"] == pytest.approx(0.1)
    assert score.values["map_coverage"] == 75
    assert score.values["map_accuracy"] == pytest.approx(200 / 3)
    assert score.series["object_recall"].times == (1.0, 5.0)
    assert score.series["object_recall"].values == (50.0, 100.0)
    assert score.series["map_coverage"].values == (25.0, 75.0)
    assert (score.shares["claimed_success"], score.values["mean_steps"], score.duration) == (
        Share(1, 1),
        4,
        6,
    )


def test_passive_run_claims_no_success():
    watched = TaskResult(task_id="watch", status=TaskStatus.SUCCEEDED)
    assert scored(Reference(), (topics.TASK_RESULT, 16, watched)).shares == {}


def test_relations_are_not_scored_when_no_object_matches():
    score = scored(Reference(truth(0, 50.0)), (topics.SCENE_GRAPH, 11, graph(1, 0.0)))
    assert "relation_f1" not in score.values
    assert any("transform" in text for text in score.missing)


def test_a_missing_reference_is_reported_with_the_option_that_gives_it():
    score = scored(Reference(), (topics.SCENE_GRAPH, 11, graph(1, 0.0)), (topics.MAP, 12, grid(0)))
    missing = " ".join(score.missing)
    for option in ("--truth", "--grid", "--questions", "journal"):
        assert option in missing


def test_missing_latencies_of_a_passive_run_are_explained_without_advice_on_recording():
    score = scored(
        Reference(), (topics.SCENE_GRAPH, 1, graph(1, 0.0)), (topics.SCENE_GRAPH, 2, graph(2, 0.0))
    )
    (message,) = (text for text in score.missing if "no latencies" in text)
    assert "watched" in message
    assert "--runtime" not in message


def test_a_truth_in_another_frame_is_reported_with_the_transform_option():
    elsewhere = replace(truth(0, 0.0), header=Header(frame_id="lab"))
    score = scored(Reference(elsewhere), (topics.SCENE_GRAPH, 11, graph(1, 0.0)))
    assert any("'lab'" in text and "transform" in text for text in score.missing)


A = BagScore("a", "full", 60, {"relation_f1": 0.9, "mean_steps": 10}, {"object_recall": Share(9, 10)})
B = BagScore("b", "full", 60, {"relation_f1": 1.0}, {"object_recall": Share(90, 90)})
C = BagScore("a", "react", 60, {"mean_steps": 3}, {"object_recall": Share(0, 0)})


def test_score_table_has_a_row_for_each_bag_and_one_for_each_preset():
    table = rows([A, B, C])
    assert [(row["preset"], row["group"], row["episodes"]) for row in table] == [
        ("full", "a", 1),
        ("full", "b", 1),
        ("full", "all", 2),
        ("react", "a", 1),
        ("react", "all", 1),
    ]
    everything = table[2]
    assert everything["object_recall"] == pytest.approx(
        99
    )  # counted over all things, not the mean of 90 and 100
    low, high = everything["object_recall_interval"]
    assert 94 < low < 99 < high < 100
    assert everything["relation_f1"] == pytest.approx(0.95)
    assert everything["mean_steps"] == 10
    assert "mean_steps_interval" not in everything
    assert table[3]["object_recall"] is None


def test_intervals_stay_within_the_range_of_the_measure():
    low, high = rows([A, B])[2]["relation_f1_interval"]
    assert 0 <= low < 0.95 < high == 1.0


def test_the_interval_of_a_mean_follows_students_t():
    assert mean_interval([1.0]) is None
    low, high = mean_interval([1.0, 2.0, 3.0])
    assert (low, high) == pytest.approx((2 - 4.303 / 3**0.5, 2 + 4.303 / 3**0.5), abs=1e-3)


def test_score_result_has_the_layout_of_a_bench_result():
    outcome = json.loads(json.dumps(result([A, B], {"truth": None})))
    assert list(outcome) == ["suite", "settings", "rows", "episodes"]
    assert outcome["suite"] == "score"
    assert outcome["episodes"][0]["name"] == "full/a"
    assert outcome["episodes"][1]["object_recall"] == [90, 90]


def test_csv_file_has_every_measure_of_every_row():
    table = list(csv.DictReader(io.StringIO(csv_text(rows([A, B, C])))))
    assert len(table) == 5
    assert table[2]["object_recall"] == "99.0"
    assert float(table[2]["object_recall_low"]) < 99
    assert table[1]["mean_steps"] == ""


def test_unverified_tasks_are_counted_apart_from_claimed_successes():
    ends = [
        message
        for number, status in enumerate((TaskStatus.SUCCEEDED, TaskStatus.UNVERIFIED, TaskStatus.FAILED))
        for message in (
            (topics.PLAN_REQUEST, 15, PlanRequest(at=StepStamp(task_id=f"t{number}"))),
            (topics.PLAN, 15, Plan(at=StepStamp(task_id=f"t{number}"))),
            (topics.TASK_RESULT, 16, TaskResult(task_id=f"t{number}", status=status)),
        )
    ]
    shares = scored(Reference(), *ends).shares
    assert (shares["claimed_success"], shares["unverified_rate"]) == (Share(1, 3), Share(1, 3))
