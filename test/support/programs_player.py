"""Plays people's activities with the rules of the domain `programs`, without an agent around them."""

from __future__ import annotations

from collections.abc import Sequence

from stma_ros.domains.programs.next_action import next_action
from stma_ros.domains.programs.relation_aggregator import ProgramsRelationAggregator
from stma_ros.domains.programs.relation_retriever import ProgramsRelationRetriever
from stma_ros.domains.programs.summariser import ProgramsSummariser
from stma_ros.roles.planner import PlanAnswer, PlanQuery
from stma_ros.roles.relation_aggregator import AggregateQuery
from stma_ros.roles.relation_retriever import RelationQuery
from stma_ros.roles.summariser import SummariseQuery
from stma_ros.types import vocabulary as words
from stma_ros.types.belief import SpatialBelief, Summary, TemporalBelief
from stma_ros.types.experience import RuleOfThumb
from stma_ros.types.planning import Action, Outcome, Result
from stma_ros.types.scene_graph import Relation
from stma_ros.types.sensing import Observation
from stma_ros.worlds.programs.episode import Episode
from stma_ros.worlds.programs.home_graph import HomeGraph

FINISH, GIVE_UP = Action(words.SKILL_FINISH), Action(words.SKILL_GIVE_UP)
_PLACES = (words.IN, words.ON, words.HELD_BY)


class Player:
    """Asks for the next action, does it, and believes what the rules make of the history.

    Attributes:
        episode: of the home.
        commands: those that were given.
    """

    def __init__(self, graph: HomeGraph, task: str, seed: int = 0) -> None:
        self.episode = Episode(graph, seed)
        self.commands: list[str] = []
        self._task = task
        self._step = 0
        self._records: list[Observation] = []
        self._summary = Summary()
        self._places: dict[str, Relation] = {}
        self._states: dict[str, list[Relation]] = {}
        self._observe(Outcome())

    def query(self, rejected: tuple[Action, ...] = ()) -> PlanQuery:
        """Returns the question to a planner in the present state."""
        look = self.episode.look()
        facts = (*self._places.values(), *(fact for facts in self._states.values() for fact in facts))
        known = ProgramsRelationAggregator().answer(AggregateQuery("", facts, ()))
        return PlanQuery(
            self._task,
            TemporalBelief(completed=self._summary.completed, text=self._summary.text),
            SpatialBelief(facts=(*facts, *known.facts), text=known.text),
            (*(Action(words.SKILL_COMMAND, (each,)) for each in look.commands), FINISH, GIVE_UP),
            rejected=rejected,
            observation=f"{look.description}\n{look.inventory}",
        )

    def next(self, rules: Sequence[RuleOfThumb] = ()) -> PlanAnswer:
        """Returns the next action by rules."""
        return next_action(self.query(), rules)

    def command(self) -> str:
        """Returns the next command, or how the task is ended."""
        return str(self.next().actions[0])

    def do(self, *commands: str) -> Player:
        """Executes commands, possible or not."""
        for command in commands:
            error = self.episode.execute(command)
            self.commands.append(command)
            self._observe(
                Outcome(
                    request_id=str(self._step),
                    step=self._step,
                    action=Action(words.SKILL_COMMAND, (command,)),
                    result=Result.FAILED if error else Result.SUCCEEDED,
                    error=error,
                )
            )
        return self

    def play(self, most: int = 60) -> PlanAnswer:
        """Goes on until the task is ended, and returns the last answer."""
        for _ in range(most):
            answer = self.next()
            if answer.actions[0].skill != words.SKILL_COMMAND:
                return answer
            self.do(str(answer.actions[0]))
        raise AssertionError(f"no end after {most} commands: {', '.join(self.commands)}")

    def _observe(self, outcome: Outcome) -> None:
        self._step += 1
        look = self.episode.look()
        self._records.append(
            Observation(
                step=self._step,
                last_outcome=outcome,
                description=look.description,
                inventory=look.inventory,
                admissible_commands=look.commands,
            )
        )
        query = SummariseQuery(self._task, self._summary, tuple(self._records), fresh=1)
        self._summary = ProgramsSummariser().answer(query)
        temporal = TemporalBelief(observations=self._summary.observations)
        found = ProgramsRelationRetriever().answer(RelationQuery(temporal, self._step)).triples
        for name in {fact.subject for fact in found}:
            self._states[name] = [
                fact for fact in found if (fact.subject, fact.predicate) == (name, words.STATE)
            ]
        self._places |= {fact.subject: fact for fact in found if fact.predicate in _PLACES}
