"""The digits of weights, as a program in C."""

from programs import failed_check, needs_compiler


@needs_compiler
def test_digits_of_the_first_measures(tmp_path):
    assert failed_check("digits_main.c", ["base/digits.c", "base/memory.c"], tmp_path) == 0
