"""Device, threads and progress bars of torch and transformers."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from stma_ros.types.errors import ConfigurationError

AUTO = "auto"


def torch_device(name: str, others: str = "auto, cpu or cuda") -> Any:
    """Returns a device of torch.

    Args:
        name: AUTO (the first GPU, or the CPU if there is none) or a device in torch's spelling.
        others: Devices to choose from, for the error message.

    Raises:
        ConfigurationError: There is no such device.
    """
    import torch

    if name == AUTO:
        return torch.device("cuda" if torch.cuda.is_available() else "cpu")
    try:
        place = torch.device(name)
        torch.empty(0, device=place)
    except (RuntimeError, AssertionError) as error:  # torch without CUDA raises AssertionError
        raise ConfigurationError(f"there is no device {name!r} here: {error}; take {others}") from error
    return place


@contextmanager
def on_threads(count: int) -> Iterator[None]:
    """Lets torch use a number of CPU threads during the block.

    The number belongs to the process: other code in it, such as the sentence encoder, sets its own.
    """
    import torch

    before = torch.get_num_threads()
    torch.set_num_threads(count)
    try:
        yield
    finally:
        torch.set_num_threads(before)


@contextmanager
def without_progress_bars() -> Iterator[None]:
    """Hides the progress bars of transformers during the block."""
    from transformers.utils import logging

    shown = logging.is_progress_bar_enabled()
    logging.disable_progress_bar()
    try:
        yield
    finally:
        if shown:
            logging.enable_progress_bar()
