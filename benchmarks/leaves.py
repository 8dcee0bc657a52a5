"""What the leaf bound and fine cuts are asked for:  python -m benchmarks.leaves [NAME ...]"""

from benchmarks.targets import Target, main

TARGETS = (
    Target("flights", ".005", (120, 0), (20, 0), max_rules=4),
    Target("flights", ".002", (30, 0), (8, 0), max_rules=3),
    Target("flights", ".002", (60, 0), (20, 0), max_rules=4, abstain=".3"),
    Target("flights", ".002", (60, 0), (20, 0), max_rules=4, abstain=".2"),
    Target("planted_10000", ".02", (12, 0), (2, 0), max_rules=5),
    Target("planted_10000", ".01", (10, 0), (2, 0), max_rules=3),
    Target("planted_10000", ".005", (30, 0), (5, 0), max_rules=3),
    Target("planted_1000000", ".02", (60, 0), (15, 0), max_rules=3),
    Target("magic_gamma", ".01", (30, 0.01), (10, 0), cuts=20),
    Target("magic_gamma", ".01", (60, 0.02), (60, 0), cuts=100),
    Target("wdbc", ".01", (4, 0), (1, 0), cuts=20),
    Target("wdbc", ".01", (60, 0), (10, 0), cuts=100),
    Target("pima", ".01", (30, 0), (5, 0), cuts=20),
    Target("adult", ".01", (60, 0), (10, 0), cuts=20),
    Target("dl85_australian_credit", ".005", (30, 0), (30, 0)),
    Target("osdt_diabetes", ".01", (30, 0), (30, 0)),
    Target("musk2", ".01", (30, 0), (30, 0)),
)

if __name__ == "__main__":
    main("leaves", TARGETS)
