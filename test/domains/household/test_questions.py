"""Tests of questions as tasks of the household rules: what is asked, what is looked at, and what is answered."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stma_ros.domains.household.critic import SymbolicCritic
from stma_ros.domains.household.goals import QuestionGoal, goal_message, question_of
from stma_ros.domains.household.planner import SymbolicPlanner
from stma_ros.domains.household.task_parser import SymbolicTaskParser
from stma_ros.memory.knowledge_settings import QuestionConfig
from stma_ros.roles.critic import CritiqueQuery
from stma_ros.roles.planner import PlanAnswer, PlanQuery
from stma_ros.roles.task_parser import TaskQuery
from stma_ros.types import vocabulary as words
from stma_ros.types.belief import TemporalBelief
from stma_ros.types.errors import ErrorCode
from stma_ros.types.goals import GoalKind
from stma_ros.types.planning import Action, Verdict
from support.roles.scripted_home import (
    GIVE_UP,
    HOUSEHOLD,
    LOOK_AROUND,
    NOW,
    Belief,
    allowed,
    at,
    explore,
    navigate,
    open_,
    outcome,
    report,
    temporal,
    with_goals,
)

ANSWER, GUESS = Action(words.SKILL_ANSWER), Action(words.SKILL_FINISH_UNVERIFIED)
LOOKED = outcome(1, LOOK_AROUND)
PARSER = SymbolicTaskParser(HOUSEHOLD)

QUESTIONS = (
    "Is there milk in the fridge?",
    "How many chairs are in the kitchen?",
    "What colour is the sofa?",
    "Where did I leave my keys?",
    "Is the stove on?",
    "Can I do homework in the bedroom?",
    "What is on the table?",
    "Could you see whether the lamp is on?",
    "Is there a piano?",
    "Is the mug on the table?",
    "What can I use to carry my books to school?",
)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Is there a kitchen?", "yes"),
        ("Where is the kitchen?", "where the fridge is"),
        ("Which rooms are there?", "a kitchen and a bedroom"),
    ],
)
def test_question_for_rooms_is_answered_once_the_home_is_known(question: str, answer: str) -> None:
    belief = Belief().room("room_1", "kitchen").room("room_2", "bedroom")
    belief.thing("fridge_1", "fridge", "room_1").thing("bed_1", "bed", "room_2")
    end = plan(question, belief)
    assert (end.actions, end.reasoning) == ((ANSWER,), answer)


def test_rooms_are_counted_once_nothing_is_left_to_explore() -> None:
    belief = Belief().room("room_1", "kitchen").thing("fridge_1", "fridge", "room_1")
    belief.add("frontier_1", words.IS_A, words.FRONTIER).route("frontier_1", 2.0)
    assert plan("How many rooms are there?", belief, (explore("frontier_1"),)).actions == (
        explore("frontier_1"),
    )


def kinds(text: str) -> list[GoalKind]:
    return [goal.kind for goal in PARSER.answer(TaskQuery(text)).goals]


def plan(
    question: str,
    belief: Belief,
    actions: tuple[Action, ...] = (),
    past: TemporalBelief | None = None,
    settings: QuestionConfig = QuestionConfig(),
) -> PlanAnswer:
    """Returns the planner's answer, which the critic accepts."""
    past = with_goals(past or temporal(LOOKED), question)
    possible = (*actions, ANSWER, GUESS, GIVE_UP, LOOK_AROUND)
    answer = SymbolicPlanner(HOUSEHOLD, settings).answer(PlanQuery(question, past, belief.done(), possible))
    critic = SymbolicCritic(HOUSEHOLD, questions=settings)
    first = answer.actions[0]
    verdict = critic.answer(CritiqueQuery(question, answer.subgoal, first, possible, past, belief.done()))
    assert verdict.verdict == Verdict.ACCEPTED, verdict
    return answer


def kitchen() -> Belief:
    belief = Belief().room("room_1", "kitchen").thing("fridge_1", "fridge", "room_1")
    belief.add("fridge_1", words.STATE, words.STATE_CLOSED, 1.0, last=NOW)
    return belief.thing("table_1", "table", "room_1", colour="brown")


# -- what is asked


@pytest.mark.parametrize("text", QUESTIONS)
def test_question_about_the_home_is_a_goal_to_answer_it(text: str) -> None:
    (goal,) = PARSER.answer(TaskQuery(text)).goals
    assert (goal.kind, goal.question) == (GoalKind.ANSWER, text)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Where is the mug?", GoalKind.FIND),
        ("Can you bring me the mug?", GoalKind.PLACE),
        ("Can I have the mug?", GoalKind.PLACE),
        ("Is the lamp off? If not, turn it off.", GoalKind.STATE),
    ],
)
def test_request_in_the_form_of_a_question_stays_a_request(text: str, kind: GoalKind) -> None:
    assert kinds(text) == [kind]


@pytest.mark.parametrize(
    "text",
    [
        "can I take the bowl into the dining room?",
        "can I put the mug on the shelf?",
        "do you want me to close the door?",
        "Would you wash the dishes?",
        "should I turn off the lamp?",
        "What time is it?",
        "Who made the lamp?",
        "Give me the dirty mug.",
        "Please give me a glass of water.",
    ],
)
def test_question_that_nothing_seen_answers_is_refused(text: str) -> None:
    assert PARSER.answer(TaskQuery(text)).error.code == ErrorCode.TASK_NOT_UNDERSTOOD


@pytest.mark.parametrize(
    "text",
    [
        "Polish the table. What's more, the vase ought to be somewhere else.",
        "What's more, the vase might as well be gone.",
        "Is there a vase? Polish the table.",
        "Is there a vase? Would you polish the table?",
        "Polish the table, and is there a vase?",
        "I need the table polished. Is there a vase?",
        "Could I get you to polish the table in the kitchen?",
        "Check whether the lamp is on and turn it off.",
        "Tell me if the lamp in the kitchen is on and switch it off.",
        "Tell me whether there is milk in the fridge and bring it to me.",
        "Is the tv on and then turn off the lamp?",
    ],
)
def test_question_beside_a_request_that_is_not_understood_is_refused(text: str) -> None:
    assert PARSER.answer(TaskQuery(text)).error.code == ErrorCode.TASK_NOT_UNDERSTOOD


@pytest.mark.parametrize(
    "text",
    [
        "I need to write a letter. Is there a pen in the kitchen?",
        "We have guests. How many chairs are there?",
        "Is there a pen in the kitchen? If so, what colour is it?",
        "How many chairs are there? Answer with a number.",
        "Give me the number of chairs, please.",
    ],
)
def test_question_may_have_statements_around_it(text: str) -> None:
    assert kinds(text) == [GoalKind.ANSWER]


@given(st.text(max_size=60))
def test_goal_to_answer_a_question_is_restored_from_its_message(question: str) -> None:
    goal = QuestionGoal(question)
    assert question_of(TemporalBelief(goals=(goal_message(goal),))) == goal


# -- what the beliefs answer


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("What colour is the sofa?", "red"),
        ("Is the sofa blue?", "no"),
        ("Is there a sofa?", "yes"),
        ("Which room is the mug in, the kitchen or the bedroom?", "kitchen"),
        ("Is the mug on the table?", "yes"),
        ("Is there a mug in the kitchen?", "yes"),
        ("Can I take a nap in the kitchen?", "yes, a sofa"),
        ("Is the fridge open?", "no"),
    ],
)
def test_planner_answers_at_once_what_the_belief_knows(question: str, answer: str) -> None:
    belief = kitchen().thing("sofa_1", "sofa", "room_1", colour="red")
    belief.thing("mug_1", "mug", "room_1", on="table_1", colour="blue")
    belief.frontier("frontier_1", 9.0, 2.0, "room_1")
    done = plan(question, belief, (*allowed(["sofa_1", "mug_1"]), explore("frontier_1")))
    assert (done.actions, done.reasoning) == ((ANSWER,), answer)
    assert done.seen


def test_planner_goes_near_to_see_what_is_on_a_thing() -> None:
    belief = kitchen().thing("mug_1", "mug", "room_1", on="table_1")
    actions, question = allowed(["table_1", "mug_1"]), "What is on the table?"
    assert plan(question, belief, actions).actions == (navigate("table_1"),)
    been = temporal(LOOKED, outcome(2, navigate("table_1")))
    answer = plan(question, belief, actions, been)
    assert (answer.actions, answer.reasoning) == ((ANSWER,), "a mug")


def test_planner_explores_for_what_it_has_not_seen() -> None:
    belief = kitchen().frontier("frontier_1", 9.0, 2.0, "room_1")
    answer = plan("What colour is the sofa?", belief, (*allowed(["table_1"]), explore("frontier_1")))
    assert answer.actions == (explore("frontier_1"),)


def test_planner_says_that_there_is_none_once_all_is_searched() -> None:
    answer = plan("What colour is the piano?", kitchen(), allowed(["table_1"]))
    assert (answer.actions, answer.reasoning) == ((ANSWER,), "there is no piano")


def test_planner_is_not_sure_that_there_is_none_while_a_frontier_cannot_be_reached() -> None:
    belief = kitchen().frontier("frontier_1", 9.0, float("nan"), "room_1")
    answer = plan("Is there a piano?", belief, (*allowed(["table_1"]), explore("frontier_1")))
    assert (answer.actions, answer.reasoning) == ((GUESS,), "no")


def test_planner_is_not_sure_that_there_is_none_of_a_kind_that_nobody_would_recognise() -> None:
    assert plan("Is there a flurbogast?", kitchen(), allowed(["table_1"])).actions[0] == GUESS


def test_planner_opens_the_fridge_to_see_whether_something_is_in_it() -> None:
    actions = (*allowed(["fridge_1", "table_1"]), open_("fridge_1"))
    question = "Is there milk in the fridge?"
    assert plan(question, kitchen(), actions).actions == (navigate("fridge_1"), open_("fridge_1"))
    opened = temporal(LOOKED, outcome(2, navigate("fridge_1")), outcome(3, open_("fridge_1")))
    assert plan(question, kitchen(), actions, opened).reasoning == "no"
    found = kitchen().thing("milk_1", "milk carton", "room_1", inside="fridge_1")
    assert plan("Is there a milk carton in the fridge?", found, actions, opened).reasoning == "yes"


def test_planner_is_not_sure_of_the_inside_of_a_fridge_that_does_not_open() -> None:
    fails = [outcome(k, open_("fridge_1"), ErrorCode.NOT_OPENABLE) for k in (3, 4)]
    past = temporal(LOOKED, outcome(2, navigate("fridge_1")), *fails)
    actions = (*allowed(["fridge_1", "table_1"]), open_("fridge_1"))
    assert plan("Is there milk in the fridge?", kitchen(), actions, past).actions == (GUESS,)


def test_planner_looks_at_a_thing_from_nearby_before_it_says_that_its_colour_is_not_known() -> None:
    belief = kitchen().thing("sofa_1", "sofa", "room_1", 4.0)
    actions, question = allowed(["sofa_1"]), "What colour is the sofa?"
    assert plan(question, belief, actions).actions == (navigate("sofa_1"),)
    been = temporal(LOOKED, outcome(2, navigate("sofa_1")))
    answer = plan(question, belief, actions, been)
    assert answer.actions == (GIVE_UP,)
    assert answer.reasoning.startswith("I do not know. What is missing: the colour of the sofa.")


def test_colour_on_which_the_views_differ_is_looked_at_from_nearby_and_not_asserted() -> None:
    belief = kitchen().thing("bin_1", "bin", "room_1", 4.0, colour="white")
    belief.add("bin_1", words.MAY_HAVE_COLOUR, "grey", 0.4)
    actions, question = allowed(["bin_1"]), "What colour is the bin?"
    assert plan(question, belief, actions).actions == (navigate("bin_1"),)
    been = temporal(LOOKED, outcome(2, navigate("bin_1")))
    answer = plan(question, belief, actions, been)
    assert (answer.actions, answer.reasoning) == ((GUESS,), "white")


def test_planner_counts_once_the_room_is_searched() -> None:
    belief = kitchen().thing("chair_1", "chair", "room_1").thing("chair_2", "chair", "room_1")
    belief.room("room_2", "bedroom").thing("chair_3", "chair", "room_2").thing("bed_1", "bed", "room_2")
    question, things = "How many chairs are in the kitchen?", allowed(["chair_1", "chair_2"])
    near = Belief(list(belief.facts), list(belief.routes)).frontier("frontier_1", 9.0, 2.0, "room_1")
    assert plan(question, near, (*things, explore("frontier_1"))).actions == (explore("frontier_1"),)
    far = Belief(list(belief.facts), list(belief.routes)).frontier("frontier_1", 9.0, 2.0, "room_2")
    answer = plan(question, far, (*things, explore("frontier_1")))
    assert (answer.actions, answer.reasoning) == ((ANSWER,), "2")


def test_planner_does_not_assert_what_a_belief_holds_no_facts_about() -> None:
    belief = kitchen().thing("rug_1", "rug", "room_1")
    been = temporal(LOOKED, outcome(2, navigate("table_1")))
    answer = plan("Is there a rug under the table?", belief, allowed(["rug_1", "table_1"]), been)
    assert (answer.actions, answer.reasoning) == ((GUESS,), "no")


def test_planner_answers_with_its_best_guess_when_the_steps_of_a_question_are_spent() -> None:
    belief = kitchen().frontier("frontier_1", 9.0, 2.0, "room_1")
    late = replace(temporal(LOOKED), at=replace(temporal().at, step=50))
    answer = plan("Is there a sofa?", belief, (explore("frontier_1"),), late)
    assert (answer.actions, answer.reasoning) == ((GUESS,), "no")


def test_planner_looks_at_the_devices_of_a_room_for_one_that_is_on() -> None:
    belief = kitchen().thing("lamp_1", "lamp", "room_1", 4.0)
    actions, question = allowed(["lamp_1"]), "What is switched on in the kitchen?"
    assert plan(question, belief, actions).actions == (navigate("lamp_1"),)
    been = temporal(LOOKED, outcome(2, navigate("lamp_1")))
    assert plan(question, belief, actions, been).actions == (GUESS,)
    belief.add("lamp_1", words.STATE, words.STATE_ON, 1.0, last=NOW)
    answer = plan(question, belief, actions, been)
    assert (answer.actions, answer.reasoning) == ((ANSWER,), "a lamp")


# -- what was seen long ago


def seen_at(second: int, belief: Belief, name: str) -> Belief:
    """Returns the belief as if a thing and its states had been seen last at a time [s]."""
    facts = [
        replace(fact, first_seen=at(0), last_seen=at(second)) if fact.subject == name else fact
        for fact in belief.facts
    ]
    return Belief(facts, belief.routes, belief.room_id)


NEW = temporal()
"""A task that has just begun."""


@pytest.mark.parametrize(
    ("question", "name"), [("Where did I leave my keys?", "key_1"), ("Is the stove on?", "stove_1")]
)
def test_portable_thing_or_state_seen_long_ago_is_looked_at_again(question: str, name: str) -> None:
    belief = kitchen().thing("key_1", "key", "room_1", on="table_1").thing("stove_1", "stove", "room_1")
    belief.add("stove_1", words.STATE, words.STATE_ON, 1.0, last=NOW)
    actions = allowed(["key_1", "stove_1", "table_1"])
    old = seen_at(NOW - 700, belief, name)
    assert plan(question, old, actions, NEW).actions == (navigate(name),)
    assert plan(question, seen_at(NOW - 500, belief, name), actions, NEW).actions == (ANSWER,)
    patient = QuestionConfig(recheck_after=1000)
    answer = plan(question, old, actions, NEW, patient)
    assert answer.actions == (ANSWER,)
    assert "(seen 11 min ago" in answer.reasoning


def test_thing_to_be_found_that_was_seen_long_ago_is_looked_at_again_and_told_with_its_time() -> None:
    belief = kitchen().thing("mug_1", "mug", "room_1", on="table_1")
    old, actions = seen_at(NOW - 700, belief, "mug_1"), allowed(["mug_1", "table_1"])
    assert plan("Where is the mug?", old, actions, NEW).actions == (navigate("mug_1"),)
    answer = plan("Where is the mug?", old, actions, NEW, QuestionConfig(recheck_after=1000))
    assert answer.actions == (report("mug_1"),)
    assert answer.reasoning == "The mug is on the table in the kitchen, seen 11 min ago (mug_1)."
    asked = plan("find the mug", old, actions, NEW, QuestionConfig(recheck_after=1000))
    assert asked.reasoning == "The mug is on table_1, in room_1 (kitchen), seen 11 min ago: mug_1."


def test_portable_thing_that_cannot_be_looked_at_again_is_told_with_its_time_as_a_guess() -> None:
    belief = kitchen().thing("key_1", "key", "room_1", on="table_1")
    old = seen_at(NOW - 700, belief, "key_1")
    answer = plan("Where did I leave my keys?", old, (), NEW)
    assert answer.actions == (GUESS,)
    assert answer.reasoning == "on the table in the kitchen (seen 11 min ago)"


def test_colour_and_furniture_seen_long_ago_are_told_with_their_time() -> None:
    belief = kitchen().thing("sofa_1", "sofa", "room_1", colour="red")
    old = seen_at(NOW - 700, belief, "sofa_1")
    answer = plan("What colour is the sofa?", old, allowed(["sofa_1"]), NEW)
    assert (answer.actions, answer.reasoning) == ((ANSWER,), "red (seen 11 min ago in the kitchen)")


def test_place_seen_long_ago_is_looked_at_again_before_it_is_said_that_a_portable_thing_is_not_there() -> (
    None
):
    question, actions = "Is there a mug on the table?", allowed(["table_1"])
    old = seen_at(NOW - 700, kitchen(), "table_1")
    assert plan(question, old, actions, NEW).actions == (navigate("table_1"),)
    looked = temporal(outcome(NOW - 5, LOOK_AROUND))
    assert plan(question, old, (), looked).actions == (GUESS,)
    been = temporal(outcome(NOW - 50, navigate("table_1")))
    assert plan(question, kitchen(), actions, been).actions == (ANSWER,)


def test_portable_thing_that_was_nowhere_long_ago_is_not_surely_nowhere_now() -> None:
    old = seen_at(NOW - 700, kitchen(), "table_1")
    assert plan("Is there a mug in the kitchen?", old, (), NEW).actions == (GUESS,)
    assert plan("Is there a piano in the kitchen?", old, (), NEW).actions == (ANSWER,)


def test_thing_that_is_missing_answers_nothing() -> None:
    belief = kitchen().thing("key_1", "key", "room_1", on="table_1", state=words.STATE_MISSING)
    been = temporal(LOOKED, outcome(2, navigate("table_1")), outcome(3, LOOK_AROUND))
    assert plan("Are there keys on the table?", belief, allowed(["table_1"]), been).reasoning == "no"


def test_guessed_state_is_looked_at_from_nearby_and_never_asserted() -> None:
    belief = kitchen().thing("stove_1", "stove", "room_1")
    belief.add("stove_1", words.STATE, words.STATE_ON, 0.7, last=NOW)
    question, actions = "Is the stove on?", allowed(["stove_1"])
    assert plan(question, belief, actions).actions == (navigate("stove_1"),)
    been = temporal(LOOKED, outcome(2, navigate("stove_1")))
    answer = plan(question, belief, actions, been)
    assert (answer.actions, answer.reasoning) == ((GUESS,), "yes")


# -- what the words of a question say


def seen_home() -> Belief:
    """Returns the belief about a kitchen and a bathroom, with certain states and nothing left to explore."""
    belief = kitchen().room("room_2", "bathroom").thing("toilet_1", "toilet", "room_2")
    belief.thing("shelf_1", "shelf", "room_1").thing("mug_1", "mug", "room_1", on="shelf_1", colour="red")
    belief.thing("plate_1", "plate", "room_1", on="table_1", colour="white")
    belief.thing("plate_2", "plate", "room_1", on="table_1", colour="blue")
    belief.thing("chair_1", "chair", "room_1", colour="red").thing(
        "chair_2", "chair", "room_1", colour="blue"
    )
    for name, kind, room, state in (
        ("lamp_1", "lamp", "room_1", words.STATE_ON),
        ("lamp_2", "lamp", "room_2", words.STATE_OFF),
        ("tv_1", "tv", "room_1", words.STATE_OFF),
        ("stove_1", "stove", "room_1", words.STATE_OFF),
        ("oven_1", "oven", "room_1", words.STATE_ON),
        ("door_1", "door", "room_2", words.STATE_OPEN),
    ):
        belief.thing(name, kind, room).add(name, words.STATE, state, 1.0, last=NOW)
    return belief


BEEN = temporal(LOOKED, outcome(2, navigate("table_1")), outcome(3, navigate("shelf_1")))
"""What stands on the table and on the shelf was seen from nearby."""


@pytest.mark.parametrize(
    "question",
    [
        "Is the front door open?",
        "Is the door to the garden open?",
        "Is Anna's mug on the shelf?",
        "Is the mug on the left shelf?",
        "Is there a wooden chair?",
        "Is there a round table in the kitchen?",
        "Is there a dirty mug?",
        "Is there a shelf without a mug?",
        "Is there a mug that is not on the shelf?",
        "Is the stove on or is the oven on?",
        "Are the stove and the tv off?",
        "What colour are the plate and the mug?",
        "How many chairs are not red?",
        "Are there more plates than mugs?",
        "Do we have enough chairs for six people?",
        "Is there a chair next to the kerbstone?",
    ],
)
def test_question_with_words_that_no_rule_reads_is_answered_as_a_guess(question: str) -> None:
    assert plan(question, seen_home(), (), BEEN).actions == (GUESS,)


@pytest.mark.parametrize(
    ("question", "end", "answer"),
    [
        ("Are all the lights off?", ANSWER, "no"),
        ("Are all the lights in the bathroom off?", ANSWER, "yes"),
        ("Is every light on?", ANSWER, "no"),
        ("Are both lights on?", ANSWER, "no"),
        ("Is any light on?", ANSWER, "yes"),
        ("Is one of the lights off?", ANSWER, "yes"),
        ("Is any of the lights in the bathroom on?", ANSWER, "no"),
        ("Are no lights on?", ANSWER, "no"),
        ("Are the lights on?", GUESS, "no"),
        ("Is the light on?", GUESS, "yes"),
        ("Is the light in the bathroom on?", ANSWER, "no"),
        ("Are two lights on?", GUESS, "no"),
        ("Are all the chairs red?", ANSWER, "no"),
        ("Is any chair red?", ANSWER, "yes"),
        ("What colour are the chairs?", ANSWER, "red and blue"),
        ("What colour is the chair?", GUESS, "red"),
        ("Are the two chairs the same colour?", ANSWER, "no"),
        ("Are both plates on the table?", ANSWER, "yes"),
        ("Are the plates on the table?", ANSWER, "yes"),
        ("Are all the plates on the table?", GUESS, "yes"),
        ("Are both plates on the shelf?", ANSWER, "no"),
        ("Is there a lamp in every room?", GUESS, "yes"),
        ("Is there a mug on both shelves?", GUESS, "yes"),
        ("Are the plates in the same room?", GUESS, "yes"),
    ],
)
def test_question_for_several_things_is_answered_by_all_of_them(
    question: str, end: Action, answer: str
) -> None:
    done = plan(question, seen_home(), (), BEEN)
    assert (done.actions, done.reasoning) == ((end,), answer)


@pytest.mark.parametrize(
    ("question", "end", "answer"),
    [
        ("Are there two bathrooms?", ANSWER, "no"),
        ("Is there more than one bathroom?", ANSWER, "no"),
        ("Is there only one kitchen?", ANSWER, "yes"),
        ("Are there two chairs in the kitchen?", ANSWER, "yes"),
        ("Are there three chairs in the kitchen?", ANSWER, "no"),
        ("Are there exactly two chairs?", ANSWER, "yes"),
        ("Are there fewer than two chairs?", ANSWER, "no"),
        ("Is there only one chair?", ANSWER, "no"),
        ("How many chairs are red?", ANSWER, "1"),
        ("How many doors are open?", ANSWER, "1"),
        ("How many lights are switched on in the bathroom?", ANSWER, "0"),
        ("How many lamps are broken?", GUESS, "2"),
    ],
)
def test_number_of_things_and_what_is_said_of_them_count(question: str, end: Action, answer: str) -> None:
    belief = seen_home()
    belief.facts = [
        replace(fact, object=words.STATE_OPEN) if fact.object == words.STATE_CLOSED else fact
        for fact in belief.facts
    ]
    opened = temporal(*BEEN.completed, outcome(4, navigate("fridge_1")), outcome(5, open_("fridge_1")))
    done = plan(question, belief, (), opened)
    assert (done.actions, done.reasoning) == ((end,), answer)


@pytest.mark.parametrize(
    ("question", "end", "answer"),
    [
        ("Is there nothing on the table?", ANSWER, "no"),
        ("Is nothing on the chair?", GUESS, "yes"),
        ("Is there no mug on the shelf?", ANSWER, "no"),
        ("Is no mug on the table?", ANSWER, "yes"),
        ("Is there no kitchen?", ANSWER, "no"),
        ("Is there no garage?", ANSWER, "yes"),
        ("Is there anything on the shelf except the mug?", GUESS, "no"),
        ("Is there anything on the table except the white plate?", ANSWER, "yes"),
        ("Is there anything else on the shelf besides the mug?", GUESS, "no"),
        ("Is there anything else on the table?", GUESS, "yes"),
        ("Is there anything on the table except the plate that I like?", GUESS, "no"),
        ("Is there a lamp that is not on?", ANSWER, "yes"),
        ("Is there a mug that is not red?", GUESS, "yes"),
        ("How many doors are not closed?", ANSWER, "1"),
        ("Is the mug not on the shelf?", ANSWER, "no"),
        ("Is the mug not on the table?", ANSWER, "yes"),
        ("Is the mug not red?", ANSWER, "no"),
    ],
)
def test_denials_and_exceptions_in_a_question_count(question: str, end: Action, answer: str) -> None:
    done = plan(question, seen_home(), (), BEEN)
    assert (done.actions, done.reasoning) == ((end,), answer)


@pytest.mark.parametrize(
    ("question", "end", "answer"),
    [
        ("Is the large mug on the table?", ANSWER, "yes"),
        ("What colour is the small mug?", ANSWER, "red"),
        ("Is the large mug red?", ANSWER, "no"),
        ("Is there a large mug?", GUESS, "yes"),
        ("How many small mugs are there?", GUESS, "2"),
        ("Are the small mugs red?", GUESS, "no"),
        ("Is the red mug on the small table?", ANSWER, "yes"),
        ("Is the red mug on the large table?", ANSWER, "no"),
    ],
)
def test_thing_that_is_meant_by_its_size_is_the_smaller_or_larger_one(
    question: str, end: Action, answer: str
) -> None:
    belief = (
        kitchen()
        .add("table_1", words.SIZE, "1.0")
        .thing("table_2", "table", "room_1")
        .add("table_2", words.SIZE, "2.0")
    )
    belief.thing("mug_1", "mug", "room_1", on="table_1", colour="red").add("mug_1", words.SIZE, "0.1")
    belief.thing("mug_2", "mug", "room_1", on="table_2", colour="blue").add("mug_2", words.SIZE, "0.2")
    belief.add("fridge_1", words.STATE, words.STATE_OPEN, 1.0, last=NOW)
    done = plan(question, belief, (), BEEN)
    assert (done.actions, done.reasoning) == ((end,), answer)


def test_size_of_a_single_thing_tells_nothing_while_there_may_be_another_one() -> None:
    belief = kitchen().thing("mug_1", "mug", "room_1", on="table_1", colour="red")
    question = "What colour is the small mug?"
    assert plan(question, belief).actions == (ANSWER,)
    belief.frontier("frontier_1", 9.0, 2.0, "room_1")
    assert plan(question, belief, (explore("frontier_1"),)).actions == (explore("frontier_1"),)


@pytest.mark.parametrize(
    ("question", "end", "answer"),
    [
        ("Is the bathroom light on?", ANSWER, "no"),
        ("Is the kitchen light on?", ANSWER, "yes"),
        ("Is any bathroom light on?", ANSWER, "no"),
        ("Are both kitchen chairs red?", ANSWER, "no"),
        ("Is there a blue kitchen chair?", ANSWER, "yes"),
        ("Is there a bathroom mug?", GUESS, "yes"),
        ("Is there a lamp in the guest bathroom?", GUESS, "yes"),
        ("Is there a lamp in the bathroom upstairs?", GUESS, "yes"),
        ("Are there knives in Anna's kitchen?", GUESS, "no"),
    ],
)
def test_room_that_is_named_with_a_thing_counts(question: str, end: Action, answer: str) -> None:
    done = plan(question, seen_home(), (), BEEN)
    assert (done.actions, done.reasoning) == ((end,), answer)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Is there a red mug?", "yes"),
        ("Is there a red mug on the table?", "yes"),
        ("Is the red mug on the table?", "yes"),
        ("How many red mugs are there?", "1"),
        ("Is there a pink and white mug?", "yes"),
        ("Is there a white bin?", "yes"),
        ("Is there a green plate?", "no"),
        ("Is there a mug on the orange table?", "yes"),
    ],
)
def test_thing_of_another_shade_or_of_a_doubtful_colour_is_told_as_a_guess(
    question: str, answer: str
) -> None:
    belief = kitchen().thing("mug_1", "mug", "room_1", on="table_1", colour="pink")
    belief.thing("bin_1", "bin", "room_1", colour="white").add("bin_1", words.MAY_HAVE_COLOUR, "grey", 0.4)
    belief.thing("plate_1", "plate", "room_1", on="table_1")
    belief.add("fridge_1", words.STATE, words.STATE_OPEN, 1.0, last=NOW)
    done = plan(question, belief, (), temporal(*BEEN.completed, outcome(4, LOOK_AROUND)))
    assert (done.actions, done.reasoning) == ((GUESS,), answer)
    assert plan("Is there a pink mug?", belief).actions == (ANSWER,)


def test_thing_of_the_colour_is_meant_rather_than_one_of_a_shade() -> None:
    belief = kitchen().thing("mug_1", "mug", "room_1", on="table_1", colour="pink")
    belief.thing("counter_1", "counter", "room_1").thing(
        "mug_2", "mug", "room_1", on="counter_1", colour="red"
    )
    done = plan("Is the red mug on the table?", belief, (), BEEN)
    assert (done.actions, done.reasoning) == ((ANSWER,), "no")


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Is the mug in the kitchen?", "yes"),
        ("Is there a mug in the dining room?", "yes"),
        ("How many mugs are in the dining room?", "1"),
        ("Can I take a nap in the kitchen?", "yes, a sofa"),
        ("Is there a mug on the table in the kitchen?", "yes"),
    ],
)
def test_thing_in_a_room_of_a_doubtful_kind_is_told_as_a_guess(question: str, answer: str) -> None:
    belief = (
        Belief().add("room_1", words.IS_A, "dining room", 0.36).add("room_1", words.MAY_BE, "kitchen", 0.34)
    )
    belief.thing("table_1", "table", "room_1").thing("mug_1", "mug", "room_1", on="table_1")
    belief.thing("sofa_1", "sofa", "room_1")
    done = plan(question, belief, (), temporal(*BEEN.completed, outcome(4, LOOK_AROUND)))
    assert (done.actions, done.reasoning) == ((GUESS,), answer)


def test_room_of_a_doubtful_kind_is_told_with_perhaps() -> None:
    belief = (
        Belief().add("room_1", words.IS_A, "dining room", 0.36).add("room_1", words.MAY_BE, "kitchen", 0.34)
    )
    belief.thing("table_1", "table", "room_1").thing("mug_1", "mug", "room_1", on="table_1")
    done = plan("Which room is the mug in?", belief, allowed(["mug_1", "table_1"]))
    assert done.actions == (report("mug_1"),)
    assert done.reasoning == "The mug is on the table, perhaps in the dining room (mug_1)."


def test_room_in_a_container_is_told_once_it_was_looked_into() -> None:
    question, actions = "Is there room in the fridge for a cake?", (*allowed(["fridge_1"]), open_("fridge_1"))
    assert plan(question, kitchen(), actions).actions == (navigate("fridge_1"), open_("fridge_1"))
    assert plan(question, kitchen()).actions == (GUESS,)
    belief = kitchen()
    belief.facts = [
        replace(fact, object=words.STATE_OPEN) if fact.object == words.STATE_CLOSED else fact
        for fact in belief.facts
    ]
    opened = temporal(LOOKED, outcome(2, navigate("fridge_1")), outcome(3, open_("fridge_1")))
    done = plan(question, belief, actions, opened)
    assert (done.actions, done.reasoning) == ((ANSWER,), "yes")


def test_neighbours_of_a_table_leave_room_on_it() -> None:
    belief, question = kitchen(), "Is there room on the table?"
    for number in range(3):
        belief.thing(f"chair_{number}", "chair", "room_1").add(f"chair_{number}", words.NEAR, "table_1")
    assert plan(question, belief).actions == (GUESS,)
    done = plan(question, belief, (), BEEN)
    assert (done.actions, done.reasoning) == ((ANSWER,), "yes")
    for number in range(3):
        belief.thing(f"vase_{number}", "vase", "room_1", on="table_1")
    done = plan(question, belief, (), BEEN)
    assert (done.actions, done.reasoning) == ((ANSWER,), "no")


def test_nearer_of_two_things_is_a_guess_where_no_distance_was_measured() -> None:
    belief = kitchen().thing("sofa_1", "sofa", "room_1")
    for name, kind in (("lamp_1", "floor lamp"), ("chair_1", "chair")):
        belief.thing(name, kind, "room_1").add(name, words.NEAR, "sofa_1")
    question = "Which is closer to the sofa, the floor lamp or the chair?"
    looked = temporal(*BEEN.completed, outcome(4, LOOK_AROUND))
    assert plan(question, belief, (), looked).actions == (GUESS,)


def test_things_that_are_counted_by_their_state_are_looked_at_until_each_shows_it() -> None:
    belief = (
        kitchen()
        .thing("window_1", "window", "room_1", state=words.STATE_OPEN)
        .thing("window_2", "window", "room_1")
    )
    belief.facts = [
        replace(fact, last_seen=at(NOW)) if fact.predicate == words.STATE else fact for fact in belief.facts
    ]
    actions, question = allowed(["window_1", "window_2"]), "How many windows are open?"
    assert plan(question, belief, actions).actions == (navigate("window_2"),)
    been = temporal(LOOKED, outcome(2, navigate("window_2")))
    assert plan(question, belief, actions, been).actions == (GUESS,)
    belief.add("window_2", words.STATE, words.STATE_CLOSED, 1.0, last=NOW)
    done = plan(question, belief, actions, been)
    assert (done.actions, done.reasoning) == ((ANSWER,), "1")


def test_all_lamps_are_off_for_sure_once_no_way_leads_on() -> None:
    belief = seen_home().add("lamp_1", words.STATE, words.STATE_OFF, 1.0, last=NOW + 1)
    belief.facts = [
        fact for fact in belief.facts if (fact.subject, fact.object) != ("lamp_1", words.STATE_ON)
    ]
    assert plan("Are all the lights off?", belief, (), BEEN).actions == (ANSWER,)
    belief.frontier("frontier_1", 9.0, 2.0, "room_2")
    assert plan("Are all the lights off?", belief, (explore("frontier_1"),), BEEN).actions == (
        explore("frontier_1"),
    )


def test_things_are_of_the_same_colour_if_all_of_them_were_seen() -> None:
    belief = kitchen().thing("chair_1", "chair", "room_1", colour="red")
    assert plan("Are the two chairs the same colour?", belief).actions == (GIVE_UP,)
    belief.thing("chair_2", "chair", "room_1", colour="red")
    done = plan("Are the two chairs the same colour?", belief)
    assert (done.actions, done.reasoning) == ((ANSWER,), "yes")


@pytest.mark.parametrize(
    ("question", "end", "answer"),
    [
        ("Is the mug on the table or on the shelf?", ANSWER, "on the shelf"),
        ("Is the mug on the shelf or on the table?", ANSWER, "on the shelf"),
        ("Is the mug in the bathroom or the kitchen?", ANSWER, "in the kitchen"),
        ("Is the mug on the table or on the chair?", GIVE_UP, ""),
    ],
)
def test_choice_between_places_is_answered_with_one_of_them(question: str, end: Action, answer: str) -> None:
    done = plan(question, seen_home(), (), BEEN)
    assert done.actions == (end,)
    assert not answer or done.reasoning == answer


def test_where_there_is_no_such_thing_there_is_surely_none_of_a_further_description() -> None:
    answer = plan("Is there a wooden piano?", kitchen())
    assert (answer.actions, answer.reasoning) == ((ANSWER,), "no")
