"""When the tables of the price bound are built, as a program in C."""

from programs import failed_check, needs_compiler


@needs_compiler
def test_stages_are_due_by_what_the_tables_lack(tmp_path):
    assert failed_check("stages_main.c", ["bounds/price_stages.c", "base/tuning.c"], tmp_path) == 0
