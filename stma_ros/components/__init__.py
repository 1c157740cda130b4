"""The components of the agent: each takes typed messages and returns typed messages."""
