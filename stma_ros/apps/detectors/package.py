"""Gets files from an npm package, without installing it."""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import tarfile
import zlib
from collections.abc import Mapping
from pathlib import Path

from stma_ros.types.errors import MissingDependencyError, StmaError

_PATIENCE = 600.0  # [s] for a download
_ROOT = "package"  # folder in every archive of npm


class PackageError(StmaError):
    """A package cannot be downloaded, or is not the one that is expected."""


def download(requirement: str, folder: Path) -> Path:
    """Downloads a package with npm, from the registry that npm is configured for.

    Args:
        requirement: The package and its version.
        folder: Where its archive is written.

    Returns:
        The archive.

    Raises:
        MissingDependencyError: npm is not installed.
        PackageError: npm cannot get the package.
    """
    elsewhere = f"or run `npm pack {requirement}` on another machine and give the archive with --package"
    npm = shutil.which("npm")
    if npm is None:
        raise MissingDependencyError(
            f"{requirement} is an npm package, and npm is not installed: `sudo apt-get install npm`, {elsewhere}"
        )
    command = [npm, "pack", requirement, "--ignore-scripts", "--pack-destination", str(folder)]
    try:
        done = subprocess.run(
            command,
            cwd=folder,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=_PATIENCE,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise PackageError(
            f"npm did not get {requirement} within {_PATIENCE:.0f} s; try again, {elsewhere}"
        ) from error
    archives = list(folder.glob("*.tgz"))
    if done.returncode or len(archives) != 1:
        said = " ".join(line.removeprefix("npm error ") for line in done.stderr.splitlines()[:3])
        raise PackageError(
            f"npm cannot get {requirement} ({said or f'exit status {done.returncode}'}); mend the network or npm's "
            f"registry (`npm config get registry`), {elsewhere}"
        )
    return archives[0]


def extract(archive: Path, checksums: Mapping[str, str], folder: Path) -> None:
    """Writes some files of a package into a folder, with their paths.

    Args:
        archive: The package, as `npm pack` writes it.
        checksums: SHA-256 of the files that are wanted, by their paths in the package.
        folder: Where they are written.

    Raises:
        PackageError: The archive cannot be read, or has no such file, or one with another content.
    """
    try:
        with tarfile.open(archive, "r:gz") as package:
            for path, checksum in checksums.items():
                member = package.extractfile(f"{_ROOT}/{path}")
                content = b"" if member is None else member.read()
                if hashlib.sha256(content).hexdigest() != checksum:
                    raise PackageError(
                        f"{path} in {archive} is not the file that was published under this version; get the "
                        "package anew, from a registry that you trust"
                    )
                (folder / path).parent.mkdir(parents=True, exist_ok=True)
                (folder / path).write_bytes(content)
    except KeyError as error:
        raise PackageError(
            f"{archive} is another package: {error}; give the archive of `npm pack`"
        ) from error
    except (OSError, EOFError, tarfile.TarError, zlib.error) as error:
        raise PackageError(f"{archive} cannot be read as an npm package ({error}); get it anew") from error
