.PHONY: play check bench format

play:
	python3 run.py play

check:
	python3 run.py check

bench:
	python3 run.py bench

format:
	.venv/bin/ruff format . && .venv/bin/ruff check --fix .
