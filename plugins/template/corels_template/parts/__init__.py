"""A part of each kind, as `new-plugin` writes it: my-part and MyPart become the name."""
