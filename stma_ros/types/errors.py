"""Exceptions of this package, and the error codes that messages carry (message Error)."""

from __future__ import annotations

from stma_ros.types.message import Constants


class ErrorCode(Constants):
    """The codes of message Error, which documents them; each part of the system has its own range."""

    NONE = 0

    TASK_NOT_UNDERSTOOD = 100
    BUSY = 101
    TARGET_NOT_FOUND = 102
    OUT_OF_COMMANDS = 103
    NO_PROGRESS = 104
    CANCELED = 105
    DEADLINE_EXPIRED = 106
    IMPOSSIBLE = 107
    CONTRADICTION = 108
    EPISODE_LOST = 109

    SKILL_UNKNOWN = 200
    ACTION_NOT_ALLOWED = 201
    NO_SUCH_TARGET = 202
    UNREACHABLE = 203
    BLOCKED = 204
    TOO_FAR = 205
    NOT_OPENABLE = 206
    ALREADY_OPEN = 207
    WORLD_FAILED = 208
    ALREADY_CLOSED = 209
    HAND_FULL = 210
    HAND_EMPTY = 211
    NOT_PORTABLE = 212
    IS_CLOSED = 213
    NO_ROOM = 214
    DOES_NOT_FIT = 215
    HOLDS_NOTHING = 216
    NOT_SWITCHABLE = 217
    ALREADY_ON = 218
    ALREADY_OFF = 219
    NOT_A_VESSEL = 220
    ALREADY_FULL = 221
    ALREADY_EMPTY = 222
    GRASP_FAILED = 223
    NOT_A_TAP = 224
    DROPPED = 225
    SPOT_TAKEN = 226
    NO_SURFACE = 227
    BAD_STANCE = 228
    NO_EFFECT = 229

    BAD_IMAGE = 300
    BAD_DEPTH = 301
    POSE_JUMP = 302
    FRAME_INCOMPLETE = 303
    WRONG_FRAME = 304
    DETECTOR_FAILED = 305

    MEMORY_UNREADABLE = 400
    MEMORY_VERSION = 401
    MEMORY_OF_ANOTHER_PLACE = 402
    MEMORY_NOT_KEPT = 403
    NOT_REMEMBERED = 404

    ROLE_FAILED = 500
    MODEL_UNREACHABLE = 501
    MODEL_REFUSED = 502
    MODEL_DEADLINE = 503
    MODEL_BUDGET = 504
    MODEL_NOT_RECORDED = 505

    NODE_DIED = 600
    NODE_FAILED = 601
    MESSAGES_LOST = 602
    NOT_ACTIVE = 603

    @classmethod
    def wire(cls) -> str:
        return "uint16"


MODEL_AWAY = (ErrorCode.MODEL_UNREACHABLE, ErrorCode.MODEL_DEADLINE)
"""Errors after which the next request to the model would most likely take as long, and fail as well."""


class StmaError(Exception):
    """Base of all errors that this package raises on purpose; the text names cause and remedy."""

    code: ErrorCode = ErrorCode.NONE


def described(error: Exception) -> str:
    """Returns a text for users: the text of an error of this package, or type and text of another exception."""
    return str(error) if isinstance(error, StmaError) else f"{type(error).__name__}: {error}"


class ConfigurationError(StmaError):
    """A setting is invalid: an unknown preset, world or parameter, or a value out of range."""


class MissingDependencyError(StmaError):
    """A required library, engine or system package is not installed."""


class MissingRosError(MissingDependencyError, ImportError):
    """ROS 2, or the interfaces that this package compiles against it, cannot be imported."""

    def __init__(self, cause: str) -> None:
        super().__init__(
            f"{cause}. The remedy in a clone of the repository: `make setup`; with a ROS 2 installation: source it and "
            "`colcon build`; in an environment with the wheels of ROS 2: `pip install --no-build-isolation --no-deps "
            "--force-reinstall .`. The library and `--runtime local` need no ROS 2"
        )


class TaskNotUnderstoodError(StmaError):
    """The text of a task contains nothing that the agent can do."""

    code = ErrorCode.TASK_NOT_UNDERSTOOD


class TaskTooLongError(TaskNotUnderstoodError):
    """The text of a task has too many characters."""


class ContradictionError(TaskNotUnderstoodError):
    """The goals of a task exclude each other."""

    code = ErrorCode.CONTRADICTION


class BadImageError(StmaError):
    """An image is truncated, of the wrong size, or in an encoding that is not supported."""

    code = ErrorCode.BAD_IMAGE


class BadDepthError(StmaError):
    """A depth image contains no usable depth."""

    code = ErrorCode.BAD_DEPTH


class PoseJumpError(StmaError):
    """Odometry moved farther than the robot can."""

    code = ErrorCode.POSE_JUMP


class WrongFrameError(StmaError):
    """Poses of one camera frame are given in different coordinate frames."""

    code = ErrorCode.WRONG_FRAME


class SkillError(StmaError):
    """A skill could not be executed; the text is the reason that the planner gets."""

    def __init__(self, code: ErrorCode, text: str) -> None:
        super().__init__(text)
        self.code = code


class WorldError(StmaError):
    """The engine or the hardware behind a world failed."""

    code = ErrorCode.WORLD_FAILED


class RoleError(StmaError):
    """A role gave no valid answer."""

    code = ErrorCode.ROLE_FAILED


class NotRememberedError(StmaError):
    """A memory does not hold what it was asked for."""

    code = ErrorCode.NOT_REMEMBERED


class MalformedTripleError(StmaError):
    """A fact cannot be stored in a knowledge graph."""


class StorageError(StmaError):
    """A file cannot be read or written; its previous content is unchanged."""
