"""Loads a language model, with or without eyes, from a folder of this machine."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from stma_ros.types.errors import ConfigurationError, MissingDependencyError

_REMEDY = (
    "give the folder of a Qwen2.5-VL, Qwen3-VL or text-only model with config.json, *.safetensors, tokenizer.json "
    "and, for images, preprocessor_config.json"
)


@dataclass(frozen=True)
class ModelParts:
    """processor: makes patches of images; None for a model that reads only text."""

    network: Any
    tokenizer: Any
    processor: Any | None


def load_parts(folder: Path, device: str) -> ModelParts:
    """On a GPU in bfloat16, otherwise in float32. Nothing is fetched from anywhere, no code of the folder is run, and
    no weights are read that could hold code.

    device: "auto" (the first GPU, the CPU where there is none) or as torch spells it.
    Raises MissingDependencyError, and ConfigurationError for a folder or a device that cannot be used.
    """
    try:
        import torch
        from safetensors import SafetensorError
        from transformers import (
            AutoConfig,
            AutoImageProcessor,
            AutoModelForCausalLM,
            AutoModelForImageTextToText,
            AutoTokenizer,
        )
    except ImportError as error:
        raise MissingDependencyError(
            f"a model in this process needs torch and transformers ({error}): pip install 'stma_ros[models]', "
            "in a checkout `make models`, or have a server run the model"
        ) from error
    if not (folder / "config.json").is_file():
        raise ConfigurationError(f"there is no model in {folder}; {_REMEDY}")
    place = _device(device)
    local: dict[str, Any] = {"local_files_only": True, "trust_remote_code": False}
    try:
        with _without_bars():
            config = AutoConfig.from_pretrained(folder, **local)
            sees = hasattr(config, "vision_config")
            tokenizer = AutoTokenizer.from_pretrained(folder, **local)
            # Always Pillow's patches: they are the same with and without torchvision.
            processor = AutoImageProcessor.from_pretrained(folder, backend="pil", **local) if sees else None
            if processor is not None and "image_grid_thw" not in processor.model_input_names:
                raise ConfigurationError(
                    f"the {config.model_type} in {folder} takes images in another form than Qwen's; {_REMEDY}"
                )
            network, found = (AutoModelForImageTextToText if sees else AutoModelForCausalLM).from_pretrained(
                folder,
                dtype=torch.bfloat16 if place.type == "cuda" else torch.float32,
                use_safetensors=True,
                output_loading_info=True,
                **local,
            )
        network = network.to(place)
    except (OSError, ValueError, KeyError, RuntimeError, MemoryError, SafetensorError) as error:
        raise ConfigurationError(f"the model in {folder} cannot be loaded: {error}; {_REMEDY}") from error
    if found["missing_keys"]:  # they would be random
        raise ConfigurationError(
            f"{len(found['missing_keys'])} weights of the model are not in {folder}, such as "
            f"{min(found['missing_keys'])}; {_REMEDY}"
        )
    return ModelParts(network, tokenizer, processor)


def _device(name: str) -> Any:
    import torch

    if name == "auto":
        return torch.device("cuda" if torch.cuda.is_available() else "cpu")
    try:
        place = torch.device(name)
        torch.empty(0, device=place)
    except (RuntimeError, AssertionError) as error:  # torch without CUDA asserts that it has it
        raise ConfigurationError(
            f"there is no device {name!r} here: {error}; take auto, cpu or cuda"
        ) from error
    return place


@contextmanager
def _without_bars() -> Iterator[None]:
    """The terminal belongs to the program: transformers shows no progress there."""
    from transformers.utils import logging

    shown = logging.is_progress_bar_enabled()
    logging.disable_progress_bar()
    try:
        yield
    finally:
        if shown:
            logging.enable_progress_bar()
