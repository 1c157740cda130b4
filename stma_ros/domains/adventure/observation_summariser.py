"""Observation summariser by rules: the map of all that was explored so far."""

from __future__ import annotations

from stma_ros.domains.adventure.aims import read_aim
from stma_ros.domains.adventure.explored_map import ExploredMap
from stma_ros.domains.adventure.history import read_history
from stma_ros.domains.adventure.map_text import map_text
from stma_ros.memory.working.chunk_text import closed_lines, pair_text
from stma_ros.roles.observation_summariser import ChunkQuery
from stma_ros.types.belief import SubgoalChunk, SubgoalState


class AdventureObservationSummariser:
    """An ObservationSummariserRole for text adventures.

    Its summary holds the rooms that were reached, the directions that they name, and what came of those that were
    tried. Nothing else of the story is in it.
    """

    def answer(self, query: ChunkQuery) -> SubgoalChunk:
        lines = pair_text(query.first), *closed_lines(query.previous), *map(pair_text, query.records)
        explored = read_history("\n".join(lines))
        state, reason = _verdict(query.subgoal, explored)
        return SubgoalChunk(
            observation=map_text(explored), state=state, reason=reason, completed=query.completed
        )


def _verdict(subgoal: str, explored: ExploredMap) -> tuple[SubgoalState, str]:
    aim = read_aim(subgoal)
    if aim is None:
        return SubgoalState.UNKNOWN, ""
    attempts = (
        (place, exits[aim.direction])
        for place, exits in explored.exits.items()
        if aim.fits(place) and aim.direction in exits
    )
    place, tried = next(attempts, (None, None))
    if tried is None:
        return SubgoalState.NOT_MET, "It was not tried."
    if tried.leads_to != place:
        return SubgoalState.MET, ""
    return SubgoalState.NOT_MET, f"{tried.obstacle} is in the way." if tried.obstacle else "There is no way."
