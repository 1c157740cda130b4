"""The rules of the critic, a module for each kind of judgement."""
