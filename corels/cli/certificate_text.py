"""How certificates read is the business of `corels.model`; the commands find it here."""

from corels.model.certificate_text import certificate_text, in_words, verdict

__all__ = ["certificate_text", "in_words", "verdict"]
