"""The worlds that the conformance suite is run on. A new world is one more entry of SUBJECTS."""

from __future__ import annotations

import importlib.util
import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from stma_ros.testing.world_conformance import Played, Subject, command, request, target
from stma_ros.types import topics
from stma_ros.types import vocabulary as words
from stma_ros.types.planning import SkillRequest, SkillTarget
from stma_ros.types.standard import Odometry, Pose, TransformStamped
from stma_ros.types.world import Senses, World
from stma_ros.worlds.habitat.config import INSIDE, PROCESS
from stma_ros.worlds.house.building.doors import DOOR
from stma_ros.worlds.registry import make_world
from stma_ros.worlds.robot.geometry import Placement
from support.people_programs import MILK_TO_THE_TABLE, home_document, write_activity
from support.worlds.habitat_available import why_not_in_a_process, why_not_inside
from support.worlds.story_files import GENERATED, generate_story

SMALL = {"width": 64, "height": 48}
LOST = Path(__file__).with_name("lost_script.yaml")  # after the second look_around the episode is lost


def base_in_map(look: Played) -> Pose:
    """Returns the pose of the base in the map at the end of a skill."""
    frame = look.frames[-1]
    base = frame.part(topics.ODOMETRY, Odometry).pose.pose
    correction = frame.part(topics.LOCALIZATION, TransformStamped).pose
    placed = Placement(correction.position.x, correction.position.y, correction.yaw).times(
        Placement(base.position.x, base.position.y, base.yaw)
    )
    return Pose.planar(placed.x, placed.y, placed.yaw)


def robot_requests(look: Played) -> Sequence[SkillRequest]:
    """Returns requests for any robot with wheels: look around, and turn on the spot."""
    here = base_in_map(look)
    turned = Pose.planar(here.position.x, here.position.y, here.yaw + 2.0)
    ahead = target(here.position.x + math.cos(here.yaw + 2.0), here.position.y + math.sin(here.yaw + 2.0))
    there = request("navigate", ahead, goal=turned)
    return request("look_around"), there, there  # the second time it is there already


def house_requests(look: Played) -> Sequence[SkillRequest]:
    """Adds requests that open the nearest container."""
    here = base_in_map(look).position
    container = min(
        (
            thing
            for thing in look.truth.objects
            if words.STATE_CLOSED in thing.states and thing.category != DOOR
        ),
        key=lambda thing: math.dist(
            (here.x, here.y), (thing.box.center.position.x, thing.box.center.position.y)
        ),
    )
    box = container.box
    middle, ahead = box.center.position, box.size.x / 2 + 0.9
    yaw = box.center.yaw
    front = Pose.planar(middle.x + ahead * math.cos(yaw), middle.y + ahead * math.sin(yaw), yaw + math.pi)
    asked = SkillTarget(id="container_1", category=container.category, pose=box.center, size=box.size)
    return *robot_requests(look), request("navigate", asked, goal=front), request("open", asked)


def scripted_requests(look: Played) -> Sequence[SkillRequest]:
    """Adds requests that handle an object within reach."""
    here = base_in_map(look).position
    within_reach = target(here.x + 0.5, here.y)
    return *robot_requests(look), request("pick", within_reach), request("place_on", within_reach)


def commands(look: Played) -> Sequence[SkillRequest]:
    return command("look"), command("inventory"), command(look.observation.admissible_commands[0])


def winning(_: Played) -> Sequence[SkillRequest]:
    from stma_ros.evaluation.cooking.oracle import perfect_plan, read_truth
    from stma_ros.worlds.textworld.games import TRUTH_SUFFIX, game_file, games_folder

    game = game_file("level_2", 1_400_001, games_folder(""))
    return [command(line) for line in perfect_plan(read_truth(game.with_suffix(TRUTH_SUFFIX)))]


HOUSE = Subject(
    "house",
    lambda: make_world("house", SMALL),
    Senses.CAMERA,
    scene="flat_1004",
    seed=3,
    other_seed=5,
    possible=house_requests,
    other_scene="flat_1011",
    unknown_scene="attic",
)
TURNED_HOUSE = replace(
    HOUSE,
    name="house at any angle",
    make=lambda: make_world("house", {**SMALL, "map_yaw": math.nan, "map_offset": ""}),
)
NOISY_HOUSE = Subject(
    "noisy house",
    lambda: make_world(
        "house",
        {**SMALL, "noise": True, "changes": 3, "frame_rate": 4.0, "map_yaw": math.nan, "map_offset": ""},
    ),
    Senses.CAMERA,
    scene="flat_1011",
    seed=2,
    other_seed=4,
    possible=lambda look: robot_requests(look)[:1],
)


def _habitat(name: str, engine: str) -> Subject:
    return replace(
        HOUSE,
        name=name,
        make=lambda: make_world("habitat", {**SMALL, "engine": engine}),
        possible=robot_requests,
    )


def _with_a_dataset() -> World:
    """Returns the flat as an external data set: its world knows only the files."""
    from stma_ros.worlds.habitat.flat_stage import exported_flat
    from stma_ros.worlds.house.furnishing.item_placement import make_flat

    exported = exported_flat(make_flat(1004), "")
    return make_world("habitat", {**SMALL, "dataset": str(exported.dataset)})


HABITAT = _habitat("habitat in a process", PROCESS)
HABITAT_INSIDE = _habitat("habitat inside", INSIDE)
HABITAT_DATASET = replace(HABITAT, name="habitat with a data set", make=_with_a_dataset, other_scene="")
SCRIPTED = Subject(
    "scripted",
    lambda: make_world("scripted", SMALL),
    Senses.CAMERA,
    scene="room",
    seed=1,
    other_seed=2,
    possible=scripted_requests,
    other_scene=str(LOST),
    knows_truth=False,
)
SCRIPTED_TO_ITS_END = Subject(
    "scripted to its end",
    lambda: make_world("scripted", SMALL),
    Senses.CAMERA,
    scene=str(LOST),
    seed=1,
    other_seed=2,
    possible=lambda look: robot_requests(look)[:1],
    unknown_scene="no_such_script.yaml",
    ending=lambda _: [request("look_around")] * 2,
    knows_truth=False,
)
TEXTWORLD = Subject(
    "textworld",
    lambda: make_world("textworld"),
    Senses.TEXT,
    scene="level_2",
    seed=1_400_001,
    other_seed=1_400_002,
    possible=commands,
    other_scene="level_1",
    unknown_scene="kitchen",
    ending=winning,
)


def _jericho() -> World:
    return make_world("jericho", {"story": str(generate_story())})


JERICHO = Subject(
    "jericho",
    _jericho,
    Senses.TEXT,
    scene=str(GENERATED),
    seed=1,
    other_seed=2,
    possible=lambda _: (command("look"), command("say anything"), command("go south")),
    unknown_scene="no_such_story.z8",
    impossible=lambda _: (command("open \\help"), command("look " * 100)),
    ending=winning,
    varies_with_seed=False,  # a generated story uses no random numbers
)


def problem_commands(_: Played) -> Sequence[SkillRequest]:
    from stma_ros.worlds.pddl.wording import FIXED_COMMANDS

    return *map(command, FIXED_COMMANDS), *_solving("gripper", 7)[:2]


def _solving(domain: str, seed: int) -> list[SkillRequest]:
    """Returns the plan that comes with a generated problem."""
    from stma_ros.types.sentences import Sentences
    from stma_ros.worlds.pddl.loaded_task import load_task
    from stma_ros.worlds.pddl.problems.registry import GENERATORS

    sentences = Sentences(load_task(domain, seed).planning.model)
    return [command(sentences.command(name, arguments)) for name, *arguments in GENERATORS[domain](seed).plan]


PDDL = Subject(
    "pddl",
    lambda: make_world("pddl"),
    Senses.TEXT,
    scene="gripper",
    seed=7,
    other_seed=8,
    possible=problem_commands,
    other_scene="barman",
    unknown_scene="no_such_problem.pddl",
    impossible=lambda _: (command("drop ball1 in rooma from right"), command("pick up ball1")),
    ending=lambda _: _solving("gripper", 7),
)


@cache
def _activities() -> TemporaryDirectory[str]:
    folder = TemporaryDirectory()
    for name in ("breakfast", "supper"):
        write_activity(Path(folder.name), name, MILK_TO_THE_TABLE, home_document())
    return folder


PROGRAMS = Subject(
    "programs",
    lambda: make_world("programs", {"folder": _activities().name, "moved": True}),
    Senses.TEXT,
    scene="breakfast",
    seed=1,
    other_seed=2,
    possible=lambda _: [command(text) for text in ("walk to kitchen_1", "walk to table_1", "wash table_1")],
    other_scene="supper",
    unknown_scene="lunch",
    impossible=lambda _: (command("grab table_1"), command("open the fridge")),
)


def _needs(module: str, why: str) -> pytest.MarkDecorator:
    return pytest.mark.skipif(importlib.util.find_spec(module) is None, reason=why)


def _habitat_needs(why_not: str) -> pytest.MarkDecorator:
    return pytest.mark.skipif(bool(why_not), reason=f"habitat: {why_not}")


_OPEN3D = _needs("open3d", "the world 'house' needs Open3D: pip install 'stma_ros[house]'")
_JERICHO = _needs("jericho", "text adventures need jericho: pip install 'stma_ros[adventure]'")
_PLANNING = _needs("unified_planning", "PDDL needs unified-planning: pip install 'stma_ros[pddl]'")
_TEXTWORLD = _needs("textworld", "text games need TextWorld: pip install 'stma_ros[cooking]'")

SUBJECTS: Mapping[str, tuple[Subject, Sequence[pytest.MarkDecorator]]] = {
    subject.name: (subject, marks)
    for subject, marks in (
        (SCRIPTED, ()),
        (SCRIPTED_TO_ITS_END, ()),
        (HOUSE, (_OPEN3D,)),
        (TURNED_HOUSE, (_OPEN3D,)),
        (NOISY_HOUSE, (_OPEN3D,)),
        (HABITAT, (_habitat_needs(why_not_in_a_process()),)),
        (HABITAT_DATASET, (_habitat_needs(why_not_in_a_process()),)),
        (HABITAT_INSIDE, (_habitat_needs(why_not_inside()),)),
        (TEXTWORLD, (_TEXTWORLD,)),
        (PDDL, (_PLANNING,)),
        (PROGRAMS, ()),
        (JERICHO, (_TEXTWORLD, _JERICHO)),
    )
}
