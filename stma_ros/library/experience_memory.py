"""A memory of finished tasks, which robots and programs share (MCoT-Memory, section 3.2)."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from os import PathLike
from pathlib import Path
from typing import ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from stma_ros.library.closable_memory import ClosableMemory
from stma_ros.memory.anonymous import anonymous
from stma_ros.memory.experience_index import ExperienceIndex, Similar, SimilarityWeights
from stma_ros.memory.findings import findings
from stma_ros.memory.graph_text import graph_text, stems
from stma_ros.models.embedder import EMBEDDERS, LEXICAL, Embedder, LimitedEmbedder, NamedEmbedder
from stma_ros.storage.codec import CodecError
from stma_ros.storage.experiences.document import decode_experience, encode_experience
from stma_ros.storage.experiences.postgres_store import PostgresExperienceStore, is_postgres_url
from stma_ros.storage.experiences.sqlite_store import SqliteExperienceStore
from stma_ros.storage.experiences.store import Added, ExperienceStore, VectorChanges
from stma_ros.storage.files import write_atomically
from stma_ros.types.errors import ConfigurationError, NotRememberedError, StorageError
from stma_ros.types.experience import Experience, RuleOfThumb
from stma_ros.types.scene_graph import Relation
from stma_ros.types.settings import suggest
from stma_ros.types.task_text import LONGEST_TASK

IN_MEMORY = ":memory:"
"""The store of a memory that ends with its process."""

_BATCH = 256  # experiences that are embedded, or read, at once
_DECODED = 64  # experiences that are kept as they were read last
_RULES = 16  # tasks whose rules of thumb are kept: they are asked for at each step, and change with the store alone


@dataclass(frozen=True)
class Retrieved:
    """An experience that is similar to the present.

    Attributes:
        experience: The experience.
        similarity: Weighted sum of the two similarities (equation 7).
        task_similarity: Cosine of the tasks' texts.
        graph_similarity: Cosine of the present scene graph and the final one of the experience.
    """

    experience: Experience
    similarity: float
    task_similarity: float
    graph_similarity: float

    @property
    def reason(self) -> str:
        """Why it was retrieved, as a sentence."""
        return (
            f"{self.similarity:.2f} similar: the task {self.task_similarity:.2f}, "
            f"the scene {self.graph_similarity:.2f}"
        )

    def __str__(self) -> str:
        return f"{self.experience.task} ({self.reason})"


class Imported(NamedTuple):
    """Result of an import.

    Attributes:
        new: Number of experiences that the memory did not hold.
        known: Number of those that it held already, which count once more.
        refused: What is wrong with other lines, by the line's number.
    """

    new: int
    known: int
    refused: dict[int, str]


class ExperienceMemory(ClosableMemory):
    """Remembers finished tasks with their scene graphs, rationales, actions and scores, and retrieves similar ones.

        with ExperienceMemory("experiences.db") as memory:
            memory.add(experience)
            for found in memory.retrieve("put the mug into the sink", scene_graph.relations):
                print(found.experience.score, found)

    Sharing: Several processes and robots may have the same file open; each sees what the others added. An experience is
    stored durably when `add` returns.

    Bounds: When there are more experiences than `capacity`, those with the lowest score are forgotten, and among equal
    ones the oldest. The same experience (task, actions, final graph) is stored once and counted.

    Threads: It can be used from several threads; calls are executed one at a time.
    """

    _KEPT_IN: ClassVar[str] = "store"

    def __init__(
        self,
        store: str | PathLike[str] | ExperienceStore,
        *,
        embedder: Embedder | str = LEXICAL,
        capacity: int = 100_000,
    ) -> None:
        """Opens a store.

        Args:
            store: A file, which is created if necessary; the URL of a PostgreSQL database; IN_MEMORY; or an open store,
                which the memory closes.
            embedder: Embedder of tasks and scene graphs: "lexical" (words and letters), "minilm" (a sentence encoder;
                needs the extra `models`), or an object. Experiences that were stored with another one are embedded
                again at the first retrieval. Two objects are the same one by their `name` (NamedEmbedder), or if they
                have none by their class: a class that loads different models needs a name for each.
            capacity: Largest number of experiences in the store.

        Raises:
            ExperiencesUnreadableError: The store is damaged, or something else is at its place.
            ExperiencesVersionError: The store was made by a later release.
            ExperienceNotStoredError: The store cannot be created.
            ExperiencesUnreachableError: The server does not answer.
            MissingDependencyError: A library of the embedder or of the store is not installed.
            ConfigurationError: There is no such embedder, or the capacity is not positive.
        """
        if capacity < 1:
            raise ConfigurationError(f"a memory holds at least one experience, not {capacity}")
        super().__init__()
        self._embedder, self._embedder_name = _named(embedder)
        self._store = _opened(store, capacity) if isinstance(store, str | PathLike) else store
        self._file = _file_of(store)
        self._version = 0
        self._indexes: dict[str, ExperienceIndex] = {}
        self._read = lru_cache(_DECODED)(self._read_one)
        self._rules = lru_cache(_RULES)(self._rules_at)

    def __len__(self) -> int:
        with self._open():
            return len(self._store)

    def __iter__(self) -> Iterator[Experience]:
        """Yields all experiences, oldest first; others may use the memory in between."""
        stored = self._store.all()
        while True:
            with self._open():  # which reads from the store now, not before
                read = list(islice(stored, _BATCH))
            if not read:
                return
            yield from read

    def unread(self, task: str, graph: Sequence[Relation]) -> int:
        """Returns the number of tokens of a scene graph's text that the embedder does not read: those of the least
        relevant facts, as the things of the task come first."""
        return (
            self._embedder.excess(graph_text(graph, task))
            if isinstance(self._embedder, LimitedEmbedder)
            else 0
        )

    # -- adding and retrieving

    def add(self, experience: Experience) -> Added:
        """Stores an experience; its `id` is not read.

        Raises:
            ConfigurationError: It has no task or no steps, its task is longer than people's may be, or its score is not
                from 0 to 1.
            ExperienceNotStoredError: The disk is full, or the store cannot be written.
        """
        if not experience.task.strip() or not experience.steps:
            raise ConfigurationError("an experience has the text of a task and at least one step")
        if len(experience.task) > LONGEST_TASK:
            raise ConfigurationError(
                f"the task of an experience has at most {LONGEST_TASK} characters, not {len(experience.task)}"
            )
        if not 0.0 <= experience.score <= 1.0:  # nor NaN, which databases order in different ways
            raise ConfigurationError(f"the score of an experience is from 0 to 1, not {experience.score}")
        with self._open():
            vector = self._vectors([(experience.task, experience.final_graph)])[0]
            return self._store.add(experience, self._embedder_name, vector, findings(experience))

    def retrieve(
        self,
        task: str,
        graph: Sequence[Relation],
        *,
        top: int = 3,
        weights: SimilarityWeights = SimilarityWeights(),
        domain: str = "",
    ) -> list[Retrieved]:
        """Returns the experiences most similar to the present task and scene graph, best first (equation 8).

        Args:
            task: Text of the task.
            graph: Facts of the present scene graph.
            top: Number of experiences.
            weights: Of the two similarities (equation 7).
            domain: Only experiences of this domain; empty = of any.
        """
        with self._open():
            self._refresh()
            query = self._vectors([(task, graph)])[0]
            indexes = self._indexes.values() if not domain else filter(None, [self._indexes.get(domain)])
            found = [similar for index in indexes for similar in index.most_similar(query, weights, top)]
            best = sorted(found, key=lambda each: (-each.total, each.number))[:top]
            return [each for each in map(self._retrieved, best) if each is not None]

    def rules_of_thumb(self, task: str, *, domain: str) -> Sequence[RuleOfThumb]:
        """Returns what all experiences of a domain together tell about the things that a task names, and which kinds of
        places could not always be opened.

        Args:
            task: Text of the task; empty = about all things.
            domain: Of the task.
        """
        with self._open():
            return self._rules(self._store.version(), task, domain)

    def _rules_at(self, version: int, task: str, domain: str) -> tuple[RuleOfThumb, ...]:
        """Returns the rules in the present version of the store."""
        wanted = stems(task)
        things = [
            each for each in self._store.things(domain) if not (each and wanted) or stems(each) & wanted
        ]
        rules = self._store.rules_of_thumb(domain, things)
        return tuple(rule for rule in rules if not rule.is_about_opening or rule.found < rule.looked)

    def _retrieved(self, similar: Similar) -> Retrieved | None:
        """Returns a retrieved experience; None if another process has just forgotten it."""
        experience = self._read(similar.number)
        if experience is None:
            return None
        return Retrieved(experience, similar.total, similar.task, similar.graph)

    def _read_one(self, number: int) -> Experience | None:
        return self._store.read([number]).get(number)

    def _refresh(self) -> None:
        """Brings the indexes up to the state of the store."""
        self._take_changes()
        while self._indexed() < len(self._store):
            missing = self._store.unembedded(self._embedder_name, _BATCH)
            if not missing:
                return
            vectors = self._vectors([(each.experience.task, each.experience.final_graph) for each in missing])
            self._store.embed(self._embedder_name, [each.number for each in missing], vectors)
            self._take_changes()

    def _indexed(self) -> int:
        return sum(map(len, self._indexes.values()))

    def _take_changes(self) -> None:
        while (changes := self._store.changes(self._embedder_name, self._version)).version != self._version:
            self._take(changes)

    def _take(self, changes: VectorChanges) -> None:
        self._version = changes.version
        self._read.cache_clear()
        for number in changes.forgotten:
            for index in self._indexes.values():
                index.remove(number)
        for domain in dict.fromkeys(changes.domains):
            rows = [row for row, each in enumerate(changes.domains) if each == domain]
            index = self._indexes.setdefault(domain, ExperienceIndex(2 * self._embedder.dimensions))
            index.add([changes.numbers[row] for row in rows], changes.vectors[rows])

    def _vectors(self, experiences: Sequence[tuple[str, Sequence[Relation]]]) -> NDArray[np.float32]:
        """Returns the vectors [task, graph] of pairs of a task and a scene graph, (N, 2 D)."""
        tasks = self._embedder.embed([task for task, _ in experiences])
        graphs = self._embedder.embed([graph_text(graph, task) for task, graph in experiences])
        return np.hstack((tasks, graphs))

    # -- single experiences

    def get(self, id: str) -> Experience:
        """Returns an experience by its id, or by as much of its beginning as only one has.

        Raises:
            NotRememberedError: There is none, or there are several.
        """
        with self._open():
            found = self._store.find(id) if id else ()
            if not found:
                raise NotRememberedError(f"no experience has an id that begins with {id!r}")
            if len(found) > 1:
                raise NotRememberedError(
                    f"several ids begin with {id!r}, such as {found[0].id} and {found[1].id}; write more of it"
                )
            return found[0]

    def forget(self, ids: Collection[str]) -> int:
        """Forgets experiences by their whole ids, and returns how many there were."""
        with self._open():
            return self._store.forget(ids)

    # -- exchange

    def export(
        self, path: str | PathLike[str], *, private: bool = False, people: Collection[str] = ()
    ) -> int:
        """Writes all experiences to a file of JSON Lines, one on each line, and returns their number.

        Args:
            path: The file; it is written whole or not at all.
            private: Whether the file stays in the home. Otherwise it has neither the names of homes nor names of people
                (memory.anonymous).
            people: Names of people that the texts have in small letters.

        Raises:
            StorageError: The file cannot be written, or is that of the store.
        """
        if (
            self._file is not None
            and self._file.exists()
            and Path(path).exists()
            and self._file.samefile(path)
        ):
            raise StorageError(f"{path} is the store itself; name another file")
        experiences = self if private else (anonymous(each, people) for each in self)
        lines = [json.dumps(encode_experience(each), ensure_ascii=False) + "\n" for each in experiences]
        try:
            write_atomically(Path(path), "".join(lines).encode())
        except OSError as error:
            raise StorageError(f"{path} cannot be written ({error.strerror}); name another file") from error
        return len(lines)

    def import_(self, path: str | PathLike[str]) -> Imported:
        """Adds the experiences of a file of JSON Lines; lines that are none are left out.

        Raises:
            StorageError: The file cannot be read.
            ExperienceNotStoredError: The store cannot be written; the lines up to then are stored.
        """
        try:
            lines = Path(path).read_bytes().splitlines()
        except OSError as error:
            raise StorageError(f"{path} cannot be read ({error.strerror})") from error
        return self._import(lines)

    def _import(self, lines: Iterable[bytes]) -> Imported:
        added: list[Added] = []
        refused: dict[int, str] = {}
        for number, line in enumerate(lines, start=1):
            if not line.strip():
                continue
            try:
                added.append(self.add(decode_experience(json.loads(line))))
            except (CodecError, ValueError, RecursionError, ConfigurationError) as error:
                refused[number] = str(error)
        new = sum(each.is_new for each in added)
        return Imported(new, len(added) - new, refused)

    def _finish(self) -> None:
        self._store.close()  # in which everything is stored already


def _opened(store: str | PathLike[str], capacity: int) -> ExperienceStore:
    """Opens the store of a URL or a file."""
    if isinstance(store, str) and is_postgres_url(store):
        return PostgresExperienceStore(store, capacity)
    return SqliteExperienceStore(Path(store if store == IN_MEMORY else Path(store).absolute()), capacity)


def _file_of(store: str | PathLike[str] | ExperienceStore) -> Path | None:
    """Returns the path of a store; None if it is no file."""
    if not isinstance(store, str | PathLike) or (isinstance(store, str) and is_postgres_url(store)):
        return None
    return Path(store).absolute()


def _named(embedder: Embedder | str) -> tuple[Embedder, str]:
    """Returns an embedder and the name by which its vectors are stored."""
    if not isinstance(embedder, str):
        name = embedder.name if isinstance(embedder, NamedEmbedder) else type(embedder).__name__
        return embedder, f"{name} {embedder.dimensions}"
    if embedder not in EMBEDDERS:
        raise ConfigurationError(f"there is no embedder {embedder!r}. {suggest(embedder, dict(EMBEDDERS))}")
    return EMBEDDERS[embedder](), embedder
