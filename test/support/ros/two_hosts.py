"""Two hosts on one network, made of network namespaces that end with their processes."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass

from support.ros.waiting import eventually

NEEDED = ("unshare", "nsenter", "ip")


@dataclass(frozen=True)
class Host:
    """A network namespace with an address [IPv4] on the network that the two share."""

    pid: int
    address: str

    def command(self, *command: str) -> list[str]:
        """Returns a command line that runs a command on this host."""
        return ["nsenter", "--target", str(self.pid), "--net", *command]


def obstacle() -> str:
    """Returns the reason why two hosts cannot be made here; empty where they can."""
    missing = [name for name in NEEDED if shutil.which(name) is None]
    if missing:
        return f"needs {', '.join(missing)}: apt-get install util-linux iproute2"
    try:
        with two_hosts():
            return ""
    except (OSError, subprocess.CalledProcessError, AssertionError) as error:
        reason = getattr(error, "stderr", "") or str(error)
        return f"network namespaces cannot be made here, which takes root and CAP_NET_ADMIN: {reason.strip()}"


@contextmanager
def two_hosts() -> Iterator[tuple[Host, Host]]:
    """Makes two hosts that reach only each other, by unicast and multicast."""
    with ExitStack() as stack:
        first, second = (Host(stack.enter_context(_namespace()), f"10.77.0.{last}") for last in (1, 2))
        _ip(
            *("link", "add", "veth1", "netns", str(first.pid), "type", "veth"),
            *("peer", "name", "veth2", "netns", str(second.pid)),
        )
        for host, device in ((first, "veth1"), (second, "veth2")):
            on_host = host.command()
            _ip("link", "set", "lo", "up", prefix=on_host)
            _ip("address", "add", f"{host.address}/24", "dev", device, prefix=on_host)
            _ip("link", "set", device, "up", prefix=on_host)
            _ip("route", "add", "default", "dev", device, prefix=on_host)
        yield first, second


@contextmanager
def _namespace() -> Iterator[int]:
    """Returns the id of a process with a network namespace of its own."""
    ours = os.readlink("/proc/self/ns/net")
    holder = subprocess.Popen(
        ["unshare", "--net", "sleep", "infinity"], stderr=subprocess.PIPE, start_new_session=True
    )

    def separate() -> bool:
        if holder.poll() is not None:
            assert holder.stderr is not None
            raise OSError(holder.stderr.read().decode())
        return os.readlink(f"/proc/{holder.pid}/ns/net") != ours

    try:
        eventually(separate, "a network of its own")
        yield holder.pid
    finally:
        holder.kill()
        holder.communicate()


def _ip(*arguments: str, prefix: Sequence[str] = ()) -> None:
    subprocess.run([*prefix, "ip", *arguments], check=True, capture_output=True, text=True, timeout=10)
