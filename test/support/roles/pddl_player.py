"""A player of planning tasks that follows the rules and asks a model the same."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from stma_ros.components.temporal_memory.recalling import retrieve
from stma_ros.domains.pddl.observation_summariser import PddlObservationSummariser
from stma_ros.domains.pddl.policy import PddlPolicy
from stma_ros.memory.working.subgoal_chunks import Closed, SubgoalChunks
from stma_ros.roles.observation_summariser import ChunkQuery
from stma_ros.roles.planner import PlanAnswer
from stma_ros.roles.policy import PolicyQuery
from stma_ros.types import vocabulary as words
from stma_ros.types.belief import SpatialBelief, SubgoalChunk, Summary, TemporalBelief
from stma_ros.types.planning import Action
from stma_ros.types.sensing import EpisodeState, Observation
from stma_ros.worlds.pddl.config import PddlConfig
from stma_ros.worlds.pddl.pddl_world import PddlWorld
from support.worlds.pddl_tasks import look, say


class ComparedPlayer:
    """Plays a task by the rules of policy and observation summariser.

    Attributes:
        asked: number of questions that the model was asked as well.
        differences: answers of rules and model that differ.
        done: the actions.
        won: whether the goal is reached.
    """

    def __init__(
        self,
        scene: str,
        seed: int,
        policy: Any,
        summariser: Any,
        *,
        observation: str = "full",
        closed: Closed = Closed.SUMMARY,
        subgoals: bool = True,
        window: int = 0,
    ) -> None:
        """Resets the world. policy, summariser: the roles of the model."""
        self.asked = 0
        self.differences: list[tuple[object, object]] = []
        self.done: list[str] = []
        self.won = False
        self._model = policy, summariser
        self._subgoals = subgoals
        self._world = PddlWorld(PddlConfig(observation=observation))
        self._world.reset(scene, seed)
        self._memory = SubgoalChunks(1000, window, closed)
        self._subgoal = ""
        self._problem = ""
        self._see(look(self._world).observation)

    def play(self, steps: int) -> None:
        """Plays until the goal is reached, the rules give up, or all steps are done."""
        for _ in range(steps):
            answer = self.decide()
            action = answer.actions[0]
            self.done.append(str(action))
            if action.skill == words.SKILL_GIVE_UP:
                return
            self.do(action, answer.subgoal)
            if self.won:
                return

    def decide(self, **changes: Any) -> PlanAnswer:
        """Returns the answer of the rules at this step. changes: of the question."""
        query = replace(self.question(), **changes)
        answer = PddlPolicy().answer(query)
        self._compare(answer, self._model[0].answer(query))
        return answer

    def question(self) -> PolicyQuery:
        """Returns the question to the policy at this step."""
        content = self._memory.content
        text = "\n".join(filter(None, (self._problem, content.text)))
        temporal = TemporalBelief(subgoal=self._subgoal, chunks=content.chunks, text=text)
        commands = (Action(words.SKILL_COMMAND, (each,)) for each in self._now.admissible_commands)
        ids = (str(chunk.id) for chunk in content.chunks if chunk.retrievable)
        retrievals = (Action(words.SKILL_RETRIEVE, (each,)) for each in ids)
        return PolicyQuery(
            self._world.objective,
            temporal,
            SpatialBelief(),
            (*commands, Action(words.SKILL_GIVE_UP), *retrievals),
            model=self._now.action_model,
            subgoals=self._subgoals,
        )

    def do(self, action: Action, subgoal: str = "") -> None:
        """Does an action. subgoal: empty = the present one is pursued further."""
        if action.skill == words.SKILL_RETRIEVE:
            self._problem = retrieve(self._memory, action)
            return
        self._subgoal = subgoal or self._subgoal
        self._problem = ""
        self._see(say(self._world, str(action)).observation)

    def _see(self, observation: Observation) -> None:
        self._now = observation
        self.won = observation.episode == EpisodeState.WON
        self._memory.add(observation, self._subgoal)
        while (closed := self._memory.summary_input()) is not None:
            previous = closed.previous.chunks[-1] if closed.previous.chunks else SubgoalChunk()
            query = ChunkQuery(
                self._world.objective,
                closed.subgoals[-1],
                closed.records,
                previous,
                closed.first or Observation(),
            )
            chunk = PddlObservationSummariser().answer(query)
            self._compare(chunk, self._model[1].answer(query))
            self._memory.condense(Summary(chunks=(chunk,)))

    def _compare(self, rules: object, model: object) -> None:
        self.asked += 1
        if rules != model:
            self.differences.append((rules, model))
