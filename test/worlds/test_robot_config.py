"""The settings of the simulated robot's errors: together by `noise`, or each alone."""

from __future__ import annotations

import pytest

from stma_ros.types.settings import configure
from stma_ros.worlds.robot.config import USUAL, RobotConfig
from stma_ros.worlds.robot.detector.errors import FLAWLESS, DetectorErrors
from stma_ros.worlds.robot.noise import QUIET


def test_a_robot_has_no_errors_unless_they_are_set() -> None:
    assert RobotConfig().noise_model == QUIET
    assert RobotConfig().detector_errors == FLAWLESS


def test_noise_gives_every_error_its_usual_size() -> None:
    config = RobotConfig(noise=True)
    errors, noise = config.detector_errors, config.noise_model
    assert errors == DetectorErrors(wrong=0.05, missed=0.1, merged=0.05, jitter=2.0)
    assert (noise.drift, noise.depth, noise.grasp_failures, noise.drops) == (0.02, 1.0, 0.08, 0.015)
    assert (noise.depth_holes, noise.depth_saturation) == (0.05, True)


@pytest.mark.parametrize("name", USUAL)
def test_each_error_can_be_set_alone_and_switched_off_alone(name: str) -> None:
    alone = configure(RobotConfig, {name: USUAL[name]}, "house")
    others = {other: 0.0 for other in USUAL if other != name}
    with_noise = configure(RobotConfig, {"noise": True, **others}, "house")
    assert alone.noise_model == with_noise.noise_model
    assert alone.detector_errors == with_noise.detector_errors
    assert (alone.noise_model, alone.detector_errors) != (QUIET, FLAWLESS)


def test_errors_of_states_need_reports_of_states() -> None:
    errors = RobotConfig(state_reports=True).detector_errors
    assert errors == DetectorErrors(states=True, wrong_states=0.05, missed_states=0.2)


def test_a_factor_multiplies_the_errors_of_the_sensors() -> None:
    usual, twice = RobotConfig(noise=True), RobotConfig(noise=True, sensor_errors=2.0)
    assert twice.detector_errors.wrong == 2 * usual.detector_errors.wrong
    assert twice.detector_errors.missed == 2 * usual.detector_errors.missed
    assert twice.detector_errors.jitter == 2 * usual.detector_errors.jitter
    assert twice.noise_model.depth_holes == 2 * usual.noise_model.depth_holes
    assert twice.noise_model.drift == usual.noise_model.drift
    without = RobotConfig(noise=True, sensor_errors=0.0)
    assert without.detector_errors == FLAWLESS
    assert not without.noise_model.depth_saturation
    assert RobotConfig(missed=0.8, sensor_errors=10.0).detector_errors.missed == 1.0
