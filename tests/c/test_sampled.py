"""Which sets that a search has met are kept, as a program in C."""

from programs import failed_check, needs_compiler


@needs_compiler
def test_ranks_also_of_the_largest_costs(tmp_path):
    assert (
        failed_check(
            "sampled_main.c", ["search/sampled.c", "base/tuning.c", "base/memory.c"], tmp_path
        )
        == 0
    )
