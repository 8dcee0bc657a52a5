"""At home in scikit-learn: the estimators' base, `RuleListClassifier`, `Binarizer`, callbacks."""
