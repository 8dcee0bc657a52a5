"""What became of a table: a record for reports."""
