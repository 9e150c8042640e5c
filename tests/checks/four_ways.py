"""Each check is proved four ways: not attempted, incorrect, correct, and correct when it is written otherwise.

class TestEachTask(FourWays):
    tasks = [(check, [solution, the same written otherwise, …], [(mistake, words of the message), …]), …]
"""

from course_lib.checks import Status

SEEDS = (0, 1, 20261130)
OTHER_SEEDS = range(40, 43)  # a mistake must meet a question that shows it whatever a class's seed


def untouched(*_, **__):
    """The stub as it is handed out."""
    raise NotImplementedError


class FourWays:
    """The four proofs of every task of an exercise."""

    tasks: list

    def pytest_generate_tests(self, metafunc):
        """One case for each task, and each answer, mistake and seed, as far as the test asks for them."""
        asked = metafunc.fixturenames
        if "message" in asked:
            metafunc.parametrize(("check", "mistake", "message"), [(t[0], *row) for t in self.tasks for row in t[2]])
        elif "mistake" in asked:
            metafunc.parametrize(("check", "mistake"), [(t[0], row[0]) for t in self.tasks for row in t[2]])
        elif "answer" in asked:
            metafunc.parametrize(("check", "answer"), [(t[0], answer) for t in self.tasks for answer in t[1]])
        else:
            metafunc.parametrize("check", [t[0] for t in self.tasks])
        if "seed" in asked:
            metafunc.parametrize("seed", OTHER_SEEDS if "mistake" in asked else SEEDS)

    def test_an_untouched_stub_is_not_attempted(self, check):
        assert check(untouched).status is Status.NOT_ATTEMPTED

    def test_the_solution_is_correct_however_it_is_written(self, check, answer, seed):
        outcome = check(answer, seed=seed)
        assert outcome.is_correct, str(outcome)

    def test_a_mistake_is_incorrect_and_its_first_difference_is_named(self, check, mistake, message):
        outcome = check(mistake)
        assert outcome.status is Status.INCORRECT
        assert message in outcome.message

    def test_a_mistake_meets_a_question_that_shows_it_whatever_the_seed(self, check, mistake, seed):
        assert check(mistake, seed=seed).status is Status.INCORRECT

    def test_every_task_has_two_answers_and_two_mistakes_at_least(self, check):
        (task,) = (task for task in self.tasks if task[0] is check)
        assert len(task[1]) >= 2
        assert len(task[2]) >= 2
