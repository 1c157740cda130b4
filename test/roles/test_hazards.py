"""Tests of the household critic's hazards, and of the files that add to them."""

from __future__ import annotations

from pathlib import Path

import pytest

from stma_ros.components.decision.scene_grounding import allowed_actions
from stma_ros.domains.household.belief_index import BeliefIndex
from stma_ros.domains.household.category_knowledge import household_categories
from stma_ros.domains.household.critic import SymbolicCritic
from stma_ros.domains.household.critic_rules.hazard_file import household_hazards
from stma_ros.domains.household.critic_rules.hazards import feedback
from stma_ros.domains.household.planner import SymbolicPlanner
from stma_ros.roles.critic import CritiqueQuery
from stma_ros.roles.planner import PlanQuery
from stma_ros.types import vocabulary as words
from stma_ros.types.errors import ConfigurationError
from stma_ros.types.planning import Action, Outcome, Verdict
from stma_ros.types.scene_graph import Frontiers, ObjectNode, SceneGraph
from support.roles.scripted_home import LOOK_AROUND, Belief, navigate, open_, outcome, temporal, with_goals
from support.roles.scripted_household import SKILLS

HOUSEHOLD = household_categories()


def hazard(text: str, *things: tuple[str, str, str], extension: str = "") -> str:
    """Returns the feedback to an action in a home of things: (id, what it is in or on or "hand", state)."""
    belief = Belief().room("room_1", "kitchen")
    for name, place, state in things:
        more = {"on": place} if place not in ("", "hand") else {}
        if state:
            more["state"] = state
        belief.thing(name, name.rsplit("_", 1)[0].replace("_", " "), "room_1", **more)
        if place == "hand":
            belief.add(name, words.HELD_BY, words.ROBOT)
    skill, _, target = text.partition(" ")
    done = belief.done()
    view = BeliefIndex(done.facts, done.routes, HOUSEHOLD)
    return feedback(Action(skill, (target,)), view, household_hazards(extension))


@pytest.mark.parametrize(
    ("action", "things", "reason"),
    [
        ("pick cat_1", [("cat_1", "", "")], "living being"),
        ("place_on person_1", [("person_1", "", ""), ("mug_1", "hand", "")], "living being"),
        ("place_in bin_1", [("bin_1", "", ""), ("hamster_1", "hand", "")], "living being"),
        ("close wardrobe_1", [("wardrobe_1", "", ""), ("child_1", "wardrobe_1", "")], "let it out"),
        (
            "switch_on washing_machine_1",
            [("washing_machine_1", "", ""), ("cat_1", "washing_machine_1", "")],
            "let it out",
        ),
        (
            "place_in dryer_1",
            [("dryer_1", "", ""), ("cat_1", "dryer_1", ""), ("towel_1", "hand", "")],
            "cat_1 is in",
        ),
        ("pick kettle_1", [("kettle_1", "", "on")], "switch_off(kettle_1)"),
        ("pick pan_1", [("oven_1", "", "on"), ("pan_1", "oven_1", "")], "switch_off(oven_1)"),
        ("place_on stove_1", [("stove_1", "", "on"), ("book_1", "hand", "")], "switch_off(stove_1)"),
        ("switch_on oven_1", [("oven_1", "", ""), ("newspaper_1", "oven_1", "")], "may burn"),
        ("switch_on microwave_1", [("microwave_1", "", ""), ("fork_1", "microwave_1", "")], "sparks"),
        ("switch_on microwave_1", [("microwave_1", "", ""), ("phone_1", "microwave_1", "")], "spoilt"),
        ("place_on bed_1", [("bed_1", "", ""), ("knife_1", "hand", "")], "may cut"),
        ("place_in bathtub_1", [("bathtub_1", "", ""), ("hair_dryer_1", "hand", "")], "wet"),
        ("fill sink_1", [("sink_1", "", ""), ("laptop_1", "hand", "")], "wet"),
        ("switch_on radio_1", [("bathtub_1", "", ""), ("radio_1", "bathtub_1", "")], "where it is dry"),
        ("place_on tv_1", [("tv_1", "", ""), ("vase_1", "hand", "full")], "liquid"),
    ],
)
def test_a_hazard_is_refused_with_its_reason(
    action: str, things: list[tuple[str, str, str]], reason: str
) -> None:
    assert reason in hazard(action, *things)


@pytest.mark.parametrize(
    ("action", "things"),
    [
        ("navigate person_1", [("person_1", "", "")]),
        ("pick kettle_1", [("kettle_1", "", "off")]),
        ("pick pan_1", [("oven_1", "", ""), ("pan_1", "oven_1", "")]),  # nobody said that it is on
        ("place_on stove_1", [("stove_1", "", "on"), ("pot_1", "hand", "")]),
        ("place_in oven_1", [("oven_1", "", "off"), ("newspaper_1", "hand", "")]),
        ("switch_on oven_1", [("oven_1", "", ""), ("pizza_1", "oven_1", "")]),
        ("switch_on stove_1", [("stove_1", "", ""), ("oven_1", "", ""), ("book_1", "oven_1", "")]),
        ("place_on table_1", [("table_1", "", ""), ("knife_1", "hand", "")]),
        ("place_in sink_1", [("sink_1", "", ""), ("plate_1", "hand", "")]),
        ("place_on tv_1", [("tv_1", "", ""), ("vase_1", "hand", "empty")]),
        ("fill sink_1", [("sink_1", "", ""), ("mug_1", "hand", "")]),
        ("pick ghost_1", []),
    ],
)
def test_an_action_without_a_hazard_is_not_refused(action: str, things: list[tuple[str, str, str]]) -> None:
    assert hazard(action, *things) == ""


def write(folder: Path, content: str) -> str:
    file = folder / "hazards.yaml"
    file.write_text(content, encoding="utf-8")
    return str(file)


def test_a_file_adds_kinds_and_rules_and_takes_rules_away(tmp_path: Path) -> None:
    file = write(
        tmp_path,
        "groups: {sharp: [fork]}\n"
        "hazards:\n"
        "  electrical things stay dry:\n"
        "  no vase on the piano:\n"
        "    {skills: [place_on], target: [piano], held: [vase], reason: '{held} stays off {target}'}\n",
    )
    bed, fork = ("bed_1", "", ""), ("fork_1", "hand", "")
    assert hazard("place_on bed_1", bed, fork) == ""
    assert "may cut" in hazard("place_on bed_1", bed, fork, extension=file)
    piano = (("piano_1", "", ""), ("vase_1", "hand", ""))
    assert hazard("place_on piano_1", *piano, extension=file) == "vase_1 stays off piano_1"
    tub = (("bathtub_1", "", ""), ("hair_dryer_1", "hand", ""))
    assert hazard("place_in bathtub_1", *tub, extension=file) == ""


@pytest.mark.parametrize(
    ("content", "cause"),
    [
        ("[1]", "holds no hazards"),
        ("rules: {}", "holds no hazards"),
        ("groups: [a]", "groups wants a mapping"),
        ("groups: {hot: stove}", "wants a list of names"),
        ("hazards: {a: {skills: [pick]}}", "needs skills: and reason:"),
        ("hazards: {a: {skills: [grab], reason: no}}", "wants a text"),
        ("hazards: {a: {skills: [grab], reason: x}}", "no skill 'grab'"),
        ("hazards: {a: {skills: [pick], reason: x, tarjet: [a]}}", "Did you mean 'target'"),
        ("hazards: {a: {skills: [pick], reason: x, target_state: warm}}", "no state 'warm'"),
        ("hazards: {a: {skills: [pick], reason: x, target_state: on}}", "put it into quotes"),
        ("hazards: {a: {skills: [pick], reason: '{who}'}}", "the reason has a place other than"),
        ("hazards: {a: {skills: [pick], reason: x, target: mug}}", "wants a list of names"),
        ("{", "cannot be read"),
    ],
)
def test_a_file_with_a_mistake_is_refused_with_its_cause(tmp_path: Path, content: str, cause: str) -> None:
    with pytest.raises(ConfigurationError, match=cause):
        household_hazards(write(tmp_path, content))


def test_a_file_that_does_not_exist_is_refused_by_its_path(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="none\\.yaml cannot be read"):
        household_hazards(str(tmp_path / "none.yaml"))


def test_every_kind_in_the_rules_is_known() -> None:
    sets = {"living", "devices", "taps", "vessels", "containers", "furniture", "surfaces"}
    kinds = {
        kind
        for rule in household_hazards()
        for kind in (*rule.target, *rule.held, *rule.holder, *rule.content)
        if kind not in sets
    }
    unknown = {kind for kind in kinds if not (HOUSEHOLD.knows(kind) or HOUSEHOLD.is_portable(kind))}
    assert not unknown


def decided(task: str, belief: Belief, *done: Outcome) -> list[tuple[str, bool]]:
    """Returns what planner and critic settle on at a step: the planned actions, and whether each was accepted."""
    past, spatial = with_goals(temporal(*done), task), belief.done()
    kinds = [(fact.subject, fact.object) for fact in spatial.facts if fact.predicate == words.IS_A]
    nodes = tuple(ObjectNode(id=name, category=kind) for name, kind in kinds if kind not in HOUSEHOLD.rooms)
    actions = allowed_actions(SKILLS, SceneGraph(objects=nodes), Frontiers(), HOUSEHOLD)
    planner, critic = SymbolicPlanner(HOUSEHOLD), SymbolicCritic(HOUSEHOLD)
    settled: list[tuple[str, bool]] = []
    rejected: tuple[Action, ...] = ()
    reason = ""
    while not settled or not settled[-1][1]:
        plan = planner.answer(PlanQuery(task, past, spatial, actions, reason, rejected))
        answer = critic.answer(CritiqueQuery(task, plan.subgoal, plan.actions[0], actions, past, spatial))
        settled.append((str(plan.actions[0]), answer.verdict == Verdict.ACCEPTED))
        reason, rejected = answer.reason, (*rejected, plan.actions[0])
    return settled


def in_kitchen() -> Belief:
    return Belief().room("room_1", "kitchen").thing("table_1", "table", "room_1", 2.0)


def test_the_robot_switches_off_what_is_hot_before_it_takes_something_out() -> None:
    belief = (
        in_kitchen().thing("oven_1", "oven", "room_1", 0.1, state="on").add("oven_1", words.STATE, "open")
    )
    belief.thing("pan_1", "pan", "room_1", 0.1, inside="oven_1")
    settled = decided("put the pan on the table", belief, outcome(1, navigate("oven_1")))
    assert settled == [("pick(pan_1)", False), ("switch_off(oven_1)", True)]


def test_the_robot_takes_out_what_the_task_wants_before_it_switches_an_oven_on() -> None:
    belief = in_kitchen().thing("oven_1", "oven", "room_1", 0.1)
    belief.thing("pan_1", "pan", "room_1", 0.1, inside="oven_1")
    here = (outcome(1, navigate("oven_1")), outcome(2, open_("oven_1")))
    task = "switch on the oven and put the pan on the table"
    assert decided(task, belief, *here) == [("switch_on(oven_1)", False), ("pick(pan_1)", True)]
    off = outcome(3, Action(words.SKILL_SWITCH_OFF, ("oven_1",)))
    assert decided(task, belief, *here, off)[-1] == ("pick(pan_1)", True)


def test_the_robot_takes_away_what_may_burn_before_it_switches_something_on() -> None:
    belief = in_kitchen().thing("oven_1", "oven", "room_1", 0.1, state="closed")
    belief.thing("towel_1", "towel", "room_1", 0.1, inside="oven_1")
    here = outcome(1, navigate("oven_1"))
    settled = decided("switch on the oven", belief, here)
    assert settled == [("switch_on(oven_1)", False), ("pick(towel_1)", False), ("open(oven_1)", True)]
    settled = decided("switch on the oven", belief, here, outcome(2, open_("oven_1")))
    assert settled == [("switch_on(oven_1)", False), ("pick(towel_1)", True)]


def test_a_task_that_ends_in_a_hazard_is_given_up() -> None:
    belief = in_kitchen().thing("sofa_1", "sofa", "room_1", 0.1).thing("knife_1", "knife", "room_1", 0.1)
    belief.add("knife_1", words.HELD_BY, words.ROBOT)
    pick = Action(words.SKILL_PICK, ("knife_1",))
    done = (outcome(1, pick), outcome(2, navigate("sofa_1")), outcome(3, LOOK_AROUND))
    settled = decided("put the knife on the sofa", belief, *done)
    assert settled == [("place_on(sofa_1)", False), ("give_up()", True)]
