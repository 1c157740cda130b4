"""Measures of the scorer on the true flat of an episode: what a camera pose shows, how far the evidence is."""

from __future__ import annotations

from stma_ros.evaluation.eqa.generation.episode import QuestionEpisode
from stma_ros.evaluation.eqa.generation.grounding import Recognition
from stma_ros.evaluation.eqa.generation.home import QuestionHome
from stma_ros.evaluation.eqa.generation.sight_scene import SightScene
from stma_ros.evaluation.eqa.generation.walking import WalkingDistances
from stma_ros.worlds.robot.camera import Camera
from stma_ros.worlds.robot.geometry import Placement
from stma_ros.worlds.robot.state import SceneState


class EpisodeGeometry:
    """The flat of an episode, for its scorer. Poses are those of the base in the frame of the home: the scorer converts
    poses in the map frame (`SimulatedWorld.map_frame`).

    Args:
        episode: the episode.
        camera: the camera of the world.
    """

    def __init__(self, episode: QuestionEpisode, camera: Camera = Camera()) -> None:
        self._truth, self._camera = episode.truth, camera
        self._home = QuestionHome(episode.flat_seed)
        self._recognition = Recognition(self._home.flat, camera)
        self._state, self._scene = self._home.state, SightScene(self._home.flat, self._home.state, camera)

    def shows_evidence(self, base: Placement, state: SceneState | None = None) -> bool:
        """Returns whether a picture from a pose shows evidence for the answer (grounding.py).

        Args:
            base: pose of the base.
            state: of the scene when the picture was taken; None = as at the begin of the episode.
        """
        wanted = self._home.state if state is None else state
        if wanted != self._state:
            self._state, self._scene = wanted, SightScene(self._home.flat, wanted, self._camera)
        return self._recognition.shows_evidence(self._scene.pixels(base), self._truth)

    def distance_to_goal(self, place: Placement) -> float:
        """Returns the length of the way of the base from a place to the end of the oracle's plan [m], for d_T."""
        ground = self._home.flat.ground(self._home.state)
        walking = WalkingDistances(ground, self._truth.goal)
        return walking.route_length([walking.nearest(place.x, place.y)])
