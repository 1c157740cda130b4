"""Draws a lesson from a text game that was not won (Reflexion, Shinn 2023)."""

from __future__ import annotations

from collections.abc import Iterator

from stma_ros.domains.cooking.notes import history_text, read_notes
from stma_ros.domains.cooking.recipe import recipe_text
from stma_ros.roles.reflector import Reflection, ReflectQuery
from stma_ros.types import vocabulary as words
from stma_ros.types.errors import ErrorCode
from stma_ros.types.planning import Result


class TextReflector:
    """A ReflectorRole.

    A lesson states how the game ended, which commands not to repeat, and the recipe word for word. It repeats a recipe
    from an earlier lesson, because earlier lessons may be dropped.
    """

    def answer(self, query: ReflectQuery) -> Reflection:
        """Returns the lesson."""
        return Reflection("\n".join(_lines(query)))


def _lines(query: ReflectQuery) -> Iterator[str]:
    done = [outcome for outcome in query.summary.completed if outcome.action.skill == words.SKILL_COMMAND]
    yield f"I failed: {query.error.text or query.status.name}"
    if query.error.code == ErrorCode.EPISODE_LOST and done:
        yield f"The last thing I did was {str(done[-1].action)!r}. I must not do it again as things were then."
    if query.error.code == ErrorCode.OUT_OF_COMMANDS:
        yield f"I did {len(done)} commands. I must not waste any, and must not walk where I have been."
    failed = {str(o.action): o.error.text for o in done if o.result == Result.FAILED}
    for command, reason in failed.items():
        yield f"{command!r} failed: {reason}"
    rooms = dict.fromkeys(note.scene.room for note in read_notes(history_text(query.summary)))
    if any(rooms):
        yield f"I was in: {', '.join(filter(None, rooms))}."
    recipe = next(filter(None, map(recipe_text, _recipe_sources(query))), "")
    yield f"This is the recipe:\n{recipe}\n" if recipe else "I did not find the recipe."


def _recipe_sources(query: ReflectQuery) -> Iterator[str]:
    """Yields the texts that may hold the recipe, newest first."""
    yield from query.summary.instructions
    yield query.summary.text
    yield from reversed(query.earlier)
