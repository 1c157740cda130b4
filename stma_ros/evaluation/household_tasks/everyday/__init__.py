"""Words household tasks as people talk to a robot; written without knowledge of the agent's grammar.

The templates have two parts: a grammar may be extended by `development`, `held_out` is for reporting only. No template
is in both parts.
"""
