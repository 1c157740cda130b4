"""Category filter: which kinds of things matter for a question (the prefiltering of 3D-Mem)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from stma_ros.roles.exploration import TEXT_SAMPLING
from stma_ros.roles.rendering import sections
from stma_ros.roles.spec import Role, RoleSpec, UnusableReplyError, Wait


@dataclass(frozen=True)
class CategoryQuery:
    """The question to the filter.

    Attributes:
        question: the question that is explored.
        categories: the kinds of things that were seen, in the order of the alphabet.
        most: how many of them may be named.
    """

    question: str
    categories: tuple[str, ...]
    most: int


@dataclass(frozen=True)
class RelevantCategories:
    """The filter's answer: those of the categories that may help most, the most helpful ones first."""

    categories: tuple[str, ...]


CategoryFilterRole: TypeAlias = Role[CategoryQuery, RelevantCategories]
"""Returns the kinds of things that matter."""


def _text(query: CategoryQuery) -> str:
    return sections(
        f"Question: {query.question}", f"At most: {query.most}", f"Seen: {', '.join(query.categories)}"
    )


@dataclass(frozen=True)
class CategoriesReply:
    reasoning: str
    categories: list[str]


def _read(reply: CategoriesReply, query: CategoryQuery) -> RelevantCategories:
    named = tuple(dict.fromkeys(name.strip() for name in reply.categories))
    unknown = [name for name in named if name not in query.categories]
    if unknown:
        raise UnusableReplyError(
            f"{unknown[0]!r} was not seen; name only what is in the list, letter by letter"
        )
    return RelevantCategories(named[: query.most])


CATEGORY_FILTER = RoleSpec(
    name="category_filter",
    question=CategoryQuery,
    answer=RelevantCategories,
    reply=CategoriesReply,
    text=_text,
    read=_read,
    wait=Wait.BELIEFS,
    sampling=TEXT_SAMPLING,
)
