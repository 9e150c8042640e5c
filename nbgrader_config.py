"""nbgrader's folders on this repository's: source → solutions/, release → exercises/, all grading → grading/."""

import logging
import os
import sys
from pathlib import Path

c = get_config()  # noqa: F821

c.CourseDirectory.course_id = "tma-course"
c.CourseDirectory.root = str(Path(__file__).resolve().parent)
c.CourseDirectory.source_directory = "solutions"
c.CourseDirectory.release_directory = "exercises"
c.CourseDirectory.submitted_directory = "grading/submitted"
c.CourseDirectory.autograded_directory = "grading/autograded"
c.CourseDirectory.feedback_directory = "grading/feedback"
c.CourseDirectory.solution_directory = "grading/solution"
c.CourseDirectory.db_url = f"sqlite:///{c.CourseDirectory.root}/gradebook.db"
c.ExportPlugin.to = f"{c.CourseDirectory.root}/grading/marks.csv"
# The text twins are the solutions in full: they stay behind.
c.CourseDirectory.ignore = ["*.py", ".ipynb_checkpoints", "*.pyc", "__pycache__", ".*"]
c.ClearSolutions.code_stub = {"python": "raise NotImplementedError"}
# A learner's endless loop costs this many seconds a cell at most, not the batch. Two checks stop it after 20 s of the
# processor and say so, see course_lib/checks/shared/patience.py: a busy machine needs longer.
c.ExecutePreprocessor.timeout = 60

# Two warnings come with every right answer and every hidden test: they would bury the others.
USUAL = ("cannot be converted to", "Attribute 'checksum' for cell")
autograde = logging.getLogger("AutogradeApp")
if not autograde.filters:  # nbgrader reads this file more than once
    autograde.addFilter(lambda record: not any(text in record.getMessage() for text in USUAL))
    if "autograde" in sys.argv and not os.environ.get("COURSE_CLASS_SEED"):
        print("COURSE_CLASS_SEED is not set: the hidden tests ask what the visible checks ask.", file=sys.stderr)
