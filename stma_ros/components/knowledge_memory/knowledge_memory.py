"""Spatial memory of text worlds: makes the spatial belief of each step from a knowledge graph (STMA, section 4.2)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import chain

from stma_ros.components.knowledge_memory.observation_buffer import ObservationBuffer
from stma_ros.components.memory_requests import MemoryQueryHandler, load_warnings
from stma_ros.components.role_calls import role_call
from stma_ros.components.step_synchronizer import StepBuffer, step_key
from stma_ros.library.knowledge.knowledge_persistence import KnowledgePersistence
from stma_ros.library.knowledge.knowledge_store import KnowledgeStore, RetrievalConfig
from stma_ros.memory.retrieval import Subgraph
from stma_ros.memory.working.records import record_text
from stma_ros.models.embedder import EMBEDDERS, LEXICAL, MINILM, Embedder
from stma_ros.roles.faults import FaultConfig, FaultyRole
from stma_ros.roles.relation_aggregator import (
    RELATION_AGGREGATOR,
    AggregateQuery,
    Description,
    RelationAggregatorRole,
)
from stma_ros.roles.relation_retriever import (
    RELATION_RETRIEVER,
    RelationQuery,
    RelationRetrieverRole,
    Relations,
)
from stma_ros.roles.rendering import fact_text
from stma_ros.types import topics
from stma_ros.types import vocabulary as words
from stma_ros.types.belief import SpatialBelief, TemporalBelief
from stma_ros.types.causality import message_ref
from stma_ros.types.component import Emission
from stma_ros.types.errors import RoleError
from stma_ros.types.message import Message
from stma_ros.types.remembering import MemoryQuestion, MemoryRequest, ObjectQuery
from stma_ros.types.scene_graph import Relation
from stma_ros.types.sensing import Observation
from stma_ros.types.settings import other_default, setting
from stma_ros.types.standard import Header, Pose, Time

SUMMARY, HISTORY = "summary", "history"


@dataclass(frozen=True)
class KnowledgeMemoryConfig(FaultConfig, RetrievalConfig):
    enabled: bool = setting(True, "keep a knowledge graph at all; else the spatial belief is empty")
    source: str = setting(
        SUMMARY,
        "what the relation retriever reads: the summary of what happened, or the history buffer as it is",
        choices=(SUMMARY, HISTORY),
    )
    history: int = setting(25, "records in the history buffer, where it reads those", low=1, high=10_000)
    aggregator: bool = setting(True, "put the facts into plain English, with what follows from them")
    embedder: str = setting(
        MINILM,
        "what makes vectors of names: a sentence encoder, or words and letters alone",
        choices=(MINILM, LEXICAL),
    )
    names: int = setting(
        100_000,
        "names in the graph at most, not counting rooms and doors; the least recently mentioned are dropped; "
        "0 = any number",
        low=0,
        high=10_000_000,
    )
    memory_dir: str = setting(
        "", "folder in which the memory is saved from one start to the next; empty = it is not saved"
    )


@dataclass(frozen=True)
class WholeKnowledgeMemoryConfig(KnowledgeMemoryConfig):
    """Settings of agents that reason over the whole graph, of which others cut what they need."""

    top: int = other_default(KnowledgeMemoryConfig, "top", 1000)
    entities: int = other_default(KnowledgeMemoryConfig, "entities", 0)
    facts: int = other_default(KnowledgeMemoryConfig, "facts", 0)
    embedder: str = other_default(KnowledgeMemoryConfig, "embedder", LEXICAL)


class KnowledgeMemoryComponent:
    """Takes observations and temporal beliefs, and emits the spatial belief of each step.

    If the retriever has no answer, the graph is unchanged; if the aggregator has none, the facts are listed.
    """

    def __init__(
        self,
        config: KnowledgeMemoryConfig,
        retriever: RelationRetrieverRole,
        aggregator: RelationAggregatorRole,
        embedder: Embedder | None = None,
    ) -> None:
        """Opens the memory.

        Args:
            config: The settings.
            retriever: Role that extracts facts from the history.
            aggregator: Role that describes facts in words.
            embedder: Embedder of names; by default the one that the config names.

        Raises:
            MissingDependencyError: A library of the embedder is not installed.
            MemoryNotSavedError: The memory_dir cannot be used, or another memory has it open.
        """
        self._config = config
        self._retriever = FaultyRole(RELATION_RETRIEVER, retriever, config)
        self._aggregator = FaultyRole(RELATION_AGGREGATOR, aggregator, config)
        self._embedder = embedder or (EMBEDDERS[config.embedder]() if config.enabled else None)
        self._steps = StepBuffer((topics.OBSERVATION, topics.TEMPORAL_BELIEF))
        self._learnt = "", -1  # task and step of the retriever's newest answer
        persistence = KnowledgePersistence(config.memory_dir if config.enabled else "")
        self._knowledge = KnowledgeStore(persistence, self._embedder, config.names)
        self._requests = MemoryQueryHandler(self._knowledge)
        self._observations = ObservationBuffer(config.history)

    def handle(self, topic: str, message: Message) -> Iterable[Emission]:
        if isinstance(message, ObjectQuery | MemoryQuestion | MemoryRequest):
            return chain(self._load_warnings(), self._requests.answer(message, self._knowledge.header))
        if not isinstance(message, Observation | TemporalBelief) or not self._steps.put(topic, message):
            return ()
        if isinstance(message, Observation):
            self._observations.put(message)
        return self._settle(message)

    def close(self) -> None:
        """Saves the memory if there is a memory_dir and there are new facts.

        Raises:
            MemoryNotSavedError: The memory cannot be saved.
        """
        self._knowledge.close()

    def _load_warnings(self) -> Iterator[Emission]:
        return load_warnings(self._knowledge.take_refusals(), self._knowledge.header)

    def _settle(self, message: Message) -> Iterator[Emission]:
        key = step_key(message)
        asked = (message.revision,) if isinstance(message, TemporalBelief) else self._steps.revisions(key)
        for revision in asked:
            inputs = self._steps.inputs(key, revision)
            if inputs is not None:
                yield from self._believe(
                    inputs.observation, inputs.get(topics.TEMPORAL_BELIEF, TemporalBelief)
                )

    def _believe(self, observation: Observation, temporal: TemporalBelief) -> Iterator[Emission]:
        step = replace(temporal.at, header=Header(observation.header.stamp))
        derived_from = (
            message_ref(topics.OBSERVATION, observation),
            message_ref(topics.TEMPORAL_BELIEF, temporal),
        )
        if self._embedder is None:
            yield topics.SPATIAL_BELIEF, SpatialBelief(at=step, robot=Pose.none(), derived_from=derived_from)
            return
        if temporal.revision == 0 or self._learnt != step_key(temporal):  # otherwise its facts are known
            query = self._relation_query(temporal)
            unusable = self._learn(query, observation)
            injected = self._retriever.take()
            yield role_call(RELATION_RETRIEVER, query, step, error=unusable, injected=injected)
            yield from self._load_warnings()
        found = self._retrieve(observation, temporal)
        room = next(
            (f.object for f in found.facts if (f.subject, f.predicate) == (words.ROBOT, words.IN)), ""
        )
        asked = AggregateQuery(room, found.facts, ())
        description, unusable = self._describe(asked)
        if self._config.aggregator:
            injected = self._aggregator.take()
            yield role_call(RELATION_AGGREGATOR, asked, step, error=unusable, injected=injected)
        facts = (*found.facts, *description.facts)
        belief = SpatialBelief(
            at=step,
            robot=Pose.none(),
            room=room,
            facts=facts,
            routes=description.routes,
            text=description.text,
            derived_from=derived_from,
        )
        yield topics.SPATIAL_BELIEF, belief

    def _relation_query(self, temporal: TemporalBelief) -> RelationQuery:
        """Returns the question for facts of the steps since the last answer."""
        task_id, learnt = self._learnt
        since = learnt + 1 if task_id == temporal.task_id else 0
        if self._config.source == HISTORY:
            text = "\n\n".join(map(record_text, self._observations.up_to(*step_key(temporal))))
            return RelationQuery(replace(temporal, observations=(), instructions=(), text=text), since)
        return RelationQuery(temporal, since)

    def _learn(self, query: RelationQuery, observation: Observation) -> str:
        """Returns the facts that could not be used with the reasons; empty if all could."""
        try:
            relations = self._retriever.answer(query)
        except RoleError as error:
            return str(error)
        self._learnt = query.temporal.task_id, query.temporal.step
        facts, looks = self._dated(relations, observation)
        rejected = self._knowledge.learn(facts, observation.header.stamp, looks)
        return f"{len(rejected)} facts left out; the first: {rejected[0]}" if rejected else ""

    def _dated(
        self, relations: Relations, observation: Observation
    ) -> tuple[list[Relation], Mapping[str, Time]]:
        """Returns the facts with the stamps of their steps, and the rooms that were seen completely with the stamp
        of the last view. Steps later than the present one are taken to be the present one."""
        now = observation.step
        stamps = [self._observations.stamp(observation.task_id, min(step, now)) for step in relations.steps]
        facts = [
            Relation(
                fact.subject,
                fact.predicate,
                fact.object,
                confidence=fact.confidence,
                first_seen=stamp,
                last_seen=stamp,
            )
            for fact, stamp in zip(relations.triples, stamps, strict=True)
        ]
        looks = {
            room: self._observations.stamp(observation.task_id, min(step, now))
            for room, step in relations.complete.items()
            # At the end of an episode there are no admissible commands that would show which objects are there.
            if step != now or observation.admissible_commands
        }
        return facts, looks

    def _retrieve(self, observation: Observation, temporal: TemporalBelief) -> Subgraph:
        """Retrieves facts by algorithm 1, with observation, task and subgoal as the query."""
        seen = "\n".join((observation.description, observation.inventory))
        parts = [part for part in (seen, *temporal.active_goals, temporal.subgoal) if part.strip()]
        return self._knowledge.retrieve(parts, self._config, around=words.ROBOT)

    def _describe(self, query: AggregateQuery) -> tuple[Description, str]:
        """Returns a description of facts, and the reason why there is no better one; the latter is empty if there is
        none."""
        if not self._config.aggregator:
            return Description(_listed(query.facts)), ""
        try:
            return self._aggregator.answer(query), ""
        except RoleError as error:
            return Description(f"The facts are not in words ({error}):\n{_listed(query.facts)}"), str(error)


def _listed(facts: Iterable[Relation]) -> str:
    return "\n".join(map(fact_text, facts))
