"""Pictures as data (`figure`), pictures of models (`models`), and drawing (`draw`)."""
