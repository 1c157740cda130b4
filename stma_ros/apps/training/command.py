"""`stma train`: renders images, trains the networks, and writes them with their learning curves."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping
from itertools import islice
from pathlib import Path
from typing import Any

import torch
from rich.console import Console
from rich.progress import track

from stma_ros.apps.console import make_console
from stma_ros.apps.folders import make_folder
from stma_ros.apps.training.export import write_description, write_pixels, write_region_classifier
from stma_ros.apps.training.labelled_images import LabelledImages, TrainingData
from stma_ros.apps.training.pixel_trainer import PixelTrainer
from stma_ros.apps.training.region_trainer import RegionTrainer
from stma_ros.apps.training.region_weight import MIN_FLATS, WEIGHTS, named_regions
from stma_ros.apps.training.resumable import ResumableTraining, check_checkpoint
from stma_ros.apps.training.validation import ImageScore
from stma_ros.evaluation.flats import TRAINING, VALIDATION
from stma_ros.models.vision.network import ObjectNetwork
from stma_ros.models.vision.region_network import RegionNetwork
from stma_ros.sensing.detectors.network_file import read_network_file
from stma_ros.sensing.detectors.network_loading import load_network
from stma_ros.storage.files import write_atomically
from stma_ros.types.errors import ConfigurationError
from stma_ros.worlds.robot.camera import Camera

VIEWS = 12
"""Views of each flat."""

VALIDATION_SHARE = 0.02
"""Number of flats that the network is scored on, by the number of those that it is trained on; at least one."""

POINTS = 10
"""Points of a learning curve, with a checkpoint each."""

MIN_SCORE = 0.2
"""Least probability of a thing in a region: what is less likely one is hardly seen again."""

LICENCE = "Apache-2.0"

NETWORK, PIXELS, REGIONS = "house.yaml", "house.onnx", "house_regions.onnx"
CURVE, CHECKPOINT = "learning_curve.jsonl", "checkpoint.pt"
REGION_CURVE, REGION_CHECKPOINT = "region_curve.jsonl", "region_checkpoint.pt"


def train(folder: Path, flats: int, images: int, regions: int, seed: int, threads: int) -> int:
    """Trains the networks, or goes on where it was broken off; returns the exit status.

    Args:
        folder: For the images, the checkpoints, the learning curves and the networks.
        flats: Number of flats to render.
        images: Number of images that the network of pixels sees, in which each is seen several times.
        regions: Number of regions that the second network sees; 0 = there is none.
        seed: Of the networks' first weights and of the order of the images.
        threads: Processes that render, then threads that train.

    Raises:
        ConfigurationError: There are fewer flats than asked for, or the folder is of another training or no folder.
        StorageError: A file of the folder is damaged.
        MissingDependencyError: Open3D is not installed.
    """
    if flats > len(TRAINING):
        raise ConfigurationError(f"there are {len(TRAINING)} flats to train on, not {flats}")
    make_folder("DIR", folder)
    pixel_key = {"flats": list(TRAINING[:flats]), "images": images, "seed": seed}
    region_key = {**pixel_key, "regions": regions}
    check_checkpoint(folder / CHECKPOINT, pixel_key)
    if regions:
        check_checkpoint(folder / REGION_CHECKPOINT, region_key)
    torch.set_num_threads(threads)
    console = make_console()
    own = LabelledImages(folder / "images", TRAINING[:flats], VIEWS)
    validation = LabelledImages(
        folder / "images", VALIDATION[: max(round(VALIDATION_SHARE * flats), 1)], VIEWS
    )
    for images_of_flats, name in ((own, "training"), (validation, "validation")):
        done = images_of_flats.render(threads)
        for _ in track(
            done, f"rendering flats for {name}", total=len(images_of_flats.missing), console=console
        ):
            pass
    labels = own.labels()
    console.print(f"{len(labels) - 1} classes", highlight=False)
    data = TrainingData(own, validation, labels)
    pixels = PixelTrainer(data, pixel_key, folder / CHECKPOINT)
    is_new = pixels.seen < pixels.total
    _train(pixels, threads, folder / CURVE, _pixel_line, console)
    final = pixels.score()
    size = Camera().width, Camera().height
    write_pixels(pixels.network, size, folder / PIXELS)
    path, weight = folder / NETWORK, 0.0
    described = folder / PIXELS, labels, size, MIN_SCORE, _share(final.recall())
    about = {"licence": LICENCE, "source": f"stma train, {flats} flats, {images} images, seed {seed}"}
    if regions:
        if is_new or not path.exists():  # else it names the second network, which is to be so until the end
            write_description(path, *described, about)
        finder = load_network(read_network_file(path), threads=threads)
        region_key["network of pixels"] = pixels.fingerprint
        namer = RegionTrainer(finder, data, region_key, folder / REGION_CHECKPOINT)
        _train(namer, threads, folder / REGION_CURVE, _region_line, console)
        write_region_classifier(namer.network, labels, folder / REGIONS)
        weight = _weight(finder, folder / REGIONS, validation, console)
    if weight:
        about["source"] += f", {regions} regions"
    write_description(path, *described, about, (folder / REGIONS, weight) if weight else None)
    _say_confusions(console, final)
    console.print(f"network      {path}", markup=False, highlight=False, soft_wrap=True)
    return 0


def _train(
    training: ResumableTraining[Any, Any],
    threads: int,
    curve: Path,
    line: Callable[[Mapping[str, float]], str],
    console: Console,
) -> None:
    """Trains to the end, and writes a checkpoint, the learning curve and a line for each point of it."""
    console.print(f"{training.seen} of {training.total} {training.unit} seen", highlight=False)
    for point in training.run(POINTS, threads):
        write_atomically(curve, "".join(json.dumps(_known(each)) + "\n" for each in training.points))
        training.save()
        console.print(f"{line(point)}  {point['seconds']} s", highlight=False, soft_wrap=True)


def _known(point: Mapping[str, float]) -> dict[str, float | None]:
    """Returns a point with None for each figure that is not known, which JSON has no number for."""
    return {name: None if math.isnan(value) else value for name, value in point.items()}


def _pixel_line(point: Mapping[str, float]) -> str:
    return (
        f"{point['images']:6d} images  loss {point['class_loss']:.3f}  recall {point['recall']:.1f} %, "
        f"of small things {point['recall_small']:.1f} %  pixels {point['pixel_precision']:.1f} %  "
        f"states {point['state_accuracy']:.1f} %"
    )


def _region_line(point: Mapping[str, float]) -> str:
    return (
        f"{point['regions']:6d} regions  loss {point['loss']:.3f}  named rightly: small {point['named_small']:.1f} %, "
        f"large {point['named_large']:.1f} %"
    )


def _weight(finder: ObjectNetwork, path: Path, validation: LabelledImages, console: Console) -> float:
    """Returns how much the network of regions is to count; 0 = it is of no use, or that cannot be told."""
    if len(validation.flats) < MIN_FLATS:
        console.print(
            f"{len(validation.flats)} flats for validation are too few to tell whether the network of regions helps: "
            f"it is written, and not used; train on {math.ceil(MIN_FLATS / VALIDATION_SHARE)} flats or more",
            highlight=False,
            soft_wrap=True,
        )
        return 0.0
    found = named_regions(finder, RegionNetwork(path, finder.labels), validation, MIN_SCORE)
    for weight in WEIGHTS:
        console.print(
            f"weight {weight:.1f}: regions named rightly {found.share(weight):.1f} %, of small things "
            f"{found.share(weight, large=False):.1f} %, of large ones {found.share(weight, large=True):.1f} %",
            highlight=False,
            soft_wrap=True,
        )
    best = found.best_weight()
    if not best:
        console.print("the network of regions does not help, and is not used", highlight=False)
    return best


def _share(recall: float) -> float:
    """Returns a recall as a file may have it: neither 0 nor 1, whatever the few images of a trial say."""
    return 0.05 if math.isnan(recall) else min(max(recall, 0.05), 0.95)


def _say_confusions(console: Console, score: ImageScore, number: int = 10) -> None:
    for (true, said), times in islice(score.confused.most_common(), number):
        console.print(f"{true} taken for {said}: {times} times", highlight=False)
