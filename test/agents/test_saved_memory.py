"""A restarted agent knows its home, unless the saved memory is damaged, outdated or of another home."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

pytest.importorskip("open3d", reason="the house world needs the extra `house`")

from stma_ros.agents.configured_agent import configure_agent
from stma_ros.agents.local_agent import LocalAgent
from stma_ros.domains.household.category_knowledge import household_categories
from stma_ros.evaluation.scene_graphs import match
from stma_ros.types import vocabulary as words
from stma_ros.types.errors import ErrorCode, StorageError
from stma_ros.types.message import Message
from stma_ros.types.planning import SkillRequest, TaskStatus
from stma_ros.types.remembering import MemoryReply
from stma_ros.types.scene_graph import ObjectNode, SceneGraph
from stma_ros.types.standard import Time
from stma_ros.types.world import World
from stma_ros.worlds.house.house import House
from stma_ros.worlds.registry import make_world
from support.worlds.map_frames import AT_HOME

HOME, ELSEWHERE = "flat_1000", "flat_1001"
EVERYTHING = "find the unicorn"  # there is none: the flat is searched for as long as there are commands
# Homes that lie over one another on the map: a memory of another home is recognised where both are known.
SMALL = {"rooms": 3, "width": 160, "height": 120, **AT_HOME}


@dataclass
class Notes:
    """Records the skills, graphs and complaints of an agent."""

    skills: list[str] = field(default_factory=list)
    graphs: list[SceneGraph] = field(default_factory=list)
    complaints: list[MemoryReply] = field(default_factory=list)

    def __call__(self, topic: str, message: Message) -> None:
        match message:
            case SkillRequest():
                self.skills.append(message.action.skill)
            case SceneGraph():
                self.graphs.append(message)
            case MemoryReply() if not message.request_id:
                self.complaints.append(message)


def start(world: World, folder: Path, **settings: object) -> tuple[LocalAgent, Notes]:
    notes = Notes()
    agent = configure_agent("full", {"spatial_memory": {"memory_dir": str(folder), **settings}})
    return LocalAgent(world, agent, [notes]), notes


@pytest.fixture(scope="module")
def house() -> Iterator[World]:
    house = make_world("house", SMALL)
    yield house
    house.close()


@pytest.fixture(scope="module")
def yesterday(house: World, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, SceneGraph]:
    """Returns the folder of a saved memory and the last scene graph of that session."""
    folder = tmp_path_factory.mktemp("yesterday")
    house.reset(HOME, 1000)
    agent, notes = start(house, folder)
    agent.run_task(EVERYTHING, 8)
    agent.close()
    return folder, notes.graphs[-1]


@pytest.fixture
def saved(yesterday: tuple[Path, SceneGraph], tmp_path: Path) -> Path:
    return Path(shutil.copytree(yesterday[0], tmp_path / "saved"))


def only_file(folder: Path) -> Path:
    (path,) = folder.iterdir()
    return path


def portable(graph: SceneGraph) -> list[ObjectNode]:
    return [node for node in graph.objects if household_categories().is_portable(node.category)]


def an_errand(graph: SceneGraph) -> tuple[str, str]:
    """Returns a small object that stands on furniture, and the widest surface of another category."""
    kinds = {node.id: node.category for node in graph.objects}
    holders = {fact.subject: kinds[fact.object] for fact in graph.relations if fact.predicate == words.ON}
    thing = next(node for node in portable(graph) if node.id in holders)
    surfaces = [
        node
        for node in graph.objects
        if household_categories().is_surface(node.category) and node.category != holders[thing.id]
    ]
    return thing.category, max(surfaces, key=lambda node: node.size.x * node.size.y).category


def first_seen(graph: SceneGraph) -> dict[str, Time]:
    rooms = {room.id: room.first_seen for room in graph.rooms}
    return rooms | {node.id: node.first_seen for node in graph.objects}


def test_restarted_agent_needs_no_new_exploration(house: World, tmp_path: Path) -> None:
    house.reset(HOME, 1000)
    agent, before = start(house, tmp_path)
    agent.run_task(EVERYTHING, 60)
    agent.close()
    assert words.SKILL_EXPLORE in before.skills
    thing, surface = an_errand(before.graphs[-1])

    agent, after = start(house, tmp_path)  # the house is as it was left
    result = agent.run_task(f"put the {thing} on the {surface}", 30)
    assert result.status == TaskStatus.SUCCEEDED, result.text
    assert not {words.SKILL_EXPLORE, words.SKILL_LOOK_AROUND} & set(after.skills)
    first, last = after.graphs[0], before.graphs[-1]
    assert {node.id for node in last.objects} <= {node.id for node in first.objects}
    assert {room.id for room in last.rooms} == {room.id for room in first.rooms}
    # The flat's clock went on: the past keeps its stamps.
    assert first_seen(last).items() <= first_seen(first).items()
    states = {node.id: set(node.state_names) for node in first.objects}
    assert all(set(node.state_names) <= states[node.id] for node in last.objects), "what was opened is open"


def test_memory_of_one_session_fits_the_home_in_the_next_with_a_drawn_map_frame(tmp_path: Path) -> None:
    told: list[SceneGraph] = []
    for seed in (1000, 1005):
        house = make_world("house", {**SMALL, "map_yaw": "nan", "map_offset": ""})
        assert isinstance(house, House)
        house.reset(HOME, seed)
        agent, notes = start(house, tmp_path)
        agent.run_task(EVERYTHING, 4)
        agent.close()
        told.append(notes.graphs[-1 if not told else 0])
        truth = house.truth()
        house.close()
    remembered = {node.id for node in told[0].objects} & {node.id for node in told[1].objects}
    assert len(remembered) == len(told[0].objects) > 10
    nodes = [node for node in told[1].objects if node.id in remembered]
    assert len(match(nodes, truth.objects)) > 0.8 * len(nodes)


def test_restarted_agent_acts_as_one_that_ran_on(house: World, tmp_path: Path) -> None:
    def second_half(restarted: bool) -> list[str]:
        house.reset(HOME, 1000)
        agent, notes = start(house, tmp_path / str(restarted))
        agent.run_task(EVERYTHING, 8)
        thing, surface = an_errand(notes.graphs[-1])
        if restarted:
            agent.close()
            agent, notes = start(house, tmp_path / str(restarted))
        done = len(notes.skills)
        agent.run_task(f"put the {thing} on the {surface}", 30)
        return notes.skills[done:]

    assert second_half(restarted=True) == second_half(restarted=False)


def test_loaded_memory_lies_in_the_past_when_the_clock_restarts(
    house: World, saved: Path, yesterday: tuple[Path, SceneGraph]
) -> None:
    house.reset(HOME, 1000)
    agent, notes = start(house, saved)
    agent.run_task(EVERYTHING, 1)
    before = {node.id: node for node in yesterday[1].objects}
    now = {node.id: node for node in notes.graphs[0].objects}
    started = notes.graphs[0].header.stamp
    assert before.keys() <= now.keys()
    assert all(now[name].first_seen < started for name in before)
    unseen = [name for name in before if now[name].last_seen < started]
    assert unseen
    one, other = unseen[0], unseen[-1]
    assert (
        before[other].last_seen.nanoseconds - before[one].last_seen.nanoseconds
        == now[other].last_seen.nanoseconds - now[one].last_seen.nanoseconds
    )
    assert not notes.complaints


def test_agent_answers_with_a_picture_where_an_object_was_seen_in_the_last_session(
    house: World, saved: Path, yesterday: tuple[Path, SceneGraph]
) -> None:
    house.reset(HOME, 1000)
    agent, _ = start(house, saved)
    thing = portable(yesterday[1])[0]
    answer = agent.last_seen(f"my {thing.category}")
    sighting = next(sighting for sighting in answer.sightings if sighting.object_id == thing.id)
    assert sighting.present
    assert sighting.place
    assert sighting.picture.data.tobytes().startswith(b"\xff\xd8")
    assert answer.text.startswith("I last saw the ")
    assert agent.last_seen("unicorn").error.code == ErrorCode.NOT_REMEMBERED


def test_a_memory_of_another_home_is_left_unchanged(house: World, saved: Path) -> None:
    old = only_file(saved)
    content = old.read_bytes()
    house.reset(ELSEWHERE, 1001)
    agent, notes = start(house, saved)
    agent.run_task(EVERYTHING, 3)
    assert [reply.error.code for reply in notes.complaints] == [ErrorCode.MEMORY_OF_ANOTHER_PLACE]
    assert old.name in notes.complaints[0].text
    agent.close()
    assert old.read_bytes() == content
    assert sorted(path.name for path in saved.iterdir()) == ["memory-2.stma", "memory.stma"]

    house.reset(ELSEWHERE, 1001)
    without, clean = start(house, saved / "none")
    without.run_task(EVERYTHING, 3)
    assert notes.skills == clean.skills, "decisions are those of a clean start"

    house.reset(HOME, 1000)  # back home: the newer memory does not fit, the older one does
    agent, notes = start(house, saved)
    agent.run_task(EVERYTHING, 1)
    assert ["memory-2.stma" in reply.text for reply in notes.complaints] == [True]
    agent.save()
    assert old.read_bytes() != content


@pytest.mark.parametrize(
    ("spoil", "code"),
    [
        (lambda content: content[: len(content) // 2], ErrorCode.MEMORY_UNREADABLE),
        (lambda content: content.replace(b"memory 1.", b"memory 0.", 1), ErrorCode.MEMORY_VERSION),
        (lambda content: b"shopping list", ErrorCode.MEMORY_UNREADABLE),
    ],
    ids=["truncated", "another version", "not ours"],
)
def test_agent_starts_empty_when_its_memory_cannot_be_read(house: World, saved: Path, spoil, code) -> None:  # type: ignore[no-untyped-def]
    old = only_file(saved)
    spoilt = spoil(old.read_bytes())
    old.write_bytes(spoilt)
    house.reset(HOME, 1000)
    agent, notes = start(house, saved)
    agent.run_task(EVERYTHING, 1)
    agent.run_task(EVERYTHING, 1)
    assert [(reply.error.code, old.name in reply.text) for reply in notes.complaints] == [(code, True)]
    assert "memory-2.stma" in agent.save().text
    assert old.read_bytes() == spoilt


def test_agent_starts_empty_when_its_memory_has_other_map_settings(house: World, saved: Path) -> None:
    house.reset(HOME, 1000)
    agent, notes = start(house, saved, resolution=0.1)
    agent.run_task(EVERYTHING, 1)
    assert [reply.error.code for reply in notes.complaints] == [ErrorCode.MEMORY_VERSION]
    message = notes.complaints[0].text
    assert "(resolution 0.05, not 0.1)" in message
    assert "spatial_memory.resolution=0.05" in message


def test_forgotten_objects_are_removed_from_the_file_as_well(
    house: World, saved: Path, yesterday: tuple[Path, SceneGraph]
) -> None:
    agent, _ = start(house, saved)
    first, *_, last = portable(yesterday[1])
    assert first.id in agent.forget(first.id).text
    assert agent.last_seen(first.id).error.code == ErrorCode.NOT_REMEMBERED
    assert last.id in agent.forget(f"{last.category}s").text
    assert agent.forget(last.category).error.code == ErrorCode.NOT_REMEMBERED
    agent.close()
    again, _ = start(house, saved)
    forgotten = [name for name in (first.id, last.id) if again.last_seen(name).error]
    assert forgotten == [first.id, last.id]
    assert again.last_seen("door_1").sightings
    path = only_file(saved)
    assert str(path) in again.forget().text
    assert not path.exists()
    assert again.last_seen("door_1").error.code == ErrorCode.NOT_REMEMBERED
    again.close()
    assert not list(saved.iterdir()), "nothing was seen since: nothing is saved"


def test_memory_is_not_saved_without_a_folder() -> None:
    house = make_world("house", SMALL)
    agent = LocalAgent(house, configure_agent())
    reply = agent.save()
    assert (reply.error.code, "memory_dir" in reply.text) == (ErrorCode.MEMORY_NOT_KEPT, True)
    assert not agent.forget().error
    agent.close()


def test_an_unusable_memory_folder_is_refused_at_the_start(house: World, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(StorageError, match="memory_dir"):
        start(house, tmp_path / "file")


def test_all_memories_of_an_agent_are_saved_in_one_folder_unless_they_are_given_their_own():
    def folders(**components: str) -> dict[str, str]:
        settings = {name: {"memory_dir": folder} for name, folder in components.items()}
        configs = configure_agent("pred_eqa", settings).configs
        return {name: configs[name].memory_dir for name in ("spatial_memory", "visual_memory")}

    assert folders() == {"spatial_memory": "", "visual_memory": ""}
    assert folders(spatial_memory="/home") == {"spatial_memory": "/home", "visual_memory": "/home"}
    assert folders(spatial_memory="/home", visual_memory="") == {
        "spatial_memory": "/home",
        "visual_memory": "",
    }
