"""Games in homes of many rooms: they can be generated and explored completely, and they never end."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("textworld", reason="text games need TextWorld: pip install 'stma_ros[cooking]'")

from stma_ros.domains.cooking.scene import Scene, read_scene
from stma_ros.evaluation.cooking.oracle import read_truth
from stma_ros.types import topics
from stma_ros.types import vocabulary as words
from stma_ros.types.component import CancelToken
from stma_ros.types.errors import ConfigurationError
from stma_ros.types.planning import Action, SkillRequest
from stma_ros.types.sensing import EpisodeState, Observation
from stma_ros.types.truth import GroundTruth
from stma_ros.worlds.textworld.config import TextWorldConfig
from stma_ros.worlds.textworld.game_world import GameWorld
from stma_ros.worlds.textworld.games import TRUTH_SUFFIX, game_file, game_settings, games_folder
from stma_ros.worlds.textworld.roomy_home import OBJECTIVE, HomeSettings

pytestmark = pytest.mark.filterwarnings(
    "ignore:Game .* is not fully supported"
)  # of TextWorld's own interpreter

ROOMS, SEED = 30, 100_000
SCENE = f"home_{ROOMS}"


@pytest.fixture(scope="module")
def game() -> Path:
    return game_file(SCENE, SEED, games_folder(""))


class Player:
    """Sends commands and holds the last answer."""

    def __init__(self, world: GameWorld) -> None:
        self._world = world
        self.do(Action("observe"))

    def say(self, command: str) -> Observation:
        return self.do(Action("command", (command,)))

    def do(self, action: Action) -> Observation:
        request = SkillRequest(request_id="t1/4", task_id="t1", step=4, action=action)
        said = dict(self._world.execute(request, CancelToken()))
        observation, truth = said[topics.OBSERVATION], said[topics.GROUND_TRUTH]
        assert isinstance(observation, Observation)
        assert isinstance(truth, GroundTruth)
        assert not observation.last_outcome.error
        self.now, self.truth = observation, truth
        return observation

    @property
    def room(self) -> str:
        return self.scene.room

    @property
    def scene(self) -> Scene:
        now = self.now
        return read_scene(now.description, now.inventory, now.admissible_commands)


@pytest.fixture
def player(game: Path) -> Iterator[Player]:
    world = GameWorld(TextWorldConfig())
    world.reset(SCENE, SEED)
    assert world.objective == OBJECTIVE
    yield Player(world)
    world.close()


def test_a_home_game_has_its_ground_truth_file(game: Path) -> None:
    truth = read_truth(game.with_suffix(TRUTH_SUFFIX))
    assert truth.objective == OBJECTIVE
    assert sum(kind == "r" for kind in truth.types.values()) == ROOMS
    assert "cookbook" not in truth.names.values()


def test_every_room_of_a_home_game_is_found_by_its_text(player: Player) -> None:
    """The depth-first walk reads exits and doors from the description and commands from the list, as an agent
    does."""
    seen: set[str] = set()

    def visit() -> None:
        seen.add(player.room)
        here = player.room
        for direction in [way.direction for way in player.scene.exits]:
            way = next(way for way in player.scene.exits if way.direction == direction)
            if way.closed:
                player.say(f"open {way.door}")
            player.say(f"go {direction}")
            assert player.room != here
            if player.room not in seen:
                visit()
            player.say(f"go {words.OPPOSITE[direction]}")
            assert player.room == here

    visit()
    assert len(seen) == ROOMS
    assert player.now.episode == EpisodeState.RUNNING


def test_no_possible_command_ends_a_home_game(player: Player) -> None:
    """In each room everything is opened, taken and eaten where possible."""
    done: set[tuple[str, str]] = set()
    for _ in range(120):
        commands = player.now.admissible_commands
        new = [c for c in commands if (player.room, c) not in done and c.split()[0] != "go"]
        hands_on = [c for c in new if c.split()[0] in ("open", "take", "eat")]
        moves = sorted((c for c in commands if c.startswith("go ")), key=lambda c: (player.room, c) in done)
        command = (hands_on or moves)[0]
        done.add((player.room, command))
        player.say(command)
        assert player.now.episode == EpisodeState.RUNNING
        assert player.now.admissible_commands
        assert (player.truth.score, player.truth.max_score) == (0, 1)
    assert {command.split()[0] for _, command in done} == {"open", "take", "eat", "go"}


MAKE = "import sys; from pathlib import Path; from stma_ros.worlds.textworld.games import game_file; "
MAKE += "print(game_file('home_3', 7, Path(sys.argv[1])))"


def test_equal_seeds_make_equal_home_games_in_every_process(tmp_path: Path) -> None:
    homes = []
    for number in (1, 2):
        environment = os.environ | {
            "PYTHONHASHSEED": str(number),
            "PYTHONPATH": str(Path(__file__).parents[2]),
        }
        made = subprocess.run(
            [sys.executable, "-c", MAKE, str(tmp_path / str(number))],
            capture_output=True,
            text=True,
            check=True,
            timeout=120,
            env=environment,
        )
        homes.append(json.loads(Path(made.stdout.strip()).with_suffix(TRUTH_SUFFIX).read_text()))
    for part in ("world", "infos", "objective"):
        assert homes[0][part] == homes[1][part]


@pytest.mark.parametrize("seed", [100_001, 100_002])
def test_the_largest_home_game_fits_into_a_story_file(seed: int, tmp_path: Path) -> None:
    assert game_file("home_36", seed, tmp_path).stat().st_size <= 512 * 1024


def test_the_scene_name_of_a_home_game_states_its_rooms() -> None:
    assert game_settings(SCENE) == HomeSettings(ROOMS)
    assert HomeSettings(ROOMS).scene == SCENE


@pytest.mark.parametrize("scene", ["home_1", "home_37", "home_1000"])
def test_a_home_game_out_of_range_is_refused(scene: str, tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match=f"{scene}: a home has 2 to 36 rooms"):
        game_file(scene, SEED, tmp_path)
