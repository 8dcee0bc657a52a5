"""Understanding a search and a model: the story of a search, why a model, why a row, the path."""
