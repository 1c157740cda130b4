"""SceneMemory: observation of frames, queries, persistence, and refusals with cause and remedy."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from stma_ros import (
    CategoryKnowledge,
    KnowledgeMemory,
    OccupancyMap,
    SceneMemory,
    SceneMemoryConfig,
    TaskNotUnderstoodError,
)
from stma_ros.library.errors import LateFrameError, MemoryClosedError
from stma_ros.library.scene.place_persistence import LONGEST_TRIAL
from stma_ros.memory.descriptions import Description
from stma_ros.memory.negative_evidence import USUAL_RECALL
from stma_ros.sensing.camera_frame import CameraFrame, frame_of
from stma_ros.sensing.detectors.port import Detector, DetectorOutput
from stma_ros.storage.memory_store import (
    MemoryInUseError,
    MemoryNotSavedError,
    MemoryUnreadableError,
    MemoryVersionError,
)
from stma_ros.types import topics
from stma_ros.types import vocabulary as words
from stma_ros.types.errors import ConfigurationError, ErrorCode, NotRememberedError, WrongFrameError
from stma_ros.types.message import Message
from stma_ros.types.standard import TransformStamped
from support.library.wall_arrays import FRIDGE, MUG, OPTICAL, wall_frame

CONFIG = SceneMemoryConfig(resolution=0.1)

BACK = np.diag([-1.0, -1.0, 1.0, 1.0]) @ OPTICAL
"""The optical frame of a camera at the same place that looks along -x."""


def seen(memory: SceneMemory, *frames: CameraFrame) -> SceneMemory:
    for frame in frames:
        assert not memory.observe(frame).error
    return memory


def memory_of_the_wall(folder: Path | None = None) -> SceneMemory:
    return seen(SceneMemory(folder, config=CONFIG), wall_frame(1, FRIDGE, MUG), wall_frame(2, FRIDGE, MUG))


def test_scene_memory_answers_where_a_thing_was_last_seen() -> None:
    memory = memory_of_the_wall()
    answer = memory.last_seen("the red mug")
    assert (bool(answer), answer.is_present) == (True, True)
    assert str(answer) == answer.text
    assert answer.text.startswith("I last saw the red mug (mug_1) 1 s ago")
    assert answer.position == pytest.approx((2.0, -0.8, 1.2), abs=0.05)
    assert answer.sightings[0].object_id == "mug_1"


def test_scene_memory_answers_a_question_with_its_evidence() -> None:
    memory = memory_of_the_wall()
    answer = memory.ask("What colour is the fridge?")
    assert (bool(answer), answer.answer) == (True, "white")
    assert not answer.is_sure  # one keyframe alone shows it
    assert str(answer) == answer.text
    assert [sighting.object_id for sighting in answer.evidence] == ["fridge_1"]
    assert not memory.ask("Is there a bathtub?").is_sure
    assert not memory.ask("Who made the mug?")


def test_memory_that_is_read_again_knows_what_was_not_seen(tmp_path: Path) -> None:
    """Whether all was seen depends on where the robot is, which a file tells as long as no frame does."""
    far = [wall_frame(stamp, FRIDGE, y=30.0) for stamp in (1, 2)]
    with SceneMemory(tmp_path, config=CONFIG) as memory:
        before = [frontier.id for frontier in seen(memory, *far).frontiers.frontiers]
    with SceneMemory(tmp_path, config=CONFIG) as memory:
        assert [frontier.id for frontier in memory.frontiers.frontiers] == before != []
        answer = memory.ask("Is there a piano?")
        assert (answer.answer, answer.is_sure) == ("no", False)


def test_scene_memory_refuses_to_answer_what_is_no_question() -> None:
    with pytest.raises(TaskNotUnderstoodError, match="asks nothing"):
        memory_of_the_wall().ask("sing")


def test_scene_memory_answers_that_an_object_was_never_seen() -> None:
    answer = memory_of_the_wall().last_seen("the keys")
    assert (bool(answer), answer.sightings, answer.position, answer.place) == (False, (), None, "")
    assert "I have not seen" in answer.text


def test_scene_graph_map_and_frontiers_belong_to_the_newest_frame() -> None:
    memory = memory_of_the_wall()
    assert [item.id for item in memory.scene_graph.objects] == ["fridge_1", "mug_1"]
    assert (memory.scene_graph.header.stamp.seconds, memory.scene_graph.header.frame_id) == (2.0, "map")
    assert memory.scene_graph is memory.scene_graph
    grid = memory.map.occupancy
    assert grid.data.dtype == np.int8
    assert grid.data[grid.geometry.cell(2.05, 0.0)] == 100
    before = memory.scene_graph
    seen(memory, wall_frame(3, FRIDGE, MUG))
    assert memory.scene_graph is not before
    assert memory.frontiers.header == memory.scene_graph.header


def test_observe_reports_keyframes_and_their_detections() -> None:
    memory = SceneMemory(config=CONFIG)
    results = [memory.observe(wall_frame(stamp, MUG)) for stamp in (1.0, 1.1)]
    assert [result.keyframe for result in results] == [True, False]
    assert [item.category for item in results[0].detections] == ["mug"]
    assert [str(result) for result in results] == ["keyframe, 1 detections", "mapped"]


def test_an_empty_scene_memory_answers_every_query() -> None:
    memory = SceneMemory()
    assert memory.scene_graph.objects == ()
    assert "nothing yet" in memory.last_seen("the mug").text
    assert memory.map.occupancy.data.size == 0


def test_the_first_frame_may_have_stamp_zero() -> None:
    memory = seen(SceneMemory(config=CONFIG), wall_frame(0, MUG))
    assert [item.id for item in memory.scene_graph.objects] == ["mug_1"]


def test_frames_without_segmentation_update_only_the_map() -> None:
    memory = memory_of_the_wall()
    plain = wall_frame(3, segmentation=None, labels=None)
    result = memory.observe(plain)
    assert (result.keyframe, bool(result.error)) == (False, False)
    assert memory.last_seen("the mug").is_present  # a frame without segmentation is no evidence of absence
    bare = seen(SceneMemory(config=CONFIG), wall_frame(1, color=None, segmentation=None, labels=None))
    assert bare.scene_graph.objects == ()
    assert (bare.map.occupancy.data == 100).any()


def test_keyframes_are_selected_for_each_camera_separately() -> None:
    memory = SceneMemory(config=CONFIG)
    base = np.eye(4)
    keyframes = []
    for tick in range(3):
        for camera, pose in (("front", OPTICAL), ("rear", BACK)):
            frame = wall_frame(
                tick + (camera == "rear") / 2 + 1.0,
                depth=np.full((60, 80), 2000 if camera == "front" else 3000, np.uint16),
                camera_pose=pose,
                base=base,
                camera=camera,
            )
            keyframes.append(memory.observe(frame).keyframe)
    assert keyframes == [True, True, False, False, False, False]


@pytest.mark.parametrize(("recall", "used"), [(0.3, 0.3), (None, USUAL_RECALL)])
def test_unseen_objects_are_doubted_by_the_recall_of_the_given_detector(
    recall: float | None, used: float
) -> None:
    class Measured(Detector):
        @property
        def recall(self) -> float | None:
            return recall

        def detect(self, frame: CameraFrame) -> DetectorOutput:
            return DetectorOutput()

    memory = SceneMemory(detector=Measured(), config=CONFIG)
    (look,) = memory._detector.detect(wall_frame(1)).looks
    assert look.recall == pytest.approx(used)


@pytest.mark.parametrize("jump", [0.0, 0.1])
def test_objects_follow_a_correction_of_the_localization(jump: float) -> None:
    def moved(y: float) -> NDArray[np.float64]:
        pose = np.eye(4)
        pose[1, 3] = y
        return pose

    memory = SceneMemory(config=CONFIG)
    for tick in range(1, 8):  # it drives along +y
        seen(memory, wall_frame(tick, FRIDGE, MUG, y=0.1 * tick, localization=moved(0.0)))
    before = memory.last_seen("mug_1").position
    # A frame without segmentation carries the correction of the whole path.
    plain = {"segmentation": None, "labels": None}
    seen(memory, wall_frame(8, y=0.8, localization=moved(jump), **plain))
    after = memory.last_seen("mug_1").position
    assert before is not None
    assert after is not None
    assert after[1] - before[1] == pytest.approx(0.9 * jump, abs=0.02)


def test_objects_are_not_told_after_the_map_frame_jumped_until_they_are_seen_again() -> None:
    frame = np.eye(4)
    turn = np.deg2rad(40)
    frame[:2, :2] = [[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]]
    frame[0, 3] = 3.0
    memory = SceneMemory(config=CONFIG)
    for tick in (1, 2):
        seen(memory, wall_frame(tick, FRIDGE, MUG, localization=np.eye(4)))
    plain = {"segmentation": None, "labels": None}
    seen(memory, wall_frame(3, localization=frame, **plain))
    assert memory.scene_graph.objects == ()
    assert "jumped" in memory.warnings[-1]
    assert not memory.last_seen("the mug").is_present
    seen(memory, wall_frame(4, FRIDGE, MUG, localization=frame))
    assert [item.category for item in memory.scene_graph.objects] == ["fridge", "mug"]
    for tick in (5, 6):  # the old frame is back
        seen(memory, wall_frame(tick, FRIDGE, MUG, localization=np.eye(4)))
    assert memory.last_seen("mug_1").is_present


def test_category_knowledge_and_phrase_reader_of_another_domain_can_be_given() -> None:
    class Reader:
        def description(self, phrase: str) -> Description | None:
            return Description({"Becher": "mug"}[phrase])

    memory = seen(
        SceneMemory(knowledge=CategoryKnowledge.of({}), reader=Reader(), config=CONFIG),
        wall_frame(1, FRIDGE, MUG),
    )
    assert memory.last_seen("Becher").sightings[0].object_id == "mug_1"
    assert memory.scene_graph.rooms[0].category == ""  # it knows no kinds of rooms


def test_custom_category_knowledge_comes_with_a_plain_phrase_reader() -> None:
    knowledge = CategoryKnowledge.of({"synonyms": {"beaker": "mug"}})
    memory = seen(SceneMemory(knowledge=knowledge, config=CONFIG), wall_frame(1, FRIDGE, MUG))
    assert memory.last_seen("where did you last see the red beaker?").sightings[0].object_id == "mug_1"
    assert not memory.last_seen("the blue beaker")
    assert "names no thing" in memory.last_seen("where is it?").text


def test_category_knowledge_refuses_an_unknown_field_with_a_suggestion() -> None:
    with pytest.raises(ConfigurationError, match="Did you mean 'surfaces'"):
        CategoryKnowledge.of({"surface": ["table"]})


@pytest.mark.parametrize(
    ("data", "remedy"),
    [
        ({"surfaces": "table"}, "surfaces .* is 'table'; give a list of names"),
        ({"rooms": "kitchen"}, "give a list of names"),
        ({"found_in": ["table"]}, "found_in .* give a mapping"),
        ({"synonyms": "beaker"}, "give a mapping"),
    ],
)
def test_category_knowledge_refuses_a_text_for_a_list_and_a_list_for_a_mapping(
    data: dict[str, object], remedy: str
) -> None:
    with pytest.raises(ConfigurationError, match=remedy):
        CategoryKnowledge.of(data)


def test_forget_accepts_an_id_or_a_category() -> None:
    memory = memory_of_the_wall()
    assert memory.forget("mug_1") == "Forgot mug_1."
    assert not memory.last_seen("mug")
    with pytest.raises(NotRememberedError):
        memory.forget("mug_1")
    with pytest.raises(ConfigurationError, match="forget_everything"):
        memory.forget(" ")
    memory.forget_everything()
    assert memory.scene_graph.objects == ()


def test_scene_memory_refuses_settings_out_of_range() -> None:
    for resolution in (0.0, 0.3):
        with pytest.raises(ConfigurationError, match=r"resolution.*from 0\.02 to 0\.25"):
            SceneMemory(config=SceneMemoryConfig(resolution=resolution))


def test_scene_memory_refuses_a_negative_number_of_sightings() -> None:
    with pytest.raises(ConfigurationError, match="the limit is -1; give the largest number of sightings"):
        SceneMemory().last_seen("mug", limit=-1)


# -- saved and loaded


def test_a_saved_scene_memory_is_loaded_in_the_next_session(tmp_path: Path) -> None:
    with memory_of_the_wall(tmp_path / "my_home") as memory:
        before = memory.scene_graph
        assert "Saved 2 things in 1 room" in memory.save()
    assert [path.name for path in (tmp_path / "my_home").iterdir()] == ["memory.stma"]
    with SceneMemory(tmp_path / "my_home", config=CONFIG) as again:
        assert again.scene_graph.objects == before.objects
        assert again.scene_graph.relations == before.relations
        assert again.last_seen("the red mug").position == pytest.approx((2.0, -0.8, 1.2), abs=0.05)
        np.testing.assert_array_equal(
            again.map.occupancy.data == 100, memory_of_the_wall().map.occupancy.data == 100
        )


@pytest.mark.parametrize(
    "use", [SceneMemory.save, lambda memory: memory.forget("mug")], ids=["save", "forget"]
)
def test_another_place_is_recognised_after_a_save_and_after_a_part_was_forgotten(
    tmp_path: Path, use: Callable[[SceneMemory], str]
) -> None:
    memory_of_the_wall(tmp_path).close()
    before = (tmp_path / "memory.stma").read_bytes()
    with SceneMemory(tmp_path, config=CONFIG) as memory:
        seen(memory, wall_frame(3, MUG, camera_pose=BACK))  # says nothing of the wall ahead
        assert "memory-2.stma" in use(memory)
        seen(memory, wall_frame(4, depth=np.full((60, 80), 4500, np.uint16)))
        assert str(tmp_path / "memory.stma") in memory.warnings[-1]
        assert not memory.last_seen("fridge")
        assert bool(memory.last_seen("mug")) == (use == SceneMemory.save)
    assert (tmp_path / "memory.stma").read_bytes() == before
    assert sorted(path.name for path in tmp_path.iterdir()) == ["memory-2.stma", "memory.stma"]
    with SceneMemory(tmp_path, config=CONFIG) as again:
        assert not again.last_seen("fridge")


def test_another_place_is_recognised_after_a_long_look_at_what_says_nothing_of_it(tmp_path: Path) -> None:
    memory_of_the_wall(tmp_path).close()
    with SceneMemory(tmp_path, config=CONFIG) as memory:
        seen(memory, *(wall_frame(3 + tick, camera_pose=BACK) for tick in range(2 * LONGEST_TRIAL)))
        assert memory.last_seen("fridge")
        seen(memory, wall_frame(1000, depth=np.full((60, 80), 4500, np.uint16)))
        assert "another place" in memory.warnings[-1]
        assert not memory.last_seen("fridge")


def test_close_saves_new_content_and_ends_the_memory(tmp_path: Path) -> None:
    memory = memory_of_the_wall(tmp_path)
    memory.close()
    memory.close()
    assert (tmp_path / "memory.stma").is_file()
    for use in (
        lambda: memory.last_seen("mug"),
        lambda: memory.scene_graph,
        lambda: memory.map,
        memory.save,
        lambda: memory.observe(wall_frame(9)),
    ):
        with pytest.raises(MemoryClosedError):
            use()


def test_a_memory_without_a_folder_is_not_saved() -> None:
    memory = memory_of_the_wall()
    assert memory.folder is None
    with pytest.raises(MemoryNotSavedError, match="no folder"):
        memory.save()


def test_a_relative_folder_is_resolved_when_the_memory_is_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    memory = SceneMemory("my_home")
    monkeypatch.chdir("/")
    assert memory.folder == tmp_path / "my_home"
    assert repr(memory) == f"SceneMemory('{tmp_path}/my_home', 0 objects)"


# -- refused


def test_a_memory_of_another_version_is_refused_by_its_version(tmp_path: Path) -> None:
    memory_of_the_wall(tmp_path).close()
    path = tmp_path / "memory.stma"
    content = path.read_bytes()
    version = content.split(b" ")[2]
    path.write_bytes(content.replace(version, b"1.00c0ffee", 1))
    with pytest.raises(MemoryVersionError, match=r"version 1\.00c0ffee, this is version 1\."):
        SceneMemory(tmp_path)
    assert path.read_bytes().startswith(b"stma_ros memory 1.00c0ffee ")


def test_a_memory_of_another_resolution_is_refused_with_the_settings_that_it_needs(tmp_path: Path) -> None:
    memory_of_the_wall(tmp_path).close()
    with pytest.raises(MemoryVersionError, match=r"resolution=0\.1 "):
        SceneMemory(tmp_path)


def test_a_memory_of_a_building_with_other_floors_is_refused_with_the_floors_that_it_needs(
    tmp_path: Path,
) -> None:
    memory_of_the_wall(tmp_path).close()
    upstairs = replace(CONFIG, floors="0, 2.8")
    with pytest.raises(MemoryVersionError, match=r"floors 0, not 0, 2\.8.* and floors='0'"):
        SceneMemory(tmp_path, config=upstairs)


def test_map_is_of_the_floor_on_which_the_base_is() -> None:
    memory = SceneMemory(config=replace(CONFIG, floors="0, 2.8"))
    base, camera = np.eye(4), OPTICAL.copy()
    base[2, 3], camera[2, 3] = 2.8, 3.8
    seen(memory, wall_frame(1, FRIDGE, MUG), wall_frame(2, FRIDGE, camera_pose=camera, base=base))
    assert memory.map.floor == 2.8
    fridges = [node.box.center.position.z for node in memory.scene_graph.objects if node.category == "fridge"]
    assert fridges[1] - fridges[0] == pytest.approx(2.8, abs=0.01)
    assert {frontier.center.z for frontier in memory.frontiers.frontiers} == {2.8}


def test_a_damaged_memory_is_refused(tmp_path: Path) -> None:
    memory_of_the_wall(tmp_path).close()
    path = tmp_path / "memory.stma"
    path.write_bytes(path.read_bytes()[:-9])
    with pytest.raises(MemoryUnreadableError, match="damaged"):
        SceneMemory(tmp_path, config=CONFIG)


def test_a_folder_open_in_another_memory_is_refused_until_that_is_closed(tmp_path: Path) -> None:
    with SceneMemory(tmp_path), pytest.raises(MemoryInUseError, match="in use"):
        SceneMemory(tmp_path)
    SceneMemory(tmp_path).close()


def test_a_folder_open_in_another_process_is_refused_until_that_has_ended(tmp_path: Path) -> None:
    script = "import sys; from stma_ros.storage.folder_lock import FolderLock; from pathlib import Path\n"
    script += "lock = FolderLock(Path(sys.argv[1])); print('held', flush=True); sys.stdin.read()"
    holder = subprocess.Popen(
        [sys.executable, "-c", script, str(tmp_path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        cwd=Path(__file__).parents[2],
        text=True,
    )
    assert holder.stdout is not None
    assert holder.stdout.readline() == "held\n"
    with pytest.raises(MemoryInUseError, match="another one"):
        SceneMemory(tmp_path)
    holder.kill()
    holder.communicate(timeout=60)
    SceneMemory(tmp_path).close()


def test_a_folder_that_cannot_be_written_is_refused_at_the_start(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for folder in (tmp_path / "file" / "memory", Path("/proc/self")):
        with pytest.raises(MemoryNotSavedError, match="cannot hold memories"):
            SceneMemory(folder)


@pytest.mark.parametrize("stamp", [1.5, 2.0])
def test_a_late_frame_is_refused_and_changes_nothing(stamp: float) -> None:
    memory = memory_of_the_wall()
    before = memory.scene_graph
    with pytest.raises(LateFrameError, match="in the order of their stamps"):
        memory.observe(wall_frame(stamp))
    assert memory.scene_graph is before
    seen(memory, wall_frame(3))


NOW = 1_700_000_000.0


@pytest.mark.parametrize("earlier", [86_400.0, 0.0])
def test_a_frame_with_a_date_before_the_end_of_the_saved_memory_is_refused(
    earlier: float, tmp_path: Path
) -> None:
    seen(SceneMemory(tmp_path, config=CONFIG), wall_frame(NOW, MUG)).close()
    with SceneMemory(tmp_path, config=CONFIG) as memory:
        with pytest.raises(LateFrameError, match=r"up to 2023-11-14 22:13:20 UTC.*a folder of its own"):
            memory.observe(wall_frame(NOW - earlier, MUG))
        assert memory.scene_graph.header.stamp.seconds == NOW
        seen(memory, wall_frame(NOW + 1.0, MUG))
        assert memory.warnings == ()


def test_a_memory_that_forgot_everything_takes_frames_of_an_earlier_date(tmp_path: Path) -> None:
    seen(SceneMemory(tmp_path, config=CONFIG), wall_frame(NOW, MUG)).close()
    with SceneMemory(tmp_path, config=CONFIG) as memory:
        with pytest.raises(LateFrameError, match=r"call forget_everything\(\) first"):
            memory.observe(wall_frame(NOW - 60.0, MUG))
        memory.forget_everything()
        seen(memory, wall_frame(NOW - 60.0, MUG))


def test_a_clock_that_starts_again_is_taken_with_a_warning(tmp_path: Path) -> None:
    seen(SceneMemory(tmp_path, config=CONFIG), wall_frame(40.0, MUG)).close()
    with SceneMemory(tmp_path, config=CONFIG) as memory:
        seen(memory, wall_frame(3.0, MUG), wall_frame(4.0, MUG))
        (warning,) = memory.warnings
    assert "begin at 3.000000 s, those of the saved memory end at 40.000000 s" in warning
    with SceneMemory(tmp_path, config=CONFIG) as memory:
        seen(memory, wall_frame(5.0, MUG))
        assert memory.warnings == ()


def test_messages_about_the_folder_name_the_argument_and_no_setting_of_an_agent(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for use in (
        lambda: SceneMemory(tmp_path / "file"),
        lambda: KnowledgeMemory(tmp_path / "file"),
        SceneMemory().save,
        KnowledgeMemory().save,
    ):
        with pytest.raises(MemoryNotSavedError, match="`folder`") as refused:
            use()
        assert "memory_dir" not in str(refused.value)


def test_a_folder_with_another_kind_of_memory_is_refused(tmp_path: Path) -> None:
    with KnowledgeMemory(tmp_path) as notes:
        notes.add_text("The mug is in the sink.")
    with pytest.raises(MemoryVersionError, match=r"Another kind of memory .* a folder of its own"):
        SceneMemory(tmp_path)


@pytest.mark.parametrize(
    "make",
    [
        lambda: SceneMemory(config={"resolution": 0.1}),  # type: ignore[arg-type]
        lambda: OccupancyMap(SceneMemoryConfig()),  # type: ignore[arg-type]
        lambda: KnowledgeMemory(config=SceneMemoryConfig()),  # type: ignore[arg-type]
    ],
)
def test_a_config_of_something_else_is_refused(make: Callable[[], object]) -> None:
    with pytest.raises(ConfigurationError, match=r"takes a .*Config as config, got (dict|SceneMemoryConfig)"):
        make()


def test_an_observation_that_is_no_frame_is_refused_with_the_remedy() -> None:
    with pytest.raises(WrongFrameError, match=r"got ndarray; CameraFrame\.from_arrays makes one"):
        memory_of_the_wall().observe(np.zeros((120, 160), np.uint16))  # type: ignore[arg-type]


def test_a_frame_of_another_map_is_refused() -> None:
    memory = memory_of_the_wall()
    parts: dict[str, Message] = dict(wall_frame(3).parts)
    place = parts[topics.LOCALIZATION]
    assert isinstance(place, TransformStamped)
    parts[topics.LOCALIZATION] = replace(place, header=replace(place.header, frame_id="odom"))
    with pytest.raises(WrongFrameError, match="'odom', those before in 'map'"):
        memory.observe(frame_of(parts))


BODY = np.block([[np.eye(3), np.array([[0.0], [0.0], [1.0]])], [np.zeros((1, 3)), 1.0]])
OPENGL = OPTICAL @ np.diag([1.0, -1.0, -1.0, 1.0])
Y_UP = np.array([[1, 0, 0, 0], [0, 0, 1, 0], [0, -1, 0, 0], [0, 0, 0, 1.0]]) @ OPTICAL


@pytest.mark.parametrize(
    ("pose", "remedy"),
    [(BODY, "camera_axes='body'"), (OPENGL, "camera_axes='opengl'"), (Y_UP, "a map whose y axis points up")],
    ids=["body", "opengl", "y up"],
)
def test_camera_poses_in_other_axes_are_refused(pose: NDArray[np.float64], remedy: str) -> None:
    memory = SceneMemory(config=CONFIG)
    with pytest.raises(WrongFrameError, match=remedy):
        memory.observe(wall_frame(1, camera_pose=pose))
    unchecked = SceneMemory(config=SceneMemoryConfig(resolution=0.1, check_axes=False))
    unchecked.observe(wall_frame(1, camera_pose=pose))


def test_an_odometry_outlier_costs_only_its_own_frame() -> None:
    memory = memory_of_the_wall()
    result = memory.observe(wall_frame(2.1, FRIDGE, MUG, y=50.0))
    assert result.error.code == ErrorCode.POSE_JUMP
    assert str(result).startswith("not used: odometry moved")
    seen(memory, wall_frame(2.2, FRIDGE, MUG))
    assert memory.last_seen("mug").position == pytest.approx((2.0, -0.8, 1.2), abs=0.05)


def test_the_first_frame_of_another_camera_is_left_out_when_the_base_jumped() -> None:
    memory = memory_of_the_wall()
    result = memory.observe(wall_frame(2.1, MUG, y=6.0, camera="rear"))
    assert (result.error.code, result.keyframe) == (ErrorCode.POSE_JUMP, False)
    seen(memory, wall_frame(2.2, FRIDGE, MUG))
    assert [item.id for item in memory.scene_graph.objects] == ["fridge_1", "mug_1"]


def test_a_pose_beyond_every_map_costs_only_its_own_frame() -> None:
    memory = memory_of_the_wall()
    result = memory.observe(wall_frame(10_000, FRIDGE, MUG, y=10_000))
    assert (result.error.code, result.keyframe) == (ErrorCode.POSE_JUMP, False)
    assert "the map would grow" in str(result)
    seen(memory, wall_frame(100_000, FRIDGE, MUG))
    assert [item.id for item in memory.scene_graph.objects] == ["fridge_1", "mug_1"]
    alone = OccupancyMap()
    assert [
        bool(alone.observe(wall_frame(tick, y=y)).error) for tick, y in ((1, 0), (1e4, 1e4), (1e5, 0))
    ] == [
        False,
        True,
        False,
    ]


def test_scene_memory_serves_threads_one_at_a_time() -> None:
    memory = SceneMemory(config=CONFIG)
    failures: list[BaseException] = []
    done = threading.Event()

    def ask() -> None:
        try:
            while not done.is_set():
                memory.last_seen("the mug")
                assert {item.category for item in memory.scene_graph.objects} <= {"mug", "fridge"}
        except BaseException as error:  # noqa: BLE001 - reported to the test
            failures.append(error)

    askers = [threading.Thread(target=ask) for _ in range(2)]
    for asker in askers:
        asker.start()
    for tick in range(20):
        memory.observe(wall_frame(1 + 0.1 * tick, FRIDGE, MUG))
    done.set()
    for asker in askers:
        asker.join(60)
    assert failures == []
    assert {fact.predicate for fact in memory.scene_graph.relations} >= {words.IN_ROOM}
