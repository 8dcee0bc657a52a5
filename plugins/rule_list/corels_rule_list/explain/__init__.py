"""Understanding a search and a model: why this list, the tree of a search, advice."""
