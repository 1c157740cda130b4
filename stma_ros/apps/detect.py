"""`stma detect`: shows what a network finds in photographs."""

from __future__ import annotations

import io
from collections.abc import Sequence
from pathlib import Path

from PIL import ExifTags, Image, ImageDraw, ImageFont, ImageOps

from stma_ros.apps.console import make_console
from stma_ros.apps.folders import make_folder
from stma_ros.models.images import read_picture
from stma_ros.models.vision.description import ClassMapOutput, NetworkDescription
from stma_ros.models.vision.network import BoxedObject, NetworkImage
from stma_ros.models.vision.networks import network_path
from stma_ros.sensing.detectors.network_file import read_network_file
from stma_ros.sensing.detectors.network_loading import load_network
from stma_ros.types.errors import BadImageError, ConfigurationError
from stma_ros.visual.colours import of_category

MOST_PIXELS = 50_000_000
"""Pixels of a picture at most; larger ones are scaled down."""

LINE = 0.005
"""Width of a line, and a fifth of the height of a letter, as a share of the picture's longer side."""


def detect(network: Path, pictures: Sequence[Path], out: Path) -> int:
    """Finds the objects in pictures, prints them and draws them into copies; returns the exit status.

    Args:
        network: YAML file that describes a network, or the name of one of this package.
        pictures: PNG, JPEG or other files that Pillow reads.
        out: Folder of the copies, made if need be.

    Raises:
        ConfigurationError: A file cannot be read, or the network takes depth as well.
        BadImageError: A file is no picture.
        MissingDependencyError: A library that the network needs is not installed.
        NetworkError: The network does not run.
    """
    copies = _copies(pictures, out)
    described = read_network_file(network_path(str(network)))
    finder = load_network(described)
    if finder.geometry_size is not None:
        raise ConfigurationError(
            f"the network of {network} takes depth beside colours; try it on a bag or in a simulated world, with "
            "perception.source=network"
        )
    about = described.description
    if isinstance(about, NetworkDescription) and isinstance(about.output, ClassMapOutput):
        raise ConfigurationError(
            f"the network of {network} gives each pixel a class; pictures show boxes alone"
        )
    make_folder("--out", out)
    console = make_console()
    for path, drawn in copies.items():
        try:
            pixels = read_picture(_upright(path), MOST_PIXELS).pixels
        except BadImageError as error:
            raise BadImageError(f"{path}: {error}") from error
        (output,) = finder.detect([NetworkImage(pixels)])
        _drawn(Image.fromarray(pixels), output.objects).save(drawn)
        found = ", ".join(f"{item.label} {item.score:.2f}" for item in output.objects) or "nothing"
        console.print(f"{path.name}: {found} -> {drawn}", highlight=False, markup=False, soft_wrap=True)
    console.print(f"{1000 * finder.frame_time:.0f} ms for a picture on one thread", highlight=False)
    return 0


def _copies(pictures: Sequence[Path], out: Path) -> dict[Path, Path]:
    """Returns the copy of each picture. Raises ConfigurationError where one would replace a picture or another copy."""
    copies = {path: out / f"{path.stem}.png" for path in pictures}
    for path, copy in copies.items():
        taken = [other for other in pictures if other.resolve() == copy.resolve()]
        taken += [other for other, its in copies.items() if other != path and its == copy]
        if taken:
            raise ConfigurationError(
                f"{copy} would be written for {path}, and replace what belongs to {taken[0]}; name another folder with "
                "--out, or show them one by one"
            )
    return copies


def _upright(path: Path) -> bytes:
    """Returns a picture as the camera was held: phones store that beside the pixels."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise ConfigurationError(f"{path} cannot be read ({error.strerror}); name another picture") from error
    try:
        with Image.open(io.BytesIO(content)) as picture:
            if picture.getexif().get(ExifTags.Base.Orientation, 1) == 1:
                return content
            packed = io.BytesIO()
            ImageOps.exif_transpose(picture).save(packed, "PNG")
            return packed.getvalue()
    except Exception:  # noqa: BLE001 - of many kinds for damaged files; read_picture says what is wrong
        return content


def _drawn(picture: Image.Image, objects: Sequence[BoxedObject]) -> Image.Image:
    width = max(round(LINE * max(picture.size)), 1)
    font = ImageFont.load_default(5 * width)
    draw = ImageDraw.Draw(picture)
    for item in reversed(objects):  # the best on top
        colour = of_category(item.label)
        left, top, right, bottom = item.box
        draw.rectangle((left, top, right - 1, bottom - 1), outline=colour, width=width)
        text = f"{item.label} {item.score:.2f}"
        area = draw.textbbox((left + 2 * width, top + 2 * width), text, font=font)
        draw.rectangle((area[0] - width, area[1] - width, area[2] + width, area[3] + width), fill=colour)
        draw.text((left + 2 * width, top + 2 * width), text, fill=(255, 255, 255), font=font)
    return picture
