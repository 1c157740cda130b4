"""Loads a language model or vision-language model from a local folder."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from stma_ros.models.transformers.runtime import torch_device, without_progress_bars
from stma_ros.types.errors import ConfigurationError, MissingDependencyError

_REMEDY = (
    "give the folder of a Qwen2.5-VL, Qwen3-VL or text-only model with config.json, *.safetensors, tokenizer.json "
    "and, for images, preprocessor_config.json"
)


@dataclass(frozen=True)
class ModelParts:
    """A loaded model.

    Attributes:
        network: The network, on its device.
        tokenizer: Its tokenizer.
        processor: Image processor; None for a model of text alone.
    """

    network: Any
    tokenizer: Any
    processor: Any | None


def load_parts(folder: Path, device: str) -> ModelParts:
    """Loads a model, in bfloat16 on a GPU and in float32 otherwise.

    Nothing is downloaded, code in the folder is not executed, and weights are read from safetensors files only.

    Args:
        folder: Folder with the model's files.
        device: "auto" (the first GPU, or the CPU if there is none) or a device in torch's spelling.

    Raises:
        MissingDependencyError: torch or transformers is not installed.
        ConfigurationError: The folder or the device cannot be used.
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
    place = torch_device(device)
    local: dict[str, Any] = {"local_files_only": True, "trust_remote_code": False}
    try:
        with without_progress_bars():
            config = AutoConfig.from_pretrained(folder, **local)
            has_vision = hasattr(config, "vision_config")
            tokenizer = AutoTokenizer.from_pretrained(folder, **local)
            # The Pillow back end gives the same patches with and without torchvision.
            processor = (
                AutoImageProcessor.from_pretrained(folder, backend="pil", **local) if has_vision else None
            )
            if processor is not None and "image_grid_thw" not in processor.model_input_names:
                raise ConfigurationError(
                    f"the {config.model_type} in {folder} takes images in another form than Qwen's; {_REMEDY}"
                )
            kind = AutoModelForImageTextToText if has_vision else AutoModelForCausalLM
            network, found = kind.from_pretrained(
                folder,
                dtype=torch.bfloat16 if place.type == "cuda" else torch.float32,
                use_safetensors=True,
                output_loading_info=True,
                **local,
            )
        network = network.to(place)
    except (OSError, ValueError, KeyError, RuntimeError, MemoryError, SafetensorError) as error:
        raise ConfigurationError(f"the model in {folder} cannot be loaded: {error}; {_REMEDY}") from error
    if found["missing_keys"]:  # transformers initialises missing weights randomly
        raise ConfigurationError(
            f"{len(found['missing_keys'])} weights of the model are not in {folder}, such as "
            f"{min(found['missing_keys'])}; {_REMEDY}"
        )
    return ModelParts(network, tokenizer, processor)
