"""The programs domain: activities of people in homes that are told in text, after VirtualHome (Puig et al. 2018)."""
