"""Which text of a column writes numbers or dates, and which cells are odd."""
