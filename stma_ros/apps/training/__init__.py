"""`stma train`: trains the networks that find the things of the world `house`."""

from __future__ import annotations

from stma_ros.types.errors import MissingDependencyError

try:
    import onnx  # noqa: F401  its modules need both
    import torch  # noqa: F401
except ImportError as error:
    raise MissingDependencyError(
        f"training needs torch and onnx ({error}): pip install 'stma_ros[house,models,vision]', in a checkout `make "
        "models vision`"
    ) from error
