"""The measurement `experience_store`: the times to store and to retrieve an experience in a store with many.

Everything goes through the library, as the component calls it: an insertion ends when it is durable, a retrieval has
read the experiences that it returns. The vectors of texts are sums of vectors of words, which take next to no time.
Each retrieval is of another task and scene graph, once after another experience was added and once with nothing
changed.
"""

from __future__ import annotations

import statistics
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from stma_ros.evaluation.made_experiences import DOMAIN, MadeExperiences, WordVectors
from stma_ros.evaluation.timing import timed
from stma_ros.library.experience_memory import ExperienceMemory, Retrieved
from stma_ros.memory.experience_index import SimilarityWeights
from stma_ros.memory.graph_text import graph_text
from stma_ros.storage.experiences.postgres_store import is_postgres_url
from stma_ros.types.errors import ConfigurationError
from stma_ros.types.experience import Experience
from stma_ros.types.settings import setting

SIZES = (1_000, 10_000, 100_000)
"""Numbers of experiences in the store."""

_TIMES = ("insertion_ms", "full_ms", "retrieval_ms", "retrieval_changed_ms", "rules_ms")
_CAPACITY = 10 * SIZES[-1]  # more than there ever are
_CHUNK = 8_192  # vectors that are compared at once
_ROUNDING = 1e-6  # difference of similarities that counts as none


@dataclass(frozen=True)
class ExperienceStoreSettings:
    largest: int = setting(SIZES[-1], "experiences in the store at most", low=SIZES[0], high=SIZES[-1])
    store: str = setting(
        "",
        "new file, or URL of a PostgreSQL database without experiences; the made experiences stay there. "
        "Empty = a file that is deleted",
    )
    all_different: bool = setting(False, "whether no two experiences have the same task")
    dimensions: int = setting(384, "length of the embedding of a text", low=1, high=516)
    queries: int = setting(100, "insertions and retrievals of each kind", low=1, high=1000)
    top: int = setting(3, "experiences that are retrieved (k)", low=1, high=100)


class ExperienceStoreSpeed:
    """The Measurement of a store of experiences, which grows from size to size."""

    name = "experience_store"
    columns: ClassVar[Mapping[str, str]] = {
        "preset": "store",
        "group": "experiences",
        "episodes": "queries",
        "insertion_ms": "insertion [ms]",
        "full_ms": "into a full store [ms]",
        "retrieval_ms": "retrieval [ms]",
        "retrieval_changed_ms": "after a change [ms]",
        "rules_ms": "rules of thumb after a change [ms]",
        "opening_s": "opening [s]",
        "recall": "recall@k [%]",
    }

    def __init__(self, settings: ExperienceStoreSettings = ExperienceStoreSettings()) -> None:
        self._settings = settings
        self._sizes = tuple(size for size in SIZES if size <= settings.largest)

    @property
    def settings(self) -> Mapping[str, Any]:
        return asdict(self._settings)

    @property
    def total(self) -> int:
        return len(self._sizes)

    def rows(self, seed: int) -> Iterator[dict[str, Any]]:
        """Yields a row for each size, with medians. Raises ConfigurationError for a store that holds experiences."""
        settings = self._settings
        with tempfile.TemporaryDirectory() as folder:
            store = settings.store or str(Path(folder) / "experiences.db")
            made = MadeExperiences(seed, all_different=settings.all_different)
            trial = _Trial(settings, made, store)
            for size in self._sizes:
                trial.fill(size)
                yield {
                    "preset": "PostgreSQL" if is_postgres_url(store) else "SQLite",
                    "group": f"{size} experiences",
                    "episodes": settings.queries,
                    **trial.measure(),
                }


class _Trial:
    """Fills a store, and measures it."""

    def __init__(self, settings: ExperienceStoreSettings, made: MadeExperiences, store: str) -> None:
        """Raises ConfigurationError if the store holds experiences."""
        self._settings = settings
        self._made = made
        self._store = store
        self._embedder = WordVectors(settings.dimensions)
        self._vectors: dict[str, NDArray[np.float32]] = {}  # (2, D) of each stored experience, by its id
        with self._open() as memory:
            if len(memory):
                raise ConfigurationError(f"{store} holds experiences; name a new file or an empty database")

    def _open(self, capacity: int = _CAPACITY) -> ExperienceMemory:
        return ExperienceMemory(self._store, embedder=self._embedder, capacity=capacity)

    def fill(self, size: int) -> None:
        """Adds experiences up to a number."""
        with self._open() as memory:
            while len(self._vectors) < size:
                self._add(memory)

    def _add(self, memory: ExperienceMemory) -> float:
        """Returns the time that it took [s]."""
        experience = next(self._made)
        added, took = timed(partial(memory.add, experience))
        self._vectors[added.id] = self._embedded(experience)
        for id in added.forgotten:
            del self._vectors[id]
        return took

    def _embedded(self, experience: Experience) -> NDArray[np.float32]:
        text = graph_text(experience.final_graph, experience.task)
        return self._embedder.embed([experience.task, text])

    def measure(self) -> dict[str, float]:
        """Returns the figures of the store, which has a few more experiences afterwards."""
        took: dict[str, list[float]] = {key: [] for key in _TIMES}
        recalls: list[float] = []
        queries = range(self._settings.queries)
        started = time.perf_counter()
        with self._open() as memory:
            self._retrieve(memory, next(self._made))
            opening = time.perf_counter() - started
            for _ in queries:
                took["insertion_ms"].append(self._add(memory))
                query, other = next(self._made), next(self._made)
                found, seconds = timed(partial(self._retrieve, memory, query))
                took["retrieval_changed_ms"].append(seconds)
                recalls.append(self._recall(found, query))
                rules = partial(memory.rules_of_thumb, query.task, domain=DOMAIN)
                took["rules_ms"].append(timed(rules)[1])
                took["retrieval_ms"].append(timed(partial(self._retrieve, memory, other))[1])
        with self._open(capacity=len(self._vectors)) as memory:
            took["full_ms"] = [self._add(memory) for _ in queries]
        medians = {key: 1e3 * statistics.median(seconds) for key, seconds in took.items()}
        return {**medians, "opening_s": opening, "recall": 100 * statistics.fmean(recalls)}

    def _retrieve(self, memory: ExperienceMemory, present: Experience) -> list[Retrieved]:
        """Retrieves for the task and the final scene graph of an experience that is not stored."""
        return memory.retrieve(present.task, present.final_graph, top=self._settings.top, domain=DOMAIN)

    def _recall(self, found: Sequence[Retrieved], present: Experience) -> float:
        """Returns the share of the found that are among the best by an exact comparison, where equal ones all count."""
        exact = np.sort(_similarities(list(self._vectors.values()), self._embedded(present)))[
            -self._settings.top :
        ]
        least = float(exact[0]) - _ROUNDING
        return sum(each.similarity >= least for each in found) / len(exact)


def _similarities(vectors: Sequence[NDArray[np.float32]], query: NDArray[np.float32]) -> NDArray[np.float64]:
    """Returns the similarities (equation 7) of a query (2, D) to N experiences."""
    weights = SimilarityWeights()
    unit = _units(query)
    parts = []
    for start in range(0, len(vectors), _CHUNK):
        cosines = (_units(np.stack(vectors[start : start + _CHUNK])) * unit).sum(axis=-1)
        parts.append(cosines @ (weights.task, weights.graph))
    return np.concatenate(parts)


def _units(vectors: NDArray[np.float32]) -> NDArray[np.float64]:
    exact = vectors.astype(np.float64)
    units: NDArray[np.float64] = exact / np.linalg.norm(exact, axis=-1, keepdims=True)
    return units
