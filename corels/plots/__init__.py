"""Pictures as data (`figure`), drawing (`draw`), and what of a table is drawn (`models`)."""
