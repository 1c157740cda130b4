"""`stma walk`: records what a person with a hand-held camera films in a simulated flat."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from stma_ros.apps.console import make_console, make_progress
from stma_ros.apps.folders import output_folder
from stma_ros.evaluation.offline import truth_file
from stma_ros.storage.bag.writer import BagWriter
from stma_ros.storage.cdr import to_cdr
from stma_ros.types.settings import configure
from stma_ros.worlds.house.config import HouseConfig
from stma_ros.worlds.house.handheld.walk import USUAL, Walk

TRUTH_FILE = "truth.yaml"
"""The ground truth, next to the bag and not in it."""


def walk(
    scene: str = "",
    seed: int = 0,
    seconds: float = 0.0,
    world_options: Mapping[str, Any] | None = None,
    out: Path | None = None,
) -> int:
    """Runs the subcommand.

    Args:
        scene: the flat; empty = that of the seed.
        seed: draws the way and all errors.
        seconds: longest time; 0 = until all rooms are seen.
        world_options: settings of the world `house`.
        out: folder of the bag.

    Returns:
        The exit status.

    Raises:
        ConfigurationError: no such flat, or settings that do not fit.
        StorageError: the bag cannot be written.
    """
    config = configure(HouseConfig, {**USUAL, **(world_options or {})}, "house")
    planned = Walk(config, scene, seed, seconds)
    console = make_console()
    folder = output_folder(out, "walk")
    settings = {"command": "walk", "scene": planned.scene, "seconds": seconds, "world_options": world_options}
    folder.write_config(settings, seed=seed)
    with BagWriter(folder.path) as bag, make_progress(console) as progress:
        bar = progress.add_task("", total=planned.count, rate="images")
        for number, (stamp, messages) in enumerate(planned.images(), start=1):
            for topic, message in messages:
                bag.add_topic(topic, message.ROS_TYPE)
                bag.write(topic, to_cdr(message), stamp.nanoseconds)
            progress.update(bar, completed=number)
    truth = planned.truth()
    truth_file.write(folder.path / TRUTH_FILE, truth)
    seen = sum(not thing.hidden for thing in truth.objects)
    console.print(
        f"{planned.count} images in {planned.seconds:.0f} s of {planned.scene}, {seen} things seen; "
        f"in {folder.path}: the bag, {TRUTH_FILE}",
        markup=False,
        highlight=False,
        soft_wrap=True,
    )
    if config.detector_errors.boxes:
        console.print(
            f"its segments are boxes: stma replay {folder.path} --set perception.masks=boxes",
            markup=False,
            highlight=False,
            soft_wrap=True,
        )
    return 0
