"""What is built on `corels.solve`: from a table to a result (`learn`), and the choice of lambda.

Each is some searches one after another; what drives one search is in `corels.run`.
"""
