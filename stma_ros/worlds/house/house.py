"""The world `house`: a robot with a camera in a procedural flat."""

from __future__ import annotations

from stma_ros.worlds.house.config import HouseConfig
from stma_ros.worlds.house.flat import Flat
from stma_ros.worlds.house.place import FlatPlace, flat_of, home_of, scene_of
from stma_ros.worlds.house.rendering.renderer import Renderer
from stma_ros.worlds.robot.simulated_world import SimulatedWorld


class House(SimulatedWorld[FlatPlace]):
    """A World (see types/world.py). Scenes are "flat_0", "flat_1", ..., numbered by the flat's seed, or the path of a
    saved flat (flat_file.py), "my_flat.json".

    Raises:
        ConfigurationError: settings that no flat can have.
    """

    def __init__(self, config: HouseConfig) -> None:
        super().__init__(config)
        config.check()
        self._config = config

    @property
    def flat(self) -> Flat:
        """The loaded flat, for scorers and drawings only."""
        return self.place.flat

    def load(self, scene: str) -> FlatPlace:
        flat = flat_of(scene, self._config)
        renderer = Renderer(flat, self.camera)
        return FlatPlace(
            home_of(scene),
            flat,
            renderer,
            self._config.changes,
            daylight=renderer.set_daylight,
            changes_between=self._config.changes_between,
        )

    def default_scene(self, seed: int) -> str:
        return scene_of(seed)
