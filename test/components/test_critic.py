"""Tests of the critic component, which joins a proposal with the beliefs of its step and judges once."""

from __future__ import annotations

import itertools

import pytest

from stma_ros.components.decision.critic import Critic, CriticConfig
from stma_ros.roles.critic import CritiqueAnswer, CritiqueQuery
from stma_ros.types import topics
from stma_ros.types.belief import SpatialBelief
from stma_ros.types.common import MessageRef
from stma_ros.types.errors import RoleError
from stma_ros.types.message import Message
from stma_ros.types.planning import Action, ActionProposal, Criterion, Critique, Verdict
from stma_ros.types.standard import Header, Time
from stma_ros.types.stepped import StepStamp
from stma_ros.types.telemetry import RoleCall
from support.components.household_components import household_critic, temporal_belief

LOOK, EXPLORE = Action("look_around"), Action("explore", ("frontier_1",))


def proposal(action: Action, revision: int = 0, task: str = "find the mug") -> tuple[str, Message]:
    return topics.ACTION_PROPOSAL, ActionProposal(
        at=StepStamp(header=Header(Time(5)), task_id="a", step=2, revision=revision),
        belief_step=2,
        belief_revision=0,
        task=task,
        observation="",
        subgoal="look",
        action=action,
        allowed_actions=(LOOK, Action("give_up")),
    )


def inputs(step: int = 2, task: str = "find the mug") -> list[tuple[str, Message]]:
    return [
        (topics.TEMPORAL_BELIEF, temporal_belief(task, step)),
        (
            topics.SPATIAL_BELIEF,
            SpatialBelief(at=StepStamp(header=Header(Time(4), "map"), task_id="a", step=step)),
        ),
    ]


def feed(critic: Critic, *messages: tuple[str, Message]) -> list[Critique]:
    critiques = []
    for topic, message in messages:
        for out, answer in critic.handle(topic, message):
            assert out == (topics.CRITIQUE if isinstance(answer, Critique) else topics.ROLE_CALLS)
            if isinstance(answer, Critique):
                critiques.append(answer)
    return critiques


def test_critic_judges_once_in_any_order_of_inputs() -> None:
    expected = feed(household_critic(), *inputs(), proposal(LOOK, 4))
    (critique,) = expected
    assert (critique.verdict, critique.criterion, critique.reason) == (Verdict.ACCEPTED, Criterion.NONE, "")
    assert (critique.task_id, critique.step, critique.revision, critique.header) == (
        "a",
        2,
        4,
        Header(Time(5)),
    )
    assert critique.derived_from == (
        MessageRef("action_proposal", "a/2", 4),
        MessageRef("temporal_belief", "a/2"),
        MessageRef("spatial_belief", "a/2"),
    )
    for order in itertools.permutations([*inputs(), proposal(LOOK, 4)]):
        assert feed(household_critic(), *order, *order) == expected


def test_critic_rejects_a_disallowed_action_with_feedback() -> None:
    (critique,) = feed(household_critic(), *inputs(), proposal(EXPLORE))
    assert (critique.verdict, critique.criterion) == (Verdict.REJECTED, Criterion.VALIDITY)
    assert "explore(frontier_1) is not allowed now" in critique.reason


def test_critic_gives_no_verdict_when_the_task_is_not_understood() -> None:
    (critique,) = feed(household_critic(), *inputs(task="sing"), proposal(LOOK, task="sing"))
    assert critique.verdict == Verdict.UNKNOWN
    assert "'sing' is not understood" in critique.reason


class Failing:
    def answer(self, query: CritiqueQuery) -> CritiqueAnswer:
        raise RoleError(f"no verdict on {query.action}")


def test_critic_gives_no_verdict_when_its_role_fails() -> None:
    (critique,) = feed(Critic(CriticConfig(), Failing()), *inputs(), proposal(LOOK))
    assert (critique.verdict, critique.reason) == (Verdict.UNKNOWN, "no verdict on look_around()")


class ScriptedVerdicts:
    """A critic role with scripted verdicts: "+" accepts, "-" rejects, "?" cannot be read."""

    def __init__(self, verdicts: str) -> None:
        self._verdicts = iter(verdicts)

    def answer(self, query: CritiqueQuery) -> CritiqueAnswer:
        letter = next(self._verdicts)
        if letter == "?":
            raise RoleError("the reply could not be read")
        return CritiqueAnswer(
            Verdict.ACCEPTED if letter == "+" else Verdict.REJECTED, reason=f"because {letter}"
        )


@pytest.mark.parametrize(
    ("verdicts", "letters", "verdict", "reason", "asked"),
    [
        (1, "+", Verdict.ACCEPTED, "because +", 1),
        (1, "?", Verdict.UNKNOWN, "the reply could not be read", 1),
        (2, "++", Verdict.ACCEPTED, "because +", 2),
        (2, "+-", Verdict.UNKNOWN, "the verdicts do not agree", 2),
        (3, "++", Verdict.ACCEPTED, "because +", 2),
        (3, "+--", Verdict.REJECTED, "because -", 3),
        (3, "?--", Verdict.REJECTED, "because -", 3),
        (3, "+?-", Verdict.UNKNOWN, "the reply could not be read", 3),
    ],
)
def test_critic_follows_the_majority_of_its_verdicts(
    verdicts: int, letters: str, verdict: Verdict, reason: str, asked: int
) -> None:
    critic = Critic(CriticConfig(verdicts=verdicts), ScriptedVerdicts(letters))
    messages = [message for item in (*inputs(), proposal(LOOK)) for _, message in critic.handle(*item)]
    *calls, critique = messages
    assert isinstance(critique, Critique)
    assert (critique.verdict, critique.reason, len(calls)) == (verdict, reason, asked)
    assert all(isinstance(call, RoleCall) for call in calls)


def test_disabled_critic_is_asked_once() -> None:
    critic = Critic(CriticConfig(enabled=False, verdicts=3), Failing())
    (critique,) = feed(critic, *inputs(), proposal(LOOK))
    assert critique.verdict == Verdict.ACCEPTED
