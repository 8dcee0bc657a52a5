"""Watching a model on new rows: what is counted, what differs, and how sure that is.

statistics  exact tests, Holm's correction, PSI and what chance gives of it
counting    the rows of a table by decider and window
differing   the tests of one report
report      it in words, as CSV and as JSON
"""
