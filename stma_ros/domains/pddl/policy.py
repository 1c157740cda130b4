"""Policy by rules: plans over what is believed, one subgoal at a time."""

from __future__ import annotations

from collections.abc import Collection
from functools import lru_cache, partial

from stma_ros.domains.pddl.believed_state import read_state
from stma_ros.domains.pddl.decomposition import next_subgoal
from stma_ros.domains.pddl.exclusive_facts import ExclusiveFacts
from stma_ros.domains.pddl.exploration import exploring_plan
from stma_ros.domains.pddl.goals import read_goal, read_subgoal, subgoal_text
from stma_ros.domains.pddl.ground_task import Atom, Operator, ground
from stma_ros.domains.pddl.hidden_facts import HiddenFacts
from stma_ros.domains.pddl.observation_summariser import MORE_SEEN
from stma_ros.domains.pddl.search import NoPlan, Plan, find_plan
from stma_ros.domains.pddl.state_space import Condition, StateSpace
from stma_ros.memory.working.chunk_text import LEFT_OUT
from stma_ros.roles.planner import PlanAnswer
from stma_ros.roles.policy import PolicyQuery
from stma_ros.types import vocabulary as words
from stma_ros.types.action_model import ActionModel
from stma_ros.types.belief import SubgoalState
from stma_ros.types.errors import ErrorCode
from stma_ros.types.planning import Action
from stma_ros.types.sentences import Sentences

_EFFORT = 12_000  # states that are evaluated for a plan
_SUBGOAL_EFFORT = 2_000  # the same for the plan of a subgoal
_LAST_EFFORT = 100_000  # the same where that many found none
_LOOK_AROUND = Action(words.SKILL_COMMAND, ("look around",))
_GIVE_UP = Action(words.SKILL_GIVE_UP)


class PddlPolicy:
    """A PolicyRole for worlds with an action model. It knows what the question shows, and nothing else."""

    def answer(self, query: PolicyQuery) -> PlanAnswer:
        """Returns the next action.

        Raises:
            TaskNotUnderstoodError: the task is no goal of this world.
            ProblemTooLargeError: there are too many actions to search through.
        """
        return _Choice(query).answer()


class _Choice:
    """The choice of one action."""

    def __init__(self, query: PolicyQuery) -> None:
        self._query = query
        self._sentences = Sentences(query.model)
        self._goal = read_goal(query.task, self._sentences)
        self._state = read_state(query.temporal.text, query.model, self._sentences)
        self._hidden = HiddenFacts(query.model, self._sentences)
        rejected = {str(action) for action in query.rejected}
        self._avoided = frozenset(self._state.failed | rejected)

    def answer(self) -> PlanAnswer:
        atoms = frozenset(self._state.true)
        if self._contradicts_itself(atoms):
            return self._end("The goal's parts exclude one another.", ErrorCode.CONTRADICTION)
        subgoal = self._present_subgoal(atoms)
        if subgoal is not None:
            plan = self._plan_for_subgoal(atoms, subgoal)
            if plan is not None:
                return self._act(plan.operators[0], "", "It leads to the subgoal.")
        found = self._plan(atoms, self._goal)
        if isinstance(found, NoPlan) and not found.proved:
            found = self._plan(atoms, self._goal, effort=_LAST_EFFORT)
        if isinstance(found, Plan) and found.operators:
            return self._begin(found.operators, atoms, self._goal)
        return self._search(atoms, found)

    def _contradicts_itself(self, atoms: Collection[Atom]) -> bool:
        exclusive = ExclusiveFacts(self._query.model, atoms)
        excluded = (any(exclusive.excluded_by(atom, self._goal.true)) for atom in self._goal.true)
        return bool(self._goal.true & self._goal.false) or any(excluded)

    # -- the present subgoal

    def _present_subgoal(self, atoms: Collection[Atom]) -> Condition | None:
        """Returns the subgoal that is pursued; None if there is none that can be read, or it is reached."""
        if not self._query.subgoals:
            return None
        subgoal = read_subgoal(self._query.temporal.subgoal, self._sentences)
        return None if subgoal is None or subgoal.holds(atoms) else subgoal

    def _plan_for_subgoal(self, atoms: frozenset[Atom], subgoal: Condition) -> Plan | None:
        """Returns a plan that keeps what is reached of the goal, if that is not much longer than one that does not."""
        reached = Condition(
            subgoal.true | (self._goal.true & atoms), subgoal.false | (self._goal.false - atoms)
        )
        careful = self._plan(atoms, reached, effort=_SUBGOAL_EFFORT)
        direct = self._plan(atoms, subgoal, effort=_SUBGOAL_EFFORT)
        plans = [each for each in (careful, direct) if isinstance(each, Plan) and each.operators]
        return min(plans, key=lambda plan: len(plan.operators) - (plan is careful) * 2, default=None)

    # -- a new one

    def _begin(self, plan: tuple[Operator, ...], atoms: frozenset[Atom], condition: Condition) -> PlanAnswer:
        """Returns the first action of a plan to a condition, with a subgoal for its first part."""
        subgoal = ""
        if self._query.subgoals:
            subgoal = subgoal_text(next_subgoal(plan, atoms, condition), self._sentences)
        return self._act(plan[0], subgoal, f"It is the first of {len(plan)} actions that lead on.")

    def _search(self, atoms: frozenset[Atom], found: Plan | NoPlan) -> PlanAnswer:
        """Returns what to do where no plan is known: look, remember, or try what may be true."""
        if isinstance(found, Plan):  # the goal holds by all that is known, and the world does not say so
            return self._look() or self._end(
                "By all that is known the goal is reached; the world does not say so."
            )
        if not self._state.has_base or self._state.failed:
            looked = self._look()
            if looked is not None:
                return looked
        remembered = self._retrieve()
        if remembered is not None:
            return remembered
        exploring = exploring_plan(
            self._query.model, self._hidden, self._state, self._goal, partial(self._plan, atoms)
        )
        if exploring is not None:
            actions, condition = exploring
            return self._begin(actions, atoms, condition)
        if isinstance(found, NoPlan) and not found.proved:
            nearer = self._come_nearer(atoms)
            if nearer is not None:
                return nearer
        return self._look() or self._give_up(found)

    def _come_nearer(self, atoms: frozenset[Atom]) -> PlanAnswer | None:
        """Goes for one more part of the goal, the nearest one, without giving up what is reached of it."""
        reached = Condition(self._goal.true & atoms, self._goal.false - atoms)
        wanted = [
            *(Condition(reached.true | {atom}, reached.false) for atom in sorted(self._goal.true - atoms)),
            *(Condition(reached.true, reached.false | {atom}) for atom in sorted(self._goal.false & atoms)),
        ]
        plans = [(self._plan(atoms, part, effort=_SUBGOAL_EFFORT), part) for part in wanted]
        found = [(plan.operators, part) for plan, part in plans if isinstance(plan, Plan)]
        if not found:
            return None
        operators, part = min(found, key=lambda each: len(each[0]))
        return self._begin(operators, atoms, part)

    def _look(self) -> PlanAnswer | None:
        """Looks around, unless that was the last thing done, or is not possible."""
        if _LOOK_AROUND not in self._query.allowed_actions or str(_LOOK_AROUND) in self._avoided:
            return None
        lines = [line for line in self._query.temporal.text.splitlines() if line.startswith("Action: ")]
        if lines[-1:] == [f"Action: {_LOOK_AROUND}"]:
            return None
        return PlanAnswer(
            self._first_subgoal("see what is true"),
            (_LOOK_AROUND,),
            "What is known does not lead to the goal.",
        )

    def _first_subgoal(self, text: str) -> str:
        """Returns a subgoal for an action before the first one; later actions go on with the present one."""
        return text if self._query.subgoals and not self._query.temporal.subgoal else ""

    def _retrieve(self) -> PlanAnswer | None:
        """Retrieves the newest closed subgoal of which not all is told, or that nobody could judge."""
        retrievals = {
            action.arguments[0]: action
            for action in self._query.allowed_actions
            if action.skill == words.SKILL_RETRIEVE
        }
        for chunk in reversed(self._query.temporal.chunks):
            action = retrievals.get(str(chunk.id))
            if action is None or str(action) in self._avoided:
                continue
            if chunk.reason.endswith(MORE_SEEN) or chunk.state == SubgoalState.UNKNOWN:
                return PlanAnswer("", (action,), f"More was seen while {chunk.subgoal!r} was pursued.")
        return None

    def _give_up(self, found: Plan | NoPlan) -> PlanAnswer:
        if isinstance(found, NoPlan) and found.proved and self._knows_everything:
            return self._end("No actions lead to the goal.", ErrorCode.IMPOSSIBLE)
        return self._end("No plan was found within the bounds of the search.")

    def _end(self, why: str, failure: ErrorCode = ErrorCode.NONE) -> PlanAnswer:
        return PlanAnswer("give up" if self._query.subgoals else "", (_GIVE_UP,), why, failure)

    @property
    def _knows_everything(self) -> bool:
        """Whether nothing that is not known could lead to the goal."""
        left_out = LEFT_OUT.partition(":")[0] in self._query.temporal.text
        return self._state.has_base and not self._state.failed and not self._hidden and not left_out

    # -- planning

    def _act(self, operator: Operator, subgoal: str, why: str) -> PlanAnswer:
        command = self._sentences.command(operator.action, operator.arguments)
        return PlanAnswer(subgoal, (Action(words.SKILL_COMMAND, (command,)),), why)

    def _plan(
        self,
        atoms: frozenset[Atom],
        condition: Condition,
        *,
        effort: int | None = None,
        assumed: Collection[Atom] = (),
        further: tuple[Operator, ...] = (),
    ) -> Plan | NoPlan:
        avoided = frozenset(
            (read[0].name, read[1])
            for command in self._avoided
            if (read := self._sentences.read_command(command)) is not None
        )
        bound = _EFFORT if effort is None else effort
        return _plan(self._query.model, atoms | frozenset(assumed), condition, avoided, further, bound)


@lru_cache(maxsize=256)
def _plan(
    model: ActionModel,
    atoms: frozenset[Atom],
    condition: Condition,
    avoided: frozenset[tuple[str, tuple[str, ...]]],
    further: tuple[Operator, ...],
    effort: int,
) -> Plan | NoPlan:
    """Returns a plan from the atoms to a condition, without avoided operators.

    Args:
        model: the actions.
        atoms: atoms that are true.
        condition: what is to hold at the end.
        avoided: names and arguments of operators that had no effect.
        further: operators besides those of the model.
        effort: as for `find_plan`.
    """
    operators = [op for op in _operators(model, atoms) if (op.action, op.arguments) not in avoided]
    space = StateSpace((*operators, *further), atoms, condition.false)
    return find_plan(space, atoms, condition, effort)


@lru_cache(maxsize=8)
def _operators(model: ActionModel, atoms: frozenset[Atom]) -> tuple[Operator, ...]:
    return ground(model, atoms)
