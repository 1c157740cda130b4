"""Opens a session on the runtime of its spec."""

from __future__ import annotations

from contextlib import AbstractContextManager

from stma_ros.apps.session.session import LOCAL, ROS, RUNTIMES, Progress, Session, SessionSpec
from stma_ros.ros.availability import require_ros
from stma_ros.storage.run_folder import RunFolder
from stma_ros.types.errors import ConfigurationError
from stma_ros.types.settings import suggest


def open_session(
    spec: SessionSpec, folder: RunFolder, record: bool, tell: Progress = lambda _: None
) -> AbstractContextManager[Session]:
    """Opens the session of a spec. Leaving the context ends all processes that it started.

    Args:
        spec: the session.
        folder: receives the nodes' output and, with `record`, the bag.
        record: whether to record.
        tell: receives a line on each wait at the start.

    Raises:
        ConfigurationError: a preset, world or setting that does not exist.
        MissingDependencyError: a library that is not installed.
    """
    if spec.runtime == LOCAL:
        from stma_ros.apps.session.local import open_local

        return open_local(spec, folder, record)
    if spec.runtime == ROS:
        require_ros()
        from stma_ros.apps.session.ros import open_ros

        return open_ros(spec, folder, record, tell)
    raise ConfigurationError(f"there is no runtime {spec.runtime!r}. {suggest(spec.runtime, RUNTIMES)}")
