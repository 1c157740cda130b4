from __future__ import annotations

import pytest

from support.packaging.colcon_workspace import Workspace, build_workspace


@pytest.fixture(scope="session")
def workspace() -> Workspace:
    return build_workspace()
