"""The interface of stores of experiences, and their errors."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from stma_ros.types.errors import ErrorCode, StorageError
from stma_ros.types.experience import Experience, Finding, RuleOfThumb


class ExperiencesUnreadableError(StorageError):
    """A store of experiences is damaged, or something else is at its place."""

    code = ErrorCode.MEMORY_UNREADABLE


class ExperiencesVersionError(StorageError):
    """A store of experiences was made by another release."""

    code = ErrorCode.MEMORY_VERSION


class ExperienceNotStoredError(StorageError):
    """An experience could not be written; those that were stored before are unchanged."""

    code = ErrorCode.MEMORY_NOT_KEPT


class ExperiencesUnreachableError(StorageError):
    """The store cannot be reached now; it may be reached later."""

    code = ErrorCode.MEMORY_UNREADABLE


class Added(NamedTuple):
    """Result of adding an experience.

    Attributes:
        id: of the experience.
        is_new: whether the store did not hold it before.
        forgotten: ids of those that were forgotten to make room; it may be the added one itself.
    """

    id: str
    is_new: bool
    forgotten: tuple[str, ...]


class Unembedded(NamedTuple):
    """An experience without a vector of an embedder: its number in the store, and what is embedded."""

    number: int
    experience: Experience


@dataclass(frozen=True)
class VectorChanges:
    """What changed in the vectors of one embedder since a version.

    Attributes:
        version: up to which the changes are told, for the next request; it grows with each change.
        numbers: of the experiences that were added.
        domains: of these.
        vectors: (N, D) float32, of these.
        forgotten: numbers of those that were forgotten.
    """

    version: int
    numbers: tuple[int, ...]
    domains: tuple[str, ...]
    vectors: NDArray[np.float32]
    forgotten: tuple[int, ...]


class ExperienceStore(Protocol):
    """Holds experiences and their vectors. Several processes use one store at the same time.

    All methods raise a StorageError: ExperiencesUnreachableError where another try may work, others where not.
    """

    def add(
        self,
        experience: Experience,
        embedder: str,
        vector: NDArray[np.float32],
        findings: Collection[Finding] = (),
    ) -> Added:
        """Stores an experience durably; when the method returns, a power failure does not lose it.

        One that the store holds already (the same task, actions and final graph) is counted once more; the better
        judged version stays.
        """
        ...

    def version(self) -> int:
        """Returns the version of the store, which grows with each experience that is added, counted once more or
        forgotten."""
        ...

    def changes(self, embedder: str, version: int) -> VectorChanges:
        """Returns what changed in the vectors of an embedder since a version; 0 = since the beginning.

        Many changes come in parts: none are left when the version of an answer is that of the request.
        """
        ...

    def unembedded(self, embedder: str, limit: int) -> Sequence[Unembedded]:
        """Returns experiences that have no vector of an embedder, because others stored them."""
        ...

    def embed(self, embedder: str, numbers: Sequence[int], vectors: NDArray[np.float32]) -> None:
        """Stores the vectors (N, D) of experiences by their numbers."""
        ...

    def read(self, numbers: Collection[int]) -> dict[int, Experience]:
        """Returns experiences by their numbers, without those that were forgotten meanwhile."""
        ...

    def things(self, domain: str) -> Sequence[str]:
        """Returns the categories of all things in the findings of a domain, in alphabetical order; "" for those about
        opening."""
        ...

    def rules_of_thumb(self, domain: str, things: Collection[str]) -> Sequence[RuleOfThumb]:
        """Returns the findings about kinds of things, one rule for each kind, place and room, the most found first."""
        ...

    def find(self, prefix: str) -> Sequence[Experience]:
        """Returns the experiences whose id begins with a text, at most two."""
        ...

    def all(self) -> Iterator[Experience]:
        """Yields all experiences, oldest first."""
        ...

    def forget(self, ids: Collection[str]) -> int:
        """Forgets experiences by their ids, and returns how many there were."""
        ...

    def __len__(self) -> int:
        """The number of experiences."""
        ...

    def close(self) -> None:
        """Closes the store."""
        ...
