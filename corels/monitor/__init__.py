"""Watching a model on new rows: what is counted, what differs, and how sure that is.

counting    the rows of a table by decider and window
differing   exact tests, Holm's correction, PSI and what chance gives of it
report      it in words, as CSV and as JSON
"""
