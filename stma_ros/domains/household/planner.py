"""Plans household tasks by rules.

The planner carries out subplans of the goals, then searches the most promising places, and ends the task when no option
remains.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from stma_ros.domains.household.goals import FindGoal
from stma_ros.domains.household.outcome_index import Key, action, key
from stma_ros.domains.household.planning_state import (
    CarryAway,
    CloseObstacle,
    LookAgain,
    LookAround,
    Option,
    PlanningState,
)
from stma_ros.domains.household.planning_states import PlanningStates
from stma_ros.domains.household.search import LOOK_AROUND, Candidate, Tier
from stma_ros.domains.household.subplans import Subplan
from stma_ros.domains.household.termination import FINISH, FINISH_UNVERIFIED, GIVE_UP, final_plan
from stma_ros.memory.category_knowledge import CategoryKnowledge
from stma_ros.memory.knowledge_settings import QuestionConfig
from stma_ros.roles.critic import advised
from stma_ros.roles.planner import PlanAnswer, PlanQuery
from stma_ros.roles.task_parser import remarks_among
from stma_ros.types import vocabulary as words
from stma_ros.types.errors import RoleError
from stma_ros.types.planning import Action


class SymbolicPlanner:
    """A PlannerRole for household tasks."""

    def __init__(self, knowledge: CategoryKnowledge, questions: QuestionConfig = QuestionConfig()) -> None:
        """Creates a planner.

        Args:
            knowledge: of categories.
            questions: settings of tasks that ask a question.
        """
        self._states = PlanningStates(knowledge, questions)

    def answer(self, query: PlanQuery) -> PlanAnswer:
        """Returns the best plan.

        Raises:
            TaskNotUnderstoodError: the task's text is not understood.
            RoleError: no useful action is allowed, or the belief holds no goals.
        """
        planning_state = self._states.of(query.temporal, query.spatial, query.allowed_actions)
        rejected = frozenset(map(key, query.rejected))
        advised = _advised(query, planning_state)
        if advised is not None and key(advised) not in rejected:
            return PlanAnswer(f"first {advised}", (advised,), f"The critic asks for it: {query.feedback}")
        for option in planning_state.options:
            if not _is_rejected(option.actions, rejected):
                return _answer(planning_state, option)
        end = _final(query, planning_state)
        is_refused = end.actions == (GIVE_UP,) or key(end.actions[0]) in rejected
        may_look = key(LOOK_AROUND) in planning_state.allowed - rejected and not _has_just_looked(query)
        if is_refused and may_look and rejected & _choices(planning_state):
            reason = "The critic refused all that is left to be done; a look around shows what is so."
            return PlanAnswer("look around", (LOOK_AROUND,), reason)
        for answer in (end, _final(query, planning_state, gives_up=True)):
            if key(answer.actions[0]) in planning_state.allowed and key(answer.actions[0]) not in rejected:
                return answer
        if key(GIVE_UP) in planning_state.allowed:
            return _final(query, planning_state, gives_up=True)
        wanted = " and ".join(map(str, planning_state.goals))
        raise RoleError(
            f"nothing that is allowed helps to {wanted}; allow {GIVE_UP} so that the task can end"
        )


def _advised(query: PlanQuery, planning_state: PlanningState) -> Action | None:
    """Returns the action that the critic asks for before one of the planner's own choice; None = it asks for none."""
    advice = advised(query.feedback)
    if not advice or not _choices(planning_state).intersection(map(key, query.rejected)):
        return None
    return next((item for item in query.allowed_actions if str(item) == advice), None)


def _choices(planning_state: PlanningState) -> frozenset[Key]:
    """Returns the actions that the planner may choose by itself, those that end the task as done included."""
    options = (item for option in planning_state.options for item in option.actions)
    reports = (action(words.SKILL_REPORT, name) for name in planning_state.report_candidates())
    return frozenset(map(key, (*options, *reports, FINISH, FINISH_UNVERIFIED)))


def _has_just_looked(query: PlanQuery) -> bool:
    done = query.temporal.completed
    return bool(done) and done[-1].action.skill == words.SKILL_LOOK_AROUND


def _final(query: PlanQuery, planning_state: PlanningState, *, gives_up: bool = False) -> PlanAnswer:
    """Returns the plan that ends the task, with the remarks on how its text was read before the answer."""
    plan = final_plan(planning_state, gives_up=gives_up)
    remarks = remarks_among(query.temporal.observations)
    is_refused = plan.actions == (GIVE_UP,) and query.rejected and query.feedback
    refusal = [f"Refused: {query.feedback}"] if is_refused else []
    return replace(plan, reasoning=" ".join((*remarks, plan.reasoning, *refusal)))


def _is_rejected(actions: Sequence[Action], rejected: Collection[Key]) -> bool:
    """Whether the critic has rejected a plan.

    A rejected action counts up to the first motion or manipulation of the plan, after which it may be accepted.
    """
    for item in actions:
        if key(item) in rejected:
            return True
        if item.skill in words.MANIPULATIONS or item.skill == words.SKILL_NAVIGATE:
            return False
    return False


def _answer(planning_state: PlanningState, option: Option) -> PlanAnswer:
    match option:
        case LookAround():
            return PlanAnswer("look around", option.actions, option.reason)
        case LookAgain():
            return PlanAnswer(
                f"look at {option.target}",
                option.actions,
                f"The answer rests on {option.target}; a look makes sure.",
            )
        case Subplan():
            return PlanAnswer(option.subgoal, option.actions, _subplan_reason(planning_state, option))
        case Candidate():
            return _search(planning_state, option)
        case CloseObstacle():
            return PlanAnswer(
                f"make way by closing {option.target}",
                option.actions,
                f"No way leads to what is left, nor to most else; {option.target}, which stands open, may bar it.",
            )
        case CarryAway():
            return PlanAnswer(
                f"make way by taking {option.target} away",
                option.actions,
                f"What is left cannot be got at; {option.target}, which stands on the floor, may be in the way.",
            )
    return PlanAnswer(
        f"try again from {option.target}",
        option.actions,
        "What fails from here may work from somewhere else.",
    )


def _subplan_reason(planning_state: PlanningState, subplan: Subplan) -> str:
    view = planning_state.view
    if not subplan.thing:
        return "The hand is full, and nobody knows of what: it can be seen once it is put down."
    thing = view.objects[subplan.thing]
    where = view.place_text(thing) or "at a place that is not known any nearer"
    if subplan.goal < 0:
        return f"{subplan.thing} is {where}, where nothing that was asked for wants it."
    goal = planning_state.goals[subplan.goal]
    only_approaches = all(item.skill == words.SKILL_NAVIGATE for item in subplan.actions)
    if only_approaches and not (isinstance(goal, FindGoal) and goal.beside):
        return f"{subplan.thing}, seen {where}, seems to be the {goal.what}; a look from nearby makes sure."
    return f"Asked for: {goal}. {subplan.thing} is {where}."


def _search(planning_state: PlanningState, candidate: Candidate) -> PlanAnswer:
    view = planning_state.view
    name = view.described(candidate.target)
    way = f"{candidate.length:.1f} m away"
    again = " once more, from elsewhere" if candidate.tier is Tier.RETRY else ""
    wanted = [item.what for item in planning_state.search.targets]
    unseen = (
        f"Not found yet: {', '.join(map(str, wanted))}." if wanted else "No way to what is needed is known."
    )
    last = candidate.actions[-1].skill
    if last == words.SKILL_EXPLORE:
        frontier = view.frontiers.get(candidate.target)
        room = f" of {view.described(frontier.room)}" if frontier and frontier.room else ""
        return PlanAnswer(
            f"explore beyond {candidate.target}{again}",
            candidate.actions,
            f"{unseen} {candidate.target}{room}, {way}, is the most promising border of the unknown.",
        )
    if last == words.SKILL_OPEN:
        likely = "hardly likely" if candidate.tier is Tier.UNUSUAL else "possible"
        was_open = action(words.SKILL_CLOSE, candidate.target) in candidate.actions
        state = "was found open, and its inside was not seen" if was_open else "is unopened"
        return PlanAnswer(
            f"look inside {candidate.target}{again}",
            candidate.actions,
            f"{unseen} {name}, {way}, {state}; it is {likely} that this helps.",
        )
    return PlanAnswer(
        f"look at {candidate.target}{again}",
        candidate.actions,
        f"{unseen} A look from nearby at {name}, {way}, may show it.",
    )
