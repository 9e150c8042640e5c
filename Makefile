PYTHON = .venv/bin/python

.PHONY: lab test check wheelhouse notebooks exercises requirements format
lab test check wheelhouse:
	python3 start.py $@

notebooks: ; $(PYTHON) -m maintain.build_notebooks
exercises: notebooks ; $(PYTHON) -m maintain.build_exercises
requirements: ; $(PYTHON) -m pip install --quiet uv && $(PYTHON) -m maintain.pin
format: ; $(PYTHON) -m ruff check --fix . && $(PYTHON) -m ruff format .

# How fast, against the goals; whether the tests can fail; a key press in the browser.
.PHONY: bench mutants latency
bench: ; $(PYTHON) benchmarks/speed.py
mutants: ; $(PYTHON) benchmarks/mutants.py
latency: ; $(PYTHON) benchmarks/browser_latency.py

# On a machine with a Hopper GPU: `make record`, `make fuzz N=200000`.
.PHONY: record fuzz
N = 20000
record:
	$(PYTHON) -m maintain.hardware.remake
	$(PYTHON) -m maintain.hardware.remeasure
	nvcc -std=c++17 -gencode arch=compute_90a,code=sm_90a -o work/recordings/probe maintain/probes/descriptor.cu -lcuda
	sh maintain/probes/descriptor.sh work/recordings/probe > work/recordings/descriptor_rows.jsonl
	$(PYTHON) -m maintain.probes.again work/recordings/descriptor_rows.jsonl
fuzz: ; $(PYTHON) -m maintain.hardware.fuzz $(N)
