"""Understanding a search and a model: why this list, the story and the tree of a search, advice."""
