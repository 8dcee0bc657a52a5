"""Models in words, and what every language is to the core.

words        what all say alike; lines for a terminal; a table in HTML, LaTeX and Markdown
format       `Export`, a language that a plugin adds; ours stand in `plugins/languages`

All are written from the deciders of a model, so they work for every family. Names and values of
columns and classes are arbitrary text. Every export writes them through one quoting function of
its language and nowhere else, so that no text can end the literal it stands in.
"""
