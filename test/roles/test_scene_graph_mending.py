"""Tests of replies of the scene graph expert that are sound in part: what is used, and what is counted."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stma_ros.models.box_convention import BoxConvention
from stma_ros.models.chat import ChatReply, Finish
from stma_ros.models.images import picture
from stma_ros.roles.scene_graph import SCENE_GRAPH, SceneObject, SceneQuery, SceneRelation, SceneView
from stma_ros.roles.scene_graph_form import MAX_OBJECTS
from stma_ros.roles.spec import UnusableReplyError
from support.roles.scripted_client import ScriptedClient, prompted

PICTURE = picture(np.full((60, 80, 3), 200, np.uint8))
QUERY = SceneQuery("find the mug", PICTURE)


def thing(
    label: object = "mug 1", name: object = "mug", box: object = None, **more: object
) -> dict[str, Any]:
    box = [400, 380, 460, 430] if box is None else box
    return {"label": label, "name": name, "box": box, "states": [], **more}


COUNTER = thing("counter 1", "counter", [100, 420, 900, 1000])


def relation(subject: object, predicate: object, other: object) -> dict[str, Any]:
    return {"subject": subject, "predicate": predicate, "object": other}


def reply(*objects: object, **changes: object) -> dict[str, Any]:
    empty = {"position": {"room": "", "near": []}, "rooms": [], "relationships": []}
    return {**empty, "objects": list(objects), **changes}


def seen(data: object, query: SceneQuery = QUERY) -> SceneView:
    """Returns the answer to one reply, which is not sent back."""
    text = data if isinstance(data, str | ChatReply) else json.dumps(data)
    client = ScriptedClient(text)
    view: SceneView = prompted(SCENE_GRAPH, client).answer(query)
    assert len(client.requests) == 1
    assert bool(client.noted) == bool(view.faults)
    return view


def labels(view: SceneView) -> list[str]:
    return [item.label for item in view.objects]


# -- relations, rooms, position


@pytest.mark.parametrize(
    ("stray", "reason"),
    [
        (relation("mug 1", "on", "table 1"), "relation with an unknown label"),
        (relation("cup 1", "on", "counter 1"), "relation with an unknown label"),
        (relation("mug 1", "on", "mug 1"), "relation of a thing to itself"),
        (relation("mug 1", "eats", "counter 1"), "relation with an unknown predicate"),
        (relation("mug 1", "in room", "cellar"), "relation to an unknown room"),
        (relation(7, "on", "counter 1"), "relation without names"),
        ("mug 1 on counter 1", "relation without fields"),
    ],
)
def test_stray_relation_is_left_out_and_the_rest_of_the_reply_is_used(stray: object, reason: str) -> None:
    view = seen(reply(thing(), COUNTER, relationships=[stray, relation("mug 1", "on", "counter 1")]))
    assert labels(view) == ["mug 1", "counter 1"]
    assert view.relations == (SceneRelation("mug 1", "on", "counter 1"),)
    assert view.faults == ((reason, 1),)
    assert not view.lacks_objects


def test_reply_without_relations_rooms_position_and_states_is_sound() -> None:
    view = seen({"objects": [{"label": "mug 1", "name": "mug", "box": [400, 380, 460, 430]}]})
    assert view == SceneView(objects=(SceneObject("mug 1", "mug", (400, 380, 460, 430)),))


def test_unknown_room_and_things_of_the_position_are_left_out() -> None:
    view = seen(
        reply(thing(), position={"room": "cellar", "near": ["sofa 1", "Mug_1"]}, rooms=["kitchen", "??"])
    )
    assert (view.room, view.near, view.rooms) == ("", ("mug 1",), ("kitchen",))
    assert dict(view.faults) == {
        "room without a usable name": 1,
        "position in an unknown room": 1,
        "position with an unknown label": 1,
    }


def test_relations_are_read_in_any_case_and_with_underscores() -> None:
    view = seen(reply(thing(), rooms=["Kitchen"], relationships=[relation("Mug_1", "IN_ROOM", "kitchen")]))
    assert view.relations == (SceneRelation("mug 1", "in room", "kitchen"),)
    assert view.faults == ()


# -- boxes


@pytest.mark.parametrize(
    ("box", "used", "reason"),
    [
        ([460, 380, 400, 430], (400, 380, 460, 430), "box with corners in the wrong order"),
        ([400, 430, 460, 380], (400, 380, 460, 430), "box with corners in the wrong order"),
        ([400, 380, 1003, 430], (400, 380, 1000, 430), "box beyond the edge of the picture"),
        ([-4, 380, 460, 430], (0, 380, 460, 430), "box beyond the edge of the picture"),
    ],
)
def test_box_is_put_in_order_and_moved_to_the_edge(
    box: list[int], used: tuple[int, int, int, int], reason: str
) -> None:
    view = seen(reply(thing(box=box), COUNTER))
    assert view.objects[0].box == used
    assert view.faults == ((reason, 1),)
    assert not view.lacks_objects


def test_box_with_decimals_is_rounded() -> None:
    assert seen(reply(thing(box=[400.4, 380.0, 459.6, 430.2]))).objects[0].box == (400, 380, 460, 430)


@pytest.mark.parametrize(
    ("bad", "reason"),
    [
        (thing("cup 1", "cup", [1, 2, 3]), "object without a usable box"),
        (thing("cup 1", "cup", ["1", "2", "3", "4"]), "object without a usable box"),
        (thing("cup 1", "cup", [float("nan"), 2, 3, 4]), "object without a usable box"),
        (thing("cup 1", "cup", [10**400, 2, 3, 4]), "object without a usable box"),
        (thing("cup 1", "cup", {"left": 1}), "object without a usable box"),
        (thing("cup 1", "cup", [400, 380, 460, 380]), "object with a box of no area"),
        (thing("cup 1", "cup", [1001, 380, 1040, 430]), "object with a box of no area"),
        (thing("cup 1", "cup", [400, 380, 1200, 430]), "object with a box far beyond the picture"),
        (thing("cup 1", "cup", [0.1, 0.1, 0.5, 0.5]), "object with a box of fractions"),
        (thing("cup 1", "???"), "object without a usable name"),
        (thing("cup 1", 7), "object without a usable name"),
        ("a cup", "object without fields"),
    ],
)
def test_object_without_name_or_box_is_left_out(bad: object, reason: str) -> None:
    view = seen(reply(bad, COUNTER, thing()))
    assert labels(view) == ["counter 1", "mug 1"]
    assert dict(view.faults)[reason] == 1
    assert view.lacks_objects


@pytest.mark.parametrize(
    ("convention", "box"),
    [
        (BoxConvention.THOUSANDTHS, [400, 300, 600, 500]),
        (BoxConvention.TOP_FIRST, [300, 400, 500, 600]),
        (BoxConvention.PIXELS, [32, 18, 48, 30]),
        (BoxConvention.FRACTIONS, [0.4, 0.3, 0.6, 0.5]),
    ],
)
def test_box_is_read_in_the_convention_that_was_asked_for(
    convention: BoxConvention, box: list[float]
) -> None:
    view = seen(reply(thing(box=box)), SceneQuery("", PICTURE, boxes=convention))
    assert view.objects[0].box == (400, 300, 600, 500)
    assert view.faults == ()


FAR, NEAR = [10, 20, 1500, 900], [10, 20, 300, 400]


@pytest.mark.parametrize(
    ("asked", "boxes", "remedy"),
    [
        (BoxConvention.THOUSANDTHS, [FAR, FAR, NEAR], "fit no convention"),
        (BoxConvention.THOUSANDTHS, [[0.1, 0.1, 0.5, 0.5], [0, 0, 1, 1]], "Set model.boxes=fractions"),
        (
            BoxConvention.THOUSANDTHS,
            [[0.1, 0.1, 0.5, 0.5], [0.2, 0.3, 1.003, 0.9]],
            "Set model.boxes=fractions",
        ),
        (BoxConvention.PIXELS, [[0.1, 0.1, 0.5, 0.5], [-0.01, 0, 1, 1], [0, 0, 5, 30]], "boxes=fractions"),
        (
            BoxConvention.PIXELS,
            [[100, 200, 300, 400], [10, 20, 30, 40], [500, 500, 900, 900]],
            "boxes=thousandths",
        ),
        (BoxConvention.FRACTIONS, [[10, 20, 30, 40]], "Set model.boxes=pixels"),
    ],
)
def test_boxes_of_another_convention_make_the_reply_unusable_with_the_setting(
    asked: BoxConvention, boxes: list[list[float]], remedy: str
) -> None:
    things = [thing(f"mug {number}", "mug", box) for number, box in enumerate(boxes)]
    query = SceneQuery("", PICTURE, boxes=asked)
    client = ScriptedClient(reply(*things), reply(*things))
    with pytest.raises(UnusableReplyError, match=remedy):
        prompted(SCENE_GRAPH, client).answer(query)
    assert f"not {asked.value} as asked for" in client.requests[1].messages[-1].text


def test_minority_of_boxes_far_beyond_the_picture_costs_their_objects_alone() -> None:
    view = seen(reply(thing("a", "mug", FAR), thing("b", "mug", NEAR), thing("c", "mug", [1, 2, 30, 40])))
    assert labels(view) == ["b", "c"]
    assert view.faults == (("object with a box far beyond the picture", 1),)


# -- labels and states


def test_second_object_of_a_label_gets_its_own_and_relations_to_the_label_are_left_out() -> None:
    previous = SceneView(objects=(SceneObject("cup 1", "cup", (0, 0, 9, 9)),))
    data = reply(
        thing(),
        thing("Mug_1", "cup", [500, 380, 560, 430]),
        COUNTER,
        position={"room": "", "near": ["mug 1", "counter 1"]},
        relationships=[
            relation("mug 1", "on", "counter 1"),
            relation("counter 1", "near", "mug 1"),
        ],
    )
    view = seen(data, SceneQuery("", PICTURE, previous))
    assert [(item.label, item.name) for item in view.objects] == [
        ("mug 1", "mug"),
        ("cup 2", "cup"),
        ("counter 1", "counter"),
    ]
    assert (view.near, view.relations) == (("counter 1",), ())
    assert dict(view.faults) == {
        "label of several objects": 1,
        "position with a label of several objects": 1,
        "relation with a label of several objects": 2,
    }


def test_new_labels_differ_for_names_of_the_greatest_length() -> None:
    long = "wwwwwwwww xxxxxxxx yyyyyyyy zzzzzzz qqqq"
    view = seen(reply(*(thing("it", long, [0, 0, 10 + n, 10]) for n in range(12))))
    assert len(set(labels(view))) == 12
    assert {item.name for item in view.objects} == {long}


def test_object_without_a_label_gets_one() -> None:
    view = seen(reply(thing(label=None), COUNTER))
    assert labels(view) == ["mug 1", "counter 1"]
    assert view.faults == (("object without a label", 1),)


def test_object_that_is_named_twice_counts_once() -> None:
    view = seen(reply(thing(), thing(), relationships=[relation("mug 1", "near", "mug 1")]))
    assert labels(view) == ["mug 1"]
    assert dict(view.faults) == {"object named twice": 1, "relation of a thing to itself": 1}


@pytest.mark.parametrize(
    ("states", "used", "reason"),
    [
        (["dirty", "empty"], ("empty",), "unknown state"),
        (["open", "closed", "empty"], ("empty",), "state that another one contradicts"),
        ("open", (), "states: not a list"),
        ([["open"]], (), "unknown state"),
    ],
)
def test_unknown_and_contradictory_states_are_left_out(
    states: object, used: tuple[str, ...], reason: str
) -> None:
    view = seen(reply(thing(states=states)))
    assert view.objects[0].states == used
    assert {name for name, _ in view.faults} == {reason}


def test_object_after_many_repetitions_of_another_one_is_used() -> None:
    view = seen(reply(*[thing()] * (MAX_OBJECTS + 6), COUNTER))
    assert labels(view) == ["mug 1", "counter 1"]
    assert view.faults == (("object named twice", MAX_OBJECTS + 5),)
    assert not view.lacks_objects


def test_objects_after_the_largest_number_are_left_out() -> None:
    view = seen(reply(*(thing(f"mug {n}", "mug", [n, 0, n + 9, 9]) for n in range(MAX_OBJECTS + 3))))
    assert len(view.objects) == MAX_OBJECTS
    assert view.faults == ((f"object after the first {MAX_OBJECTS}", 3),)
    assert view.lacks_objects


# -- replies as a whole


def test_all_sound_objects_survive_a_reply_with_every_kind_of_fault() -> None:
    data = reply(
        thing("reversed", "mug", [460, 380, 400, 430]),
        thing("beyond", "mug", [900, 380, 1003, 430]),
        thing("twice", "mug", [1, 1, 50, 50]),
        thing("twice", "mug", [60, 1, 90, 50]),
        relationships=[relation("reversed", "on", "ghost")],
    )
    data["objects"] = data.pop("objects")  # at the end, where the reply is cut off
    text = json.dumps(data)[:-2] + ', {"label": "last", "name": "mug", "box": [1, 2, 30, 4'
    view = seen(ChatReply(text, Finish.LENGTH))
    assert labels(view) == ["reversed", "beyond", "twice", "mug 1"]
    assert [item.box for item in view.objects] == [
        (400, 380, 460, 430),
        (900, 380, 1000, 430),
        (1, 1, 50, 50),
        (60, 1, 90, 50),
    ]
    assert dict(view.faults) == {
        "reply cut off in the middle": 1,
        "box with corners in the wrong order": 1,
        "box beyond the edge of the picture": 1,
        "label of several objects": 1,
        "relation with an unknown label": 1,
    }


@given(st.data())
def test_complete_objects_survive_a_cut_at_any_place(data: st.DataObject) -> None:
    things = [thing(f"mug {n}", "mug", [n, 0, n + 9, 9], states=["empty"]) for n in range(4)]
    text = json.dumps({"objects": things, **reply()} | {"objects": things})
    ends = [text.index(json.dumps(item)) + len(json.dumps(item)) for item in things]
    cut = data.draw(st.integers(ends[0], len(text)))
    finish = data.draw(st.sampled_from([Finish.LENGTH, Finish.STOP]))
    view = seen(ChatReply(text[:cut], finish))
    assert labels(view) == [f"mug {n}" for n in range(4) if ends[n] <= cut]
    assert view.lacks_objects == (cut < len(text))


@pytest.mark.parametrize("finish", list(Finish))
def test_reply_that_is_cut_off_before_its_first_object_goes_back(finish: Finish) -> None:
    client = ScriptedClient(ChatReply('{"objects": [{"label": "mug 1", "na', finish), reply(thing()))
    assert labels(prompted(SCENE_GRAPH, client).answer(QUERY)) == ["mug 1"]
    assert "was cut off" in client.requests[1].messages[-1].text


WHOLE = json.dumps(reply(thing(), COUNTER))


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('The form is {"objects": [], "rooms": []}. Now: ' + WHOLE[:-20], ["mug 1"]),
        ('The form is {"objects": [], "rooms": []}. Now: ' + WHOLE, ["mug 1", "counter 1"]),
        (WHOLE + '\nIf nothing shows: {"objects": []}', ["mug 1", "counter 1"]),
        (json.dumps([reply(thing()), reply(COUNTER)]), ["counter 1"]),
        (f'{{"objects": {json.dumps([thing(), COUNTER])}, "objects": []}}', []),
        (WHOLE.replace('}, {"label"', ', "label"'), ["counter 1"]),
        (WHOLE.replace('}, {"label"', '}], {"label"'), ["mug 1"]),
    ],
    ids=["cut off", "template", "template after", "two replies", "key twice", "one object", "stray bracket"],
)
def test_objects_that_a_text_may_name_elsewhere_are_not_taken_for_absent(text: str, found: list[str]) -> None:
    view = seen(ChatReply(text))
    assert labels(view) == found
    assert view.lacks_objects


@pytest.mark.parametrize(
    "first", ['{"objects": [{"label": "mug", "bbox_2d": [1, 2, 30, 40]}]}', "I see a mug."]
)
def test_empty_reply_after_a_refused_one_is_no_sign_of_absence(first: str) -> None:
    client = ScriptedClient(first, reply())
    view = prompted(SCENE_GRAPH, client).answer(QUERY)
    assert view == SceneView(faults=(("reply that may lack what a refused one had", 1),))
    assert view.lacks_objects
    assert client.cached == []


@pytest.mark.parametrize(("second", "is_complete"), [([COUNTER], False), ([COUNTER, thing()], True)])
def test_reply_with_fewer_objects_than_a_refused_one_is_incomplete(
    second: list[dict[str, Any]], is_complete: bool
) -> None:
    first = reply(thing("a", "mug", [1, 2, 3]), thing("b", "counter", [4, 5, 6]))
    view = prompted(SCENE_GRAPH, ScriptedClient(first, reply(*second))).answer(QUERY)
    assert len(view.objects) == len(second)
    assert view.lacks_objects != is_complete


def test_reply_that_is_cut_off_still_tells_of_boxes_in_another_convention() -> None:
    text = json.dumps(reply(thing("a", "mug", FAR), thing("b", "mug", FAR)))[:-60]
    client = ScriptedClient(*[ChatReply(text, Finish.LENGTH)] * 2)
    with pytest.raises(
        UnusableReplyError, match=r"was cut off after \d+ tokens, and .* not thousandths as asked"
    ):
        prompted(SCENE_GRAPH, client).answer(QUERY)
    assert "not thousandths as asked for" in client.requests[1].messages[-1].text


def test_reply_with_an_empty_list_of_objects_is_sound() -> None:
    assert seen(reply()) == SceneView()


def test_unknown_fields_are_counted_and_ignored() -> None:
    view = seen(reply(thing(colour="red"), advice="go left"))
    assert labels(view) == ["mug 1"]
    assert dict(view.faults) == {"unknown field of the reply": 1, "unknown field of an object": 1}


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=8,
)
WORDS = st.sampled_from(["mug", "mug 1", "counter 1", "kitchen", "on", "in room", "open", "closed", ""])
JUNK_BOX = st.lists(st.floats(-2000, 4000) | st.integers(-2000, 4000) | VALUES, max_size=5) | VALUES
FIELDS = {
    "label": WORDS | VALUES,
    "name": WORDS | VALUES,
    "box": JUNK_BOX,
    "states": st.lists(WORDS | VALUES, max_size=3) | VALUES,
    "subject": WORDS | VALUES,
    "predicate": WORDS | VALUES,
    "object": WORDS | VALUES,
}
JUNK = VALUES | st.fixed_dictionaries({}, optional=FIELDS)
PARTS = {
    "position": st.fixed_dictionaries({}, optional={"room": WORDS | VALUES, "near": st.lists(WORDS) | VALUES})
    | VALUES,
    "objects": st.lists(JUNK, max_size=6) | VALUES,
    "rooms": st.lists(WORDS | VALUES, max_size=3) | VALUES,
    "relationships": st.lists(JUNK, max_size=4) | VALUES,
}


def _is_of_another_convention(item: object) -> bool:
    """Whether an object of a reply has four numbers that do not lie in the picture, or are fractions."""
    box = item.get("box") if isinstance(item, dict) else None
    if not isinstance(box, list) or len(box) != 4:
        return False
    if any(not isinstance(number, int | float) or not 0 <= number <= 1000 for number in box):
        return True
    return max(box) < 2


@given(
    sound=st.lists(st.tuples(st.integers(0, 900), st.integers(0, 900)), min_size=1, max_size=6, unique=True),
    junk=st.fixed_dictionaries({}, optional={**PARTS, "objects": st.lists(JUNK, max_size=6)}),
    data=st.data(),
)
def test_sound_objects_survive_any_junk_around_them(
    sound: list[tuple[int, int]], junk: dict[str, Any], data: st.DataObject
) -> None:
    things = [thing(f"sound {n}", "cup", [x, y, x + 50, y + 60]) for n, (x, y) in enumerate(sound)]
    others = [item for item in junk.pop("objects", []) if not _is_of_another_convention(item)]
    mixed = data.draw(st.permutations([*things, *others]))
    view = seen(json.dumps(reply(*mixed, **junk)))
    found = {item.label: item.box for item in view.objects}
    assert {f"sound {n}": (x, y, x + 50, y + 60) for n, (x, y) in enumerate(sound)}.items() <= found.items()


def _read(*replies: str | ChatReply, boxes: BoxConvention = BoxConvention.THOUSANDTHS) -> SceneView | None:
    """Returns the answer; None for the typed error."""
    try:
        view: SceneView = prompted(SCENE_GRAPH, ScriptedClient(*replies)).answer(
            SceneQuery("", PICTURE, boxes=boxes)
        )
    except UnusableReplyError:
        return None
    return view


@given(st.fixed_dictionaries({}, optional=PARTS) | VALUES, st.sampled_from(list(BoxConvention)))
def test_reading_any_json_gives_a_view_or_the_typed_error(value: object, convention: BoxConvention) -> None:
    text = json.dumps(value)
    view = _read(text, text, boxes=convention)
    assert view is None or isinstance(view, SceneView)


PIECES = st.sampled_from(
    [
        *'{}[]",: ',
        '"objects": [',
        '{"label": "a", "name": "mug", "box": [1, 2, 30, 40]}',
        "\\",
        "1e999",
        "```json\n",
    ]
)


@given(st.text() | st.lists(PIECES, max_size=30).map("".join), st.sampled_from(list(Finish)))
def test_reading_any_text_gives_a_view_or_the_typed_error(text: str, finish: Finish) -> None:
    view = _read(ChatReply(text, finish), ChatReply(text, finish))
    assert view is None or isinstance(view, SceneView)
