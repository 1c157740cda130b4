"""The pddl domain: worlds that are described by an action model."""
