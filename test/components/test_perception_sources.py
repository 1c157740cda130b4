"""Tests of the settings that name detectors and their reliability."""

from __future__ import annotations

import pytest

from stma_ros.components.perception.perception import PerceptionConfig
from stma_ros.components.perception.sources import shares_of, source_names
from stma_ros.types import topics
from stma_ros.types.errors import ConfigurationError
from stma_ros.types.settings import configure


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("network", ("network",)),
        ("network + model", ("network", "model")),
        ("model+segmentation", ("model", "segmentation")),
    ],
)
def test_sources_are_named_one_by_one(text: str, names: tuple[str, ...]) -> None:
    assert source_names(text) == names


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("netwerk", "Did you mean 'network'"),
        ("", "There are: segmentation, model, network"),
        ("network+", "There are"),
        ("model+model", "once"),
        ("fused", "called perception.source=segmentation.model now"),
    ],
)
def test_sources_that_do_not_exist_are_refused(text: str, told: str) -> None:
    with pytest.raises(ConfigurationError, match=told):
        configure(PerceptionConfig, {"source": text}, "perception")


def test_perception_uses_the_parts_of_frames_of_all_its_sources() -> None:
    assert PerceptionConfig(source="model+segmentation").uses(topics.SEGMENTATION)
    assert not PerceptionConfig(source="model+network").uses(topics.SEGMENTATION)


def test_share_is_given_to_the_named_sources_or_to_all() -> None:
    assert shares_of("network=0.85, model = 0.6") == {"network": 0.85, "model": 0.6}
    assert shares_of("") == {}
    assert set(shares_of("0.9").values()) == {0.9}


@pytest.mark.parametrize(
    "text", ["0", "1", "1.2", "nan", "high", "network=", "network=2", "0.5, 0.6", "netwerk=0.5"]
)
@pytest.mark.parametrize("name", ["recall", "precision"])
def test_shares_that_are_none_are_refused(name: str, text: str) -> None:
    with pytest.raises(ConfigurationError, match=name):
        configure(PerceptionConfig, {name: text}, "perception")
