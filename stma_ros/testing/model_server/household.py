"""Stand-ins for models in the roles of household robots that read and write text.

Each parses the text of its question, lets the rules decide, and returns the reply of a model. It raises
UnreadableQuestionError for a question in another format.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, replace
from typing import TypeVar

from stma_ros.domains.household.category_knowledge import household_categories
from stma_ros.domains.household.critic import SymbolicCritic
from stma_ros.domains.household.judge import SymbolicJudge
from stma_ros.domains.household.observation_summariser import HouseholdObservationSummariser
from stma_ros.domains.household.planner import SymbolicPlanner
from stma_ros.domains.household.policy import HouseholdPolicy
from stma_ros.domains.household.task_parser import SymbolicTaskParser
from stma_ros.domains.household.termination import GIVE_UP
from stma_ros.domains.household.thinker import HouseholdThinker
from stma_ros.roles.critic import CritiqueAnswer, CritiqueReply
from stma_ros.roles.judge import JudgementReply
from stma_ros.roles.observation_summariser import ChunkReply
from stma_ros.roles.planner import PlanAnswer, PlanQuery, PlanReply
from stma_ros.roles.policy import PolicyReply
from stma_ros.roles.spec import Role
from stma_ros.roles.task_parser import (
    PROBLEMS,
    GoalReply,
    ParsedTask,
    TaskParserRole,
    TaskQuery,
    TaskReply,
    ThingReply,
)
from stma_ros.roles.thinker import ThoughtReply
from stma_ros.testing.model_server import household_chunks
from stma_ros.testing.model_server.decision_prompts import (
    Parsers,
    critique_query,
    critique_reply,
    plan_query,
    plan_reply,
)
from stma_ros.testing.model_server.household_beliefs import read_action, read_spatial, read_temporal
from stma_ros.testing.model_server.sections import required, sections
from stma_ros.testing.model_server.subgoal_roles import chunk_query, chunk_reply, policy_query, policy_reply
from stma_ros.testing.model_server.thinking import judge_query, judgement_reply, think_query, thought_reply
from stma_ros.types.belief import TemporalBelief
from stma_ros.types.errors import ContradictionError, ErrorCode, TaskNotUnderstoodError
from stma_ros.types.goals import Goal, ThingDescription
from stma_ros.types.planning import Criterion, Verdict

_QueryT = TypeVar("_QueryT", bound=PlanQuery)

_KNOWLEDGE = household_categories()
_PARSER = SymbolicTaskParser(_KNOWLEDGE)
_PARSERS = Parsers(read_temporal, read_spatial, read_action)
_CHUNK_PARSERS = Parsers(household_chunks.read_temporal, read_spatial, read_action)


def parse(question: str) -> TaskReply:
    """Returns the reply of the task parser."""
    return parse_reply(_PARSER.answer(TaskQuery(required(sections(question, ("Task: ",)), "Task"))))


def parse_reply(parsed: ParsedTask) -> TaskReply:
    """Returns the reply of a model that gives this answer."""
    names = {code: name for name, code in PROBLEMS.items()}
    problem = names[parsed.error.code] if parsed.error else "none"
    return TaskReply(parsed.error.text, problem, list(map(_goal_reply, parsed.goals)))  # type: ignore[arg-type]


def _goal_reply(goal: Goal) -> GoalReply:
    return GoalReply(
        kind=goal.kind.name.lower(),  # type: ignore[arg-type]
        what=_thing_replies(goal.what),
        count=goal.count,
        another=goal.another,
        together=goal.together,
        apart=list(goal.apart),
        each=goal.each,
        beside=goal.beside,
        relation=goal.relation,  # type: ignore[arg-type]
        destination=_thing_replies(goal.destination),
        state=goal.state,  # type: ignore[arg-type]
        question=goal.question,
    )


def _thing_replies(things: Sequence[ThingDescription]) -> list[ThingReply]:
    return [ThingReply(**{**asdict(thing), "colours": list(thing.colours)}) for thing in things]


def _with_goals(belief: TemporalBelief, task: str, parser: TaskParserRole) -> TemporalBelief:
    """Adds the goals of the task to a belief, because questions to planner and critic do not include them."""
    parsed = parser.answer(TaskQuery(task))
    return replace(belief, goals=parsed.goals, goals_error=parsed.error)


def plan(question: str, parser: TaskParserRole = _PARSER) -> PlanReply:
    """Returns the reply of the planner, which gives up a task that cannot be parsed.

    Raises:
        TaskNotUnderstoodError: The task cannot be parsed, and giving up is not allowed.
        RoleError: The rules find no allowed action.
    """
    return plan_reply(_decided(SymbolicPlanner(_KNOWLEDGE), plan_query(question, _PARSERS), parser))


def _decided(rules: Role[_QueryT, PlanAnswer], query: _QueryT, parser: TaskParserRole) -> PlanAnswer:
    """Returns what the rules decide with the goals of the task; they give up a task that cannot be parsed.

    Raises:
        TaskNotUnderstoodError: The task cannot be parsed, and giving up is not allowed.
        RoleError: The rules find no allowed action.
    """
    try:
        return rules.answer(replace(query, temporal=_with_goals(query.temporal, query.task, parser)))
    except TaskNotUnderstoodError as problem:
        return _giving_up(query, problem)


def _giving_up(query: PlanQuery, problem: TaskNotUnderstoodError) -> PlanAnswer:
    """Returns the plan that ends a task that cannot be parsed.

    Raises:
        TaskNotUnderstoodError: Giving up is not allowed.
    """
    if GIVE_UP not in query.allowed_actions:
        raise problem
    is_contradiction = isinstance(problem, ContradictionError)
    failure = ErrorCode.CONTRADICTION if is_contradiction else ErrorCode.IMPOSSIBLE
    return PlanAnswer("end the task", (GIVE_UP,), str(problem), failure)


def choose(question: str, parser: TaskParserRole = _PARSER) -> PolicyReply:
    """Returns the reply of the policy. Raises as `plan` does."""
    query = policy_query(question, _CHUNK_PARSERS)
    return policy_reply(_decided(HouseholdPolicy(_KNOWLEDGE), query, parser))


def think(question: str, parser: TaskParserRole = _PARSER) -> ThoughtReply:
    """Returns the reply of the thinker. Raises as `plan` does."""
    return thought_reply(_decided(HouseholdThinker(_KNOWLEDGE), think_query(question, _PARSERS), parser))


def judge(question: str) -> JudgementReply:
    """Returns the reply of the judge."""
    return judgement_reply(SymbolicJudge(_KNOWLEDGE).answer(judge_query(question, _PARSERS)))


def sum_up(question: str) -> ChunkReply:
    """Returns the reply of the observation summariser."""
    query = chunk_query(question, household_chunks.read_records)
    previous = replace(query.previous, completed=household_chunks.outcomes_told(query.previous))
    return chunk_reply(HouseholdObservationSummariser().answer(replace(query, previous=previous)))


def criticise(question: str, parser: TaskParserRole = _PARSER) -> CritiqueReply:
    """Returns the reply of the critic, which accepts only giving up for a task that cannot be parsed."""
    query = critique_query(question, _PARSERS)
    query = replace(query, temporal=_with_goals(query.temporal, query.task, parser))
    try:
        answer = SymbolicCritic(_KNOWLEDGE).answer(query)
    except TaskNotUnderstoodError as problem:
        rejection = CritiqueAnswer(Verdict.REJECTED, Criterion.ALIGNMENT, str(problem))
        answer = CritiqueAnswer(Verdict.ACCEPTED) if query.action == GIVE_UP else rejection
    return critique_reply(answer)
