"""Errors of networks that find objects in images."""

from __future__ import annotations

from stma_ros.types.errors import ConfigurationError, ErrorCode, StmaError


class NetworkError(StmaError):
    """A network does not run, or its output is not what its description says."""

    code = ErrorCode.DETECTOR_FAILED


class LabelsError(ConfigurationError):
    """The labels that a description lists do not fit the network."""
