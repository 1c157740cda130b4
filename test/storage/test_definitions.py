"""Message definitions are found wherever the package is installed."""

from __future__ import annotations

from pathlib import Path

import pytest

from stma_ros.storage import definitions


@pytest.mark.parametrize("root", ["/", "/stma_ros", "/opt/stma_ros", "/home/user/ws/src/stma_ros"])
def test_definitions_are_found_at_any_depth_of_the_checkout(
    monkeypatch: pytest.MonkeyPatch, root: str
) -> None:
    monkeypatch.setattr(definitions, "SOURCE_ROOT", Path(root))
    store = definitions.Definitions().store("stma_ros/msg/Plan")
    assert "stma_ros/msg/Plan" in store.fielddefs
