"""Scores of scene graphs: found, wrong and unscored objects and facts."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from stma_ros.evaluation.scene_graphs import identity_switches, match, score_graph
from stma_ros.evaluation.tally import Tally
from stma_ros.types.boxes import BoundingBox3D
from stma_ros.types.evidence import StateEstimate
from stma_ros.types.scene_graph import ObjectNode, Relation, RoomNode, SceneGraph
from stma_ros.types.standard import Header, Point, Point32, Polygon, Time, Vector3
from stma_ros.types.stepped import StepStamp
from stma_ros.types.truth import GroundTruth, GroundTruthObject, GroundTruthRoom
from stma_ros.worlds.robot.map_frame import MapFrame

SMALL = Vector3(0.1, 0.1, 0.1)
FLOOR = Polygon(tuple(Point32(x, y, 0.0) for x, y in ((0, 0), (4, 0), (4, 4), (0, 4))))
TABLE = GroundTruthObject(
    name="t",
    category="table",
    box=BoundingBox3D.aligned(Point(1, 1, 0.4), Vector3(1.2, 0.8, 0.8)),
    room="r",
    fixed=True,
)
MUG = GroundTruthObject(
    name="m", category="mug", box=BoundingBox3D.aligned(Point(1, 1, 0.85), SMALL), room="r", support="t"
)
FRIDGE = GroundTruthObject(
    name="f",
    category="fridge",
    box=BoundingBox3D.aligned(Point(3, 3, 0.9), Vector3(0.6, 0.6, 1.8)),
    room="r",
    states=("closed",),
)
MILK = GroundTruthObject(
    name="k",
    category="milk",
    box=BoundingBox3D.aligned(Point(3, 3, 0.9), SMALL),
    room="r",
    support="f",
    inside=True,
    hidden=True,
)
TRUTH = GroundTruth(
    rooms=(GroundTruthRoom(name="r", category="kitchen", footprint=FLOOR),),
    objects=(TABLE, MUG, FRIDGE, MILK),
)

ROOM = RoomNode(id="room_1", category="kitchen", center=Point(2, 2, 0))
NODES = (
    ObjectNode(
        id="table_1",
        category="table",
        box=BoundingBox3D.aligned(Point(1.02, 1, 0.4), TABLE.size),
    ),
    ObjectNode(
        id="mug_1",
        category="mug",
        box=BoundingBox3D.aligned(Point(1, 1.05, 0.85), SMALL),
    ),
    ObjectNode(
        id="fridge_1",
        category="fridge",
        box=BoundingBox3D.aligned(Point(3, 3, 0.9), FRIDGE.size),
        states=(StateEstimate(state="closed"),),
    ),
)
FACTS = (
    Relation("mug_1", "on", "table_1"),
    Relation("mug_1", "near", "table_1"),
    *(Relation(node.id, "in room", "room_1") for node in NODES),
)
GRAPH = SceneGraph(objects=NODES, rooms=(ROOM,), relations=FACTS)


def test_a_right_scene_graph_scores_full_marks_without_the_hidden_objects() -> None:
    score = score_graph(GRAPH, TRUTH)
    assert score.objects == Tally(3, 3, 3)
    assert score.relations == Tally(5, 5, 5)
    assert score.states == Tally(1, 1, 1)
    assert sorted(score.position_errors) == pytest.approx([0.0, 0.02, 0.05])


def test_invented_objects_cost_precision_and_missed_objects_cost_recall() -> None:
    ghost = ObjectNode(
        id="mug_2",
        category="mug",
        box=BoundingBox3D.aligned(Point(3, 1, 0.85), SMALL),
    )
    score = score_graph(replace(GRAPH, objects=(*NODES[1:], ghost)), TRUTH)
    assert (score.objects.precision, score.objects.recall) == pytest.approx((2 / 3, 2 / 3))


def test_an_object_that_the_scene_graph_marks_as_missing_is_not_scored() -> None:
    gone = ObjectNode(
        id="mug_2",
        category="mug",
        box=BoundingBox3D.aligned(Point(3, 1, 0.85), SMALL),
        states=(StateEstimate(state="missing"),),
    )
    assert score_graph(replace(GRAPH, objects=(*NODES, gone)), TRUTH).objects == Tally(3, 3, 3)


def test_a_remembered_hidden_object_is_not_scored() -> None:
    milk = ObjectNode(
        id="milk_1",
        category="milk",
        box=BoundingBox3D.aligned(Point(3, 3, 0.9), SMALL),
    )
    graph = replace(GRAPH, objects=(*NODES, milk), relations=(*FACTS, Relation("milk_1", "in", "fridge_1")))
    score = score_graph(graph, TRUTH)
    assert (score.objects, score.relations) == (Tally(3, 3, 3), Tally(5, 5, 5))


def test_wrong_relations_and_states_are_counted() -> None:
    wrong = (Relation("mug_1", "on", "fridge_1"), *FACTS[1:])
    nodes = (*NODES[:2], replace(NODES[2], states=(StateEstimate(state="open"),)))
    score = score_graph(replace(GRAPH, objects=nodes, relations=wrong), TRUTH)
    assert score.relations == Tally(4, 5, 5)
    assert score.states == Tally(0, 1, 1)


def test_objects_that_look_alike_are_matched_one_to_one_by_position() -> None:
    things = [
        replace(MUG, name=name, box=BoundingBox3D.aligned(Point(x, 0, 0), SMALL))
        for name, x in (("a", 0.0), ("b", 0.2))
    ]
    nodes = [
        ObjectNode(id=name, category="mug", box=BoundingBox3D.aligned(Point(x, 0, 0)))
        for name, x in (("mug_1", 0.19), ("mug_2", 0.25))
    ]
    assert {(mine, theirs) for mine, theirs, _ in match(nodes, things)} == {(0, 0), (1, 1)}


def test_identity_switches_are_counted_per_ground_truth_object() -> None:
    def at(second: int, name: str) -> SceneGraph:
        nodes = (replace(NODES[1], id=name),)
        return SceneGraph(at=StepStamp(header=Header(Time(second, 0))), objects=nodes)

    truths = [replace(TRUTH, header=Header(Time(second, 0))) for second in range(4)]
    names = ("mug_1", "mug_1", "mug_2", "mug_2")
    assert identity_switches([at(k, name) for k, name in enumerate(names)], truths) == 1


@pytest.mark.parametrize(
    ("size", "yaw", "error"),
    [
        (Vector3(1.2, 0.8, 0.8), 0.1, 0.1),
        (Vector3(1.2, 0.8, 0.8), math.pi - 0.1, 0.1),  # half a turn makes no difference
        (Vector3(0.8, 1.2, 0.8), 0.0, math.pi / 2),
        (Vector3(0.8, 1.2, 0.8), math.pi / 2, 0.0),
    ],
)
def test_the_yaw_error_is_between_the_longer_sides(size: Vector3, yaw: float, error: float) -> None:
    table = replace(NODES[0], box=BoundingBox3D.upright(Point(1, 1, 0.4), size, yaw))
    assert score_graph(SceneGraph(objects=(table,)), TRUTH).yaw_errors == pytest.approx((error,))


@pytest.mark.parametrize(
    "box",
    [BoundingBox3D.aligned(Point(1, 1, 0.4), size) for size in (Vector3(1, 0.8, 1), Vector3(0.2, 0.1, 1))],
)
def test_square_and_small_things_have_no_yaw_error(box: BoundingBox3D) -> None:
    truth = GroundTruth(objects=(replace(TABLE, box=box),))
    assert score_graph(SceneGraph(objects=(replace(NODES[0], box=box),)), truth).yaw_errors == ()


def test_a_thing_with_an_open_front_has_no_yaw_error() -> None:
    truth = GroundTruth(objects=(replace(TABLE, states=("open",)),))
    assert score_graph(SceneGraph(objects=NODES[:1]), truth).yaw_errors == ()


@pytest.mark.parametrize("yaw", [0.1396, 0.7854, 2.5])
def test_the_score_of_a_graph_does_not_depend_on_the_map_frame(yaw: float) -> None:
    frame = MapFrame.of(yaw, 3.0, -2.0)
    turned = replace(
        GRAPH,
        objects=tuple(replace(o, box=replace(o.box, center=frame.pose(o.box.center))) for o in GRAPH.objects),
        rooms=tuple(replace(room, center=frame.point(room.center)) for room in GRAPH.rooms),
    )
    before, after = score_graph(GRAPH, TRUTH), score_graph(turned, frame.truth(TRUTH))
    assert after.position_errors == pytest.approx(before.position_errors)
    assert after.yaw_errors == pytest.approx(before.yaw_errors)
    measured = {"position_errors": (), "yaw_errors": (), "found": ()}
    assert replace(after, **measured) == replace(before, **measured)
    assert [thing.name for _, thing in after.found] == [thing.name for _, thing in before.found]
