"""How much work goes into better lists beside the proof, as a program in C."""

from programs import failed_check, needs_compiler


@needs_compiler
def test_when_slices_come_and_how_long_they_are(tmp_path):
    assert failed_check("effort_main.c", ["search/effort.c", "base/tuning.c"], tmp_path) == 0
