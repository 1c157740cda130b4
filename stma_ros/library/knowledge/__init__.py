"""Parts of a knowledge memory: the graph and its file, sentences, answers to questions for things."""
