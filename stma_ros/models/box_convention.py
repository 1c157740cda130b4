"""Conventions in which vision-language models draw boxes, and the conventions of known families of models."""

from __future__ import annotations

import enum
import re
from typing import TypeAlias

BOX_UNITS = 1000
"""Width and height of a picture in thousandths."""

Corners: TypeAlias = tuple[float, float, float, float]
"""Left, top, right and bottom of a box."""


class BoxConvention(str, enum.Enum):
    """Unit and order of the four numbers of a box. A model is best asked in the convention that it was trained with."""

    THOUSANDTHS = "thousandths"  # left, top, right, bottom in thousandths of the picture's width and height
    TOP_FIRST = "thousandths_top_first"  # top, left, bottom, right in thousandths
    PIXELS = "pixels"  # left, top, right, bottom in pixels of the picture as it is sent
    FRACTIONS = "fractions"  # left, top, right, bottom as fractions of 1

    def limits(self, width: int, height: int) -> Corners:
        """Returns the largest value of each of the four numbers, for a picture of this size [px]."""
        match self:
            case BoxConvention.PIXELS:
                return width, height, width, height
            case BoxConvention.FRACTIONS:
                return 1.0, 1.0, 1.0, 1.0
        return BOX_UNITS, BOX_UNITS, BOX_UNITS, BOX_UNITS

    def corners(self, box: Corners, width: int, height: int) -> Corners:
        """Converts a box of this convention to thousandths, left first; it may reach beyond the picture."""
        one, two, three, four = (
            value * BOX_UNITS / limit for value, limit in zip(box, self.limits(width, height), strict=True)
        )
        return (two, one, four, three) if self is BoxConvention.TOP_FIRST else (one, two, three, four)


AUTO = "auto"
"""The value of the setting for the convention of the model's family."""

_FAMILIES: dict[str, BoxConvention] = {
    # Technical report of Qwen2-VL: coordinates are normalised to 0 to 1000.
    "qwen2vl": BoxConvention.THOUSANDTHS,
    # Technical report of Qwen2.5-VL: coordinates by the actual size of the picture, as its processor scales it.
    "qwen25vl": BoxConvention.PIXELS,
    # Cookbook "spatial_understanding" in the repository QwenLM/Qwen3-VL: relative coordinates from 0 to 1000.
    "qwen3vl": BoxConvention.THOUSANDTHS,
    # Documentation of InternVL, data format of grounding: boxes are normalised to 0 to 1000.
    "internvl": BoxConvention.THOUSANDTHS,
    # Documentation of the Gemini API, image understanding: [ymin, xmin, ymax, xmax] from 0 to 1000.
    "gemini": BoxConvention.TOP_FIRST,
}
"""The convention of a family, by a part of its models' names in lower-case letters and digits. Gemma, MiniCPM-V and
LLaVA are missing, as no publication settles what their newer models do: `stma doctor --model` measures it."""


def convention_of(model: str) -> BoxConvention:
    """Returns the convention of a model's family by the model's name; THOUSANDTHS if the family is not known.

    Args:
        model: name as a server or a folder has it ("Qwen/Qwen2.5-VL-7B-Instruct"), possibly with " at " and an address.
    """
    name = model.partition(" at ")[0].rstrip("/").rpartition("/")[2]  # without folders, and who published it
    letters = re.sub(r"[^a-z0-9]", "", name.lower())
    return next(
        (found for family, found in _FAMILIES.items() if family in letters), BoxConvention.THOUSANDTHS
    )
