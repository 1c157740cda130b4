"""The world of people's programs: household activities on VirtualHome's evolving scene graphs (Puig et al. 2018)."""
