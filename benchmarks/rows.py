"""What many rows are asked for, and costs:  python -m benchmarks.rows [NAME ...]

The gap of planted at .005 is two rules.
"""

from benchmarks.targets import Target, main

TARGETS = (
    Target("planted_10000", ".02", (1, 0), (0.1, 0)),
    Target("planted_10000", ".01", (7, 0), (0.5, 0)),
    Target("planted_10000", ".005", (30, 0.01), (20, 0.01)),
    Target("planted_30000", ".02", (2.5, 0), (0.3, 0)),
    Target("planted_30000", ".01", (12, 0), (1, 0)),
    Target("planted_100000", ".02", (8, 0), (1, 0)),
    Target("planted_100000", ".01", (35, 0), (4, 0)),
    Target("planted_1000000", ".02", (65, 0), (15, 0)),
    Target("planted_1000000", ".01", (600, 0), (30, 0)),
    Target("flights", ".01", (10, 0), (3, 0)),
    Target("flights", ".005", (30, 0), (5, 0)),
    Target("flights", ".002", (100, 0), (15, 0)),
    Target("flights", ".002", (20, 0), (15, 0), max_rules=5),
    Target("adult", ".01", (10, 0), (10, 0), cost="fp=1,fn=3"),
)

if __name__ == "__main__":
    main("rows", TARGETS)
