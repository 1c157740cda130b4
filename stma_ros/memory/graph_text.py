"""The text of a scene graph by which it is compared with the graphs of other homes."""

from __future__ import annotations

import re
from collections.abc import Sequence

from stma_ros.types import vocabulary as words
from stma_ros.types.scene_graph import Relation

_WORD = re.compile(r"[a-z]+")


def graph_text(facts: Sequence[Relation], task: str) -> str:
    """Returns the facts as lines such as "mug on table" and "fridge open", each once.

    Ids mean nothing in another home: objects and rooms are named by what they are. What an object is has a line of its
    own only if nothing else is known of it. Lines with the words of the task come first, as encoders cut long texts;
    otherwise they are in alphabetical order.

    Args:
        facts: of the scene graph.
        task: text of the task.
    """
    kinds = {fact.subject: fact.object for fact in facts if fact.predicate == words.IS_A}
    mentioned = {
        name for fact in facts if fact.predicate != words.IS_A for name in (fact.subject, fact.object)
    }
    lines = {kind for name, kind in kinds.items() if name not in mentioned}
    for fact in facts:
        if fact.predicate != words.IS_A:
            predicate = "" if fact.predicate == words.STATE else f" {fact.predicate}"
            subject, item = (kinds.get(name, name) for name in (fact.subject, fact.object))
            lines.add(f"{subject}{predicate} {item}")
    wanted = stems(task)
    return "\n".join(sorted(lines, key=lambda line: (-len(stems(line) & wanted), line)))


def stems(text: str) -> set[str]:
    """Returns the words of a text in small letters, without the s of a plural."""
    return {word.removesuffix("s") for word in _WORD.findall(text.lower())}
