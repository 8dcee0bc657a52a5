"""At home in scikit-learn: what the estimators of all families share, `Binarizer`, callbacks."""
