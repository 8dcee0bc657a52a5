"""Proofs of rule lists; their checkers are in `corels_rule_list.proofcheck`.

format      what the core asks of a family: header, records, check, trim, describe, resume
records     the bytes of what Python writes
trim        what the conclusion reaches, and nothing else
next_rules  what each first rule costs at least; the claims of a prefix
"""
