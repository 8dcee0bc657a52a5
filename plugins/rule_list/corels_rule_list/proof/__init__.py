"""Proofs of rule lists; their checkers are in `corels_rule_list.proofcheck`.

format      what the core asks of a family: header, records, check, describe, resume
next_rules  what each first rule costs at least; the claims of a prefix
"""
