"""What outlives a run: bags, decision logs and run folders."""
