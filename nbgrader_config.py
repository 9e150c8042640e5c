"""nbgrader's folders on this repository's: source → solutions/, release → exercises/, all grading → grading/."""

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
# The text twins are the solutions in full: they stay behind.
c.CourseDirectory.ignore = ["*.py", ".ipynb_checkpoints", "*.pyc", "__pycache__", ".*"]
c.ClearSolutions.code_stub = {"python": "raise NotImplementedError"}
# A learner's endless loop costs this many seconds a cell, not the batch.
c.ExecutePreprocessor.timeout = 30
