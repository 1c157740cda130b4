"""Files of a run: bags, decision logs and run folders."""
