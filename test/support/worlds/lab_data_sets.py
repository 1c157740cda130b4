"""Makes small data sets of episodes in an exported flat, with habitat-lab's own classes and habitat-sim's own navmesh.
Runs in the interpreter that has both:

    python lab_data_sets.py KIND DATASET SCENE OUTPUT.json.gz COUNT [CATEGORY]      KIND: points or objects
    python lab_data_sets.py run EPISODES.json.gz DATASET OUTPUT.json                 drives PointNav in habitat.Env
    python lab_data_sets.py rearranged EPISODES.json.gz OUTPUT.json.gz               reads and writes Rearrange episodes
"""

from __future__ import annotations

import gzip
import json
import sys
from pathlib import Path
from typing import Any

import habitat_sim
import numpy as np

RADIUS, HEIGHT = 0.25, 1.3
FLOOR = 0.3  # what is higher is no floor [m]
NEAR, CELL = 1.0, 0.15  # from the box of an object to its view points, at most; between two of them [m]
FAR = 2.5  # from the start to the goal, at least [m]


def open_flat(dataset: str, scene: str) -> Any:
    backend = habitat_sim.SimulatorConfiguration()
    backend.scene_dataset_config_file, backend.scene_id = dataset, scene
    backend.gpu_device_id, backend.create_renderer, backend.enable_physics = -1, False, True
    agent = habitat_sim.agent.AgentConfiguration()
    agent.sensor_specifications = []
    simulator = habitat_sim.Simulator(habitat_sim.Configuration(backend, [agent]))
    settings = habitat_sim.NavMeshSettings()
    settings.set_defaults()
    settings.agent_radius, settings.agent_height, settings.agent_max_climb = RADIUS, HEIGHT, 0.05
    settings.include_static_objects = True
    assert simulator.recompute_navmesh(simulator.pathfinder, settings)
    simulator.pathfinder.seed(7)
    return simulator


def on_floor(simulator: Any) -> Any:
    while True:
        point = np.array(simulator.pathfinder.get_random_navigable_point())
        if point[1] < FLOOR:
            return point


def way(simulator: Any, start: Any, ends: list[Any]) -> float:
    path = habitat_sim.MultiGoalShortestPath()
    path.requested_start, path.requested_ends = start, ends
    simulator.pathfinder.find_path(path)
    return float(path.geodesic_distance)


def start_for(simulator: Any, ends: list[Any]) -> tuple[Any, float]:
    while True:
        start = on_floor(simulator)
        length = way(simulator, start, ends)
        if FAR < length < np.inf:
            return start, length


def common(number: int, dataset: str, scene: str, start: Any, length: float) -> dict[str, Any]:
    turn = 0.7 * number
    return {
        "episode_id": str(number),
        "scene_id": scene,
        "scene_dataset_config": dataset,
        "start_position": start.tolist(),
        "start_rotation": [0.0, float(np.sin(turn / 2)), 0.0, float(np.cos(turn / 2))],
        "info": {"geodesic_distance": length},
    }


def points(dataset: str, scene: str, count: int) -> str:
    from habitat.datasets.pointnav.pointnav_dataset import PointNavDatasetV1
    from habitat.tasks.nav.nav import NavigationEpisode, NavigationGoal

    simulator, made = open_flat(dataset, scene), PointNavDatasetV1()
    for number in range(count):
        goal = on_floor(simulator)
        start, length = start_for(simulator, [goal])
        goals = [NavigationGoal(position=goal.tolist(), radius=0.2)]
        made.episodes.append(NavigationEpisode(goals=goals, **common(number, dataset, scene, start, length)))
    return str(made.to_json())


def floor_around(simulator: Any, thing: Any) -> list[Any]:
    """Returns the points of a grid from which the object can be reached, as the known data sets have them."""
    node = thing.root_scene_node
    box = habitat_sim.geo.get_transformed_bb(node.cumulative_bb, node.absolute_transformation())
    low, high, floor = np.array(box.min), np.array(box.max), on_floor(simulator)[1]
    x, z = (np.arange(low[k] - NEAR, high[k] + NEAR, CELL) for k in (0, 2))
    spots = (np.array([a, floor, b], np.float32) for a in x for b in z)
    return [
        spot
        for spot in spots
        if np.linalg.norm(np.maximum(np.maximum(low - spot, spot - high), 0.0)[[0, 2]]) <= NEAR
        and simulator.pathfinder.is_navigable(spot)
    ]


def objects(dataset: str, scene: str, count: int, category: str) -> str:
    from habitat.core.simulator import AgentState
    from habitat.datasets.object_nav.object_nav_dataset import ObjectNavDatasetV1
    from habitat.tasks.nav.object_nav_task import ObjectGoal, ObjectGoalNavEpisode, ObjectViewLocation

    simulator, made = open_flat(dataset, scene), ObjectNavDatasetV1()
    manager = simulator.get_rigid_object_manager()
    goals = []
    for handle in manager.get_object_handles():
        thing = manager.get_object_by_handle(handle)
        if thing.user_attributes.get("category") != category:
            continue
        place = np.array(thing.translation)
        views = floor_around(simulator, thing)
        locations = [
            ObjectViewLocation(AgentState(view.tolist(), [0.0, 0.0, 0.0, 1.0]), 0.5) for view in views
        ]
        if views and place[1] > -FLOOR:
            goals.append(
                ObjectGoal(
                    position=place.tolist(),
                    object_id=str(len(goals)),
                    object_category=category,
                    view_points=locations,
                )
            )
    assert goals, f"there is no {category} that can be seen"
    ends = [np.array(view.agent_state.position) for goal in goals for view in goal.view_points]
    made.category_to_task_category_id = {category: 0}
    made.category_to_scene_annotation_category_id = {category: 0}
    made.goals_by_category = {f"{scene}_{category}": goals}
    for number in range(count):
        start, length = start_for(simulator, ends)
        fields = common(number, dataset, scene, start, length)
        made.episodes.append(ObjectGoalNavEpisode(object_category=category, goals=goals, **fields))
    return str(made.to_json())


def run(episodes: str, dataset: str) -> list[dict[str, Any]]:
    """Returns the measures of habitat.Env for each episode, driven by its own follower of shortest paths."""
    import habitat
    from habitat.config import read_write
    from habitat.config.default import get_config
    from habitat.tasks.nav.shortest_path_follower import ShortestPathFollower

    config = get_config(
        "benchmark/nav/pointnav/pointnav_habitat_test.yaml",
        [
            f"habitat.dataset.data_path={episodes}",
            "habitat.dataset.split=all",
            "habitat.dataset.scenes_dir=",
            f"habitat.simulator.scene_dataset={dataset}",
            "habitat.simulator.habitat_sim_v0.gpu_device_id=-1",
            "habitat.simulator.navmesh_include_static_objects=True",
            f"habitat.simulator.agents.main_agent.radius={RADIUS}",
            f"habitat.simulator.agents.main_agent.height={HEIGHT}",
            "habitat.simulator.agents.main_agent.max_climb=0.05",
            "habitat.simulator.habitat_sim_v0.enable_physics=True",
            "habitat.environment.iterator_options.shuffle=False",
            "habitat.environment.max_episode_steps=2000",
            "habitat.simulator.forward_step_size=0.1",
            "habitat.simulator.turn_angle=5",
        ],
    )
    with read_write(config):
        config.habitat.simulator.agents.main_agent.sim_sensors = {}
    measured = []
    with habitat.Env(config) as env:
        follower = ShortestPathFollower(env.sim, 0.1, return_one_hot=False)
        for _ in env.episodes:
            env.reset()
            goal = env.current_episode.goals[0].position
            while not env.episode_over:
                env.step({"action": follower.get_next_action(goal) or 0})
            measured.append({"id": env.current_episode.episode_id, **env.get_metrics()})
    return [{k: v for k, v in each.items() if not isinstance(v, dict)} for each in measured]


def rearranged(episodes: str) -> str:
    from habitat.datasets.rearrange.rearrange_dataset import RearrangeDatasetV0

    made = RearrangeDatasetV0()
    with gzip.open(episodes, "rt") as file:
        made.from_json(file.read())
    return str(made.to_json())


def main(kind: str, *arguments: str) -> None:
    if kind == "run":
        episodes, dataset, output = arguments
        Path(output).write_text(json.dumps(run(episodes, dataset), default=float))
        return
    if kind == "rearranged":
        episodes, output = arguments
        text = rearranged(episodes)
    else:
        dataset, scene, output, count, *rest = arguments
        text = (points if kind == "points" else objects)(dataset, scene, int(count), *rest)
    with gzip.open(output, "wt") as file:
        file.write(text)


if __name__ == "__main__":
    main(*sys.argv[1:])
