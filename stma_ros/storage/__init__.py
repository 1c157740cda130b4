"""Files: bags, run folders, decision logs, saved memories, and files that users write."""
