"""Spatio-temporal memory and closed-loop planning for mobile manipulators, as a ROS 2 package.

The layers are described in CONTRIBUTING.md; `stma_ros.msg`, `stma_ros.srv` and `stma_ros.action` are
generated from the interface definitions when the package is installed.
"""

from __future__ import annotations

import sys
from pkgutil import extend_path

# From the repository root the sources shadow the installed package; the interfaces come from it all the same.
__path__ = extend_path(__path__, __name__)

__version__: str


class _AbsentInterfaces:
    """The last finder of modules: says what to do where the generated interfaces are imported and no other has them."""

    @staticmethod
    def find_spec(name: str, path: object = None, target: object = None) -> None:
        """Raises MissingRosError for the interfaces, as in a core install; finds nothing else."""
        if name in (f"{__name__}.msg", f"{__name__}.srv", f"{__name__}.action"):
            from stma_ros.types.errors import MissingRosError

            raise MissingRosError(
                f"there is no {name}: this is the core, without interfaces compiled against ROS 2"
            )


sys.meta_path.append(_AbsentInterfaces())


def __getattr__(name: str) -> str:
    """Looks the version up in the metadata of the installed package (package.xml is where it is written).

    Raises importlib.metadata.PackageNotFoundError where the package is not installed.
    """
    if name != "__version__":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib.metadata import version

    return version("stma_ros")
