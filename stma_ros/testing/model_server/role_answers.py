"""Recognises role and domain of a request by its prompt, and answers by their rules."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final, TypeAlias

from stma_ros.domains.adventure.domain import ADVENTURE
from stma_ros.domains.cooking.domain import COOKING
from stma_ros.domains.household.domain import HOUSEHOLD
from stma_ros.domains.pddl.domain import PDDL
from stma_ros.domains.programs.domain import PROGRAMS
from stma_ros.domains.spec import Domain
from stma_ros.evaluation.eqa.prompted_grader import ANSWER_GRADER
from stma_ros.evaluation.eqa.prompted_judge import ANSWER_JUDGE
from stma_ros.models.chat import ChatMessage, MessageRole
from stma_ros.models.images import Picture
from stma_ros.roles.answerer import ANSWERER
from stma_ros.roles.category_filter import CATEGORY_FILTER
from stma_ros.roles.critic import CRITIC
from stma_ros.roles.exploration_planner import EXPLORATION_PLANNER
from stma_ros.roles.frontier_chooser import FRONTIER_CHOOSER
from stma_ros.roles.frontier_manager import FRONTIER_MANAGER
from stma_ros.roles.judge import JUDGE
from stma_ros.roles.observation_summariser import OBSERVATION_SUMMARISER
from stma_ros.roles.planner import PLANNER
from stma_ros.roles.policy import POLICY
from stma_ros.roles.prompt import find_prompt
from stma_ros.roles.recorder import RECORDER
from stma_ros.roles.reflector import REFLECTOR
from stma_ros.roles.relation_aggregator import RELATION_AGGREGATOR
from stma_ros.roles.relation_retriever import RELATION_RETRIEVER
from stma_ros.roles.scene_graph import SCENE_GRAPH
from stma_ros.roles.snapshot_manager import SNAPSHOT_MANAGER
from stma_ros.roles.spec import AnyRole
from stma_ros.roles.summariser import SUMMARISER
from stma_ros.roles.task_parser import TASK_PARSER
from stma_ros.roles.thinker import THINKER
from stma_ros.testing.model_server import (
    activities,
    exploration,
    household,
    judging,
    scene_graph,
    subgoal_roles,
    text_roles,
)
from stma_ros.testing.model_server.sections import UnreadableQuestionError
from stma_ros.types.errors import StmaError

StandIn: TypeAlias = Callable[[str, Sequence[Picture]], Any]
"""A function that answers a question, given its text and its pictures, with a reply of the role's form.

It raises UnreadableQuestionError for a question in another format, and a StmaError if there is no answer.
"""

StandIns: TypeAlias = Mapping[tuple[str, AnyRole], StandIn]
"""Stand-ins by the domain's package and the role."""

_EQA: Final = "stma_ros.evaluation.eqa"
"""The package with the prompts of judges, which are no roles of a domain."""

NOT_UNDERSTOOD = "I am not sure what you want."
"""The reply to messages that are not a role's question."""


def of_text(answer: Callable[[str], Any]) -> StandIn:
    """Makes a stand-in from a function of the question's text; pictures are ignored."""
    return lambda question, pictures: answer(question)


def _with_subgoals(domain: Domain) -> StandIns:
    """Returns the stand-ins for the roles of agents with subgoals in a domain."""

    def choose(question: str) -> Any:
        return subgoal_roles.choose(question, domain.make_rules(POLICY, None))

    def sum_up(question: str) -> Any:
        return subgoal_roles.sum_up(question, domain.make_rules(OBSERVATION_SUMMARISER, None))

    return {
        (domain.package, POLICY): of_text(choose),
        (domain.package, OBSERVATION_SUMMARISER): of_text(sum_up),
    }


STAND_INS: Final[StandIns] = MappingProxyType(
    {
        (COOKING.package, SUMMARISER): of_text(text_roles.summarise),
        (COOKING.package, RELATION_RETRIEVER): of_text(text_roles.retrieve),
        (COOKING.package, RELATION_AGGREGATOR): of_text(text_roles.aggregate),
        (COOKING.package, PLANNER): of_text(text_roles.plan),
        (COOKING.package, CRITIC): of_text(text_roles.criticise),
        (COOKING.package, REFLECTOR): of_text(text_roles.reflect),
        (PROGRAMS.package, SUMMARISER): of_text(activities.summarise),
        (PROGRAMS.package, RELATION_RETRIEVER): of_text(activities.retrieve),
        (PROGRAMS.package, RELATION_AGGREGATOR): of_text(activities.aggregate),
        (PROGRAMS.package, THINKER): of_text(activities.think),
        (PROGRAMS.package, JUDGE): of_text(activities.judge),
        (HOUSEHOLD.package, TASK_PARSER): of_text(household.parse),
        (HOUSEHOLD.package, PLANNER): of_text(household.plan),
        (HOUSEHOLD.package, CRITIC): of_text(household.criticise),
        (HOUSEHOLD.package, POLICY): of_text(household.choose),
        (HOUSEHOLD.package, THINKER): of_text(household.think),
        (HOUSEHOLD.package, JUDGE): of_text(household.judge),
        (HOUSEHOLD.package, OBSERVATION_SUMMARISER): of_text(household.sum_up),
        (HOUSEHOLD.package, SCENE_GRAPH): scene_graph.build,
        (HOUSEHOLD.package, SNAPSHOT_MANAGER): exploration.keep_snapshots,
        (HOUSEHOLD.package, FRONTIER_MANAGER): exploration.keep_frontiers,
        (HOUSEHOLD.package, CATEGORY_FILTER): of_text(exploration.filter_categories),
        (HOUSEHOLD.package, ANSWERER): exploration.answer,
        (HOUSEHOLD.package, EXPLORATION_PLANNER): exploration.plan,
        (HOUSEHOLD.package, FRONTIER_CHOOSER): exploration.choose,
        (HOUSEHOLD.package, RECORDER): of_text(exploration.record),
        (_EQA, ANSWER_JUDGE): of_text(judging.judge),
        (_EQA, ANSWER_GRADER): of_text(judging.grade),
        **_with_subgoals(ADVENTURE),
        **_with_subgoals(PDDL),
    }
)


class Answering:
    """Answers conversations by the stand-in of the role whose prompt they begin with."""

    def __init__(self, stand_ins: StandIns = STAND_INS) -> None:
        """Reads the prompts of the roles.

        Raises:
            ConfigurationError: A role has no prompt in its domain.
        """
        self._by_prompt = {
            find_prompt(role.name, domain).text: stand_in for (domain, role), stand_in in stand_ins.items()
        }

    def answer(self, messages: Sequence[ChatMessage]) -> Any | None:
        """Returns the reply to the first question of a conversation; None if it is not a role's question.

        Later messages are ignored: they are an earlier reply and the problem with it.
        """
        instructions = next((message.text for message in messages if message.role is MessageRole.SYSTEM), "")
        question = next((message for message in messages if message.role is MessageRole.USER), None)
        stand_in = self._by_prompt.get(instructions.strip())
        if stand_in is None or question is None:
            return None
        try:
            return stand_in(question.text, [part for part in question.parts if isinstance(part, Picture)])
        except (UnreadableQuestionError, StmaError):
            return None
