"""What is particular to a domain of tasks: the rules that answer roles, the prompts, the wording."""
