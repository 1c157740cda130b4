"""Tests of the rules that explore and answer: they know what the pictures show, and nothing else."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from stma_ros.domains.eqa.answerer import SymbolicAnswerer
from stma_ros.domains.eqa.category_filter import SymbolicCategoryFilter
from stma_ros.domains.eqa.exploration_planner import SymbolicExplorationPlanner
from stma_ros.domains.eqa.frontier_chooser import NearestFrontierChooser, SymbolicFrontierChooser
from stma_ros.domains.eqa.managers import SymbolicFrontierManager, SymbolicSnapshotManager
from stma_ros.domains.eqa.prior_answerer import PriorAnswerer, read_priors
from stma_ros.domains.eqa.recorder import SymbolicRecorder
from stma_ros.domains.eqa.seen_scene import SeenScene
from stma_ros.domains.household.category_knowledge import household_categories
from stma_ros.roles.answerer import AnswerQuery
from stma_ros.roles.category_filter import CategoryQuery
from stma_ros.roles.exploration import ExplorationQuery, FrontierQuery
from stma_ros.roles.exploration_planner import ChecklistQuery
from stma_ros.roles.recorder import MAX_WORDS, NOTHING_NEW, RecordQuery
from stma_ros.roles.snapshot_manager import RECORD_PURPOSE
from stma_ros.types import vocabulary as words
from stma_ros.types.boxes import BoundingBox3D
from stma_ros.types.errors import ConfigurationError, TaskNotUnderstoodError
from stma_ros.types.evidence import EvidenceSource, StateEstimate
from stma_ros.types.exploration import FrontierView, ItemState, Snapshot
from stma_ros.types.sensing import Detection, ObjectHypothesis
from stma_ros.types.standard import ColorRGBA, Point, Pose, Quaternion, RegionOfInterest, Time, Vector3

KNOWLEDGE = household_categories()
RED, BLUE = ColorRGBA(0.8, 0.1, 0.1, 1.0), ColorRGBA(0.1, 0.2, 0.8, 1.0)
SOFA = Vector3(2.0, 0.9, 0.8)


def seen(
    category: str,
    x: float = 0.0,
    y: float = 0.0,
    z: float = 0.4,
    size: Vector3 = Vector3(0.5, 0.5, 0.8),
    color: ColorRGBA = RED,
    pixels: int = 2000,
    state: str = "",
) -> Detection:
    states = (
        (StateEstimate(state=state, source=EvidenceSource.LABEL, confidence=0.95, stamp=Time()),)
        if state
        else ()
    )
    return Detection(
        hypotheses=(ObjectHypothesis(category=category, score=0.95),),
        box=BoundingBox3D.upright(Point(x, y, z), size, 0.0),
        yaw_stddev=0.0,
        color=color,
        states=states,
        roi=RegionOfInterest(0, 0, 40, 40),
        pixels=pixels,
    )


def picture(number: int, *detections: Detection) -> Snapshot:
    """Returns a snapshot; each was taken from another place."""
    at = Pose.planar(-2.0 + 0.5 * number, -2.0, math.pi / 2)
    return Snapshot(id=f"snapshot_{number}", stamp=Time(number + 1), camera=at, detections=detections)


def nearby(number: int, *detections: Detection) -> Snapshot:
    """Returns a snapshot from where what lies on the things around the origin is in view."""
    return replace(picture(number, *detections), camera=Pose.planar(0.5 * number - 0.5, -1.4, math.pi / 2))


def answer(question: str, *snapshots: Snapshot, explored: bool = False, last: bool = False):
    query = AnswerQuery(question, snapshots=snapshots, is_explored=explored, must_answer=last)
    return SymbolicAnswerer(KNOWLEDGE).answer(query)


def test_answer_changes_when_the_picture_that_it_rests_on_is_deleted():
    pictures = (picture(0, seen("bed", size=SOFA)), picture(1, seen("sofa", 5.0, size=SOFA)))
    with_it = answer("What colour is the sofa?", *pictures, last=True)
    assert (with_it.answer, with_it.evidence, with_it.is_sure) == ("red", (1,), True)
    without = answer("What colour is the sofa?", pictures[0], last=True)
    assert (without.answer, without.evidence, without.is_sure) == ("there is no sofa", (), False)


def test_colour_follows_the_picture_and_not_the_kind_of_thing():
    assert (
        answer("What colour is the sofa?", picture(0, seen("sofa", size=SOFA, color=BLUE))).answer == "blue"
    )
    assert answer("Is the sofa red?", picture(0, seen("sofa", size=SOFA, color=BLUE))).answer == "no"
    assert answer("Is the sofa blue?", picture(0, seen("sofa", size=SOFA, color=BLUE))).answer == "yes"


def test_thing_that_no_picture_shows_is_nowhere_only_when_all_is_explored():
    bed = picture(0, seen("bed", size=SOFA))
    assert answer("Is there a piano?", bed).answer == ""
    explored = answer("Is there a piano?", bed, explored=True, last=True)
    assert (explored.answer, explored.is_sure) == ("no", True)
    spent = answer("Is there a piano?", bed, last=True)
    assert (spent.answer, spent.is_sure) == ("no", False)
    door = picture(1, seen("door", 3.0, size=Vector3(0.9, 0.05, 2.0), z=1.0, state=words.STATE_CLOSED))
    assert not answer("Is there a piano?", bed, door, explored=True, last=True).is_sure


def test_a_few_pixels_are_no_answer():
    assert answer("Is there a piano?", picture(0, seen("piano", size=SOFA, pixels=5))).answer == ""


@pytest.mark.parametrize(
    "question",
    [
        "Is there a wooden chair?",
        "What colour is the broken chair?",
        "Is there a chair that nobody uses?",
        "Is there a chair to the left of the fridge?",
    ],
)
def test_words_that_no_picture_shows_leave_an_answer_to_be_a_guess(question):
    chair = picture(0, seen("chair"), seen("fridge", 0.8))
    assert answer(question, chair).answer == ""
    guess = answer(question, chair, explored=True, last=True)
    assert (guess.answer in ("yes", "red"), guess.is_sure) == (True, False)
    assert "how to tell" in guess.reasoning


def test_thing_of_another_shade_is_told_as_a_guess():
    pink = ColorRGBA(0.9, 0.5, 0.6, 1.0)
    chair = picture(0, seen("chair", color=pink))
    assert answer("Is there a pink chair?", chair).answer == "yes"
    assert answer("Is there a red chair?", chair).answer == ""
    guess = answer("Is there a red chair?", chair, explored=True, last=True)
    assert (guess.answer, guess.is_sure) == ("yes", False)


def test_state_is_that_of_the_last_look():
    pictures = (
        picture(0, seen("fridge", state=words.STATE_OPEN)),
        picture(1, seen("fridge", state=words.STATE_CLOSED)),
        picture(2, seen("fridge", state=words.STATE_CLOSED)),
    )
    assert answer("Is the fridge open?", *pictures).answer == "no"
    assert answer("Is the fridge closed?", *pictures).answer == "yes"


def test_state_that_no_picture_shows_is_not_guessed():
    final = answer("Is the fridge open?", picture(0, seen("fridge")), last=True)
    assert (final.answer, final.is_sure) == ("", False)
    assert "I do not know" in final.reasoning


def test_things_are_counted_once_however_many_pictures_show_them():
    chairs = [seen("chair", x) for x in (0.0, 1.5, 3.0)]
    pictures = (picture(0, *chairs[:2]), picture(1, *chairs[1:]), picture(2, *chairs))
    assert answer("How many chairs are there?", *pictures, explored=True, last=True).answer == "3"


def test_nearer_of_two_things_is_told_by_their_places():
    things = (seen("lamp", 0.0), seen("sofa", 1.5, size=SOFA), seen("bed", 5.0, size=SOFA))
    assert (
        answer("Which is closer to the lamp, the sofa or the bed?", picture(0, *things)).answer == "the sofa"
    )


def test_false_premise_is_told_once_all_is_explored():
    bed = picture(0, seen("bed", size=SOFA))
    assert answer("What is on the piano?", bed, explored=True, last=True).answer == "there is no piano"


def test_things_on_a_place_are_told_once_it_was_seen_from_nearby():
    table = seen("dining table", 0.0, size=Vector3(1.4, 0.8, 0.75), z=0.375)
    far = seen("dining table", 4.0, 4.0, size=Vector3(1.4, 0.8, 0.75), z=0.375)
    near_views = [picture(number, table) for number in range(2, 5)]
    asked = "What is on the dining table?"
    assert answer(asked, near_views[0]).answer == ""
    assert answer(asked, *(picture(number, far) for number in range(3))).answer == ""
    assert answer(asked, *near_views).answer == "nothing"
    mug = seen("mug", z=0.8, size=Vector3(0.1, 0.1, 0.1))
    assert answer(asked, *near_views[:2], picture(2, table, mug)).answer == "a mug"


KITCHEN = (seen("stove", 0.0), seen("fridge", 1.0, size=Vector3(0.6, 0.6, 1.8)), seen("sink", -1.0))


def test_thing_is_not_in_a_room_once_no_way_leads_on_there():
    views = tuple(picture(number, *KITCHEN) for number in range(3))
    bedroom = seen("bed", 9.0, size=SOFA)
    ahead = FrontierView(center=Point(1.5, 0.5, 0.0), unknown_area=5.0, view=views[2])
    elsewhere = FrontierView(center=Point(9.0, 0.5, 0.0), unknown_area=5.0, view=picture(3, bedroom))

    def asked(*frontiers: FrontierView):
        query = AnswerQuery("Is there a plant in the kitchen?", snapshots=views, frontiers=frontiers)
        return SymbolicAnswerer(KNOWLEDGE).answer(query)

    assert asked(ahead, elsewhere).answer == ""
    assert (asked(elsewhere).answer, asked(elsewhere).is_sure) == ("no", True)
    assert asked(elsewhere).evidence
    assert asked(replace(ahead, unknown_area=0.5), elsewhere).answer == "no"
    query = AnswerQuery("Is there a plant anywhere?", snapshots=views, frontiers=(elsewhere,))
    assert SymbolicAnswerer(KNOWLEDGE).answer(query).answer == ""


def test_things_seen_through_a_doorway_do_not_tell_the_kind_of_the_room():
    door = seen("door", 0.0, 2.0, z=1.0, size=Vector3(0.9, 0.05, 2.0))
    beyond = [seen(kind, x, 4.0) for kind, x in (("stove", -0.3), ("sink", 0.0), ("fridge", 0.3))]
    here = [seen("coat rack", 1.5, 1.5), seen("bench", -1.5, 1.5)]
    camera = Pose.planar(0.0, -1.0, math.pi / 2)
    view = Snapshot(id="snapshot_0", stamp=Time(1), camera=camera, detections=(door, *here, *beyond))
    rooms = {thing.category: thing.room_kind for thing in SeenScene((view,), KNOWLEDGE).things}
    assert rooms["coat rack"] == "hallway"
    assert rooms["stove"] == "kitchen"


def test_room_is_told_with_a_place_only_where_it_is_known():
    table = seen("table", 0.0, size=Vector3(1.4, 0.8, 0.75), z=0.375)
    mug = seen("mug", z=0.8, size=Vector3(0.1, 0.1, 0.1))
    assert answer("Where is the mug?", picture(0, table, mug)).answer == "on the table"
    views = [
        nearby(
            number,
            table,
            mug,
            *(seen(kind, x, 1.5) for kind, x in (("stove", -0.7), ("sink", 0.0), ("fridge", 0.7))),
        )
        for number in range(2)
    ]
    assert answer("Where is the mug?", *views).answer == "on the table in the kitchen"


@pytest.mark.parametrize("question", ["How many shelves are in the {}?", "Is there a shelf in the {}?"])
def test_absence_from_a_room_is_a_guess_while_such_a_thing_stands_where_that_room_may_be(question: str):
    there = [seen(kind, x, 1.5) for kind, x in (("bed", -0.7), ("wardrobe", 0.0), ("desk", 0.7))]
    views = [nearby(number, seen("shelf"), *there) for number in range(2)]
    for room, is_sure in (("children's room", False), ("kitchen", True)):
        assert answer(question.format(room), *views, explored=True, last=True).is_sure is is_sure


def test_things_between_the_rooms_are_counted_wherever_they_are():
    doors = [seen("door", x, z=1.0, size=Vector3(0.9, 0.05, 2.0)) for x in (0.0, 4.0)]
    asked = "How many doors are there between the rooms of this flat?"
    assert answer(asked, picture(0, *doors), explored=True, last=True).answer == "2"


def test_thing_for_a_purpose_is_named_with_the_yes():
    asked = "Is there something in this flat that I can use to carry water? What is it?"
    assert answer(asked, picture(0, seen("bucket"))).answer == "yes, a bucket"


@pytest.mark.parametrize(
    ("purpose", "thing"),
    [
        ("keep warm on the sofa", "blanket"),
        ("cook soup", "pot"),
        ("dry myself after a bath", "towel"),
        ("carry water to mop the floor", "bucket"),
        ("protect my head from the sun", "hat"),
        ("see in a dark cellar", "torch"),
        ("water the flowers on the balcony", "watering can"),
        ("heat up some leftovers", "microwave"),
        ("throw away an old newspaper", "bin"),
        ("cool down on a hot day", "fan"),
        ("tell the time", "clock"),
        ("drink some juice from", "glass"),
        ("listen to music", "radio"),
    ],
)
def test_means_to_a_purpose_are_other_things_than_its_place(purpose: str, thing: str):
    others = (seen("sofa", size=SOFA), seen("bathtub", 3.0), seen("kettle", 5.0), seen("newspaper", 7.0))
    asked = f"Which thing here would help me to {purpose}?"
    assert answer(asked, picture(0, *others)).answer != "the sofa"
    assert answer(asked, picture(0, *others, seen(thing, 9.0))).answer == f"the {thing}"


def test_need_that_is_told_before_the_question_is_the_purpose():
    blanket = picture(0, seen("blanket"))
    assert answer("I am cold. What could I use?", blanket).answer == "the blanket"


def test_unknown_purpose_is_not_denied():
    asked = "Is there something in this flat that I can use to calibrate a theodolite?"
    final = answer(asked, picture(0, seen("bed", size=SOFA)), explored=True, last=True)
    assert (final.answer, final.is_sure) == ("", False)


def test_people_at_a_table_are_as_many_as_its_chairs():
    table = seen("table", size=Vector3(1.2, 0.8, 0.75), z=0.375)
    chairs = [seen("chair", x, size=Vector3(0.4, 0.4, 0.9)) for x in (-0.9, 0.9)]
    far_chair = seen("chair", 4.0, size=Vector3(0.4, 0.4, 0.9))
    asked = "How many people could sit down at the table right now?"
    assert answer(asked, picture(0, table)).answer == ""
    assert answer(asked, *(nearby(number, table) for number in range(3))).answer == ""
    views = tuple(nearby(number, table, *chairs, far_chair) for number in range(3))
    assert answer(asked, *views).answer == "2"


def test_people_on_a_sofa_are_as_many_as_find_room_there():
    views = tuple(picture(number, seen("sofa", size=SOFA)) for number in range(3))
    assert answer("How many people can sit on the sofa?", *views).answer == "3"


def test_neighbour_of_a_piece_of_furniture_is_told_once_its_surroundings_were_seen():
    things = (seen("cupboard"), seen("chair", 1.0))
    asked = "What stands beside the cupboard?"
    assert answer(asked, picture(0, *things)).answer == ""
    assert answer(asked, *(nearby(number, *things) for number in range(3))).answer == "a chair"


def test_thing_of_a_kind_that_people_confuse_is_meant_only_when_there_is_no_other():
    cabinet = seen("cabinet", color=RED)
    asked = "What colour is the cupboard?"
    assert answer(asked, picture(0, cabinet)).answer == ""
    assert answer(asked, picture(0, cabinet), explored=True, last=True).answer == "red"
    both = picture(0, cabinet, seen("cupboard", 4.0, color=BLUE))
    assert answer(asked, both).answer == "blue"


def test_absence_is_not_sure_while_a_usual_container_was_not_looked_into():
    asked = "What colour is the towel?"
    closed = picture(0, seen("cabinet", state=words.STATE_CLOSED))
    final = answer(asked, closed, explored=True, last=True)
    assert (final.answer, final.is_sure) == ("there is no towel", False)
    assert "what is in the cabinet" in final.reasoning
    views = tuple(nearby(number, seen("cabinet", state=words.STATE_OPEN)) for number in range(3))
    assert answer(asked, *views, explored=True, last=True).is_sure


def test_none_are_counted_for_sure_only_when_no_closed_container_may_hold_one():
    asked = "How many towels are there in this flat?"
    closed = seen("cabinet", state=words.STATE_CLOSED)
    final = answer(asked, picture(0, closed), explored=True, last=True)
    assert (final.answer, final.is_sure) == ("0", False)
    assert "what is in the cabinet" in final.reasoning
    assert answer(asked, *(nearby(n, seen("towel")) for n in range(3)), explored=True, last=True).is_sure


def test_furniture_is_a_sure_means_only_when_no_thing_that_serves_better_may_be_found():
    asked = "Which thing here would help me to cook soup?"
    views = tuple(nearby(number, seen("stove")) for number in range(3))
    assert answer(asked, *views).answer == ""  # go on: there may be a pot
    assert answer(asked, *views, picture(3, seen("pot", 3.0))).answer == "the pot"
    final = answer(asked, *views, last=True)
    assert (final.answer, final.is_sure) == ("the stove", False)


def test_absence_of_devices_that_are_on_is_sure_only_when_the_state_of_each_was_seen():
    asked = "Which appliance is running in the kitchen?"
    final = answer(asked, *(picture(number, *KITCHEN) for number in range(3)), explored=True, last=True)
    assert not final.is_sure


def test_room_for_a_purpose_is_not_told_as_the_thing_in_it():
    asked = "Which room should I go to if I want to sit on a stool?"
    final = answer(asked, picture(0, seen("stool")), last=True)
    assert (final.answer, final.is_sure) == ("", False)


def test_things_are_in_different_rooms_only_when_their_rooms_are_known():
    asked = "Are the radio and the sofa in the same room?"
    views = (picture(0, seen("radio")), picture(1, seen("sofa", 9.0, size=SOFA)))
    assert answer(asked, *views).answer == ""
    rooms = (picture(0, seen("radio"), *KITCHEN), picture(1, seen("sofa", 9.0, size=SOFA), seen("tv", 10.0)))
    assert answer(asked, *rooms).answer == "no"


def test_text_that_asks_nothing_is_refused():
    with pytest.raises(TaskNotUnderstoodError, match="asks nothing"):
        answer("the quick brown fox", picture(0, seen("bed")))


# -- pictures of earlier tasks

TABLE, MUG_SIZE = Vector3(1.4, 0.8, 0.75), Vector3(0.1, 0.1, 0.1)
LOOKS_ALONG_Y = Quaternion(-math.sqrt(0.5), 0.0, 0.0, math.sqrt(0.5))
"""Orientation of an optical frame, which looks along its z axis."""


def taken(number: int, *detections: Detection, x: float = 0.0) -> Snapshot:
    """Returns a snapshot that was taken 2 m before the things at y = 0."""
    camera = Pose(Point(x, -2.0, 1.2), LOOKS_ALONG_Y)
    return Snapshot(id=f"snapshot_{number}", stamp=Time(number), camera=camera, detections=detections)


def asked_again(
    question: str, *snapshots: Snapshot, old: int = 1, last: bool = False, explored: bool = False
):
    """Returns the answer if the first `old` snapshots were taken two hours ago."""
    ago = tuple("2 h ago" if number < old else "" for number in range(len(snapshots)))
    query = AnswerQuery(question, snapshots=snapshots, seen_ago=ago, must_answer=last, is_explored=explored)
    return SymbolicAnswerer(KNOWLEDGE).answer(query)


SOFA_AND_MUG = taken(
    1, seen("sofa", size=SOFA), seen("dining table", 3.0, size=TABLE), seen("mug", 3.0, z=0.8, size=MUG_SIZE)
)


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("What colour is the sofa?", "red"),
        ("Is there a sofa?", "yes"),
        ("What colour is the mug?", "red"),
    ],
)
def test_old_pictures_are_sure_of_what_stays_as_it_is(question, expected):
    found = asked_again(question, SOFA_AND_MUG)
    assert (found.answer, found.evidence, found.is_sure) == (expected, (0,), True)


@pytest.mark.parametrize(
    "question",
    ["Is there a mug?", "Where is the mug?", "What is on the dining table?", "How many mugs are there?"],
)
def test_old_pictures_are_not_sure_of_what_people_carry_about(question):
    found = asked_again(question, SOFA_AND_MUG)
    assert (found.answer, found.evidence, found.is_sure) == ("", (0,), False)
    final = asked_again(question, SOFA_AND_MUG, last=True, explored=True)
    assert final.answer.endswith("(seen 2 h ago)")
    assert (final.evidence, final.is_sure) == ((0,), False)


def test_old_pictures_are_not_sure_of_states_until_one_shows_the_state_again():
    old = taken(1, seen("fridge", state=words.STATE_OPEN))
    assert asked_again("Is the fridge open?", old).evidence == (0,)
    behind = taken(2, seen("fridge"), x=0.5)
    assert asked_again("Is the fridge open?", old, behind).evidence == (0,)
    again = taken(3, seen("fridge", state=words.STATE_CLOSED), x=0.5)
    again_too = taken(4, seen("fridge", state=words.STATE_CLOSED), x=-0.5)
    assert asked_again("Is the fridge open?", old, again, again_too).answer == "no"


def test_state_that_no_old_picture_tells_is_looked_for_where_the_thing_was_seen():
    old = taken(1, seen("fridge"))
    assert asked_again("Is the fridge open?", old).evidence == (0,)
    final = asked_again("Is the fridge open?", old, last=True)
    assert (final.answer, final.is_sure) == ("", False)
    assert "I do not know" in final.reasoning


def test_thing_that_is_seen_again_is_there():
    again = taken(2, seen("mug", 3.0, z=0.8, size=MUG_SIZE, pixels=900), x=2.8)
    found = asked_again("Is there a mug?", SOFA_AND_MUG, again)
    assert (found.answer, found.evidence, found.is_sure) == ("yes", (1,), True)


def test_thing_that_a_newer_picture_of_its_place_does_not_show_has_gone():
    table = seen("dining table", 3.0, size=TABLE)
    assert asked_again("Is there a mug?", SOFA_AND_MUG, taken(2, table, x=2.8), last=True).answer == "no"
    elsewhere = taken(2, seen("sofa", size=SOFA), x=-1.0)
    assert asked_again("Is there a mug?", SOFA_AND_MUG, elsewhere).evidence == (0,)
    nothing_around = taken(2, x=2.8)
    assert asked_again("Is there a mug?", SOFA_AND_MUG, nothing_around).evidence == (0,)


def test_portable_thing_that_was_nowhere_before_is_not_surely_nowhere_now():
    assert not asked_again("Is there a book?", SOFA_AND_MUG, last=True, explored=True).is_sure
    assert asked_again("Is there a piano?", SOFA_AND_MUG, last=True, explored=True).is_sure


# -- managers


def test_pictures_of_what_is_asked_for_and_of_doors_are_kept_with_the_newest_ones():
    pictures = (
        picture(0, seen("sofa", size=SOFA)),
        picture(1, seen("bed", 6.0, size=SOFA)),
        picture(2, seen("door", 9.0, size=Vector3(0.9, 0.05, 2.0), z=1.0)),
        *(picture(number, seen("plant", 20.0)) for number in (3, 4, 5, 6)),
    )
    query = ExplorationQuery("What colour is the sofa?", snapshots=pictures)
    assert SymbolicSnapshotManager(KNOWLEDGE).answer(query).kept == (0, 2, 4, 5, 6)


def test_snapshot_manager_with_a_record_as_purpose_keeps_pictures_that_show_everything():
    rooms = [picture(number, seen("bed", 6.0 * number, size=SOFA)) for number in range(4)]
    pictures = (*rooms, *(picture(9 + number) for number in range(4)))
    query = ExplorationQuery("Where is the kettle?", snapshots=pictures)
    manager = SymbolicSnapshotManager(KNOWLEDGE)
    assert manager.answer(query).kept == (5, 6, 7)
    assert manager.answer(replace(query, mode=RECORD_PURPOSE)).kept == (0, 1, 2, 3, 5, 6, 7)


def test_category_filter_names_first_what_the_question_is_about_then_doors_then_furniture_of_the_room():
    seen_kinds = ("bed", "chair", "door", "sink", "sofa", "stove")
    rules = SymbolicCategoryFilter(KNOWLEDGE)

    def relevant(question: str, most: int = 10) -> tuple[str, ...]:
        return rules.answer(CategoryQuery(question, seen_kinds, most)).categories

    assert relevant("What colour is the sofa?") == ("sofa", "door")
    in_kitchen = relevant("How many chairs are in the kitchen?")
    assert in_kitchen[:2] == ("chair", "door")
    assert "stove" in in_kitchen
    assert "bed" not in in_kitchen
    assert relevant("the quick brown fox") == ("door",)
    assert relevant("How many chairs are in the kitchen?", most=1) == ("chair",)


def ways(*views: tuple[str, float, str]) -> tuple[FrontierView, ...]:
    """Returns frontiers: id, length of the way [m], and the category of what is seen there."""
    return tuple(
        FrontierView(
            frontier=name,
            center=Point(3.0 * number, 1.0, 0.0),
            unknown_area=6.0,
            length=length,
            view=picture(number, seen(kind, 3.0 * number, size=SOFA)),
        )
        for number, (name, length, kind) in enumerate(views)
    )


def test_frontier_manager_keeps_at_least_the_best_way():
    views = ways(("frontier_1", 2.0, "bed"), ("frontier_2", 2.0, "stove"))
    kept = (
        SymbolicFrontierManager(KNOWLEDGE).answer(FrontierQuery("Where is the kettle?", frontiers=views)).kept
    )
    assert 1 in kept


# -- plan and choice

VIEWS = ways(("frontier_1", 1.0, "bed"), ("frontier_2", 2.0, "stove"))


def test_way_that_shows_a_kitchen_is_taken_for_what_is_kept_in_kitchens():
    query = FrontierQuery("Where is the kettle?", frontiers=VIEWS)
    assert SymbolicFrontierChooser(KNOWLEDGE).answer(query).frontier == 1
    assert NearestFrontierChooser().answer(query).frontier == 0


def test_plan_is_followed_until_its_way_has_gone_and_then_eliminated_with_the_reason():
    planner, chooser = SymbolicExplorationPlanner(KNOWLEDGE), SymbolicFrontierChooser(KNOWLEDGE)
    question = "Is there a plant?"
    first = planner.answer(ChecklistQuery(question, frontiers=VIEWS)).items
    followed = next(item for item in first if item.state == ItemState.IN_PROGRESS)
    chosen = chooser.answer(FrontierQuery(question, first, frontiers=VIEWS)).frontier
    assert chosen is not None
    nearer = ways(*((name, 2.0 if k != chosen else 2.2, kind) for k, (name, kind) in enumerate(NAMES)))
    again = planner.answer(ChecklistQuery(question, first, frontiers=nearer)).items
    assert chooser.answer(FrontierQuery(question, again, frontiers=nearer)).frontier == chosen
    gone = (nearer[1 - chosen],)
    last = planner.answer(ChecklistQuery(question, again, frontiers=gone)).items
    (eliminated,) = [item for item in last if item.state == ItemState.COMPLETED]
    assert eliminated.text == followed.text
    assert eliminated.reason == "there is no way on any more"
    assert chooser.answer(FrontierQuery(question, last, frontiers=gone)).frontier == 0


NAMES = (("frontier_1", "bed"), ("frontier_2", "stove"))


def test_list_of_subgoals_has_no_predictions():
    items = SymbolicExplorationPlanner(KNOWLEDGE).answer(
        ChecklistQuery("What colour is the sofa?", frontiers=VIEWS, branches=False)
    )
    assert [item.text for item in items.items] == ["Find the sofa", "Answer the question"]
    assert items.items[0].state == ItemState.IN_PROGRESS


@pytest.mark.parametrize("chooser", [SymbolicFrontierChooser(KNOWLEDGE), NearestFrontierChooser()])
def test_exploration_stops_where_there_is_no_way_on(chooser):
    assert chooser.answer(FrontierQuery("Is there a plant?")).frontier is None


# -- trail


def test_trail_holds_what_is_new_without_numbers_and_within_its_length():
    record = RecordQuery(
        "", ("The pictures show a bed.",), "The pictures show a bed.", "", "I go past sofa_12."
    )
    assert SymbolicRecorder().answer(record).text == "I go past sofa_."
    assert SymbolicRecorder().answer(RecordQuery("", (), "", "", "")).text == NOTHING_NEW
    long = SymbolicRecorder().answer(RecordQuery("", (), "word " * 500, "", ""))
    assert len(long.text.split()) == MAX_WORDS


def test_answerer_by_priors_gives_the_answer_of_the_first_pattern_that_fits_the_whole_question(tmp_path):
    file = tmp_path / "priors.json"
    file.write_text('[["Is there (?:.+)\\\\?", "no"], ["Is .*", "yes"]]')
    rules = PriorAnswerer(read_priors(str(file)))
    query = AnswerQuery("Is there a cat?", snapshots=(picture(0, seen("cat")),), must_answer=True)
    assert (rules.answer(query).answer, rules.answer(query).is_sure) == ("no", False)
    assert rules.answer(AnswerQuery("Is the cat asleep?")).answer == "yes"
    assert rules.answer(AnswerQuery("Say: Is there a cat?")).answer == ""
    assert PriorAnswerer(read_priors("")).answer(query).answer == ""


@pytest.mark.parametrize("content", ["", "{", '[["(", "yes"]]', "[1]", "[[1, 2]]", '["ab", "abc"]'])
def test_priors_that_cannot_be_read_are_refused_with_the_name_of_their_file(tmp_path, content):
    file = tmp_path / "priors.json"
    file.write_text(content)
    with pytest.raises(ConfigurationError, match=r"priors\.json holds no answer priors"):
        read_priors(str(file))
    with pytest.raises(ConfigurationError, match="missing"):
        read_priors(str(tmp_path / "missing.json"))


# -- rooms that a question is about

HALF_HOME = (
    seen("stove", 0.0, 0.0),
    seen("fridge", 1.0, 0.0, size=Vector3(0.6, 0.6, 1.8)),
    seen("toilet", 0.0, 6.0),
    seen("bathtub", 3.0, 9.0, size=SOFA),
)


def test_door_leads_from_one_room_into_another_if_things_of_both_are_at_it():
    door = seen("door", 0.0, 1.5, z=1.0, size=Vector3(0.9, 0.05, 2.0))
    here = [seen("stove", 0.5, 0.5), seen("sink", -0.5, 0.5), seen("fridge", 1.0, 0.5)]
    beyond = [seen("toilet", -0.2, 3.0), seen("bathtub", 0.2, 3.4)]
    view = Snapshot(
        id="snapshot_0",
        stamp=Time(1),
        camera=Pose.planar(0.0, -1.0, math.pi / 2),
        detections=(door, *here, *beyond),
    )
    asked = "Does a door lead from the kitchen straight into the {}?"
    assert answer(asked.format("bathroom"), view).answer == "yes"
    assert answer(asked.format("bedroom"), view, explored=True, last=True).answer == "no"


def test_larger_room_is_told_by_how_far_its_things_are_apart():
    views = (picture(0, *HALF_HOME[:2]), picture(1, *HALF_HOME[2:]))
    found = answer("Which room is bigger, the kitchen or the bathroom?", *views, explored=True, last=True)
    assert (found.answer, found.is_sure) == ("the bathroom", True)


def test_rooms_are_compared_by_their_sizes_alone():
    views = (picture(0, *HALF_HOME[:2]), picture(1, *HALF_HOME[2:]))
    for asked, expected in (("smaller", "the kitchen"), ("brighter", "")):
        found = answer(
            f"Which room is {asked}, the kitchen or the bathroom?", *views, explored=True, last=True
        )
        assert (found.answer, found.is_sure) == (expected, bool(expected))
    chairs = picture(0, seen("chair", 0.0), seen("chair", 2.0))
    assert answer("Which chair is the largest?", chairs, explored=True, last=True).answer == ""


def test_rooms_are_counted_by_the_things_in_them():
    beds = [seen("bed", x, size=SOFA) for x in (0.0, 8.0)]
    lamp = seen("nightstand", 1.2)
    views = (picture(0, beds[0], lamp), picture(16, beds[1]))
    found = answer("How many bedrooms does this flat have in all?", *views, explored=True, last=True)
    assert (found.answer, found.is_sure) == ("2", True)


def test_things_that_a_question_excludes_do_not_count():
    door = seen("door", -1.0, z=1.0, size=Vector3(0.9, 0.05, 2.0), state=words.STATE_OPEN)
    fridge = seen("fridge", 1.0, size=Vector3(0.6, 0.6, 1.8), state=words.STATE_OPEN)
    asked = "What stands open in the kitchen, apart from doors?"
    assert answer(asked, picture(0, seen("stove"), door, fridge)).answer == "a fridge"


def test_furniture_is_said_to_stand_next_to_furniture():
    things = (seen("bed", size=SOFA), seen("teddy bear", 0.8, z=0.8), seen("nightstand", 1.3))
    assert answer("What is the bed standing next to?", picture(0, *things)).answer == "a nightstand"


def test_thing_is_meant_in_the_room_that_the_question_names():
    tables = (seen("coffee table", 0.0), seen("sofa", 1.0, size=SOFA), seen("tv", -1.0))
    views = [picture(number, *tables) for number in range(3)]
    assert answer("What is on the table in the kitchen?", *views).answer == ""
    denied = answer("What is on the table in the kitchen?", *views, explored=True, last=True).answer
    assert denied == "there is no table"


def test_option_is_meant_in_the_room_that_it_names():
    asked = "Which is closer to the lamp, the cabinet in the kitchen or the sofa?"
    far = [seen("stove", 7.0), seen("fridge", 8.0, size=Vector3(0.6, 0.6, 1.8)), seen("cabinet", 7.5)]
    near = [seen("lamp", 0.0), seen("cabinet", 0.7), seen("sofa", 2.0, size=SOFA), seen("tv", 1.0)]
    assert answer(asked, picture(0, *near), picture(18, *far)).answer == "the sofa"


def test_one_of_several_things_is_meant_by_its_size():
    small = seen("teddy bear", 0.0, size=Vector3(0.2, 0.2, 0.2), color=RED)
    large = seen("teddy bear", 2.0, size=Vector3(0.6, 0.6, 0.6), color=BLUE)
    asked = "What is the colour of the large teddy bear?"
    assert answer(asked, picture(0, small)).answer == ""
    assert answer(asked, picture(0, small, large)).answer == "blue"


@pytest.mark.parametrize(
    ("purpose", "thing"),
    [
        ("What can I use to see what time it is?", "clock"),
        ("What can I use to take a bath?", "bathtub"),
        ("What can I use to wash a load of clothes?", "washing machine"),
        ("What can I use to stay dry in the rain?", "umbrella"),
        ("What can I use to put a child into a bunk bed?", "bunk bed"),
    ],
)
def test_thing_serves_its_purpose_and_others_do_not(purpose: str, thing: str):
    others = [seen(kind, x) for kind, x in (("table lamp", 0.0), ("shirt", 2.0), ("shower", 4.0))]
    assert answer(purpose, picture(0, *others)).answer == ""
    assert answer(purpose, picture(0, *others, seen(thing, 6.0))).answer == f"the {thing}"


def test_kind_that_begins_with_the_name_of_a_room_is_no_room():
    chair = seen("office chair", color=BLUE, size=Vector3(0.6, 0.6, 1.0))
    bed = seen("bed", 2.0, size=SOFA)
    assert answer("What colour is the office chair?", picture(0, chair, bed)).answer == "blue"


def test_things_on_furniture_are_in_its_room():
    room = [
        seen("sofa", 0.0, size=SOFA),
        seen("tv", -1.5),
        seen("cabinet", 1.5, -0.3, size=Vector3(0.8, 0.5, 0.9)),
    ]
    near_views = [
        picture(number, *room, seen("remote", 1.5, -0.3, z=0.95, size=Vector3(0.05, 0.15, 0.05)))
        for number in (6, 7)
    ]
    asked = "How many things are on the cabinet in the living room?"
    assert answer(asked, *near_views).answer == "1"


def test_little_seen_from_two_places_is_as_sure_as_much_seen_from_one():
    sponge = seen("sponge", size=Vector3(0.1, 0.1, 0.1), pixels=40)
    asked = "What should I use to scrub the dishes?"
    assert answer(asked, picture(0, sponge)).answer == ""
    assert answer(asked, picture(0, sponge), picture(1, sponge)).answer == "the sponge"


# -- closer looks


def from_afar(number: int, *detections: Detection) -> Snapshot:
    """Returns a snapshot that was taken 5 m away from the things around the origin."""
    return replace(picture(number, *detections), camera=Pose.planar(0.5 * number, -5.0, math.pi / 2))


def wanted(question: str, *snapshots: Snapshot) -> list[tuple[str, int]]:
    """Returns the categories of the things that are to be seen from nearer, and their snapshots."""
    closer = answer(question, *snapshots).closer
    return [(snapshots[look.snapshot].detections[look.detection].category, look.snapshot) for look in closer]


def test_thing_that_was_seen_too_small_is_to_be_seen_from_nearer_in_its_largest_picture():
    small = [seen("piano", size=SOFA, pixels=pixels) for pixels in (5, 9, 7)]
    pictures = [picture(0, small[0]), from_afar(1, seen("bed", 3.0), small[1]), from_afar(2, small[2])]
    assert wanted("Is there a piano?", *pictures[1:]) == [("piano", 0)]
    assert wanted("Is there a piano?", from_afar(0, seen("piano", size=SOFA))) == []


def test_furniture_is_to_be_seen_from_nearer_before_what_lies_on_it_is_told():
    table, book = seen("table", size=SOFA), seen("book", 0.3, z=0.85, size=Vector3(0.2, 0.2, 0.1))
    for question in ("What is on the table?", "How many books are on the table?"):
        assert wanted(question, from_afar(0, table, book), from_afar(1, table, book)) == [("table", 0)]
    near = [
        replace(picture(number, table, book), camera=Pose.planar(0.5 * number, -1.5, 1.57))
        for number in (0, 1)
    ]
    assert answer("How many books are on the table?", *near).answer == "1"


def test_thing_whose_state_did_not_show_is_to_be_looked_at_however_near_it_is():
    assert wanted("Is the fridge open?", picture(0, seen("fridge", -2.0, -1.0))) == [("fridge", 0)]
    assert wanted("Is the fridge open?", picture(0, seen("fridge", state=words.STATE_OPEN))) == []
    room = [seen("sofa", 1.0, 1.0, size=SOFA), seen("coffee table", 1.0)]
    lamps = [seen("floor lamp", 0.0), seen("floor lamp", 2.0, state=words.STATE_OFF)]
    assert wanted("What is switched on in the living room?", picture(0, *room, *lamps)) == [("floor lamp", 0)]


def test_thing_that_is_nowhere_in_sight_wants_no_closer_look():
    assert wanted("Is there a piano?", from_afar(0, seen("sofa", size=SOFA, pixels=5))) == []
    assert wanted("What colour is the cup?", from_afar(0, seen("sofa", size=SOFA))) == []


def final(question: str, *snapshots: Snapshot):
    return answer(question, *snapshots, explored=True, last=True)


def test_small_thing_is_looked_for_on_its_usual_furniture_once_no_way_leads_on():
    asked, table, sofa = "What colour is the candle?", seen("dining table"), seen("sofa", 3.0, size=SOFA)
    views = [from_afar(number, table, sofa) for number in range(2)]
    assert answer(asked, *views).closer == ()
    (look,) = answer(asked, *views, explored=True).closer
    assert views[look.snapshot].detections[look.detection].category == "dining table"
    assert not final(asked, *views).is_sure
    looked_over = [nearby(number, table) for number in range(2)]
    assert answer(asked, *views, *looked_over, explored=True).closer == ()
    assert final(asked, *views, *looked_over).is_sure


def test_nearest_furniture_is_looked_over_first():
    tables = seen("dining table", 0.5), seen("dining table", 6.0)
    views = [from_afar(number, *tables) for number in range(2)]
    closer = answer("What colour is the candle?", *views, explored=True).closer
    assert [views[look.snapshot].detections[look.detection].center.x for look in closer] == [0.5, 6.0]


def test_small_thing_may_be_in_any_container_that_was_not_looked_into():
    asked = "Is there a candle?"
    assert final(asked, nearby(0, seen("sofa", size=SOFA))).is_sure
    assert not final(asked, nearby(0, seen("wardrobe", state=words.STATE_CLOSED))).is_sure
    assert final("Is there a piano?", nearby(0, seen("wardrobe", state=words.STATE_CLOSED))).is_sure


def test_pictures_of_rooms_are_kept_for_a_question_that_counts_them():
    bedroom = [picture(0, seen("bed", size=SOFA), seen("nightstand", 1.5), seen("wardrobe", -1.5))]
    others = [picture(number, seen("plant", 20.0 + number)) for number in range(1, 6)]
    query = ExplorationQuery("How many bedrooms does this flat have?", snapshots=(*bedroom, *others))
    assert 0 in SymbolicSnapshotManager(KNOWLEDGE).answer(query).kept


def test_pictures_of_where_a_small_thing_may_be_are_kept():
    places = [
        picture(0, seen("dining table")),
        picture(1, seen("wardrobe", 5.0)),
        picture(2, seen("sofa", 9.0)),
    ]
    others = [picture(number, seen("plant", 20.0 + number)) for number in range(3, 8)]
    query = ExplorationQuery("What colour is the candle?", snapshots=(*places, *others))
    assert SymbolicSnapshotManager(KNOWLEDGE).answer(query).kept == (0, 1, 5, 6, 7)
