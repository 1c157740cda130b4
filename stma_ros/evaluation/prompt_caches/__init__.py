"""What a model server can reuse of the prompts of a recorded run: encoded images, and what prompts begin with."""
