"""One rule for effort, as a program in C."""

from programs import failed_check, needs_compiler


@needs_compiler
def test_when_work_comes_and_how_much_is_allowed(tmp_path):
    assert failed_check("effort_main.c", ["base/effort.c"], tmp_path) == 0
