"""Tests of the roles of an exploring robot answered by a model: their questions, and which replies are usable."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from stma_ros.models.images import Picture
from stma_ros.roles.answerer import ANSWERER, AnswerQuery, CloserLook, QuestionAnswer
from stma_ros.roles.answerer import MAX_WORDS as MAX_ANSWER
from stma_ros.roles.category_filter import CATEGORY_FILTER, CategoryQuery
from stma_ros.roles.exploration import ExplorationQuery, FrontierQuery
from stma_ros.roles.exploration_planner import EXPLORATION_PLANNER, ChecklistQuery
from stma_ros.roles.frontier_chooser import FORESIGHT, FRONTIER_CHOOSER, ChosenFrontier
from stma_ros.roles.frontier_manager import FRONTIER_MANAGER, KeptFrontiers
from stma_ros.roles.prompt import find_prompt
from stma_ros.roles.recorder import MAX_WORDS, RECORDER, RecordQuery, TrailEntry
from stma_ros.roles.snapshot_manager import RECORD_PURPOSE, SNAPSHOT_MANAGER, KeptSnapshots
from stma_ros.roles.spec import AnyRole, UnusableReplyError, Wait
from stma_ros.types.errors import RoleError
from stma_ros.types.exploration import ChecklistItem, FrontierView, ItemState, Snapshot
from stma_ros.types.sensing import Detection, ObjectHypothesis
from stma_ros.types.standard import CompressedImage
from support.roles.drawn_snapshots import BLUE, RED, drawn, frontier, snapshot
from support.roles.scripted_client import HOUSEHOLD, ScriptedClient, prompt_of, prompted, text_of

QUESTION = "What colour is the block?"
ITEMS = (
    ChecklistItem(text="Enter the hall", state=ItemState.COMPLETED, reason="there is no block"),
    ChecklistItem(text="Find the block"),
)
TRAIL = ("The robot started in a bedroom.", "It entered a hall.")
SEEN = (drawn(), drawn(RED))
SNAPSHOTS = tuple(map(snapshot, SEEN))
AHEAD = (drawn(BLUE), drawn(shade=150))
FRONTIERS = (frontier(2.34, AHEAD[0]), frontier(0.5, AHEAD[1]))

EXPLORE = ExplorationQuery(QUESTION, ITEMS, TRAIL, SNAPSHOTS)
CHOOSE = FrontierQuery(QUESTION, ITEMS, TRAIL, SNAPSHOTS, FRONTIERS)
PLAN = ChecklistQuery(QUESTION, ITEMS, TRAIL, SNAPSHOTS, FRONTIERS)
ANSWER = AnswerQuery(QUESTION, ITEMS, TRAIL, SNAPSHOTS)
RECORD = RecordQuery(QUESTION, TRAIL, "A block is here.", "It is too far away.", "Frontier 0 is near.")

KEEP = {"reasoning": " The wall is bare. ", "seen": " A red block. ", "keep": [1]}
ANSWERED = {"reasoning": "It is red.", "answer": "red", "evidence": [1], "sure": True, "closer": []}
WITHOUT_ANSWER = {"reasoning": "It is too dark.", "answer": " ", "evidence": [], "sure": False, "closer": []}
CHECKLIST = {"reasoning": "It was found.", "checklist": "[x] Find the block <!-- it is in the hall -->"}

CASES: dict[str, tuple[AnyRole, Any, dict[str, Any]]] = {
    role.name: (role, query, reply)
    for role, query, reply in (
        (SNAPSHOT_MANAGER, EXPLORE, KEEP),
        (FRONTIER_MANAGER, CHOOSE, {"reasoning": "", "keep": [0]}),
        (ANSWERER, ANSWER, ANSWERED),
        (EXPLORATION_PLANNER, PLAN, CHECKLIST),
        (FRONTIER_CHOOSER, CHOOSE, {"reasoning": "", "frontier": 1}),
        (RECORDER, RECORD, {"entry": "A block is in the hall."}),
    )
}
"""A question and a good reply by the name of the role."""


def answer_to(role: AnyRole, query: object, *replies: Any) -> Any:
    return prompted(role, ScriptedClient(*replies), domain=HOUSEHOLD).answer(query)


def parts_of(role: AnyRole, query: object, reply: dict[str, Any]) -> tuple[str | Picture, ...]:
    """Returns the parts of the question as a model receives it."""
    client = ScriptedClient(reply)
    prompted(role, client, domain=HOUSEHOLD).answer(query)
    return client.requests[0].messages[1].parts


# -- questions


def test_question_shows_first_what_changes_least_and_each_picture_below_its_number() -> None:
    assert parts_of(*CASES["frontier_chooser"]) == (
        "Question: What colour is the block?\n\n"
        "So far:\n- Step 1: The robot started in a bedroom.\n- Step 2: It entered a hall.\n\n"
        "Snapshots:",
        "Snapshot 0:",
        SEEN[0],
        "Snapshot 1:",
        SEEN[1],
        "\nThe plan:\n[x] Enter the hall <!-- there is no block -->\n[ ] Find the block",
        "\nFrontiers:",
        "Frontier 0 (2.3 m away):",
        AHEAD[0],
        "Frontier 1 (0.5 m away):",
        AHEAD[1],
    )


@pytest.mark.parametrize("name", CASES)
def test_text_of_a_question_is_all_that_a_model_is_sent_besides_the_pictures(name: str) -> None:
    parts = parts_of(*CASES[name])

    assert "\n".join(part for part in parts if isinstance(part, str)) == text_of(CASES[name][1])


@pytest.mark.parametrize("name", CASES)
def test_roles_of_an_exploring_robot_answer_in_the_wait_of_their_component(name: str) -> None:
    role, *_ = CASES[name]
    waits = {SNAPSHOT_MANAGER: Wait.BELIEFS, FRONTIER_MANAGER: Wait.BELIEFS, RECORDER: Wait.BELIEFS}

    assert role.wait == waits.get(role, Wait.PLAN)
    assert role.has_images == (role is not RECORDER)
    assert role.follows_default == (role is RECORDER)


@pytest.mark.parametrize("name", CASES)
def test_question_grows_at_its_end_when_trail_and_snapshots_grow(name: str) -> None:
    role, query, _ = CASES[name]
    (first, *_) = role.rendering(replace(query, trail=TRAIL[:1]))
    grown = role.rendering(query)[0].removesuffix("Snapshots:")

    assert grown.startswith(first.removesuffix("\n\nSnapshots:").partition("\n\nManager")[0])
    if role is not RECORDER:
        more = replace(query, snapshots=(*SNAPSHOTS, SNAPSHOTS[0]))
        assert role.rendering(more)[:5] == role.rendering(query)[:5]


def test_question_without_pictures_plan_and_trail_says_so_in_a_few_words() -> None:
    query = FrontierQuery(QUESTION)

    assert FRONTIER_CHOOSER.rendering(query) == (
        "Question: What colour is the block?\n\nSnapshots: none",
        "\nFrontiers: none",
    )


def test_view_of_a_frontier_without_picture_and_way_is_named() -> None:
    text = text_of(replace(CHOOSE, frontiers=(FrontierView(), FRONTIERS[0])))

    assert text.endswith("Frontier 0 (way unknown): no picture\nFrontier 1 (2.3 m away):")
    parts = FRONTIER_CHOOSER.rendering(replace(CHOOSE, frontiers=(FrontierView(), FRONTIERS[0])))
    assert [part for part in parts if isinstance(part, Picture)] == [*SEEN, AHEAD[0]]


@pytest.mark.parametrize(
    ("flags", "line"),
    [
        ({}, ""),
        ({"is_explored": True}, "Exploration: everything that can be reached was explored"),
        ({"must_answer": True}, "Exploration: it ends now, this is the last question"),
        (
            {"is_explored": True, "must_answer": True},
            "Exploration: everything that can be reached was explored; it ends now, this is the last question",
        ),
    ],
)
def test_answerer_is_told_when_the_exploration_cannot_go_on(flags: dict[str, bool], line: str) -> None:
    lines = text_of(replace(ANSWER, **flags)).splitlines()

    assert [each for each in lines if each.startswith("Exploration")] == [line] * bool(line)
    assert not line or lines[-1] == line


def test_answerer_is_told_which_snapshots_were_taken_earlier() -> None:
    query = replace(ANSWER, seen_ago=("2 h ago", ""), must_answer=True)

    assert text_of(query).split("\n\n")[-2:] == [
        "Taken earlier: Snapshot 0 (2 h ago)",
        "Exploration: it ends now, this is the last question",
    ]
    assert "earlier" not in text_of(replace(ANSWER, seen_ago=("", "")))


def test_planner_is_told_to_make_no_branches_at_the_beginning_of_the_question() -> None:
    text = text_of(replace(PLAN, branches=False))

    assert text.startswith(f"Question: {QUESTION}\n\nBranches: none; one item for each subgoal\n\nSo far:\n")
    assert "Branches" not in text_of(PLAN)


@pytest.mark.parametrize(
    ("role", "query", "mode"),
    [(FRONTIER_CHOOSER, CHOOSE, FORESIGHT), (SNAPSHOT_MANAGER, EXPLORE, RECORD_PURPOSE)],
)
def test_another_mode_of_a_role_is_said_at_the_beginning_of_the_question_and_explained_by_the_prompt(
    role: AnyRole, query: ExplorationQuery, mode: str
) -> None:
    assert text_of(replace(query, mode=mode)).startswith(f"Question: {QUESTION}\n\n{mode}\n\nSo far:\n")
    assert mode not in text_of(query)
    name, _, _ = mode.partition(":")
    assert f"- {name}: only where" in find_prompt(role.name, HOUSEHOLD).text


def test_category_filter_is_shown_the_kinds_that_were_seen_and_may_name_no_others() -> None:
    query = CategoryQuery(QUESTION, ("bed", "block", "shoe rack"), most=2)
    assert CATEGORY_FILTER.text(query) == f"Question: {QUESTION}\n\nAt most: 2\n\nSeen: bed, block, shoe rack"
    good = {"reasoning": "", "categories": [" block", "bed", "block"]}
    assert answer_to(CATEGORY_FILTER, query, good).categories == ("block", "bed")
    assert answer_to(CATEGORY_FILTER, replace(query, most=1), good).categories == ("block",)
    assert answer_to(CATEGORY_FILTER, query, {"reasoning": "", "categories": []}).categories == ()
    bad = {"reasoning": "", "categories": ["rack"]}
    assert answer_to(CATEGORY_FILTER, query, bad, good).categories == ("block", "bed")
    with pytest.raises(UnusableReplyError, match="'rack' was not seen"):
        answer_to(CATEGORY_FILTER, query, bad, bad)


def test_recorder_is_shown_what_the_others_said() -> None:
    assert text_of(RECORD).split("\n\n")[2:] == [
        "Manager:\nA block is here.",
        "Answerer:\nIt is too far away.",
        "Chooser:\nFrontier 0 is near.",
    ]


def test_snapshot_that_cannot_be_read_is_an_error_of_the_role_that_rules_can_replace() -> None:
    damaged = Snapshot(picture=CompressedImage(format="png", data=np.frombuffer(b"no picture", np.uint8)))
    query = replace(EXPLORE, snapshots=(damaged,))

    class Rules:
        def answer(self, question: ExplorationQuery) -> KeptSnapshots:
            return KeptSnapshots((0,), "by rules")

    with pytest.raises(RoleError, match=r"a snapshot cannot be shown: .* cannot be read"):
        answer_to(SNAPSHOT_MANAGER, query, KEEP)
    role = prompted(SNAPSHOT_MANAGER, ScriptedClient(KEEP), Rules(), HOUSEHOLD)
    assert role.answer(query).text == "by rules"


# -- replies


def test_replies_are_read_as_typed_answers() -> None:
    answers = [answer_to(role, query, reply) for role, query, reply in CASES.values()]

    assert answers[:3] == [
        KeptSnapshots((1,), "A red block."),
        KeptFrontiers((0,), ""),
        QuestionAnswer("red", (1,), True, "It is red."),
    ]
    assert answers[3].reasoning == "It was found."
    assert answers[3].items == (
        ChecklistItem(text="Find the block", state=ItemState.COMPLETED, reason="it is in the hall"),
    )
    assert answers[4:] == [ChosenFrontier(1, ""), TrailEntry("A block is in the hall.")]


def test_numbers_to_keep_are_put_in_order_without_repetitions() -> None:
    assert answer_to(SNAPSHOT_MANAGER, EXPLORE, {**KEEP, "keep": [1, 0, 1]}).kept == (0, 1)
    assert answer_to(SNAPSHOT_MANAGER, EXPLORE, {**KEEP, "keep": []}).kept == ()


def test_chooser_stops_the_exploration_with_null() -> None:
    assert answer_to(FRONTIER_CHOOSER, CHOOSE, {"reasoning": "Done.", "frontier": None}) == ChosenFrontier(
        None, "Done."
    )


def test_answerer_goes_on_with_an_empty_answer_whatever_the_rest_says() -> None:
    for reply in (WITHOUT_ANSWER, {**WITHOUT_ANSWER, "evidence": [0], "sure": True}):
        assert answer_to(ANSWERER, ANSWER, reply) == QuestionAnswer("", (), False, "It is too dark.")


def test_answerer_names_the_old_snapshots_to_look_at_again_with_an_empty_answer() -> None:
    query = replace(ANSWER, seen_ago=("", "2 h ago"))
    reply = {**WITHOUT_ANSWER, "evidence": [1, 0]}

    assert answer_to(ANSWERER, query, reply) == QuestionAnswer("", (1,), False, "It is too dark.")


def test_answerer_names_what_is_to_be_seen_from_nearer_by_a_picture_and_a_few_words() -> None:
    found = tuple(
        Detection(hypotheses=(ObjectHypothesis(category=name),), pixels=pixels)
        for name, pixels in (("table", 900), ("Coffee table", 200), ("cup", 50), ("cup", 80))
    )
    query = replace(ANSWER, snapshots=(SNAPSHOTS[0], replace(SNAPSHOTS[1], detections=found)))
    named = [("red Cup", 3), ("coffee table", 1), ("the low table by the wall", 0)]
    closer = [{"snapshot": 1, "thing": thing} for thing, _ in named]

    answer = answer_to(ANSWERER, query, {**WITHOUT_ANSWER, "closer": closer})

    assert answer.closer == tuple(CloserLook(1, detection) for _, detection in named)
    assert answer_to(ANSWERER, query, {**ANSWERED, "closer": closer}).closer == ()
    unknown = {**WITHOUT_ANSWER, "closer": [{"snapshot": 1, "thing": "piano"}]}
    with pytest.raises(
        UnusableReplyError, match=r"no 'piano' in snapshot 1 .* it finds: table, Coffee table, cup"
    ):
        answer_to(ANSWERER, query, unknown, unknown)


def test_answerer_may_guess_only_at_the_last_question() -> None:
    guess = {**ANSWERED, "evidence": [], "sure": False}

    assert answer_to(ANSWERER, replace(ANSWER, must_answer=True), guess) == QuestionAnswer(
        "red", (), False, "It is red."
    )
    with pytest.raises(UnusableReplyError, match="the exploration can go on: leave the answer empty"):
        answer_to(ANSWERER, ANSWER, guess, guess)


def test_answerer_needs_no_evidence_for_an_absence_once_everything_was_explored() -> None:
    absent = {**ANSWERED, "answer": "There is no block.", "evidence": []}

    assert answer_to(ANSWERER, replace(ANSWER, is_explored=True), absent).is_sure
    with pytest.raises(UnusableReplyError, match="no snapshot shows it: name those that do"):
        answer_to(ANSWERER, replace(ANSWER, must_answer=True), absent, absent)


def test_numbers_of_pictures_are_removed_from_answers_and_entries() -> None:
    reply = {**ANSWERED, "answer": "The 2 red blocks\nin snapshot 1 (Snapshot 0)"}

    assert answer_to(ANSWERER, ANSWER, reply).answer == "The 2 red blocks in snapshot"
    entry = {"entry": "Frontier 0 leads to two chairs,\n1.5 m from the block in Snapshot 1."}
    assert answer_to(RECORDER, RECORD, entry).text == (
        "Frontier leads to two chairs, 1.5 m from the block in Snapshot."
    )


UNUSABLE: dict[str, tuple[str, dict[str, Any], str]] = {
    "a snapshot that is not there": (
        "snapshot_manager",
        {"keep": [0, 2]},
        "there is no snapshot 2; their nu",
    ),
    "a negative number": ("snapshot_manager", {"keep": [-1]}, "their numbers go from 0 to 1"),
    "a number as text": ("snapshot_manager", {"keep": ["1"]}, "keep.0: "),
    "no list": ("snapshot_manager", {"keep": None}, "keep: "),
    "no frontier to keep": ("frontier_manager", {"keep": []}, "keep at least one"),
    "a frontier that is not there": ("frontier_manager", {"keep": [7]}, "there is no frontier 7"),
    "evidence that is not there": ("answerer", {"evidence": [5]}, "there is no snapshot 5"),
    "a long answer": ("answerer", {"answer": "red " * (MAX_ANSWER + 1)}, f"write {MAX_ANSWER} at most"),
    "an empty checklist": ("exploration_planner", {"checklist": ""}, "the checklist has no item"),
    "an endless checklist": ("exploration_planner", {"checklist": "[ ] go\n" * 100}, "leave out completed"),
    "an unknown mark": ("exploration_planner", {"checklist": "[?] go"}, "has an unknown mark"),
    "a frontier beyond the last": ("frontier_chooser", {"frontier": 2}, "their numbers go from 0 to 1"),
    "no frontier at all": ("frontier_chooser", {"frontier": "Stop Exploration"}, "frontier: "),
    "an empty entry": ("recorder", {"entry": " \n"}, "write: Nothing new at this step."),
    "an entry of numbers": ("recorder", {"entry": "(Snapshot 1)"}, "the entry is empty"),
    "a long entry": ("recorder", {"entry": "on " * (MAX_WORDS + 1)}, f"is {MAX_WORDS + 1} words long"),
}


@pytest.mark.parametrize("case", UNUSABLE)
def test_unusable_reply_is_sent_back_once_with_the_remedy(case: str) -> None:
    name, change, problem = UNUSABLE[case]
    role, query, good = CASES[name]
    client = ScriptedClient({**good, **change}, good)

    answer = prompted(role, client, domain=HOUSEHOLD).answer(query)

    assert answer == answer_to(role, query, good)
    assert problem in client.rejected[0]
    with pytest.raises(UnusableReplyError):
        answer_to(role, query, {**good, **change}, {**good, **change})


@pytest.mark.parametrize("name", CASES)
def test_reply_without_a_field_is_sent_back(name: str) -> None:
    role, query, good = CASES[name]
    for field in good:
        client = ScriptedClient({key: good[key] for key in good if key != field}, good)
        prompted(role, client, domain=HOUSEHOLD).answer(query)
        assert f"{field}: Field required" in client.rejected[0]


def test_only_one_picture_or_none_is_named_as_such() -> None:
    one, none = replace(CHOOSE, frontiers=FRONTIERS[:1]), replace(CHOOSE, frontiers=())
    wrong = {"reasoning": "", "frontier": 1}

    with pytest.raises(UnusableReplyError, match="the only frontier is number 0"):
        answer_to(FRONTIER_CHOOSER, one, wrong, wrong)
    with pytest.raises(UnusableReplyError, match="there are no frontiers, so name none"):
        answer_to(FRONTIER_CHOOSER, none, wrong, wrong)


# -- prompts


@pytest.mark.parametrize("name", CASES)
def test_example_of_a_prompt_is_a_usable_answer_to_its_question(name: str) -> None:
    role, query, _ = CASES[name]
    match = re.search(
        r"```\n(.*?)\n```\n\n```json\n(.*?)\n```", prompt_of(f"household/{name}").text, re.DOTALL
    )
    assert match is not None
    question, reply = match.groups()
    shown = {"snapshots": len(re.findall(r"^Snapshot \d+:$", question, re.MULTILINE))}
    shown["frontiers"] = len(
        re.findall(r"^Frontier \d+ \([\d.]+ m away, [\d.]+ m² unknown\):$", question, re.MULTILINE)
    )
    pictures = {"snapshots": SNAPSHOTS[:1], "frontiers": FRONTIERS[:1]}
    changes = {key: pictures[key] * count for key, count in shown.items() if hasattr(query, key)}

    assert answer_to(role, replace(query, **changes), json.loads(reply))
