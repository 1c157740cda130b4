"""Puts an ONNX graph together, with images in whichever order of dimensions costs fewer transposes."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stma_ros.types.errors import MissingDependencyError

TO_CHANNELS_FIRST = (0, 3, 1, 2)
TO_CHANNELS_LAST = (0, 2, 3, 1)


@dataclass(frozen=True, eq=False)
class Tensor:
    """A tensor of the ONNX graph, or a constant.

    TensorFlow.js has the channels of an image in the last dimension, ONNX in the second. What has four dimensions may
    be in the graph in either order; operations on single elements leave it as it is, so that a network of convolutions
    is transposed where it begins and ends only.

    Attributes:
        name: Name in the ONNX graph; of a constant, the name that it gets there once it is used.
        channels_first: Whether the four dimensions are batch, channels, rows, columns, and not, as in TensorFlow.js,
            batch, rows, columns, channels.
        constant: The value, if it is known before the network runs.
    """

    name: str
    channels_first: bool = False
    constant: NDArray[Any] | None = None


class GraphBuilder:
    """Collects the nodes and constants of an ONNX graph.

    Attributes:
        nodes: The nodes, each after all that it reads.
        initializers: The constants that nodes read.
    """

    def __init__(self, reserved: Collection[str] = ()) -> None:
        """Makes an empty graph.

        Args:
            reserved: Names of inputs and outputs, which no other tensor gets.

        Raises:
            MissingDependencyError: The library onnx is not installed.
        """
        self._onnx = load_onnx()
        self.nodes: list[Any] = []
        self.initializers: list[Any] = []
        self._names = set(reserved)
        self._constants: dict[tuple[str, str], str] = {}  # by name of the tensor and form
        self._transposed: dict[str, str] = {}

    def add(
        self,
        kind: str,
        inputs: Sequence[str],
        name: str,
        *,
        channels_first: bool = False,
        **attributes: Any,
    ) -> Tensor:
        """Adds a node with one output.

        Args:
            kind: Operation of ONNX.
            inputs: Names of the tensors that it reads.
            name: Proposal for the name of its output.
            channels_first: The order of the output's dimensions.
            attributes: As ONNX names them.

        Returns:
            The output.
        """
        (output,) = self.add_several(kind, inputs, name, 1, channels_first=channels_first, **attributes)
        return output

    def add_several(
        self,
        kind: str,
        inputs: Sequence[str],
        name: str,
        count: int,
        *,
        channels_first: bool = False,
        **attributes: Any,
    ) -> tuple[Tensor, ...]:
        """Adds a node with several outputs; see `add`."""
        names = [self._fresh(name) for _ in range(count)]
        self.nodes.append(self._onnx.helper.make_node(kind, inputs, names, name=names[0], **attributes))
        return tuple(Tensor(output, channels_first) for output in names)

    def add_output(self, name: str, tensor: Tensor) -> None:
        """Gives a tensor the reserved name of an output."""
        node = self._onnx.helper.make_node("Identity", [self.channels_last(tensor)], [name], name=name)
        self.nodes.append(node)

    def constant(self, value: NDArray[Any], name: str) -> str:
        """Adds a constant and returns its name."""
        fresh = self._fresh(name)
        self.initializers.append(self._onnx.numpy_helper.from_array(np.ascontiguousarray(value), fresh))
        return fresh

    def channels_last(self, tensor: Tensor) -> str:
        """Returns the name of a tensor with the dimensions in TensorFlow.js' order."""
        if tensor.constant is not None:
            return self._constant_as("as it is", tensor, tensor.constant)
        return self._reordered(tensor, TO_CHANNELS_LAST) if tensor.channels_first else tensor.name

    def channels_first(self, tensor: Tensor) -> str:
        """Returns the name of a tensor of four dimensions with the channels in the second one."""
        if tensor.constant is not None:
            value = tensor.constant.transpose(TO_CHANNELS_FIRST)
            return self._constant_as("channels first", tensor, value)
        return tensor.name if tensor.channels_first else self._reordered(tensor, TO_CHANNELS_FIRST)

    def aligned(self, tensors: Sequence[Tensor]) -> tuple[list[str], bool]:
        """Brings the operands of an operation on single elements into one order of dimensions.

        Returns:
            The names, and whether the channels are in the second dimension. They are if all operands but constants have
            them there; of constants, which may have fewer dimensions, those that are missing are added.
        """
        first = any(tensor.channels_first for tensor in tensors) and all(
            tensor.channels_first or (tensor.constant is not None and tensor.constant.ndim <= 4)
            for tensor in tensors
        )
        if not first:
            return [self.channels_last(tensor) for tensor in tensors], False
        return [self._broadcast(tensor) for tensor in tensors], True

    def sizes(self, tensor: Tensor) -> str:
        """Returns the name of a tensor of sizes, axes or indices as the 64-bit integers that ONNX wants."""
        if tensor.constant is not None:
            return self._constant_as("64 bits", tensor, tensor.constant.astype(np.int64))
        return self.cast(tensor, np.dtype(np.int64), tensor.name).name

    def cast(self, tensor: Tensor, dtype: np.dtype[Any], name: str) -> Tensor:
        """Converts the elements of a tensor, whatever the order of its dimensions."""
        source = tensor.name if tensor.channels_first else self.channels_last(tensor)
        to = self._onnx.helper.np_dtype_to_tensor_dtype(dtype)
        return self.add("Cast", [source], name, channels_first=tensor.channels_first, to=to)

    def _broadcast(self, tensor: Tensor) -> str:
        """Returns the name of an operand beside others whose channels are in the second dimension."""
        value = tensor.constant
        if value is None:
            return tensor.name
        if value.size == 1:
            return self.channels_last(tensor)
        value = value.reshape((1,) * (4 - value.ndim) + value.shape)
        return self._constant_as("broadcast", tensor, value.transpose(TO_CHANNELS_FIRST))

    def _constant_as(self, form: str, tensor: Tensor, value: NDArray[Any]) -> str:
        """Returns the name of a form of a constant, which is added once."""
        key = (tensor.name, form)
        if key not in self._constants:
            self._constants[key] = self.constant(value, tensor.name)
        return self._constants[key]

    def _reordered(self, tensor: Tensor, order: Sequence[int]) -> str:
        """Returns the name of a tensor with its dimensions in another order; it is transposed once."""
        if tensor.name not in self._transposed:
            added = self.add("Transpose", [tensor.name], tensor.name, perm=order)
            self._transposed[tensor.name] = added.name
            self._transposed[added.name] = tensor.name
        return self._transposed[tensor.name]

    def _fresh(self, proposal: str) -> str:
        name = proposal
        number = 1
        while name in self._names:
            number += 1
            name = f"{proposal}#{number}"
        self._names.add(name)
        return name


def load_onnx() -> Any:
    """Returns the library onnx, which takes a while to import.

    Raises:
        MissingDependencyError: It is not installed.
    """
    try:
        import onnx
    except ImportError as error:
        raise MissingDependencyError(
            f"the conversion of networks needs onnx ({error}): pip install 'stma_ros[vision]', in a checkout "
            "`make vision`"
        ) from error
    return onnx
