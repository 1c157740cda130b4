"""The world's port over a planning task: commands, observations, senses and the end."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("unified_planning", reason="PDDL needs unified-planning: pip install 'stma_ros[pddl]'")

from stma_ros.testing.world_conformance.played import play
from stma_ros.testing.world_conformance.subject import command, request
from stma_ros.types.component import CancelToken
from stma_ros.types.errors import ConfigurationError, ErrorCode, MissingDependencyError, WorldError
from stma_ros.types.planning import Outcome, Result
from stma_ros.types.sensing import EpisodeState
from stma_ros.types.sentences import Sentences
from stma_ros.worlds.pddl.config import EFFECTS, PddlConfig
from stma_ros.worlds.pddl.pddl_world import PddlWorld
from stma_ros.worlds.registry import objective, world_offer
from support.worlds.pddl_tasks import (
    LAMP_DOMAIN,
    LAMP_PROBLEM,
    feedback,
    look,
    plan_commands,
    say,
    write_task,
)

ALL = "blue in attic. hall is here. red in hall."
SENSES = "in: [here ?room]\n"


@pytest.fixture
def scene(tmp_path: Path) -> str:
    return write_task(tmp_path)


@pytest.fixture
def world(scene: str) -> Iterator[PddlWorld]:
    made = PddlWorld(PddlConfig())
    assert made.reset(scene, 0) == scene
    yield made
    made.close()


def world_of_effects(folder: Path, **others: str) -> PddlWorld:
    made = PddlWorld(PddlConfig(observation=EFFECTS))
    made.reset(write_task(folder, **others), 0)
    return made


def test_an_observation_shows_what_is_true_and_the_whole_model(world: PddlWorld) -> None:
    observation = look(world).observation
    assert observation.description == ALL
    assert (observation.feedback, observation.inventory) == ("", "")
    assert observation.admissible_commands == ("look around", "check valid actions")
    assert [action.command for action in observation.action_model.actions] == [
        "light {lamp} {room}",
        "walk {from} {to}",
    ]
    assert (observation.last_outcome, observation.any_command) == (Outcome(), False)


def test_an_action_takes_effect(world: PddlWorld) -> None:
    played = say(world, "light red hall")
    assert (played.outcome.result, played.outcome.duration) == (Result.SUCCEEDED, 1.0)
    assert played.observation.last_outcome == played.outcome
    assert played.observation.description == "blue in attic. hall is here. red in hall. red is lit."
    assert (played.observation.feedback, played.observation.episode) == ("", EpisodeState.RUNNING)
    assert (played.truth.score, played.truth.max_score) == (1, 2)


def test_an_action_whose_preconditions_do_not_hold_is_a_step_without_effect(world: PddlWorld) -> None:
    played = say(world, "light blue attic")
    assert (played.outcome.result, played.outcome.error.code) == (Result.FAILED, ErrorCode.NO_EFFECT)
    assert played.outcome.duration == 1.0
    assert played.observation.description == ALL
    assert played.observation.feedback == played.outcome.error.text
    assert "'light blue attic' has no effect now. 'check valid actions' lists" in played.observation.feedback
    assert "here" not in played.observation.feedback


@pytest.mark.parametrize(
    "text",
    [
        "light hall red",
        "light red",
        "light green hall",
        "LIGHT red hall",
        "light  red hall",
        "light red\nhall",
        "dance",
        "",
        "look",
        "light {lamp} {room}",
    ],
)
def test_a_text_that_is_no_command_is_not_executed(world: PddlWorld, text: str) -> None:
    played = say(world, text)
    assert (played.outcome.result, played.outcome.error.code) == (
        Result.FAILED,
        ErrorCode.ACTION_NOT_ALLOWED,
    )
    assert (played.outcome.duration, played.observation.feedback) == (0.0, "")
    assert look(world).observation.description == ALL


def test_checking_the_valid_actions_lists_them_and_is_a_step(world: PddlWorld) -> None:
    played = say(world, "check valid actions")
    assert played.observation.feedback == (
        "Valid actions: light red hall; walk hall attic; walk hall hall; look around; check valid actions."
    )
    assert (played.outcome.result, played.outcome.duration) == (Result.SUCCEEDED, 1.0)


def test_effects_are_told_as_changes_and_looking_around_shows_everything(tmp_path: Path) -> None:
    world = world_of_effects(tmp_path)
    assert look(world).observation.description == ALL
    walked = say(world, "walk hall attic")
    assert walked.observation.feedback == "attic is here. hall is not here."
    assert walked.observation.description == ""
    assert say(world, "check valid actions").observation.description == ""
    assert say(world, "light red hall").observation.description == ""
    around = say(world, "look around")
    assert around.observation.description == "attic is here. blue in attic. red in hall."
    assert (around.observation.feedback, around.outcome.duration) == ("", 1.0)


def test_looking_around_can_be_excluded(scene: str) -> None:
    world = PddlWorld(PddlConfig(look_around=False))
    world.reset(scene, 0)
    assert look(world).observation.admissible_commands == ("check valid actions",)
    assert say(world, "look around").outcome.error.code == ErrorCode.ACTION_NOT_ALLOWED
    assert feedback(world, "check valid actions").endswith("walk hall hall; check valid actions.")


@pytest.mark.parametrize("mode", ["full", "effects"])
def test_reaching_the_goal_wins_the_episode_for_good(scene: str, mode: str) -> None:
    world = PddlWorld(PddlConfig(observation=mode))
    world.reset(scene, 0)
    for text in ("light red hall", "walk hall attic"):
        assert say(world, text).observation.episode == EpisodeState.RUNNING
    won = say(world, "light blue attic")
    assert won.observation.episode == EpisodeState.WON
    assert won.observation.feedback == (
        "The goal is reached." if mode == "full" else "blue is lit. The goal is reached."
    )
    assert (won.truth.score, won.truth.max_score) == (2, 2)
    assert won.observation.admissible_commands == ()
    for text in ("walk attic hall", "look around", "check valid actions"):
        after = say(world, text)
        assert after.outcome.error.code == ErrorCode.ACTION_NOT_ALLOWED
        assert after.observation.episode == EpisodeState.WON


def test_a_goal_that_holds_from_the_start_is_reported_at_once(tmp_path: Path) -> None:
    world = PddlWorld(PddlConfig())
    world.reset(write_task(tmp_path, problem=LAMP_PROBLEM.replace("(lit blue)", "(not (lit blue))")), 0)
    assert look(world).truth.score == 1
    world.reset(
        write_task(tmp_path, problem=LAMP_PROBLEM.replace("(and (lit red) (lit blue))", "(here hall)")), 0
    )
    first = look(world).observation
    assert (first.episode, first.feedback) == (EpisodeState.WON, "The goal is reached.")


def test_the_objective_names_the_literals_of_the_goal_in_order(tmp_path: Path) -> None:
    problem = LAMP_PROBLEM.replace("(lit red) (lit blue)", "(lit red) (not (here hall)) (lit blue)")
    scene = write_task(tmp_path, problem=problem)
    assert objective("pddl", scene, 0) == "Make this true: blue is lit; hall is not here; red is lit."
    assert world_offer("pddl").domain == "pddl"


def test_facts_out_of_sight_are_neither_described_nor_told_of(tmp_path: Path) -> None:
    world = world_of_effects(tmp_path, senses=SENSES)
    assert look(world).observation.description == "hall is here. red in hall."
    assert feedback(world, "walk hall attic") == "attic is here. hall is not here. blue in attic."
    assert say(world, "look around").observation.description == "attic is here. blue in attic."


def test_changes_out_of_sight_are_not_told_of(tmp_path: Path) -> None:
    domain = LAMP_DOMAIN.replace(
        ":effect (lit ?lamp)", ":effect (and (lit ?lamp) (not (in ?lamp ?room)) (switch))"
    )
    world = world_of_effects(
        tmp_path, domain=domain, senses="lit: [in ?lamp ?any, not here ?any]\nin: [here ?room]"
    )
    assert feedback(world, "light red hall") == "switch. not red in hall."


def test_senses_may_name_objects_and_further_variables(tmp_path: Path) -> None:
    senses = "lit: [in ?lamp ?where, here ?where]\nin: [not lit blue]\n"
    problem = LAMP_PROBLEM.replace("(here hall)", "(here hall) (lit red) (lit blue)").replace(
        "(lit red) (lit blue))))", "(here attic))))"
    )
    world = PddlWorld(PddlConfig())
    world.reset(write_task(tmp_path, problem=problem, senses=senses), 0)
    observation = look(world).observation
    assert observation.description == "hall is here. red is lit."
    seen_when = {item.name: item.seen_when for item in observation.action_model.predicates}
    assert [item.predicate for item in seen_when["lit"]] == ["in", "here"]
    assert [(item.negated, item.arguments) for item in seen_when["in"]] == [(True, ("blue",))]
    assert seen_when["here"] == ()


def test_a_given_wording_is_used_and_the_rest_is_generic(tmp_path: Path) -> None:
    wording = """
    predicates:
      in: "lamp {lamp} stands in {room}"
      here: "you are in {room}"
    negations: {here: "you are not in {room}"}
    commands:
      light: "switch on  {lamp} in {room}"
    """
    world = world_of_effects(tmp_path, wording=wording)
    assert look(world).observation.description == (
        "lamp blue stands in attic. lamp red stands in hall. you are in hall."
    )
    assert feedback(world, "switch on red in hall") == "red is lit."
    assert feedback(world, "walk hall attic") == "you are in attic. you are not in hall."


def test_predicates_that_look_like_truth_values_in_yaml_can_be_worded(tmp_path: Path) -> None:
    domain = LAMP_DOMAIN.replace("switch", "on").replace("lit ", "no ")
    world = PddlWorld(PddlConfig())
    wording = 'predicates:\n  on: "the power is on"\n  no: "no light in {lamp}"\n'
    problem = LAMP_PROBLEM.replace("lit ", "no ").replace("(here hall)", "(here hall) (on)")
    world.reset(write_task(tmp_path, domain, problem, wording=wording), 0)
    assert "the power is on." in look(world).observation.description
    assert world.objective == "Make this true: no light in blue; no light in red."


@pytest.mark.parametrize("domain", ["blocksworld", "gripper", "tyreworld", "barman"])
def test_a_generated_problem_is_won_by_its_own_plan(domain: str) -> None:
    world = PddlWorld(PddlConfig(observation=EFFECTS))
    world.reset(domain, 1005)
    plan = plan_commands(look(world).observation.action_model, domain, 1005)
    for text in plan:
        assert text in feedback(world, "check valid actions")
        played = say(world, text)
        assert played.outcome.result == Result.SUCCEEDED
    assert played.observation.episode == EpisodeState.WON


def test_observations_of_an_episode_are_enough_to_know_its_state(tmp_path: Path) -> None:
    world = PddlWorld(PddlConfig(observation=EFFECTS))
    world.reset("tyreworld", 1006)
    first = look(world).observation
    sentences = Sentences(first.action_model)

    def read(text: str) -> list[tuple[bool, tuple[str, ...]]]:
        found = [sentences.read_sentence(part) for part in text.split(".") if part.strip()]
        return [(item.negated, (item.predicate, *item.arguments)) for item in found if item is not None]

    known = {atom for _, atom in read(first.description)}
    for text in plan_commands(first.action_model, "tyreworld", 1006)[:-1]:
        for negated, atom in read(feedback(world, text)):
            known = known - {atom} if negated else known | {atom}
        assert known == {atom for _, atom in read(say(world, "look around").observation.description)}


def test_a_cancelled_command_of_a_task_is_not_executed(world: PddlWorld) -> None:
    cancel = CancelToken()
    cancel.cancel("enough")
    outcome = dict(world.execute(command("light red hall"), cancel))["outcome"]
    assert isinstance(outcome, Outcome)
    assert (outcome.result, outcome.error.code, outcome.duration) == (
        Result.CANCELED,
        ErrorCode.CANCELED,
        0.0,
    )
    assert look(world).observation.description == ALL


def test_a_planning_task_knows_no_other_skill(world: PddlWorld) -> None:
    assert play(world, request("navigate")).outcome.error.code == ErrorCode.SKILL_UNKNOWN


def test_a_refused_scene_leaves_the_task_unchanged(world: PddlWorld, scene: str) -> None:
    say(world, "walk hall attic")
    before = look(world).observation.description
    for bad in ("kitchen", "no_such.pddl"):
        with pytest.raises(ConfigurationError, match=bad):
            world.reset(bad, 0)
    assert look(world).observation.description == before
    assert world.reset("", 0) == scene
    assert look(world).observation.description == ALL


def test_a_world_of_tasks_refuses_commands_before_the_first_reset() -> None:
    with pytest.raises(WorldError, match="reset the world first, with a scene such as 'blocksworld'"):
        list(PddlWorld(PddlConfig()).execute(request("observe"), CancelToken()))


def test_a_missing_library_is_named_with_its_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "unified_planning.io", None)
    with pytest.raises(
        MissingDependencyError, match=r"pip install 'stma_ros\[pddl\]', in a checkout `make pddl`"
    ):
        PddlWorld(PddlConfig())


def test_an_unknown_mode_of_observation_is_refused() -> None:
    with pytest.raises(ConfigurationError, match="observation must be one of full, effects"):
        PddlWorld(PddlConfig(observation="nothing"))
