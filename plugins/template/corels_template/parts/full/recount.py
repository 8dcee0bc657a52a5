"""What `corels check` counts beyond rows and predictions: plain counting, nothing of the search."""

from corels.check.recount import Finding, priced


def recounted(document, counts):
    yield from priced(document, counts)  # errors/n + lambda * rules, and the certificate
    rules, choices = len(counts.antecedents), document["choices"]
    yield Finding("choices", rules <= choices, f"{rules} of {choices} antecedents are asked")
