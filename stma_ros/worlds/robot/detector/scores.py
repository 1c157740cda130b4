"""Scores and missed things by size: a weak detector sees what is near better than what is far."""

from __future__ import annotations

import math
from typing import Final

import numpy as np

TRUE_SCORES: Final = (0.3, 0.9)
"""Range of the scores of things that are there, weak ones included: a trained detector's on a hand-held recording, of
which labels below 0.3 are usually cut off."""

INVENTED_SCORES: Final = (0.3, 0.7)
"""Range of the scores of things that are not there, most of them near its low end."""

_SMALL, _LARGE = 8e-4, 5e-2  # shares of the image: 60 px and 3800 px of 320x240
_BY_SIZE, _SPREAD = 0.55, 0.15  # part of the range that the size decides, and standard deviation of the rest
_WRONG = 0.7  # factor on the part of a score above the lowest one, of a wrong label
_INVENTED = (1.2, 3.0)  # Beta distribution of invented things within their range

_AVERAGE = 5e-3  # share of the image at which the missed share is as set: 380 px of 320x240
_EXPONENT = 0.35  # of the size
_LEAST, _MOST = 0.4, 2.5  # factors on the missed share of the largest and of the smallest things


def weak_score(size: float, wrong: bool, generator: np.random.Generator) -> float:
    """Returns the score of a label of a thing that is there.

    Args:
        size: of the thing, as a share of the image.
        wrong: whether the label is wrong.
        generator: draws the noise.
    """
    low, high = TRUE_SCORES
    seen = min(max(math.log(max(size, _SMALL) / _SMALL) / math.log(_LARGE / _SMALL), 0.0), 1.0)
    share = (1 - _BY_SIZE) / 2 + _BY_SIZE * seen + _SPREAD * generator.standard_normal()
    return min(low + (high - low) * float(np.clip(share, 0.0, 1.0)) * (_WRONG if wrong else 1.0), high)


def invented_score(generator: np.random.Generator) -> float:
    """Returns the score of a label of a thing that is not there."""
    low, high = INVENTED_SCORES
    return low + (high - low) * float(generator.beta(*_INVENTED))


def missed_share(share: float, size: float) -> float:
    """Returns the missed share of things of a size. size: as a share of the image."""
    factor = math.pow(_AVERAGE / max(size, 1e-9), _EXPONENT)
    return min(share * min(max(factor, _LEAST), _MOST), 1.0)
