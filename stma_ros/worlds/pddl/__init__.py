"""Tasks that are described in PDDL: generated ones of four domains, and the files of users."""
