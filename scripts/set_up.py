"""Sets up the virtual environment: Debian packages, wheels, then the package itself, each stage timed.

    set_up.py wheels VENV GROUP...    requirements/GROUP.txt for each group, in one resolution
    set_up.py package VENV            compiles the interfaces and installs the package, after the wheels

Standard library only: it runs before anything is installed. What is missing is named with its remedy.
"""

from __future__ import annotations

import argparse
import ctypes
import importlib.util
import os
import shutil
import subprocess
import sys
import sysconfig
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NoReturn

ROOT = Path(__file__).resolve().parent.parent
LOG = ROOT / "build" / "set_up.log"
SIGNS_OF_NO_NETWORK = (
    "NewConnectionError",
    "Temporary failure in name resolution",
    "ConnectTimeout",
    "ProxyError",
)
REPORT_EVERY = 10.0  # [s] between two lines of progress where the terminal cannot be overwritten


def fail(cause: str, remedy: str) -> NoReturn:
    raise SystemExit(f"\nerror: {cause}\n  remedy: {remedy}")


@contextmanager
def stage(title: str) -> Iterator[None]:
    """Announces a stage and states how long it took."""
    print(f"== {title}", flush=True)
    start = time.monotonic()
    yield
    print(f"   {time.monotonic() - start:.0f} s", flush=True)


# --- Debian packages ---


def has_library(name: str) -> bool:
    try:
        ctypes.CDLL(name)
    except OSError:
        return False
    return True


def has_program(*names: str) -> bool:
    return any(shutil.which(name) for name in names)


def has_headers() -> bool:
    return (Path(sysconfig.get_path("include")) / "Python.h").is_file()


def has_venv() -> bool:
    return all(importlib.util.find_spec(name) is not None for name in ("venv", "ensurepip"))


def debian_packages() -> dict[str, Callable[[], bool]]:
    """Debian package -> whether what it provides is there, wherever it came from."""
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    return {
        "cmake": lambda: has_program("cmake"),
        "ninja-build": lambda: has_program("ninja"),
        "gcc": lambda: has_program("cc"),
        "g++": lambda: has_program("c++"),
        "make": lambda: has_program("make"),
        f"python{version}-venv": has_venv,
        f"python{version}-dev": has_headers,
        "libgl1": lambda: has_library("libGL.so.1"),
        "libgomp1": lambda: has_library("libgomp.so.1"),
        "libusb-1.0-0": lambda: has_library("libusb-1.0.so.0"),
    }


def install_debian_packages() -> None:
    missing = [package for package, present in debian_packages().items() if not present()]
    if not missing:
        return
    names = " ".join(missing)
    by_hand = f"run `sudo apt-get update && sudo apt-get install -y {names}`, then call make again"
    if not has_program("apt-get"):
        fail(
            f"these are missing, by their Debian names: {names}",
            "install them with the system's package manager",
        )
    if os.geteuid() == 0:
        prefix = ["env"]
    elif has_program("sudo") and subprocess.run(["sudo", "-n", "true"], capture_output=True).returncode == 0:
        prefix = ["sudo", "-n"]
    else:
        fail(f"Debian packages are missing ({names}), and this user may not install them", by_hand)
    with stage(f"Debian packages: {names}"):
        apt = [*prefix, "DEBIAN_FRONTEND=noninteractive", "apt-get", "-q"]
        # A failed update matters only if the package lists that are there do not suffice.
        follow([*apt, "update"], check=False)
        status, output = follow([*apt, "install", "-y", "--no-install-recommends", *missing], check=False)
        if status:
            fail(f"apt-get could not install {names}:\n{tail(output)}", f"mend apt's sources, or {by_hand}")
    still = [package for package in missing if not debian_packages()[package]()]
    if still:
        fail(
            f"{sys.executable} still lacks {' '.join(still)} after their installation",
            "choose the Python that Debian packages: make PYTHON=/usr/bin/python3",
        )


# --- running commands ---


def tail(lines: Iterable[str], count: int = 15) -> str:
    return "\n".join(f"   | {line}" for line in list(lines)[-count:])


def follow(command: list[str], *, check: bool = True) -> tuple[int, list[str]]:
    """Runs a command, logs all it says and shows its latest line now and then.

    Returns the exit status and the lines. With `check`, a failure ends the set-up with its cause.
    """
    LOG.parent.mkdir(parents=True, exist_ok=True)
    overwrite = sys.stdout.isatty()
    width = shutil.get_terminal_size().columns - 5
    lines: list[str] = []
    shown = time.monotonic()
    with (
        LOG.open("a", encoding="utf-8") as log,
        subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", cwd=ROOT
        ) as process,
    ):
        assert process.stdout is not None
        log.write(f"$ {' '.join(command)}\n")
        for raw in process.stdout:
            line = raw.rstrip()
            lines.append(line)
            log.write(raw)
            if line.startswith("WARNING") or not line.strip():
                continue
            if overwrite:
                print(f"\r   {line.strip()[:width]:<{width}}", end="", flush=True)
            elif time.monotonic() - shown > REPORT_EVERY:
                shown = time.monotonic()
                print(f"   {line.strip()[:100]}", flush=True)
    if overwrite:
        print(f"\r{'':<{width + 3}}\r", end="", flush=True)
    if check and process.returncode:
        explain(lines)
    return process.returncode, lines


def explain(lines: list[str]) -> NoReturn:
    """Ends the set-up with what pip's output says about the cause."""
    text = "\n".join(lines)
    if any(sign in text for sign in SIGNS_OF_NO_NETWORK):
        fail(
            f"the package index cannot be reached:\n{tail(lines, 3)}",
            "mend the network, or pip's index or proxy",
        )
    for line in lines:
        if "No matching distribution found for" in line:
            wanted = line.rsplit("for ", 1)[1]
            here = f"Python {sys.version.split()[0]} on {sysconfig.get_platform()}"
            fail(
                f"pip has no wheel of {wanted} for {here}",
                "use another Python (make clean; make PYTHON=python3.11 ...), on 64-bit Linux with glibc 2.28"
                " or newer (2.35 for Python 3.13)",
            )
        if "No space left on device" in line:
            fail(
                "the disk is full", "free about 5 GB, or 10 where torch comes with CUDA: docs/howto/extras.md"
            )
        if line.strip().startswith(("error: ROS 2", "error: the interfaces")):
            following = lines[lines.index(line) + 1]
            fail(line.strip().removeprefix("error: "), following.strip().removeprefix("remedy: "))
    errors = [i for i, line in enumerate(lines) if "CMake Error" in line or ": error:" in line]
    cause = lines[errors[0] : errors[0] + 10] if errors else lines
    fail(
        f"a step failed:\n{tail(cause)}",
        f"{LOG.relative_to(ROOT)} has the whole output; correct the cause and call make again",
    )


# --- the stages ---


def works(python: Path) -> bool:
    if not python.is_file():
        return False
    return subprocess.run([python, "-m", "pip", "--version"], capture_output=True).returncode == 0


def create_venv(venv: Path) -> None:
    """Creates the environment, anew if it is broken (a moved folder, a Python that was removed)."""
    if not works(venv / "bin" / "python"):
        with stage(f"virtual environment {venv} with Python {sys.version.split()[0]}"):
            follow([sys.executable, "-m", "venv", "--clear", str(venv)])


def pip(venv: Path, *arguments: str) -> None:
    follow(
        [str(venv / "bin" / "python"), "-m", "pip", "--disable-pip-version-check", "--no-input", *arguments]
    )


def install_wheels(venv: Path, groups: list[str]) -> None:
    files = [ROOT / "requirements" / f"{group}.txt" for group in groups]
    known = ", ".join(sorted(file.stem for file in (ROOT / "requirements").glob("*.txt")))
    for file in files:
        if not file.is_file():
            fail(f"there is no group {file.stem!r}", f"one of: {known}")
    install_debian_packages()
    create_venv(venv)
    with stage(f"wheels: {', '.join(groups)}"):
        pip(venv, "install", "--progress-bar=off", *(word for file in files for word in ("-r", str(file))))


def install_package(venv: Path) -> None:
    os.environ["STMA_ROS_CORE"] = (
        "0"  # without the wheels of ROS 2, rather fail than leave the interfaces out
    )
    with stage("interfaces and package: compile and install"):
        pip(
            venv,
            "install",
            "-v",
            "--no-build-isolation",
            "--no-deps",
            "--no-index",
            "--force-reinstall",
            str(ROOT),
        )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(dest="command", required=True)
    wheels = commands.add_parser("wheels")
    wheels.add_argument("venv", type=Path)
    wheels.add_argument("groups", nargs="+")
    commands.add_parser("package").add_argument("venv", type=Path)
    arguments = parser.parse_args()
    if arguments.command == "wheels":
        install_wheels(arguments.venv, arguments.groups)
    else:
        install_package(arguments.venv)


if __name__ == "__main__":
    main()
