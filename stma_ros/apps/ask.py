"""Answers questions from a saved memory, without a robot."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from stma_ros.apps.console import make_console
from stma_ros.apps.folders import make_folder
from stma_ros.library.results import Answer
from stma_ros.library.scene_memory import SceneMemory
from stma_ros.storage.files import write_atomically
from stma_ros.types.errors import ConfigurationError


def ask(folder: Path, questions: Sequence[str], pictures: Path | None = None) -> int:
    """Prints what the memory in a folder answers, and returns the exit status.

    Args:
        folder: with the memory, which stays as it is.
        questions: in English.
        pictures: folder for the pictures of what the answers rest on; None = they are not written.

    Raises:
        ConfigurationError: there is no memory in the folder, or the folder for pictures cannot be made.
        TaskNotUnderstoodError: a text asks nothing that can be read.
        StorageError: the memory cannot be used, or a picture not be written.
    """
    if not any(folder.glob("memory*.stma")):
        raise ConfigurationError(
            f"{folder} holds no memory; name the folder with memory.stma in it. `stma replay BAG --set "
            "spatial_memory.memory_dir=FOLDER` remembers a recording, `stma run --task ... --memory FOLDER` a home"
        )
    console = make_console()
    with SceneMemory(folder) as memory:
        for question in questions:
            answer = memory.ask(question)
            console.print(question, style="bold", markup=False, highlight=False)
            console.print(f"  {answer}", markup=False, highlight=False, soft_wrap=True)
            for path in _write_pictures(answer, pictures):
                console.print(f"  picture: {path}", markup=False, highlight=False, soft_wrap=True)
    return 0


def _write_pictures(answer: Answer, folder: Path | None) -> list[Path]:
    """Writes the pictures of an answer's evidence, and returns their paths."""
    written: list[Path] = []
    for sighting in answer.evidence:
        if folder is not None and len(sighting.picture.data):
            make_folder("--pictures", folder)
            written.append(folder / f"{sighting.object_id}.jpg")
            write_atomically(written[-1], bytes(sighting.picture.data))
    return written
