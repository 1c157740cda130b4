"""A memory of facts: triples or sentences are added, and the relevant part of the graph is retrieved for a question."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from os import PathLike

from stma_ros.library.knowledge.knowledge_persistence import KnowledgePersistence
from stma_ros.library.knowledge.knowledge_store import KnowledgeStore, RetrievalConfig
from stma_ros.library.knowledge.sentences import read_sentence, sentences
from stma_ros.library.last_seen import object_query
from stma_ros.library.owned_memory import FOLDER, OwnedMemory
from stma_ros.library.results import LastSeen
from stma_ros.memory.retrieval import Subgraph
from stma_ros.models.embedder import EMBEDDERS, LEXICAL, Embedder
from stma_ros.roles.relation_retriever import RelationQuery, RelationRetrieverRole
from stma_ros.roles.rendering import fact_text
from stma_ros.types.belief import TemporalBelief
from stma_ros.types.errors import ConfigurationError
from stma_ros.types.scene_graph import Relation
from stma_ros.types.settings import check_config, require_kind, suggest
from stma_ros.types.standard import NANOSECONDS_PER_SECOND, Header, Time
from stma_ros.types.stepped import StepStamp

Triple = tuple[str, str, str]
"""Subject, predicate and object."""

_STAMP_LIMIT = 2**31
"""Absolute value that a stamp must stay below to be a Time [s]."""


@dataclass(frozen=True)
class Learned:
    """Result of adding triples or a text.

    Attributes:
        facts: The facts as they were given. Of two facts that exclude each other (an object is at one place) the newer
            one holds.
        rejected: Reasons why the rest was left out: invalid facts, facts from before a name in them was forgotten,
            and sentences that could not be parsed.
    """

    facts: tuple[Relation, ...] = ()
    rejected: tuple[str, ...] = ()


class KnowledgeMemory(OwnedMemory):
    """Remembers facts with their history, and retrieves those that are relevant for a question (STMA, algorithm 1).

        with KnowledgeMemory("notes") as memory:
            memory.add_text("The red mug is on the table. The table is in the kitchen.")
            memory.add([("kitchen", "is north of", "hall")])
            print(memory.render(memory.retrieve("where is the mug?")))

    Saving: As for SceneMemory, `save` and `close` write to files in `folder`, which is locked while the memory is open.
    Without a folder nothing is saved.

    Threads: It can be used from several threads; calls are executed one at a time, and returned values never change.

    Times: A fact has the stamp that it is given with [s]; without one, a second after the newest stamp.
    """

    _NAMED_BY = "a name"

    def __init__(
        self,
        folder: str | PathLike[str] | None = None,
        *,
        retriever: RelationRetrieverRole | None = None,
        embedder: Embedder | str = LEXICAL,
        config: RetrievalConfig = RetrievalConfig(),
        max_names: int = 0,
    ) -> None:
        """Opens the folder and loads the memory that was saved there.

        Args:
            folder: Folder of the memory; it is created if necessary. None = the memory is not saved.
            retriever: Role that extracts facts from texts, a model or rules. By default plain sentences of one fact
                each are parsed ("the mug is on the table").
            embedder: Embedder of names and questions: "lexical" (words and letters), "minilm" (a sentence encoder;
                needs the extra `models`), or an object.
            config: Size of the retrieved part of the graph.
            max_names: Largest number of names; the least recently mentioned are dropped. 0 = any number.

        Raises:
            MemoryInUseError: Another process or object has the folder open.
            MemoryNotSavedError: The folder cannot be created or written.
            MemoryVersionError: The saved memory is of another version.
            MemoryUnreadableError: The saved memory is damaged.
            MissingDependencyError: A library of the embedder is not installed.
            ConfigurationError: A setting is out of range, or there is no such embedder.
        """
        super().__init__(folder)
        self._config = check_config(require_kind(config, RetrievalConfig, "KnowledgeMemory"))
        self._retriever = retriever
        made = _embedder(embedder)
        persistence = KnowledgePersistence(
            "" if self._folder is None else str(self._folder), compares_homes=False, setting=FOLDER
        )
        self._store = KnowledgeStore(persistence, made, max_names, follows_clock=False)
        persistence.require_usable()
        self._texts = 0

    @property
    def facts(self) -> tuple[Relation, ...]:
        """The facts that hold now: subject, predicate, object, and the times when each was first and last stated."""
        with self._open():
            return self._store.graph.facts

    # -- learning

    def add(self, triples: Iterable[Triple | Relation], *, stamp: float | None = None) -> Learned:
        """Adds facts.

        Args:
            triples: (subject, predicate, object) in plain words ("mug", "is on", "table"), or Relations, whose own
                stamps are used if they have any.
            stamp: Time at which they held [s]; None = a second after the newest stamp.

        Raises:
            ConfigurationError: One of them is not a triple, the stamp is not a Time, or it is missing and there is no
                second after the newest one; none is added then.
        """
        with self._open():
            when = self._time(stamp)
            return self._learn([_relation(triple, when) for triple in triples], when, {})

    def add_text(self, text: str, *, stamp: float | None = None) -> Learned:
        """Adds the facts in a text.

        Args:
            text: A text for the retriever.
            stamp: Time at which the facts held [s]; None = a second after the newest stamp.

        Raises:
            RoleError: The retriever has no valid answer; nothing is added then.
            ConfigurationError: The stamp is not a Time, or it is missing and there is no second after the newest one.
        """
        with self._open():
            when = self._time(stamp)
            if self._retriever is None:
                read = {sentence: read_sentence(sentence) for sentence in sentences(text)}
                unread = [f"not read: {sentence!r}" for sentence, fact in read.items() if fact is None]
                learned = self._learn([_relation(fact, when) for fact in read.values() if fact], when, {})
                return replace(learned, rejected=(*unread, *learned.rejected))
            at = StepStamp(header=Header(when), step=self._texts)
            relations = self._retriever.answer(RelationQuery(TemporalBelief(at=at, text=text), self._texts))
            self._texts += 1
            facts = [_relation(fact, when) for fact in relations.triples]
            return self._learn(facts, when, dict.fromkeys(relations.complete, when))

    def _learn(self, facts: list[Relation], stamp: Time, complete: Mapping[str, Time]) -> Learned:
        newest = max(stamp, self._store.header.stamp, *(fact.last_seen for fact in facts))
        forgotten = [
            f"{fact_text(fact)} is not newer than the forgetting of a name in it; give it a later stamp"
            for fact in facts
            if self._store.is_forgotten(fact)
        ]
        rejected = self._store.learn(facts, newest, complete)
        return Learned(tuple(facts), (*forgotten, *rejected))

    def _time(self, stamp: float | None) -> Time:
        if stamp is None:
            newest = self._store.header.stamp
            if newest.sec + 1 >= _STAMP_LIMIT:
                raise ConfigurationError(
                    f"the newest stamp is {newest.seconds:.0f}, the last second of all; give these facts a stamp"
                )
            return Time.from_nanoseconds(newest.nanoseconds + NANOSECONDS_PER_SECOND)
        if not abs(stamp) < _STAMP_LIMIT:
            raise ConfigurationError(f"the stamp is {stamp}; give seconds, above -2^31 and below 2^31")
        return Time.from_nanoseconds(round(stamp * NANOSECONDS_PER_SECOND))

    # -- questions

    def retrieve(
        self, question: str, *more: str, top: int | None = None, hops: int | None = None, around: str = ""
    ) -> Subgraph:
        """Returns the entities that are most similar to the question, entities a few facts away, and the facts between
        them.

        Args:
            question: Question in plain words.
            *more: Further parts of the query, each with the same weight.
            top: Number of entities from which the graph is expanded; by default that of the config.
            hops: Number of facts that the expansion follows; by default that of the config.
            around: An entity; the places around it, as far as exits lead, are included in the result.

        Raises:
            ConfigurationError: `top` or `hops` is out of range.
        """
        with self._open():
            config = self._config
            config = replace(config, top=config.top if top is None else top)
            config = check_config(replace(config, hops=config.hops if hops is None else hops))
            return self._store.retrieve([question, *more], config, around)

    def render(self, found: Subgraph | None = None) -> str:
        """Returns facts as text, one triple per line.

        Args:
            found: Result of `retrieve`; None = all facts that hold now.
        """
        facts = self.facts if found is None else found.facts
        return "\n".join(map(fact_text, facts))

    def last_seen(self, phrase: str, limit: int = 0) -> LastSeen:
        """Returns the last known places of an object according to the facts.

        Args:
            phrase: Name of the object, or a description ("the red mug on the table").
            limit: Largest number of sightings; 0 = all.

        Raises:
            ConfigurationError: The limit is negative.
        """
        with self._open():
            return LastSeen.of(self._store.last_seen(object_query(phrase, limit), self._store.header))

    # -- saving and forgetting

    def _forget(self, subject: str) -> str:
        return self._store.forget(subject)

    def save(self) -> str:
        """Saves the memory atomically.

        Returns:
            Sentences that describe what was saved and where.

        Raises:
            MemoryNotSavedError: There is no folder, or it cannot be written.
        """
        with self._open():
            return self._store.save()

    def _finish(self) -> None:
        self._store.close()

    def __repr__(self) -> str:
        where = "not saved" if self._folder is None else repr(str(self._folder))
        return f"KnowledgeMemory({where}, {len(self._store.graph)} facts)"


def _relation(fact: Triple | Relation, stamp: Time) -> Relation:
    if isinstance(fact, Relation):
        if fact.last_seen.nanoseconds:
            return fact
        return replace(fact, first_seen=stamp, last_seen=stamp)
    if isinstance(fact, str) or len(fact) != 3:
        raise ConfigurationError(
            f"a fact is a subject, a predicate and an object, as in ('mug', 'is on', 'table'); got {fact!r}"
        )
    subject, predicate, item = fact
    return Relation(subject, predicate, item, first_seen=stamp, last_seen=stamp)


def _embedder(chosen: Embedder | str) -> Embedder:
    if not isinstance(chosen, str):
        return chosen
    if chosen not in EMBEDDERS:
        raise ConfigurationError(f"there is no embedder {chosen!r}. {suggest(chosen, dict(EMBEDDERS))}")
    return EMBEDDERS[chosen]()
