def to_text(found, lists): return ""
