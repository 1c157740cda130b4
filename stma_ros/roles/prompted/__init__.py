"""Roles that a chat model answers: each renders a prompt, reads the reply and checks what it says."""
