"""A lesson that was begun is finished before it is part of the course."""

from maintain.stubs import MARK, find_stubs


def test_no_stub_of_a_new_lesson_is_left_unfilled():
    assert find_stubs() == []


def test_a_stub_would_be_seen_wherever_a_lesson_has_them(tmp_path):
    for name in ("README.md", "notebooks/12_a.py", "course_lib/checks/lesson_12/checks.py", "notebooks/CLAIMS.md"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(f"a\n{MARK} b\n")
    places = ("README.md", "notebooks/12_a.py", "notebooks/CLAIMS.md", "course_lib/checks/lesson_12/checks.py")
    assert find_stubs(tmp_path) == [f"{place}:2: b" for place in places]
