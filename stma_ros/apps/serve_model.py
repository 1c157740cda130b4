"""`stma serve-model`: a chat model for tests and demos, without weights and without a network."""

from __future__ import annotations

from contextlib import suppress

from stma_ros.apps.console import make_console
from stma_ros.models.settings import KEY_VARIABLE
from stma_ros.testing.model_server.misbehaviour import MisbehaviourKind
from stma_ros.testing.model_server.server import MODELS, ServerOptions, serving

_INTERRUPTED = 0.5  # period in which Ctrl-C is noticed [s]


def serve(host: str, port: int, options: ServerOptions) -> int:
    """The subcommand: serves until Ctrl-C. Returns the exit status. Raises ConfigurationError."""
    console = make_console()
    with suppress(KeyboardInterrupt), serving(port, host=host, options=options) as server:
        console.print(f"[bold]{server.url}[/]  model {', '.join(MODELS)}; Ctrl-C ends it", highlight=False)
        rates = {kind.value: options.misbehaviour.rate(kind) for kind in MisbehaviourKind}
        struck = ", ".join(f"{name} {rate:.0%}" for name, rate in rates.items() if rate)
        if struck:
            console.print(f"it misbehaves: {struck}", highlight=False)
        header = '-H "Authorization: Bearer KEY" ' if options.key else ""
        variable = f"{KEY_VARIABLE}=KEY " if options.key else ""
        command = f"{variable}stma run --world textworld --set model.default=openai:{MODELS[0]}@{server.url}"
        for hint in (
            f"to see that it answers: curl {header}{server.url}/models",
            f"to have it play: {command}",
        ):
            console.print(hint, highlight=False, markup=False, soft_wrap=True)
        # With a limit: an interrupt that arrives while the main thread releases the interpreter's lock, just before the
        # wait, is only noticed when that wait ends.
        while not server.stopping.wait(_INTERRUPTED):
            pass
    return 0
