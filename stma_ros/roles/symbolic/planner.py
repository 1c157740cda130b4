"""Plans by rules: report what is found, search where it pays most, give up when nothing is left."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from stma_ros.memory.semantic import semantic_memory
from stma_ros.roles.contracts import PlanAnswer, PlanQuery
from stma_ros.roles.symbolic.language import Goal, parse_goal
from stma_ros.roles.symbolic.search import LOOK_AROUND, Candidate, Evidence, Match, Search, Tier
from stma_ros.types import vocabulary as words
from stma_ros.types.errors import RoleError
from stma_ros.types.planning import Action

GIVE_UP = Action(words.SKILL_GIVE_UP)


class SymbolicPlanner:
    """A PlannerRole for find tasks."""

    def plan(self, query: PlanQuery) -> PlanAnswer:
        """Raises TaskNotUnderstoodError for other tasks, RoleError when nothing useful is allowed."""
        goal = parse_goal(query.task)
        search = Search(goal, query.temporal, query.spatial, query.allowed_actions, semantic_memory())
        usable = frozenset(query.allowed_actions) - frozenset(query.rejected)
        for answer in self._ideas(goal, search):
            # Later actions of a plan become allowed on the way; the first must be allowed now.
            if answer.actions[0] in usable and not frozenset(answer.actions) & frozenset(query.rejected):
                return answer
        if GIVE_UP in query.allowed_actions:
            return _give_up(goal, search)
        raise RoleError(
            f"nothing that is allowed helps to find the {goal}; allow {GIVE_UP} so that the task can end"
        )

    def _ideas(self, goal: Goal, search: Search) -> Iterable[PlanAnswer]:
        """What could be done, best first."""
        matches = search.matches()
        for match in matches:
            if match.evidence >= Evidence.WEAK:
                yield _report(goal, search, match)
        if search.history.is_boxed_in or (search.nothing_known() and not search.candidates()):
            yield PlanAnswer("look around", (LOOK_AROUND,), _reason_to_look(search))
        for candidate in search.candidates():
            yield _search(goal, search, candidate)
        for match in matches:
            if match.evidence < Evidence.WEAK:
                yield _report(goal, search, match)


def _report(goal: Goal, search: Search, match: Match) -> PlanAnswer:
    thing = match.thing
    where = search.view.whereabouts(thing) or "at a place that is not known any nearer"
    answer = Action(words.SKILL_REPORT, (thing.id,))
    if match.evidence is Evidence.WEAK:
        go = Action(words.SKILL_NAVIGATE, (thing.id,))
        return PlanAnswer(
            f"make sure of {thing.id}",
            (go,),
            f"{thing.id}, seen {where}, seems to be the {goal}; a look from nearby makes sure.",
        )
    if match.evidence is Evidence.STRONG:
        reasoning = f"The {goal} is {where}: {thing.id}."
    else:
        reasoning = f"What may be the {goal} is {where}: {thing.id}. It could not be made out for sure."
    return PlanAnswer(f"report {thing.id}", (answer,), reasoning)


def _reason_to_look(search: Search) -> str:
    if search.history.is_boxed_in:
        return "The way was blocked twice; a look around shows where there is room."
    return "Next to nothing is known yet; a look around shows where to begin."


def _search(goal: Goal, search: Search, candidate: Candidate) -> PlanAnswer:
    name = search.view.described(candidate.target)
    way = f"{candidate.length:.1f} m away"
    again = " once more, from elsewhere" if candidate.tier is Tier.AGAIN else ""
    if candidate.actions[-1].skill == words.SKILL_EXPLORE:
        frontier = search.view.frontiers.get(candidate.target)
        room = f" of {search.view.described(frontier.room)}" if frontier and frontier.room else ""
        return PlanAnswer(
            f"explore beyond {candidate.target}{again}",
            candidate.actions,
            f"The {goal} was not seen yet. {candidate.target}{room}, {way}, is the most promising border of "
            "the unknown.",
        )
    likely = "hardly likely" if candidate.tier is Tier.UNUSUAL else "possible"
    return PlanAnswer(
        f"look inside {candidate.target}{again}",
        candidate.actions,
        f"The {goal} was not seen yet. {name}, {way}, is unopened; it is {likely} that it holds one.",
    )


def _give_up(goal: Goal, search: Search) -> PlanAnswer:
    """The reasoning is the answer: what was searched, by name, and what could not be."""
    view = search.view
    sentences = [f"No {goal} was found."]
    if view.rooms:
        sentences.append(f"Searched: {_list([view.described(room) for room in view.rooms])}.")
    opened = [view.described(thing.id) for thing in search.opened()]
    if opened:
        sentences.append(f"Looked into {_list(opened)}.")
    left = [view.described(name) for name in search.left_out()]
    if left:
        sentences.append(f"Could not be searched: {_list(left)}.")
    alike = [f"{thing.id} {view.whereabouts(thing)}".rstrip() for thing in search.lookalikes()]
    if alike:
        sentences.append(f"Perhaps meant: {_list(alike)}.")
    return PlanAnswer("end the search", (GIVE_UP,), " ".join(sentences))


def _list(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
