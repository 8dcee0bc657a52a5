"""Pictures as data (`figure`), what a trace shows over time (`searches`), and drawing (`draw`)."""
