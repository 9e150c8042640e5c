"""The one place where calls and their verdicts get their judge: as values they lie below the rules."""

from course_lib.model.call.verdict import Judged
from course_lib.model.rules import judge

Judged.judge = judge
