"""Checks that the chosen GPU exists. habitat_sim itself ends the process where it does not find it."""

from __future__ import annotations

import ctypes
import ctypes.util

from .errors import Code, EngineError
from .settings import SOFTWARE

_CUDA_DEVICE = 0x323A  # EGL_CUDA_DEVICE_NV
_RENDERER = 0x1F01  # GL_RENDERER
_MOST_DEVICES = 64
_INSTEAD = f"use gpu = {SOFTWARE} to render in software"


def check_gpu(gpu: int) -> None:
    """Raises EngineError when EGL does not offer that CUDA device."""
    if gpu == SOFTWARE:
        return
    devices = _cuda_devices()
    if devices is None:
        raise EngineError(
            Code.NO_GPU,
            f"GPU {gpu} cannot be used: EGL (libEGL.so.1) lists no devices. Install it, or {_INSTEAD}",
        )
    if gpu not in devices:
        offered = ", ".join(str(device) for device in sorted(devices)) or "none"
        raise EngineError(
            Code.NO_GPU,
            f"there is no GPU {gpu}: the CUDA devices that EGL offers are: {offered}. Check `nvidia-smi` and that "
            f"NVIDIA's EGL library is installed, or {_INSTEAD}",
        )


def renderer_name() -> str:
    """Returns the renderer's name from the OpenGL context that is current in this thread; empty where it is unknown."""
    egl = _egl()
    if egl is None:
        return ""
    address = egl.eglGetProcAddress(b"glGetString")
    if not address:
        return ""
    name = ctypes.CFUNCTYPE(ctypes.c_char_p, ctypes.c_uint)(address)(_RENDERER)
    return name.decode(errors="replace") if name else ""


def _cuda_devices() -> set[int] | None:
    """Returns the numbers of the CUDA devices that EGL offers; None where EGL cannot be queried."""
    egl = _egl()
    if egl is None:
        return None
    list_devices = egl.eglGetProcAddress(b"eglQueryDevicesEXT")
    attribute_of = egl.eglGetProcAddress(b"eglQueryDeviceAttribEXT")
    if not list_devices or not attribute_of:
        return None
    devices = (ctypes.c_void_p * _MOST_DEVICES)()
    count = ctypes.c_int()
    query = ctypes.CFUNCTYPE(ctypes.c_uint, ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)(list_devices)
    if not query(_MOST_DEVICES, ctypes.addressof(devices), ctypes.addressof(count)):
        return None
    ask = ctypes.CFUNCTYPE(ctypes.c_uint, ctypes.c_void_p, ctypes.c_int, ctypes.c_void_p)(attribute_of)
    number = ctypes.c_ssize_t()
    return {
        number.value
        for device in devices[: count.value]
        if ask(device, _CUDA_DEVICE, ctypes.addressof(number))
    }


def _egl() -> ctypes.CDLL | None:
    try:
        egl = ctypes.CDLL("libEGL.so.1")
    except OSError:
        return None
    egl.eglGetProcAddress.restype = ctypes.c_void_p
    egl.eglGetProcAddress.argtypes = [ctypes.c_char_p]
    return egl
