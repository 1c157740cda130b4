"""Which components make an agent, how they are wired, and the runtime that runs them in one process."""
