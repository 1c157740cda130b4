"""A memory of what texts say: triples or sentences in, the part of the graph that matters for a question out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from os import PathLike

from stma_ros.library.knowledge.knowledge_persistence import KnowledgePersistence
from stma_ros.library.knowledge.knowledge_store import KnowledgeStore, RetrievalConfig
from stma_ros.library.knowledge.sentences import read_sentence, sentences
from stma_ros.library.owned_memory import OwnedMemory
from stma_ros.library.results import LastSeen
from stma_ros.memory.retrieval import Subgraph
from stma_ros.models.embedder import EMBEDDERS, LEXICAL, Embedder
from stma_ros.roles.relation_retriever import RelationQuery, RelationRetrieverRole
from stma_ros.roles.rendering import fact_text
from stma_ros.types.belief import TemporalBelief
from stma_ros.types.errors import ConfigurationError
from stma_ros.types.remembering import ObjectQuery
from stma_ros.types.scene_graph import Relation
from stma_ros.types.settings import check_config, suggest
from stma_ros.types.standard import NANOSECONDS_PER_SECOND, Header, Time
from stma_ros.types.stepped import StepStamp

Triple = tuple[str, str, str]
"""Subject, predicate and object."""


@dataclass(frozen=True)
class Learned:
    """What became of triples or of a text.

    Attributes:
        facts: The facts that were read, as they were worded. Of two that exclude each other (a thing is at one place)
            the newer one holds.
        rejected: Why the rest was left out: facts that are none, sentences that could not be read.
    """

    facts: tuple[Relation, ...] = ()
    rejected: tuple[str, ...] = ()


class KnowledgeMemory(OwnedMemory):
    """Remembers facts with their history, and finds those that matter for a question (STMA, algorithm 1).

        with KnowledgeMemory("notes") as memory:
            memory.add_text("The red mug is on the table. The table is in the kitchen.")
            memory.add([("kitchen", "is north of", "hall")])
            print(memory.render(memory.retrieve("where is the mug?")))

    Where it is saved: as a SceneMemory, by `save` and by `close`, in files of `folder` that nobody else can open
    meanwhile. Without a folder nothing is saved.

    Threads: it can be used from several; one call is done at a time, and what is returned is never changed.

    Times: a fact is of the stamp that it is given with [s]; without one, of a second after the newest.
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
        """Opens the folder, and loads what was saved there.

        Args:
            folder: Where the memory is saved; it is made if it is not there. None = nowhere.
            retriever: Extracts facts from texts: a model behind the role, or rules. By default plain sentences of one
                fact each are read ("the mug is on the table").
            embedder: Makes vectors of names and questions: "lexical" (words and letters), "minilm" (a sentence encoder;
                needs the extra `models`), or your own.
            config: How much a question brings back.
            max_names: Names that are remembered at most; the least recently mentioned are dropped. 0 = any number.

        Raises:
            MemoryInUseError: Another process or object has the folder open.
            MemoryNotSavedError: The folder cannot be made or written.
            MemoryVersionError: The saved memory is of another version.
            MemoryUnreadableError: The saved memory is damaged.
            MissingDependencyError: What the embedder needs is not installed.
            ConfigurationError: A setting is out of range, or there is no such embedder.
        """
        super().__init__(folder)
        self._config = check_config(config)
        self._retriever = retriever
        made = _embedder(embedder)
        persistence = KnowledgePersistence(
            "" if self._folder is None else str(self._folder), compares_homes=False
        )
        self._store = KnowledgeStore(persistence, made, max_names)
        persistence.require_usable()
        self._texts = 0

    @property
    def facts(self) -> tuple[Relation, ...]:
        """The facts that hold now: subject, predicate, object, and when each was first and last stated."""
        with self._open():
            return self._store.graph.facts

    # -- learning

    def add(self, triples: Iterable[Triple | Relation], *, stamp: float | None = None) -> Learned:
        """Takes facts.

        Args:
            triples: (subject, predicate, object) in plain words ("mug", "is on", "table"), or Relations, whose own
                stamps count where they have any.
            stamp: When they held [s]; None = a second after the newest so far.

        Raises:
            ConfigurationError: One of them is no triple; nothing is learnt then.
        """
        with self._open():
            when = self._time(stamp)
            return self._learn([_relation(triple, when) for triple in triples], when, {})

    def add_text(self, text: str, *, stamp: float | None = None) -> Learned:
        """Takes what a text says.

        Args:
            text: As the retriever reads it.
            stamp: When it held [s]; None = a second after the newest so far.

        Raises:
            RoleError: The retriever has no usable answer; nothing is learnt then.
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
        newest = max(stamp, self._store.header.stamp)
        rejected = self._store.learn(facts, newest, complete)
        return Learned(tuple(facts), rejected)

    def _time(self, stamp: float | None) -> Time:
        if stamp is None:
            return Time.from_nanoseconds(self._store.header.stamp.nanoseconds + NANOSECONDS_PER_SECOND)
        return Time.from_nanoseconds(round(stamp * NANOSECONDS_PER_SECOND))

    # -- questions

    def retrieve(
        self, question: str, *more: str, top: int | None = None, hops: int | None = None, around: str = ""
    ) -> Subgraph:
        """Returns the entities most like the question, what is a few facts away, and the facts between them.

        Args:
            question: In plain words.
            *more: Further parts of the query, each with the same weight.
            top: Entities from which the graph is expanded; by default that of the config.
            hops: Facts that the expansion follows; by default that of the config.
            around: An entity; the places around it, as far as exits lead, belong to the result.

        Raises:
            ConfigurationError: `top` or `hops` is out of range.
        """
        with self._open():
            config = self._config
            config = replace(config, top=config.top if top is None else top)
            config = check_config(replace(config, hops=config.hops if hops is None else hops))
            return self._store.retrieve([question, *more], config, around)

    def render(self, found: Subgraph | None = None) -> str:
        """Returns facts as text, a triple a line: of what was retrieved, or everything that holds."""
        facts = self.facts if found is None else found.facts
        return "\n".join(map(fact_text, facts))

    def last_seen(self, phrase: str, limit: int = 0) -> LastSeen:
        """Returns where something was last, as far as was told.

        Args:
            phrase: Its name, or a question for it ("the red mug on the table").
            limit: Sightings at most; 0 = all.
        """
        with self._open():
            query = ObjectQuery(description=phrase, limit=limit)
            return LastSeen.of(self._store.last_seen(query, self._store.header))

    # -- saving and forgetting

    def _forget(self, subject: str) -> str:
        return self._store.forget(subject)

    def save(self) -> str:
        """Saves the memory, in one go; says what was saved where.

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
