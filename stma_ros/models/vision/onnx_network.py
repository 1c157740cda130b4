"""Networks in ONNX files, run by onnxruntime."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stma_ros.models.vision.decoding import decoded
from stma_ros.models.vision.description import InputDescription, Layout, NetworkDescription
from stma_ros.models.vision.errors import NetworkError
from stma_ros.models.vision.network import GEOMETRY, NetworkImage, NetworkOutput
from stma_ros.models.vision.onnx_labels import check_number
from stma_ros.models.vision.preparation import Fit, colour_tensor, fit_of, geometry_tensor
from stma_ros.models.vision.warm_up import grey_image, warm_up_time
from stma_ros.types.errors import ConfigurationError, MissingDependencyError

CPU, CUDA = "cpu", "cuda"
_PROVIDERS = {CPU: "CPUExecutionProvider", CUDA: "CUDAExecutionProvider"}
_TYPES = {"tensor(float)": np.float32, "tensor(float16)": np.float16, "tensor(uint8)": np.uint8}
_SIZES = {"tensor(int64)": np.int64, "tensor(int32)": np.int32, "tensor(float)": np.float32}
_NUMBERS = ("tensor(float", "tensor(double", "tensor(int", "tensor(uint")


class OnnxNetwork:
    """Implements ObjectNetwork.

    Attributes:
        description: What the network takes and returns.
        frame_time: Time for one image after the warm-up [s].
    """

    def __init__(
        self,
        path: Path,
        description: NetworkDescription,
        *,
        device: str = CPU,
        threads: int = 1,
        batch: int = 1,
    ) -> None:
        """Loads and warms up the network.

        Args:
            path: The file.
            description: What the network takes and returns.
            device: CPU or CUDA.
            threads: Threads of one operation on the CPU. With another number the last bits of an output may differ.
            batch: Most images that are run at once, if the network takes any number. The last bits of an output may
                depend on the other images then.

        Raises:
            ConfigurationError: The file is missing or no ONNX network, has no tensor of a described name, or the output
                for a grey image is not as described.
            MissingDependencyError: onnxruntime is not installed, or has no such device.
        """
        self.description = description
        self._session = onnx_session(path, device, threads)
        self._types = _input_types(self._session, description.input, path)
        _check_outputs(self._session.get_outputs(), description.output.tensors, path)
        check_number(path, self._session, description.labels)
        takes_any_number = not isinstance(self._session.get_inputs()[0].shape[0], int)
        self._batch = batch if takes_any_number else 1
        try:
            grey = grey_image(description.input.height, description.input.width)
            self.frame_time = warm_up_time(lambda: self.detect([grey]))
        except NetworkError as error:
            raise ConfigurationError(f"{path}: {error}") from error

    @property
    def labels(self) -> tuple[str, ...]:
        return self.description.labels

    @property
    def geometry_size(self) -> tuple[int, int] | None:
        about = self.description.input
        return (about.width, about.height) if about.geometry else None

    def detect(self, images: Sequence[NetworkImage]) -> list[NetworkOutput]:
        """Returns the output for each image. Raises NetworkError."""
        outputs: list[NetworkOutput] = []
        for start in range(0, len(images), self._batch):
            outputs.extend(self._run(images[start : start + self._batch]))
        return outputs

    def _run(self, images: Sequence[NetworkImage]) -> Iterator[NetworkOutput]:
        about = self.description.input
        fits = [fit_of(image.colour.shape, about) for image in images]
        colours = [colour_tensor(image.colour, fit, about) for image, fit in zip(images, fits, strict=True)]
        feed: dict[str, NDArray[Any]] = {about.name: np.concatenate(colours)}
        if about.geometry:
            geometries = [_geometry(image, fit, about) for image, fit in zip(images, fits, strict=True)]
            feed[about.geometry] = np.concatenate(geometries)
        if about.sizes:
            feed[about.sizes] = np.array([(about.width, about.height)] * len(images))
        names = self.description.output.tensors
        typed = {name: tensor.astype(self._types[name], copy=False) for name, tensor in feed.items()}
        try:
            tensors: list[NDArray[Any]] = self._session.run(list(names), typed)
        except Exception as error:  # onnxruntime has many kinds of errors, with no base of their own
            raise NetworkError(f"the network does not run: {error}") from error
        for name, tensor in zip(names, tensors, strict=True):
            if tensor.ndim < 1 or len(tensor) != len(images):
                raise NetworkError(
                    f"tensor {name!r} has the shape {tensor.shape} for {len(images)} image(s); its first dimension "
                    "must be that of the images: export the network so"
                )
        for index, fit in enumerate(fits):
            yield decoded(
                {name: tensor[index] for name, tensor in zip(names, tensors, strict=True)},
                fit,
                self.description,
            )


def _geometry(image: NetworkImage, fit: Fit, about: InputDescription) -> NDArray[np.float32]:
    if image.geometry is None:
        raise NetworkError(
            f"the network takes the geometry of images ({about.geometry!r}), which this one lacks"
        )
    return geometry_tensor(image.geometry, fit, about)


def onnx_session(path: Path, device: str, threads: int) -> Any:
    """Returns a session of onnxruntime; arguments and errors as of OnnxNetwork."""
    try:
        import onnxruntime
    except ImportError as error:
        raise MissingDependencyError(
            f"networks in ONNX files need onnxruntime ({error}): pip install 'stma_ros[vision]', in a checkout `make "
            "vision`"
        ) from error
    if not path.is_file():
        raise ConfigurationError(f"there is no network file {path}; name another one, or make it first")
    if _PROVIDERS[device] not in onnxruntime.get_available_providers():
        raise MissingDependencyError(
            f"this onnxruntime has no {device}: install onnxruntime-gpu in place of onnxruntime, or choose cpu"
        )
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.log_severity_level = 3  # errors; they are raised as well
    try:
        session = onnxruntime.InferenceSession(str(path), options, providers=[_PROVIDERS[device]])
    except Exception as error:  # onnxruntime has many kinds of errors, with no base of their own
        raise ConfigurationError(f"{path} is no ONNX network that onnxruntime can run: {error}") from error
    if _PROVIDERS[device] not in session.get_providers():  # the CPU stands in for it
        raise MissingDependencyError(
            f"onnxruntime cannot use {device} here, since a library is missing (CUDA, cuDNN): install it, or choose cpu"
        )
    return session


def _input_types(session: Any, about: InputDescription, path: Path) -> dict[str, Any]:
    """Returns the types of the input tensors, after a check of their names and sizes. Raises ConfigurationError."""
    inputs = {tensor.name: tensor for tensor in session.get_inputs()}
    described = {about.name: 3, **({about.geometry: len(GEOMETRY)} if about.geometry else {})}
    for name, channels in described.items():
        if name not in inputs:
            raise _no_tensor(path, "input", name, session.get_inputs())
        size = (
            (about.height, about.width, channels)
            if about.layout is Layout.NHWC
            else (channels, about.height, about.width)
        )
        shape, kind = inputs[name].shape, inputs[name].type
        if len(shape) != 4 or any(
            isinstance(n, int) and n != m for n, m in zip(shape[1:], size, strict=True)
        ):
            raise ConfigurationError(
                f"{path} takes {name!r} as {shape}, not (images, {', '.join(map(str, size))}): correct size or layout "
                "in its description"
            )
        if kind not in _TYPES:
            raise ConfigurationError(f"{path} takes {name!r} as {kind}; known are {', '.join(_TYPES)}")
        if _TYPES[kind] == np.uint8 and not about.keeps_bytes:
            raise ConfigurationError(
                f"{path} takes {name!r} as bytes; give scale: 1.0 without mean and std in its description"
            )
    types = {name: _TYPES[inputs[name].type] for name in described}
    if about.sizes:
        types[about.sizes] = _type_of_sizes(inputs, about.sizes, path)
    left = inputs.keys() - types.keys()
    if left:
        raise ConfigurationError(
            f"{path} has the input {min(left)!r} as well, which nothing can be given to; if it is the size to which "
            "boxes are scaled, name it as input.sizes in its description"
        )
    return types


def _type_of_sizes(inputs: Mapping[str, Any], name: str, path: Path) -> Any:
    """Returns the type of the input tensor with the sizes of images. Raises ConfigurationError."""
    if name not in inputs:
        raise _no_tensor(path, "input", name, list(inputs.values()))
    shape, kind = inputs[name].shape, inputs[name].type
    if len(shape) != 2 or shape[1] != 2 or kind not in _SIZES:
        raise ConfigurationError(
            f"{path} takes {name!r} as {kind} {shape}, not as {' or '.join(_SIZES)} (images, 2): correct sizes in its "
            "description"
        )
    return _SIZES[kind]


def _check_outputs(outputs: Sequence[Any], wanted: Sequence[str], path: Path) -> None:
    """Raises ConfigurationError unless all wanted outputs are tensors of numbers."""
    kinds = {tensor.name: tensor.type for tensor in outputs}
    for name in wanted:
        if name not in kinds:
            raise _no_tensor(path, "output", name, outputs)
        if not kinds[name].startswith(_NUMBERS):
            raise ConfigurationError(
                f"{path} returns {name!r} as {kinds[name]}, which is no tensor of numbers; export it without what "
                "makes sequences or texts of its result"
            )


def _no_tensor(path: Path, kind: str, name: str, tensors: Sequence[Any]) -> ConfigurationError:
    return ConfigurationError(
        f"{path} has no {kind} {name!r}; it has {', '.join(map(repr, _names(tensors)))}: correct its description"
    )


def _names(tensors: Sequence[Any]) -> list[str]:
    return [tensor.name for tensor in tensors]
