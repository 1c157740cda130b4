"""Best known plans of planning tasks, found with full knowledge. For scorers only."""

from __future__ import annotations

from functools import lru_cache

from stma_ros.domains.pddl.goals import condition_of
from stma_ros.domains.pddl.ground_task import ground
from stma_ros.domains.pddl.search import Plan, find_plan
from stma_ros.domains.pddl.state_space import StateSpace
from stma_ros.worlds.pddl.loaded_task import load_task


@lru_cache(maxsize=1024)
def best_known_length(scene: str, seed: int, effort: int) -> int:
    """Returns the number of actions of the shortest plan that a search finds; it is not proved shortest.

    Args:
        scene: as for the world `pddl`.
        seed: as for the world.
        effort: number of states that the search evaluates.

    Returns:
        0 where no plan is found.
    """
    task = load_task(scene, seed).planning
    goal = condition_of(task.goal)
    space = StateSpace(ground(task.model, task.atoms), task.atoms, goal.false)
    found = find_plan(space, task.atoms, goal, effort)
    return len(found.operators) if isinstance(found, Plan) else 0
