PYTHON = .venv/bin/python

.PHONY: lab test check wheelhouse notebooks exercises requirements format
lab test check wheelhouse:
	python3 start.py $@

notebooks: ; $(PYTHON) -m maintain.build_notebooks
exercises: notebooks ; $(PYTHON) -m maintain.build_exercises
requirements: ; $(PYTHON) -m pip install --quiet uv && $(PYTHON) -m maintain.pin
format: ; $(PYTHON) -m ruff check --fix . && $(PYTHON) -m ruff format .
