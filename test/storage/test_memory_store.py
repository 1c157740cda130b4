"""Saved memories are loaded unchanged; an unusable file is named, refused and never overwritten."""

from __future__ import annotations

import dataclasses
import hashlib
import io
import subprocess
import sys
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as st_numpy
from numpy.typing import NDArray

from stma_ros.storage.codec import CodecError, decode, encode, fingerprint, shift_times
from stma_ros.storage.memory_store import (
    MemoryInUseError,
    MemoryNotSavedError,
    MemoryStore,
    MemoryUnreadableError,
    MemoryVersionError,
    check_memory_dir,
    record_memory,
)
from stma_ros.types.errors import ErrorCode, StmaError
from stma_ros.types.message import Message
from stma_ros.types.planning import TaskStatus
from stma_ros.types.remembering import Sighting
from stma_ros.types.standard import CompressedImage, Time
from stma_ros.types.topics import TOPICS
from support.storage.message_strategies import messages
from support.storage.small_disk import mounted_disk


@dataclass(frozen=True)
class Cupboard:
    name: str
    corner: NDArray[np.float64]
    status: TaskStatus = TaskStatus.UNKNOWN


@dataclass(frozen=True)
class Home:
    counts: NDArray[np.int8]
    note: bytes = b""
    cupboards: tuple[Cupboard, ...] = ()
    sightings: Mapping[str, tuple[Sighting, ...]] = field(default_factory=dict)
    pairs: tuple[tuple[int, float], ...] = ()
    best: Cupboard | None = None
    tidy: bool = False


def cupboards() -> st.SearchStrategy[Cupboard]:
    corners = st_numpy.arrays(np.float64, 3, elements=st.floats(allow_nan=False))
    return st.builds(Cupboard, st.text(max_size=5), corners, st.sampled_from(TaskStatus))


def homes() -> st.SearchStrategy[Home]:
    return st.builds(
        Home,
        st_numpy.arrays(np.int8, st_numpy.array_shapes(min_dims=3, max_dims=3, max_side=5)),
        st.binary(max_size=30),
        st.lists(cupboards(), max_size=2).map(tuple),
        st.dictionaries(st.text(max_size=3), st.lists(messages(Sighting), max_size=2).map(tuple), max_size=2),
        st.lists(st.tuples(st.integers(), st.floats(allow_nan=False)), max_size=2).map(tuple),
        st.none() | cupboards(),
        st.booleans(),
    )


def key(value: object) -> object:
    """Returns a comparable value, also for objects that contain arrays."""
    if isinstance(value, np.ndarray):
        return value.dtype.str, value.shape, value.tobytes()
    if isinstance(value, Message):
        return value
    if isinstance(value, Mapping):
        return [(k, key(v)) for k, v in value.items()]
    if isinstance(value, tuple):
        return [key(item) for item in value]
    if dataclasses.is_dataclass(value):
        return [key(getattr(value, f.name)) for f in dataclasses.fields(value)]
    return value


JPEG = np.frombuffer(b"\xff\xd8\xff" * 40, np.uint8)
HOME = Home(
    np.arange(27, dtype=np.int8).reshape(3, 3, 3),
    b"a note",
    (Cupboard("left", np.array([0.1, 2.0, -1.0])),),
    {
        "mug_1": (
            Sighting(object_id="mug_1", category="mug", picture=CompressedImage(format="jpeg", data=JPEG)),
        )
    },
)


def opened(folder: Path) -> MemoryStore[Home]:
    return MemoryStore(folder, Home)


@pytest.mark.parametrize("type_", [spec.type for spec in TOPICS.values()], ids=lambda type_: type_.__name__)
def test_every_message_type_can_be_saved_in_a_memory(type_: type[Message]) -> None:
    @given(messages(type_))
    @settings(max_examples=10, deadline=None)
    def check(message: Message) -> None:
        blobs: dict[str, bytes] = {}
        assert decode(type_, encode(message, blobs), blobs) == message

    check()


@given(homes())
@settings(max_examples=40, deadline=None)
def test_a_saved_memory_is_loaded_unchanged(tmp_path_factory: pytest.TempPathFactory, home: Home) -> None:
    folder = tmp_path_factory.mktemp("memory")
    opened(folder).save(home)
    loaded = opened(folder).load()
    assert loaded.refused == ()
    assert key(loaded.memory) == key(home)


def test_equal_memories_make_equal_files_whose_pictures_can_be_opened(tmp_path: Path) -> None:
    files = [opened(tmp_path / name).save(HOME).read_bytes() for name in ("one", "other")]
    assert files[0] == files[1]
    with zipfile.ZipFile(io.BytesIO(files[0])) as archive:  # tools for ZIP archives skip the first line
        (picture,) = [name for name in archive.namelist() if name.endswith(".jpg")]
        assert archive.read(picture) == JPEG.tobytes()


def test_shared_blob_is_saved_once() -> None:
    blobs: dict[str, bytes] = {}
    numbers = np.zeros(1000)
    encode((numbers, numbers.copy()), blobs)
    assert len(blobs) == 1


def test_an_empty_memory_folder_loads_nothing_and_refuses_nothing(tmp_path: Path) -> None:
    loaded = opened(tmp_path / "new").load()
    assert (loaded.memory, loaded.refused) == (None, ())


def test_a_loaded_memory_is_saved_to_the_same_file(tmp_path: Path) -> None:
    first = opened(tmp_path).save(HOME)
    store = opened(tmp_path)
    store.load()
    assert store.save(dataclasses.replace(HOME, tidy=True)) == first
    store.close()
    again = opened(tmp_path).load().memory
    assert again is not None
    assert again.tidy


@given(st.integers(0), st.integers(1, 255), st.booleans())
@settings(max_examples=80, deadline=None)
def test_any_damage_of_a_memory_file_is_detected(
    tmp_path_factory: pytest.TempPathFactory, place: int, difference: int, cut: bool
) -> None:
    folder = tmp_path_factory.mktemp("memory")
    path = opened(folder).save(HOME)
    content = bytearray(path.read_bytes())
    place %= len(content)
    if cut:
        del content[place:]
    else:
        content[place] ^= difference
    path.write_bytes(content)
    loaded = opened(folder).load()
    assert loaded.memory is None
    (error,) = loaded.refused
    assert isinstance(error, MemoryUnreadableError | MemoryVersionError)
    assert str(path) in str(error)


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (b"", ErrorCode.MEMORY_UNREADABLE),
        (b"PK\x03\x04 an archive", ErrorCode.MEMORY_UNREADABLE),
        (b"stma_ros memory 0.00000000 " + b"0" * 64 + b"\n", ErrorCode.MEMORY_VERSION),
    ],
)
def test_an_unusable_memory_file_stays_and_the_next_save_uses_another_file(
    tmp_path: Path, content: bytes, code: ErrorCode
) -> None:
    old = tmp_path / "memory.stma"
    old.write_bytes(content)
    store = opened(tmp_path)
    loaded = store.load()
    assert loaded.memory is None
    assert [error.code for error in loaded.refused] == [code]
    assert store.save(HOME) == tmp_path / "memory-2.stma"
    assert old.read_bytes() == content
    store.close()
    tomorrow = opened(tmp_path).load()
    assert (key(tomorrow.memory), tomorrow.refused) == (key(HOME), ())


def test_a_memory_of_another_place_stays_and_older_files_are_tried(tmp_path: Path) -> None:
    here = dataclasses.replace(HOME, note=b"here")
    opened(tmp_path).save(here)
    (tmp_path / "memory-2.stma").write_bytes(b"stma_ros memory 0.1 " + b"0" * 64 + b"\n")
    there = dataclasses.replace(HOME, note=b"there")
    store = opened(tmp_path)
    store.save(there)
    store.close()
    store = opened(tmp_path)
    assert key(store.load().memory) == key(there)
    second = store.load()  # it was not the right one
    assert key(second.memory) == key(here)
    assert [error.code for error in second.refused] == [ErrorCode.MEMORY_VERSION]
    assert store.path.name == "memory.stma"
    assert store.load().memory is None
    assert store.path.name == "memory-4.stma"


def test_a_detached_store_stays_with_its_own_file_when_an_older_memory_is_loaded(tmp_path: Path) -> None:
    for _ in range(2):
        store = opened(tmp_path)
        store.save(HOME)
        store.close()
    store = opened(tmp_path)
    store.load()
    store.detach()
    own = store.save(HOME)
    store.load()
    assert (own.name, store.path, store.file) == ("memory-3.stma", own, own)
    assert store.loaded == tmp_path / "memory.stma"


def test_a_memory_folder_can_be_opened_only_once(tmp_path: Path) -> None:
    store = opened(tmp_path)
    with pytest.raises(MemoryInUseError, match="in use"):
        opened(tmp_path)
    store.close()
    store.close()
    opened(tmp_path).close()
    assert list(tmp_path.iterdir()) == []


def test_a_memory_folder_without_write_access_is_refused_at_the_start() -> None:
    with pytest.raises(MemoryNotSavedError, match="can be written"):
        opened(Path("/proc/self"))


@pytest.mark.parametrize(
    ("folder", "cause"),
    [("file", r"\(is a file\)"), ("file/below", r"\(Not a directory\)"), ("/proc/none", "No such file")],
)
def test_an_unusable_memory_dir_is_refused_with_cause_and_remedy(
    folder: str, cause: str, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(
        MemoryNotSavedError, match=f"cannot hold memories .*{cause}.*set memory_dir to a folder"
    ):
        check_memory_dir(str(tmp_path / folder))
    assert (tmp_path / "file").read_text() == "in the way"


def test_memory_dir_on_a_full_disk_is_refused_until_there_is_room(tmp_path: Path) -> None:
    with mounted_disk(tmp_path / "disk", 9) as disk:
        filler = disk / "filler"
        filler.write_bytes(b"x" * 4 * 2**20)
        with pytest.raises(MemoryNotSavedError, match=r"No space left.*make room there"):
            check_memory_dir(str(disk / "home"))
        filler.unlink()
        check_memory_dir(str(disk / "home"))
        assert list((disk / "home").iterdir()) == []


def test_memory_dir_open_in_another_process_is_refused_until_that_has_ended(tmp_path: Path) -> None:
    script = (
        "import sys; from pathlib import Path; from stma_ros.storage.folder_lock import FolderLock; "
        "lock = FolderLock(Path(sys.argv[1])); print('held', flush=True); sys.stdin.read()"
    )
    command = [sys.executable, "-c", script, str(tmp_path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "held\n"
        with pytest.raises(MemoryInUseError, match="in use by another memory"):
            check_memory_dir(str(tmp_path))
        other.kill()
    check_memory_dir(str(tmp_path))


def test_an_empty_memory_dir_is_accepted() -> None:
    check_memory_dir("")


def test_forget_deletes_only_the_own_memory_file(tmp_path: Path) -> None:
    alien = tmp_path / "memory.stma"
    alien.write_bytes(b"not ours")
    store = opened(tmp_path)
    store.load()
    assert store.forget() is None
    own = store.save(HOME)
    assert store.forget() == own
    assert [path.name for path in tmp_path.iterdir()] == [alien.name]


def test_a_file_given_as_a_memory_folder_is_refused_by_name(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(MemoryNotSavedError, match="file"):
        opened(tmp_path / "file")
    store = opened(tmp_path / "gone")
    (tmp_path / "gone").rmdir()
    with pytest.raises(StmaError) as raised:
        store.save(HOME)
    assert raised.value.code == ErrorCode.MEMORY_NOT_KEPT


def test_an_intact_memory_file_with_other_content_is_refused(tmp_path: Path) -> None:
    path = opened(tmp_path).save(HOME)
    header, _, _ = path.read_bytes().partition(b"\n")
    body = io.BytesIO()
    with zipfile.ZipFile(body, "w") as archive:
        archive.writestr("memory.json", "{}")
    words = [*header.split(b" ")[:3], hashlib.sha256(body.getvalue()).hexdigest().encode()]
    path.write_bytes(b" ".join(words) + b"\n" + body.getvalue())
    (error,) = opened(tmp_path).load().refused
    assert error.code == ErrorCode.MEMORY_UNREADABLE


@pytest.mark.parametrize(
    ("type_", "plain"),
    [
        (int, "1"),
        (bool, 1),
        (tuple[int, ...], "12"),
        (tuple[int, float], [1]),
        (TaskStatus, 99),
        (Cupboard, {"name": "x"}),
        (Time, {"sec": 2**40, "nanosec": 0}),
        (NDArray[np.int8], {"dtype": "<f8", "shape": [1], "numbers": [0]}),
        (NDArray[np.int8], {"dtype": "|i1", "shape": [2], "numbers": [0]}),
        (bytes, "missing.bin"),
    ],
)
def test_data_that_does_not_fit_its_type_is_refused(type_: type, plain: object) -> None:
    with pytest.raises(CodecError):
        decode(type_, plain, {})


def test_the_version_of_a_memory_file_follows_from_its_fields() -> None:
    @dataclass(frozen=True)
    class Cupboard:
        name: str
        corner: NDArray[np.float32]

    assert fingerprint(Cupboard) == fingerprint(Cupboard)
    assert fingerprint(Cupboard) != fingerprint(globals()["Cupboard"])
    assert fingerprint(Home) != fingerprint(Sighting)


@given(st.lists(messages(Time), min_size=1, max_size=4).map(tuple), st.integers(-(10**12), 10**12))
@settings(deadline=None)
def test_shifted_times_preserve_their_differences(times: tuple[Time, ...], by: int) -> None:
    times = tuple(Time.from_nanoseconds(time.nanoseconds % 10**15) for time in times)
    sightings = {"mug": tuple(Sighting(last_seen=time) for time in times)}
    moved = shift_times((sightings, HOME), by)
    assert [s.last_seen.nanoseconds - by for s in moved[0]["mug"]] == [time.nanoseconds for time in times]
    assert moved[1].counts is HOME.counts


def test_a_run_records_the_memories_of_all_components_and_nothing_else(tmp_path: Path) -> None:
    home, run = tmp_path / "home", tmp_path / "run"
    (home / "visual_memory").mkdir(parents=True)
    for name in (
        "memory.stma",
        "memory-2.stma",
        "visual_memory/memory.stma",
        "notes.txt",
        "visual_memory/other.stma",
    ):
        (home / name).write_text(name)
    record_memory(str(home), run)
    copied = {str(path.relative_to(run)) for path in run.rglob("*") if path.is_file()}
    assert copied == {
        "memory/memory.stma",
        "memory/memory-2.stma",
        "memory/visual_memory/memory.stma",
    }
