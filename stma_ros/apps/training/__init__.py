"""`stma train`: trains the networks that find the things of the world `house`."""

from __future__ import annotations

from stma_ros.types.errors import MissingDependencyError

try:
    import onnx  # noqa: F401
    import onnxruntime  # noqa: F401  needed at the end of a long training
    import torch  # noqa: F401
except ImportError as error:
    raise MissingDependencyError(
        f"training needs torch, onnx and onnxruntime ({error}): pip install 'stma_ros[house,models,vision]', in a "
        "checkout `make models vision`"
    ) from error
