"""Checks whether ROS 2 is available. Code that needs ROS calls this first."""

from __future__ import annotations

from stma_ros.types.errors import MissingRosError


def require_ros() -> None:
    """Raises MissingRosError where rclpy or the interfaces of this package cannot be imported, as in a core install."""
    try:
        import rclpy  # noqa: F401

        import stma_ros.msg  # noqa: F401
    except MissingRosError:
        raise
    except ImportError as error:
        raise MissingRosError(f"ROS 2 cannot be loaded ({error})") from error
