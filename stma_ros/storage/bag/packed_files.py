"""Decompresses files (bag.mcap.zstd) and messages that rosbag2 compressed."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import zstandard

from stma_ros.storage.bag.messages import Damage, OnDamage
from stma_ros.types.errors import StorageError

PACKED_SUFFIX = ".zstd"
_MAX_MESSAGE_BYTES = 1024**3
_READ_BYTES = 1024 * 1024


@contextmanager
def unpacked(path: Path, on_damage: OnDamage) -> Iterator[Path]:
    """Yields a file or, if it is compressed, a temporary file with its content up to the first damage.

    Raises:
        StorageError: There is no space for the temporary file.
    """
    if path.suffix != PACKED_SUFFIX:
        yield path
        return
    with tempfile.TemporaryDirectory(prefix="stma_bag_") as folder:
        content = Path(folder, path.stem)
        try:
            _unpack(path, content, on_damage)
        except OSError as error:
            raise StorageError(
                f"{path} cannot be unpacked to {folder} ({error.strerror}); make room there, or have TMPDIR name "
                "another folder"
            ) from error
        yield content


def _unpack(path: Path, target: Path, on_damage: OnDamage) -> None:
    with path.open("rb") as source, target.open("wb") as content:
        stream = zstandard.ZstdDecompressor().stream_reader(source, read_across_frames=True)
        try:
            while data := stream.read(_READ_BYTES):
                content.write(data)
        except zstandard.ZstdError as error:
            on_damage(Damage(path, source.tell(), f"the compressed file is damaged ({error})"))


def unpack_message(data: bytes) -> bytes:
    """Returns the CDR in a compressed message.

    Raises:
        ValueError: The data are damaged.
    """
    try:
        if zstandard.frame_content_size(data) > _MAX_MESSAGE_BYTES:
            raise ValueError("it claims to be larger than a message can be")
        return zstandard.ZstdDecompressor().decompress(data, max_output_size=_MAX_MESSAGE_BYTES)
    except zstandard.ZstdError as error:
        raise ValueError(str(error)) from error
