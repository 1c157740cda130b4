"""What a knowledge memory is made of: the graph that is kept, and the answers to questions for things."""
