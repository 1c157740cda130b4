"""`stma doctor`: finds what is installed and what is missing, and names the remedy."""
