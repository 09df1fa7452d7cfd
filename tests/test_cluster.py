"""The lab on several machines: the same bytes as on one, whoever is killed, and nothing is believed that cannot be."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import socket
import struct
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest

from referee.lab import cluster as clusters
from referee.lab.believe import BadRows, OtherVersions, read_rows
from referee.lab.chunks import VERSIONS, Job, chunks_in, play_chunk
from referee.lab.crew import CrewLost
from referee.lab.row import Row
from referee.lab.study import StudySide
from rulespec import __version__, json_text, open_rules
from tests.test_cli import Runner, run

__all__ = ["run"]  # the fixture

ROOT = Path(__file__).parent.parent


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RULESPEC_LAB", str(tmp_path / "lab"))


def stored(folder: Path) -> dict[tuple[str, int], bytes]:
    """Return the chunks in a folder by their files and first seeds; their order in a file depends on who played how fast."""
    return {
        (path.name, first): games
        for path in folder.rglob("*.games")
        for (first, _, _), games in chunks_in(path.read_bytes())
    }


# Words -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "address", ["", "here", "127.0.0.1", "http://127.0.0.1:80", "tcp://a:0", "a:65536", "a b:1", "x@y:1"]
)
def test_cluster__an_address_that_is_none(run: Runner, address: str) -> None:
    answer = run("measure", "classics/pig", "--cluster", address)
    assert answer.code == 2
    assert answer.err.endswith(
        "Error: expected the address of a dask scheduler such as `tcp://192.168.1.5:8786` or `tls://lab.example:8786`, "
        f"found `{address}`\n"
    )


def test_cluster__not_with_workers(run: Runner) -> None:
    answer = run("sweep", "classics/pig", "--vary", "tables.enough=60", "--workers", "2", "--cluster", "a:1")
    assert answer.code == 2
    assert answer.err.endswith(
        "Error: `--workers` is for processes of this machine, and `--cluster` for those of others: name one of them\n"
    )


def test_cluster__the_library_is_missing(run: Runner, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    answer = run("compare", "base", "two_rows", "--cluster", "a:1")
    assert answer.code == 2
    assert answer.err.endswith(
        "Error: `--cluster` needs the Python package `distributed`, which is not installed: pip install 'rulespec[cluster]'\n"
    )


def test_cluster__the_library_is_loaded_only_for_it() -> None:
    code = "import sys, referee.cli, referee.lab.cluster; print(sorted({'dask', 'distributed'} & sys.modules.keys()))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    assert done.stdout == "[]\n"


# Rows of somebody else ---------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def chunk() -> tuple[Job, list[Row]]:
    """A chunk of a game with scores, rules, standings and choices; and its rows."""
    side = StudySide.of("kalah", open_rules("classics/kalah"), 2, {}, ("random", "quick:2"))
    job = replace(side.job, first=7, many=2)
    return job, list(play_chunk(job))


def sent(rows: object, versions: object = VERSIONS) -> str:
    return json_text({"versions": versions, "rows": rows})


def test_rows__of_random_players_say_nothing_about_the_use_of_moves(chunk: tuple[Job, list[Row]]) -> None:
    job = replace(chunk[0], seats=("random", "random"))
    rows = list(play_chunk(job))
    assert all(row["use"] == {} for row in rows) and json_text(read_rows(sent(rows), job)) == json_text(rows)
    rows[1]["use"] = {"sow": [0, 0.0]}
    with pytest.raises(BadRows, match="`use` of the game with seed 8"):
        read_rows(sent(rows), job)


def test_rows__what_was_played_is_believed(chunk: tuple[Job, list[Row]]) -> None:
    job, rows = chunk
    assert json_text(read_rows(sent(rows), job)) == json_text(rows)


def change(*path: Any, to: Any) -> Callable[[list[Row]], None]:
    """Return what replaces an entry of the second row."""

    def changing(rows: list[Row]) -> None:
        at: Any = rows[1]
        for step in path[:-1]:
            at = at[step]
        at[path[-1]] = to

    return changing


FORGED: dict[str, tuple[Callable[[list[Any]], object], str]] = {
    "a row less": (lambda rows: rows.pop(), "expected the rows of 2 games"),
    "a row more": (lambda rows: rows.append(rows[0]), "expected the rows of 2 games"),
    "no row": (lambda rows: rows.__setitem__(1, 5), "`seed` of the game with seed 8"),
    "in another order": (lambda rows: rows.reverse(), "`seed` of the game with seed 7"),
    "an entry is missing": (lambda rows: rows[1].pop("mark"), "`mark` of the game with seed 8"),
    "an entry too many": (change("more", to=1), "`more` of the game with seed 8"),
    "another order of entries": (
        lambda rows: rows[1].update(seed=rows[1].pop("seed")),
        "`seed` of the game with seed 8",
    ),
    "a number as a word": (change("decisions", to="9"), "`decisions` of the game with seed 8"),
    "yes for a number": (change("single", to=True), "`single` of the game with seed 8"),
    "a part of a number": (change("legal", to=1e6), "`legal` of the game with seed 8"),
    "more decisions than a game has": (change("decisions", to=10_001), "`decisions` of the game with seed 8"),
    "more rounds than decisions": (change("rounds", to=9_999), "`rounds` of the game with seed 8"),
    "fewer moves than decisions": (change("legal", to=0), "`legal` of the game with seed 8"),
    "who is not there begins": (change("first", to=3), "`first` of the game with seed 8"),
    "nobody begins": (change("first", to=0), "`first` of the game with seed 8"),
    "nobody wins": (change("winners", to=[]), "`winners` of the game with seed 8"),
    "one wins twice": (change("winners", to=[1, 1]), "`winners` of the game with seed 8"),
    "yes wins": (change("winners", to=[True]), "`winners` of the game with seed 8"),
    "who is not there wins": (change("winners", to=[3]), "`winners` of the game with seed 8"),
    "a score too many": (change("scores", to=[1, 2, 3]), "`scores` of the game with seed 8"),
    "a score that is too large": (change("scores", to=[1, 10**10]), "`scores` of the game with seed 8"),
    "a rule that is not there": (change("rules", "x", to=[0, 0, 0]), "`rules` of the game with seed 8"),
    "lines that are none": (change("rules", "gathered", to=[-1, 0, 0]), "`rules` of the game with seed 8"),
    "points that are none": (change("rules", "gathered", to=[0, 0]), "`rules` of the game with seed 8"),
    "a standing of three": (change("standings", to=[[1, 2, 3]]), "`standings` of the game with seed 8"),
    "too many standings": (change("standings", to=[[1, 2]] * 401), "`standings` of the game with seed 8"),
    "a move that is not there": (change("use", "give", to=[0, 0.0]), "`use` of the game with seed 8"),
    "a value that is not there": (change("use", "sow.i=7", to=[0, 0.0]), "`use` of the game with seed 8"),
    "moves that nobody chose": (change("use", "sow", to=[1, 1.0]), "`use` of the game with seed 8"),
    "offered to nobody": (change("use", "sow.i=2", to=[1, -1.0]), "`use` of the game with seed 8"),
    "a mark that is none": (change("mark", to="<script>"), "`mark` of the game with seed 8"),
    "a fault that is none": (
        lambda rows: rows.__setitem__(1, {"seed": 8, "fault": "\x1b[31m", "decisions": 0}),
        "`fault` of the game with seed 8",
    ),
    "a fault with more": (
        lambda rows: rows.__setitem__(1, {"seed": 8, "fault": "fault-idle", "decisions": 0, "x": 1}),
        "`x` of the game with seed 8",
    ),
}


@pytest.mark.parametrize("name", FORGED)
def test_rows__forged_ones_are_refused(chunk: tuple[Job, list[Row]], name: str) -> None:
    job, rows = chunk
    forge, message = FORGED[name]
    mine = json.loads(json_text(rows))
    forge(mine)
    with pytest.raises(BadRows) as bad:
        read_rows(sent(mine), job)
    assert str(bad.value) == message


@pytest.mark.parametrize(
    "text",
    [
        b"[]",
        5,
        None,
        "",
        "[]",
        "{",
        "[" * 100_000,
        '{"versions": NaN, "rows": []}',
        '{"rows": []}',
        "9" * 5000,
        "x" * 2_000_001,
    ],
)
def test_rows__texts_that_hold_none(chunk: tuple[Job, list[Row]], text: object) -> None:
    with pytest.raises(
        BadRows, match=r"^expected (a text of a bounded length|an object with `versions` and `rows` as JSON)$"
    ):
        read_rows(text, chunk[0])


def test_rows__infinity_is_no_number(chunk: tuple[Job, list[Row]]) -> None:
    job, rows = chunk
    with pytest.raises(BadRows):
        read_rows(sent(rows).replace(f'"seed": {job.first}', '"seed": Infinity'), job)


def test_rows__of_another_version_are_refused_unread(chunk: tuple[Job, list[Row]]) -> None:
    job, rows = chunk
    for versions in ([*VERSIONS[:2], "0.0.9"], [0, *VERSIONS[1:]], [], None, "x" * 1000):
        with pytest.raises(OtherVersions) as other:
            read_rows(sent(rows, versions), job)
        assert len(str(other.value)) <= 60


def test_rows__a_fault_is_a_row(chunk: tuple[Job, list[Row]]) -> None:
    job = replace(chunk[0], many=1)
    for code in ("fault-no-move", "no-memory"):
        row = {"seed": 7, "fault": code, "decisions": 3}
        assert read_rows(sent([row]), job) == [row]


@pytest.mark.soak
@pytest.mark.parametrize(
    "game",
    ["base", "sintra", "pavilion", "duel", "classics/nim", "classics/pig", "classics/briscola", "classics/reversi"],
)
def test_rows__of_other_games_are_believed(game: str) -> None:
    side = StudySide.of(game, open_rules(game), 2, {}, ("random", "random"))
    job = replace(side.job, first=0, many=3)
    rows = list(play_chunk(job))
    assert json_text(read_rows(sent(rows), job)) == json_text(rows)


def test_play_there__another_version_plays_nothing(chunk: tuple[Job, list[Row]]) -> None:
    answer = json.loads(clusters.play_there((1, 1, "0.0.9"), "no rules"))
    assert answer == {"versions": list(VERSIONS), "rows": []}


# A small cluster in this process ------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def near() -> Iterator[str]:
    """The address of a scheduler with two workers, in threads of this process, over TCP."""
    from distributed import LocalCluster

    with LocalCluster(
        n_workers=2, threads_per_worker=1, processes=False, protocol="tcp://", dashboard_address=None, host="127.0.0.1"
    ) as there:
        yield there.scheduler_address


KUHN = ("measure", "classics/kuhn", "--seats", "random", "--games", "300", "--json")


def test_cluster__the_same_bytes_as_here(run: Runner, near: str, monkeypatch: pytest.MonkeyPatch) -> None:
    found = []
    for name, how in (("here", ["--workers", "1"]), ("there", ["--cluster", near])):
        monkeypatch.setenv("RULESPEC_LAB", str(run.folder / name))
        found.append((run(*KUHN, "--games", "210", *how), stored(run.folder / name)))
    assert found[0] == found[1] and found[0][0].code == 0 and len(found[0][1]) == 2


def test_cluster__three_chunks_a_worker_are_under_way(near: str) -> None:
    side = StudySide.of("kuhn", open_rules("classics/kuhn"), 2, {}, ("random", "random"))
    crew = clusters.FarCrew(near, lambda text: None)
    try:
        assert crew.wanted == 6
        for seed in range(8):
            crew.add((None, (seed, 0)), replace(side.job, first=seed, many=1))
        assert crew.wanted == -2
        crew._send()
        assert (len(crew._flying), len(crew._waiting)) == (6, 2)
        found = []
        while crew.wanted < 6:
            found += crew.results(5)
        assert sorted(job.first for _, job, _ in found) == list(range(8))
        assert all(rows == play_chunk(job) for _, job, rows in found)
        with pytest.raises(CrewLost, match="is no dask scheduler"):
            clusters.FarCrew(min(crew._workers), lambda text: None)
    finally:
        crew.close()


@pytest.mark.parametrize(
    ("says", "message"),
    [
        (b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n", "what answers at {} is no dask scheduler; "),
        (struct.pack("<QQQ", 16, 1, 8) + b"\xc1" * 8, "what answers at {} is no dask scheduler; "),
        pytest.param(b"", "no dask scheduler answers at {}: ", marks=pytest.mark.soak),
    ],
    ids=["http", "frames", "mute"],
)
def test_cluster__somebody_else_answers(run: Runner, says: bytes, message: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        threading.Thread(target=lambda: server.accept()[0].sendall(says), daemon=True).start()
        address = f"tcp://127.0.0.1:{server.getsockname()[1]}"
        answer = run(*KUHN, "--cluster", address)
    assert (answer.code, answer.out) == (1, "")
    assert answer.err.startswith(f"Error: {message.format(address)}")


def test_cluster__forged_rows_are_not_kept(run: Runner, near: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def forge(job: Job) -> list[Row]:
        return [{**row, "winners": [9]} for row in play_chunk(job)]

    monkeypatch.setattr(clusters, "play_chunk", forge)
    answer = run(*KUHN, "--seed", "5000", "--cluster", near)
    assert answer.code == 1 and json.loads(answer.out)["ended"] == "lost"
    assert answer.err.startswith("error: the worker at tcp://127.0.0.1:")
    assert "sent rows that cannot be: `winners` of the game with seed 5" in answer.err
    assert stored(run.folder / "lab") == {}


def test_cluster__a_worker_of_another_version_is_refused(
    run: Runner, near: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("rulespec.__version__", "0.0.9")  # seen by those who ask now, as workers do
    answer = run(*KUHN, "--seed", "6000", "--cluster", near)
    assert answer.code == 1 and answer.out == ""
    assert answer.err == (
        f"Error: the scheduler at {near} has rulespec 0.0.9, and this is {__version__}: its games would be other games; "
        "install the same version on both\n"
    )


# Machines of their own ----------------------------------------------------------------------------------------

OLDER = "import rulespec\nrulespec.__version__ = '0.0.9'\n"
WITHOUT = "import sys\nsys.modules['rulespec'] = sys.modules['referee'] = None\n"
FORGING = """
from referee.lab import cluster
from referee.lab.chunks import play_chunk as play
cluster.play_chunk = lambda job: [{**row, "single": -1} for row in play(job)]
"""
COUNTING = """
from referee.lab import cluster
from referee.lab.chunks import play_chunk as play
def counted(job):
    with open("COUNTED", "a") as file:
        file.write(f"{job.first}\\n")
    return play(job)
cluster.play_chunk = counted
"""
AZUL = ("measure", "base", "--seats", "quick:20", "--games", "100", "--json")  # ten chunks


@dataclass(slots=True)
class Machines:
    """Processes as they would run on several machines; each is ended by its own id."""

    folder: Path
    env: dict[str, str] = field(default_factory=dict)
    protocol: str = "tcp"
    processes: list[subprocess.Popen[str]] = field(default_factory=list)
    scheduler: subprocess.Popen[str] | None = None
    address: str = ""

    def start(self, *command: str) -> subprocess.Popen[str]:
        log = self.folder / f"log-{len(self.processes)}"
        with log.open("w") as file:
            process = subprocess.Popen(
                [sys.executable, "-m", *command],
                cwd=self.folder,
                env=self._env("unused"),
                stdout=file,
                stderr=file,
                text=True,
            )
        self.processes.append(process)
        return process

    def _env(self, lab: str) -> dict[str, str]:
        return {**os.environ, "RULESPEC_LAB": str(self.folder / lab), **self.env}

    def begin(self) -> None:
        """Start a scheduler, and wait for its address."""
        file = self.folder / "scheduler.json"
        words = (
            "--host",
            f"{self.protocol}://127.0.0.1",
            "--port",
            "0",
            "--no-dashboard",
            "--scheduler-file",
            str(file),
        )
        self.scheduler = self.start("distributed.cli.dask_scheduler", *words)
        until(lambda: file.exists() and file.read_text().endswith("}"))
        self.address = json.loads(file.read_text())["address"]

    def worker(self, preload: str = "", threads: int = 1) -> subprocess.Popen[str]:
        """Start a worker, which runs a text before anything else."""
        number = len(self.processes)
        words = [
            self.address,
            "--nthreads",
            str(threads),
            "--no-nanny",
            "--no-dashboard",
            "--local-directory",
            f"scratch-{number}",
        ]
        if preload:
            (self.folder / f"preload_{number}.py").write_text(preload)
            words += ["--preload", f"preload_{number}.py"]
        return self.start("distributed.cli.dask_worker", *words)

    def client(self, lab: str, *command: str) -> subprocess.Popen[str]:
        """Start a command of ours, which keeps its rows in a folder."""
        pipe = subprocess.PIPE
        process = subprocess.Popen(
            [sys.executable, "-m", "rulespec", *command],
            cwd=self.folder,
            env=self._env(lab),
            stdout=pipe,
            stderr=pipe,
            text=True,
        )
        self.processes.append(process)
        return process

    def there(self, lab: str, *command: str) -> subprocess.Popen[str]:
        """Start a command of ours that plays on the cluster."""
        return self.client(lab, *command, "--cluster", self.address)

    def here(self, *command: str) -> tuple[str, dict[tuple[str, int], bytes]]:
        """Return what a command prints and keeps in one process."""
        code, out, err = answer_of(self.client("here", *command, "--workers", "1"))
        assert (code, err) == (0, "")
        return out, self.kept("here")

    def kept(self, lab: str) -> dict[tuple[str, int], bytes]:
        return stored(self.folder / lab)


def until(ready: Callable[[], object]) -> None:
    for _ in range(2400):
        if ready():
            return
        time.sleep(0.05)
    raise AssertionError("it never came")


@pytest.fixture
def machines(tmp_path: Path) -> Iterator[Machines]:
    there = Machines(tmp_path)
    try:
        yield there
    finally:
        for process in there.processes:
            process.kill()
            process.wait()


@pytest.fixture(scope="module")
def azul(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, dict[tuple[str, int], bytes]]:
    """All that one process prints and keeps of the command that most tests use."""
    return Machines(tmp_path_factory.mktemp("azul")).here(*AZUL)


def answer_of(process: subprocess.Popen[str]) -> tuple[int, str, str]:
    out, err = process.communicate(timeout=200)
    assert "Traceback" not in err and "distributed" not in err, err
    return process.returncode, out, err


@pytest.mark.soak
@pytest.mark.parametrize(
    "command",
    [
        AZUL,
        (
            "compare",
            "classics/pig",
            "far.yaml",
            "--seats",
            "quick:5",
            "--games",
            "40",
            "--check",
            "search:5p",
            "--json",
        ),
        ("sweep", "classics/pig", "--vary", "tables.enough=60,80", "--seats", "random", "--games", "100", "--json"),
    ],
    ids=["measure", "compare", "sweep"],
)
def test_machines__the_same_bytes_as_one_process(machines: Machines, command: tuple[str, ...]) -> None:
    far = "rulespec: 1\nextends: classics/pig\ngame: Far pig\nchange: {tables: {enough: 60}}\n"
    (machines.folder / "far.yaml").write_text(far)
    machines.begin()
    machines.worker()
    machines.worker()
    code, out, err = answer_of(machines.there("there", *command))
    assert (code, err.replace(f"{no_workers(machines)}\n", "")) == (0, "")
    assert (out, machines.kept("there")) == machines.here(*command)


def no_workers(machines: Machines) -> str:
    address = machines.address
    return f"no worker has joined {address}: waiting for one (`dask worker {address} --nthreads 1`)"


@pytest.mark.soak
def test_machines__a_worker_is_killed(machines: Machines, azul: tuple[str, dict[tuple[str, int], bytes]]) -> None:
    machines.begin()
    lost = machines.worker()
    machines.worker()
    process = machines.there("there", *AZUL)
    until(lambda: len(machines.kept("there")) >= 2)
    lost.kill()
    code, out, _ = answer_of(process)
    assert code == 0
    assert (out, machines.kept("there")) == azul
    assert len(machines.kept("there")) == 10


@pytest.mark.soak
def test_machines__all_workers_are_killed_and_another_comes(
    machines: Machines, azul: tuple[str, dict[tuple[str, int], bytes]]
) -> None:
    machines.begin()
    lost = machines.worker()
    process = machines.there("there", *AZUL)
    until(lambda: len(machines.kept("there")) >= 2)
    lost.kill()
    lost.wait()
    time.sleep(3)  # so that it is seen
    machines.worker()
    code, out, err = answer_of(process)
    assert code == 0 and no_workers(machines) in err.splitlines()
    assert (out, machines.kept("there")) == azul


@pytest.mark.soak
def test_machines__a_killed_client_goes_on_and_replays_nothing_that_is_kept(
    machines: Machines, azul: tuple[str, dict[tuple[str, int], bytes]]
) -> None:
    machines.begin()
    machines.worker(COUNTING)
    machines.worker(COUNTING)
    process = machines.there("there", *AZUL)
    until(lambda: len(machines.kept("there")) >= 3)
    process.send_signal(signal.SIGKILL)
    process.wait()
    counted = machines.folder / "COUNTED"
    kept = {str(first) for _, first in machines.kept("there")}
    assert 3 <= len(kept) < 10
    time.sleep(3)  # what is under way comes to its end
    before = counted.read_text().splitlines()
    assert kept <= set(before)
    code, out, _ = answer_of(machines.there("there", *AZUL))
    later = counted.read_text().splitlines()[len(before) :]
    assert code == 0 and len(later) == 10 - len(kept) and not kept & set(later)
    assert (out, machines.kept("there")) == azul


@pytest.mark.soak
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSTOP], ids=["killed", "frozen"])
def test_machines__the_scheduler_is_gone(
    machines: Machines, azul: tuple[str, dict[tuple[str, int], bytes]], number: signal.Signals
) -> None:
    machines.begin()
    machines.worker()
    machines.worker()
    process = machines.there("there", *AZUL)
    until(lambda: len(machines.kept("there")) >= 2)
    assert machines.scheduler is not None
    machines.scheduler.send_signal(number)
    code, out, err = answer_of(process)
    data = json.loads(out)
    assert (code, data["ended"]) == (1, "lost")
    gone = f"error: the scheduler at {machines.address} is gone; finished games are kept, and the same command goes on with the rest"
    assert err.splitlines()[-1] == gone
    kept = machines.kept("there")
    assert 2 <= len(kept) < 10 and data["n"] <= 10 * len(kept)
    assert kept.items() < azul[1].items()


@pytest.mark.soak
def test_machines__nobody_works_and_ctrl_c_ends_it(machines: Machines) -> None:
    machines.begin()
    process = machines.there("there", "measure", "classics/pig", "--seats", "random")
    assert process.stderr is not None and process.stderr.readline() == f"{no_workers(machines)}\n"
    process.send_signal(signal.SIGINT)
    code, out, err = answer_of(process)
    assert (code, err) == (130, "") and "Stopped after 0 of 400 games." in out.splitlines()


@pytest.mark.soak
def test_machines__nobody_answers(machines: Machines) -> None:
    machines.address = "tcp://127.0.0.1:9"
    assert answer_of(machines.there("there", *AZUL)) == (
        1,
        "",
        "Error: no dask scheduler answers at tcp://127.0.0.1:9: is it running, and may this machine reach it?\n",
    )


def test_cluster__tls_without_certificates(run: Runner) -> None:
    answer = run(*KUHN, "--cluster", "tls://127.0.0.1:9")
    assert (answer.code, answer.out) == (1, "")
    assert answer.err == (
        "Error: tls://127.0.0.1:9 needs certificates: dask's configuration names none for a client (`distributed.comm.tls`)\n"
    )


@pytest.mark.soak
def test_machines__tls(machines: Machines) -> None:
    if not shutil.which("openssl"):
        pytest.skip("no openssl to make certificates with")
    words = "req -x509 -newkey rsa:2048 -nodes -keyout me.key -out me.pem -days 2 -subj /CN=localhost"
    subprocess.run(["openssl", *words.split()], cwd=machines.folder, check=True, capture_output=True)
    settings = "DASK_DISTRIBUTED__COMM__TLS__"
    machines.env[f"{settings}CA_FILE"] = str(machines.folder / "me.pem")
    for role in ("SCHEDULER", "WORKER", "CLIENT"):
        machines.env[f"{settings}{role}__CERT"] = str(machines.folder / "me.pem")
        machines.env[f"{settings}{role}__KEY"] = str(machines.folder / "me.key")
    machines.protocol = "tls"
    machines.begin()
    assert machines.address.startswith("tls://")
    machines.worker()
    code, out, _ = answer_of(machines.there("there", *KUHN))
    assert code == 0 and (out, machines.kept("there")) == machines.here(*KUHN)
    machines.env[f"{settings}CLIENT__CERT"] = "nowhere.pem"
    code, out, err = answer_of(machines.there("other", *KUHN))
    assert (code, out) == (1, "")
    assert err == f"Error: cannot join the cluster at {machines.address}: No such file or directory\n"


@pytest.mark.soak
def test_machines__threads_play_one_at_a_time(machines: Machines) -> None:
    machines.begin()
    machines.worker(threads=2)
    wait_for_a_worker(machines)
    code, out, err = answer_of(machines.there("there", *KUHN))
    assert code == 0 and (out, machines.kept("there")) == machines.here(*KUHN)
    assert re.fullmatch(
        r"the worker at tcp://127\.0\.0\.1:\d+ has 2 threads and plays with one: "
        r"`--nworkers 2 --nthreads 1` uses all its cores\n",
        err,
    )


SAME = "its games would be other games; install the same version on both"


@pytest.mark.soak
@pytest.mark.parametrize("late", [False, True], ids=["at once", "later"])
@pytest.mark.parametrize(
    ("preload", "says"),
    [
        (OLDER, f"has rulespec 0.0.9, and this is {__version__}: {SAME}"),
        (WITHOUT, f"does not have this program: install rulespec {__version__} there"),
        (FORGING, "sent rows that cannot be: `single` of the game with seed "),
    ],
    ids=["older", "without", "forging"],
)
def test_machines__a_worker_that_will_not_do(machines: Machines, preload: str, says: str, late: bool) -> None:
    machines.begin()
    process = machines.there("there", *AZUL) if late else None
    if process is not None:
        assert process.stderr is not None and process.stderr.readline() == f"{no_workers(machines)}\n"
    machines.worker(preload)
    if process is None:
        wait_for_a_worker(machines)
        process = machines.there("there", *AZUL)
    code, out, err = answer_of(process)
    assert code == 1 and "the worker at tcp://127.0.0.1:" in err
    assert says in err
    assert machines.kept("there") == {}
    assert out == "" or json.loads(out)["n"] == 0


def wait_for_a_worker(machines: Machines) -> None:
    until(lambda: "Register worker" in (machines.folder / "log-0").read_text())
