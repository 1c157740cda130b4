"""Chooses the templates that word a task, by the seed of its suite."""

from __future__ import annotations

import enum

import numpy as np

from stma_ros.evaluation.household_tasks.everyday.development import DEVELOPMENT
from stma_ros.evaluation.household_tasks.everyday.held_out import HELD_OUT
from stma_ros.evaluation.household_tasks.everyday.templates import Templates

FIRST_DEVELOPMENT_SEED = 1000
"""Suites from this seed on use the development part of the everyday templates, earlier ones the held-out part."""

_RUN, _EVERYDAY = 5, 2  # of any five consecutive tasks of a group, two have everyday wording


class Phrasing(enum.Enum):
    """The templates of a task's text."""

    PLAIN = "plain"  # direct requests (household_tasks/phrasing.py)
    EVERYDAY = "everyday"  # as people talk to a robot (household_tasks/everyday)


def phrasing_of(seed: int, group: int, ordinal: int) -> Phrasing:
    """Returns the templates of one task. They follow from the suite's seed, whatever the task is.

    Of three consecutive tasks of a group at least one, and of five exactly two have everyday wording.

    Args:
        seed: the suite's seed.
        group: number of the group, such as the length class.
        ordinal: position among the tasks of the group.
    """
    phase = int(np.random.default_rng((seed, group)).integers(_RUN))
    # Multiples of two modulo five: 0, 2, 4, 1, 3.
    is_everyday = _EVERYDAY * (ordinal + phase) % _RUN < _EVERYDAY
    return Phrasing.EVERYDAY if is_everyday else Phrasing.PLAIN


def everyday_templates(seed: int) -> Templates:
    """Returns the part of the everyday templates for a suite's seed."""
    return DEVELOPMENT if seed >= FIRST_DEVELOPMENT_SEED else HELD_OUT
