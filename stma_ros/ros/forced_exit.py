"""Ends a process whose threads are stuck in native code while they hold the interpreter's lock.

Fast DDS 3.2 does that to a node that is taken apart while others come or go: `DomainParticipant::set_listener` waits
for the callbacks that run, until the latest time there is; the sum with the present time overflows, and it spins with
the mutex that those callbacks need. No thread of Python's can run then, but a timer of the system can.
"""

from __future__ import annotations

import ctypes
import faulthandler
import sys
from typing import Final

_SHOWN: Final = 0.25  # [s] before the end, for the log to say what the threads do

_CLOCK_MONOTONIC: Final = 1
_SIGEV_THREAD: Final = 2


class _Event(ctypes.Structure):
    """`struct sigevent`: a function that the system calls in a thread of its own."""

    _fields_ = (
        ("value", ctypes.c_void_p),
        ("signal", ctypes.c_int),
        ("notify", ctypes.c_int),
        ("function", ctypes.c_void_p),
        ("attributes", ctypes.c_void_p),
        ("_padding", ctypes.c_char * 32),
    )


class _Timer(ctypes.Structure):
    """`struct itimerspec`: every so long, and after so long at first."""

    _fields_ = (
        ("period_s", ctypes.c_long),
        ("period_ns", ctypes.c_long),
        ("first_s", ctypes.c_long),
        ("first_ns", ctypes.c_long),
    )


def exit_after(seconds: float) -> None:
    """Ends the process with status 0 then, if it is still there, whatever its threads do; its log shows what they did.

    Elsewhere than on Linux the status is 1.
    """
    if sys.platform != "linux":
        faulthandler.dump_traceback_later(seconds, exit=True)
        return
    faulthandler.dump_traceback_later(seconds - _SHOWN)
    libc = ctypes.CDLL(None, use_errno=True)
    # The value is what the function is called with: the status.
    event = _Event(value=0, notify=_SIGEV_THREAD, function=ctypes.cast(libc._exit, ctypes.c_void_p))
    timer = ctypes.c_void_p()
    after = _Timer(first_s=int(seconds), first_ns=int(seconds % 1 * 1e9))
    if libc.timer_create(_CLOCK_MONOTONIC, ctypes.byref(event), ctypes.byref(timer)) or libc.timer_settime(
        timer, 0, ctypes.byref(after), None
    ):
        faulthandler.dump_traceback_later(seconds, exit=True)
