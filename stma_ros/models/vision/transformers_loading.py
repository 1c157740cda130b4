"""Loads networks of the transformers library that work on images, from a folder or from the hub."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from stma_ros.models.errors import one_line
from stma_ros.models.transformers.runtime import torch_device, without_progress_bars
from stma_ros.types.errors import ConfigurationError, MissingDependencyError

_FOLDER = "give the folder of one with config.json, *.safetensors and the files of its processor"
_HUB = (
    "give a folder, or a name that the hub knows; without a connection, get it elsewhere with `hf download {model} "
    "--local-dir FOLDER` and give that folder"
)


class Pretrained:
    """A folder, or a name on the hub, from which the parts of one network are loaded.

    Code that comes with a network is not executed, and weights are read from safetensors files only. A folder is read
    without a connection. For a name, the library looks into its cache first, and asks the hub unless HF_HUB_OFFLINE is
    set.

    Attributes:
        config: Configuration of the network.
    """

    def __init__(self, model: Path | str) -> None:
        """Loads the configuration.

        Args:
            model: A folder, or a name on the hub as owner/name.

        Raises:
            MissingDependencyError: torch or transformers is not installed.
            ConfigurationError: There is no such network.
        """
        try:
            import torch  # noqa: F401
            from transformers import AutoConfig
        except ImportError as error:
            raise MissingDependencyError(
                f"networks of transformers need torch and transformers ({error}): pip install 'stma_ros[models]', in a "
                "checkout `make models`"
            ) from error
        self._model = model
        if isinstance(model, Path) and not (model / "config.json").is_file():
            raise ConfigurationError(f"there is no network of transformers in {model}; {_FOLDER}")
        self.config: Any = self.part(AutoConfig.from_pretrained)

    def __str__(self) -> str:
        return str(self._model)

    def part(self, load: Callable[..., Any], **options: Any) -> Any:
        """Returns a part, such as the image processor.

        Args:
            load: `from_pretrained` of the class of the part.
            options: Its further arguments.

        Raises:
            MissingDependencyError: The part needs a library that is not installed.
            ConfigurationError: The part cannot be loaded.
        """
        is_folder = isinstance(self._model, Path)
        try:
            with without_progress_bars():
                return load(self._model, local_files_only=is_folder, trust_remote_code=False, **options)
        except ImportError as error:
            raise MissingDependencyError(
                f"the network {self} needs a library that is not installed: {one_line(error)}; install it, or take "
                "another network"
            ) from error
        except (
            Exception
        ) as error:  # transformers, safetensors and the hub have no base of their errors in common
            remedy = _FOLDER if is_folder else _HUB.format(model=self._model)
            raise ConfigurationError(
                f"the network {self} cannot be loaded: {one_line(error)}; {remedy}"
            ) from error

    def network(self, load: Callable[..., Any], device: str) -> Any:
        """Returns the network in float32 on a device, ready for inference.

        Args:
            load: `from_pretrained` of its class.
            device: "cpu" or "cuda".

        Raises:
            MissingDependencyError: It needs a library that is not installed.
            ConfigurationError: It cannot be loaded, lacks weights, or there is no such device.
        """
        import torch

        place = torch_device(device, "cpu, or install a torch with CUDA")
        network, found = self.part(load, dtype=torch.float32, use_safetensors=True, output_loading_info=True)
        missing = found["missing_keys"]  # transformers initialises missing weights randomly
        if missing:
            raise ConfigurationError(
                f"{len(missing)} weights of the network {self} are not among its files, such as {min(missing)}; "
                f"{_FOLDER}"
            )
        return network.to(place).eval()
