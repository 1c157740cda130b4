"""Scores activities on VirtualHome's scene graphs by what they change."""
