"""The rows about descriptors are asked again by their own program; a row that comes otherwise is seen."""

import json

from course_lib.recordings import committed, read_rows
from maintain.probes.again import RECORDINGS, main


def test_the_recorded_rows_are_found_again_and_a_changed_one_is_not(tmp_path, capsys):
    rows = [row for name in RECORDINGS for row in read_rows(committed(name))]
    path = tmp_path / "rows.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert main([str(path)]) == 0
    changed = next(row for row in rows if "fault" in row)
    changed["fault"] = 999
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert main([str(path)]) == 1
    assert "1 rows differ" in capsys.readouterr().out
