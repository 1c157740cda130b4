"""Tests of the roles of the baseline agents: reflections and random choice."""

from __future__ import annotations

import pytest

from stma_ros.domains.cooking.cooking import cooking_rules
from stma_ros.domains.cooking.game_state import GameState
from stma_ros.domains.cooking.recipe import read_recipe, recipe_text
from stma_ros.domains.cooking.reflector import TextReflector
from stma_ros.memory.working.records import record_text
from stma_ros.roles.planner import PlanQuery
from stma_ros.roles.random_choice import RandomChoice
from stma_ros.roles.reflector import ReflectQuery
from stma_ros.types.belief import SpatialBelief, Summary, TemporalBelief
from stma_ros.types.common import Error
from stma_ros.types.errors import ErrorCode, RoleError
from stma_ros.types.planning import Action, Outcome, Result, TaskStatus
from stma_ros.types.sensing import Observation
from stma_ros.types.stepped import StepStamp

RECIPE = """Ingredients:
  ham

Directions:
  fry the ham
  prepare meal"""


def command(text: str) -> Action:
    return Action("command", (text,))


def outcome(step: int, text: str, error: Error = Error()) -> Outcome:
    result = Result.FAILED if error else Result.SUCCEEDED
    return Outcome(request_id=f"t/{step}", step=step, action=command(text), result=result, error=error)


def record(step: int, text: str = "", feedback: str = "") -> Observation:
    done = outcome(step, text) if text else Outcome()
    return Observation(step=step, last_outcome=done, feedback=feedback, description="-= Hall =-\nA hall.")


class TestRandomChoice:
    ALLOWED = (*(command(f"go {n}") for n in range(20)), Action("give_up"))

    def pick(self, step: int = 0, seed: int = 0, **more: object) -> Action:
        query = PlanQuery(
            "cook",
            TemporalBelief(at=StepStamp(step=step)),
            SpatialBelief(),
            self.ALLOWED,
            **more,  # type: ignore[arg-type]
        )
        (action,) = RandomChoice(seed).answer(query).actions
        return action

    def test_random_choice_does_not_depend_on_earlier_queries(self) -> None:
        forward = [self.pick(step) for step in range(10)]

        assert [self.pick(step) for step in reversed(range(10))] == forward[::-1]

    def test_random_choice_depends_on_step_seed_and_observation(self) -> None:
        for picks in (
            {str(self.pick(step)) for step in range(20)},
            {str(self.pick(seed=seed)) for seed in range(20)},
            {str(self.pick(observation=f"room {n}")) for n in range(20)},
        ):
            assert len(picks) > 5

    def test_random_choice_never_gives_up_and_avoids_rejected_actions(self) -> None:
        refused = self.ALLOWED[:19]

        assert {str(self.pick(step, rejected=refused)) for step in range(50)} == {"go 19"}
        assert self.pick(rejected=self.ALLOWED) in self.ALLOWED[:-1]

    def test_random_choice_has_no_answer_when_only_giving_up_is_allowed(self) -> None:
        query = PlanQuery("cook", TemporalBelief(), SpatialBelief(), (Action("give_up"),))
        with pytest.raises(RoleError, match="no action is allowed"):
            RandomChoice().answer(query)


class TestReflector:
    def lesson(
        self, summary: Summary, code: ErrorCode = ErrorCode.OUT_OF_COMMANDS, earlier: tuple[str, ...] = ()
    ) -> str:
        query = ReflectQuery("cook", summary, TaskStatus.FAILED, Error(code, "that was all"), earlier)
        return TextReflector().answer(query).text

    def recipe_of(self, lesson: str) -> list[str]:
        belief = TemporalBelief(lessons=("I know nothing.", lesson), text="Task: cook")
        recipe = GameState(belief, SpatialBelief(), "", ()).recipe
        return [] if recipe is None else [*recipe.ingredients, *(step.verb for step in recipe.steps)]

    def test_lesson_contains_the_recipe_of_a_summary(self) -> None:
        lesson = self.lesson(Summary(instructions=(RECIPE,)))

        assert RECIPE in lesson
        assert self.recipe_of(lesson) == ["ham", "fry"]

    def test_lesson_contains_only_the_recipe_of_a_raw_history(self) -> None:
        read = (record(1, "examine cookbook", f"You read:\n\n{RECIPE}"), record(2, "chop the ham"))
        lesson = self.lesson(Summary(text="\n\n".join(map(record_text, read))))

        assert RECIPE in lesson
        assert "chop" not in lesson
        assert self.recipe_of(lesson) == ["ham", "fry"]

    def test_lesson_contains_the_recipe_of_an_earlier_lesson(self) -> None:
        earlier = self.lesson(Summary(instructions=(RECIPE,)))

        assert self.recipe_of(self.lesson(Summary(), earlier=(earlier,))) == ["ham", "fry"]

    def test_lesson_states_that_no_recipe_was_found(self) -> None:
        lesson = self.lesson(Summary())

        assert "I did not find the recipe." in lesson
        assert self.recipe_of(lesson) == []

    def test_lesson_states_the_end_of_the_attempt_and_failed_commands(self) -> None:
        done = (outcome(1, "fly", Error(ErrorCode.ACTION_NOT_ALLOWED, "no wings")), outcome(2, "eat ham"))
        lost = self.lesson(Summary(completed=done), ErrorCode.EPISODE_LOST)

        assert "I failed: that was all" in lost
        assert "The last thing I did was 'eat ham'. I must not do it again" in lost
        assert "'fly' failed: no wings" in lost
        assert "I did 2 commands." in self.lesson(Summary(completed=done))

    def test_lesson_states_the_visited_rooms(self) -> None:
        assert "I was in: hall." in self.lesson(Summary(text=record_text(record(0))))


def test_recipe_of_this_attempt_takes_precedence_over_a_lesson() -> None:
    belief = TemporalBelief(instructions=(RECIPE,), lessons=(RECIPE.replace("ham", "egg"),))

    recipe = GameState(belief, SpatialBelief(), "", ()).recipe

    assert recipe is not None
    assert recipe.ingredients == ("ham",)


def test_recipe_that_was_read_twice_is_followed_once() -> None:
    read = record(1, "examine cookbook", RECIPE)
    history = f"{record_text(read)}\n\n{record_text(read)}"

    assert recipe_text(history) == RECIPE
    recipe = read_recipe(history, cooking_rules())
    assert recipe is not None
    assert len(recipe.steps) == 1
