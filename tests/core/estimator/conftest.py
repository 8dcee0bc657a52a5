import pytest

pytest.importorskip("sklearn", reason="scikit-learn is not installed")
