"""`stma train`: renders images, trains the network, and writes it with its learning curve."""

from __future__ import annotations

import json
import math
import time
from collections.abc import Iterator
from dataclasses import asdict
from itertools import islice
from pathlib import Path

import torch
from rich.console import Console
from rich.progress import track

from stma_ros.apps.console import make_console
from stma_ros.apps.training.export import write_network
from stma_ros.apps.training.labelled_images import LabelledImage, LabelledImages
from stma_ros.apps.training.trainer import Trainer, check_folder, key_of
from stma_ros.apps.training.validation import ImageScore, score_images
from stma_ros.evaluation.flats import TRAINING, VALIDATION
from stma_ros.storage.files import write_atomically
from stma_ros.types.errors import ConfigurationError
from stma_ros.worlds.robot.camera import Camera

VIEWS = 12
"""Views of each flat."""

VALIDATION_SHARE = 0.02
"""Number of flats that the network is scored on, by the number of those that it is trained on; at least one."""

POINTS = 20
"""Points of the learning curve."""

MIN_SCORE = 0.2
"""Least probability of a thing in a region: what is less likely one is hardly seen again."""

NETWORK, CURVE, CHECKPOINT = "house.yaml", "learning_curve.jsonl", "checkpoint.pt"


def train(folder: Path, flats: int, images: int, seed: int, threads: int) -> int:
    """Trains the network, or goes on where it was broken off; returns the exit status.

    Args:
        folder: For the images, the checkpoint, the learning curve and the network.
        flats: Number of flats to render.
        images: Number of images to see, in which each is seen several times.
        seed: Of the network's first weights and of the order of the images.
        threads: Processes that render, then threads that train.

    Raises:
        ConfigurationError: There are fewer flats than asked for, or the folder holds another training.
        StorageError: A file of the folder is damaged.
        MissingDependencyError: Open3D is not installed.
    """
    if flats > len(TRAINING):
        raise ConfigurationError(f"there are {len(TRAINING)} flats to train on, not {flats}")
    check_folder(folder / CHECKPOINT, key_of(TRAINING[:flats], images, seed))
    torch.set_num_threads(threads)
    console = make_console()
    own = LabelledImages(folder / "images", TRAINING[:flats], VIEWS)
    others = LabelledImages(folder / "images", VALIDATION[: max(round(VALIDATION_SHARE * flats), 1)], VIEWS)
    for images_of_flats, name in ((own, "training"), (others, "validation")):
        done = images_of_flats.render(threads)
        for _ in track(
            done, f"rendering flats for {name}", total=len(images_of_flats.missing), console=console
        ):
            pass
    labels = own.labels()
    trainer = Trainer(own, labels, images, seed, folder / CHECKPOINT)
    console.print(f"{len(labels) - 1} classes; {trainer.seen} of {images} images seen", highlight=False)
    start = time.monotonic() - trainer.seconds
    for losses in trainer.run(report_every=max(images // POINTS, 1)):
        score = score_images(trainer.network, _all(others), labels)
        trainer.seconds = time.monotonic() - start
        trainer.points.append({**asdict(losses), **score.summary, "seconds": round(trainer.seconds)})
        trainer.save()
        write_atomically(folder / CURVE, "".join(json.dumps(point) + "\n" for point in trainer.points))
        _say(console, trainer.points[-1])
    final = score_images(trainer.network, _all(others), labels)
    about = {"licence": "Apache-2.0", "source": f"stma train, {flats} flats, {images} images, seed {seed}"}
    size = Camera().width, Camera().height
    write_network(trainer.network, labels, size, MIN_SCORE, _share(final.recall()), folder / NETWORK, about)
    _say_confusions(console, final)
    console.print(f"network      {folder / NETWORK}", markup=False, highlight=False, soft_wrap=True)
    return 0


def _share(recall: float) -> float:
    """Returns a recall as a file may have it: neither 0 nor 1, whatever the few images of a trial say."""
    return 0.05 if math.isnan(recall) else min(max(recall, 0.05), 0.95)


def _all(images: LabelledImages) -> Iterator[LabelledImage]:
    return (image for seed in images.flats for image in images.read(seed))


def _say(console: Console, record: dict[str, float]) -> None:
    console.print(
        f"{record['images']:6d} images  loss {record['class_loss']:.3f}  recall {record['recall']:.1f} %, "
        f"of small things {record['recall_small']:.1f} %  pixels {record['pixel_precision']:.1f} %  "
        f"states {record['state_accuracy']:.1f} %  {record['seconds']} s",
        highlight=False,
        soft_wrap=True,
    )


def _say_confusions(console: Console, score: ImageScore, number: int = 10) -> None:
    for (true, said), times in islice(score.confused.most_common(), number):
        console.print(f"{true} taken for {said}: {times} times", highlight=False)
