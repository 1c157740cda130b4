"""Does the memory actions of a working memory that is divided by subgoals."""

from __future__ import annotations

from stma_ros.memory.working.port import WorkingMemory
from stma_ros.memory.working.subgoal_chunks import SubgoalChunks
from stma_ros.types import vocabulary as words
from stma_ros.types.errors import NotRememberedError
from stma_ros.types.planning import Action


def retrieve(memory: WorkingMemory, action: Action) -> str:
    """Shows the subgoals whole that an action names. Returns why that is not possible; empty if it was done."""
    if action.skill != words.SKILL_RETRIEVE or not isinstance(memory, SubgoalChunks):
        return f"{action} is no action of this memory."
    try:
        ids = tuple(map(int, action.arguments))
    except ValueError:
        return f"{action} was not done: name subgoals by their numbers."
    try:
        memory.retrieve(ids)
    except NotRememberedError as error:
        return f"{action} was not done: {error}."
    return ""
