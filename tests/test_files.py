"""Which files rules may reach: ordinary rule files beside them, and none at all where a server takes rules from anybody."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from interpreter import load
from referee.engine.session import Session
from rulespec import bundle_rules, open_bundle
from rulespec.diagnostics.diagnostic import RuleFileError, render
from rulespec.files.sources import NoDisk
from rulespec.rules import GameNotFound, open_rules

ROOT = Path(__file__).parent.parent
SECRET = "hunter2"
GAME = "rulespec: 1\nextends: nim\ngame: Below\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder of rules in a folder of other things."""
    (tmp_path / "secret.yaml").write_text(f"password: {SECRET}\n")
    (tmp_path / "below.yaml").write_text(GAME)
    (tmp_path / "rules").mkdir()
    (tmp_path / "rules" / "good.yaml").write_text(GAME)
    return tmp_path / "rules"


def said(folder: Path, extends: str) -> tuple[list[str], str]:
    """Return the codes and the whole text of what is said about a file that extends another."""
    path = folder / "t.yaml"
    path.write_text(f"rulespec: 1\nextends: {extends}\ngame: Above\n")
    try:
        found = tuple(open_rules(path).check_all())
    except RuleFileError as error:
        found = error.diagnostics
    texts = [*(render(d) for d in found), json.dumps([d.as_data() for d in found])]
    assert {d.span.file for d in found} <= {str(path)}
    return [d.code for d in found], "\n".join(texts)


# The disk -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["good.yaml", "../below.yaml", "../rules/good.yaml", "nim"])
def test_extends__what_lies_around(folder: Path, name: str) -> None:
    assert said(folder, name)[0] == []


@pytest.mark.parametrize("name", ["{folder}/good.yaml", "/etc/passwd", "'C:\\rules\\a.yaml'", "'\\\\host\\a.yaml'"])
def test_extends__an_absolute_path(folder: Path, name: str) -> None:
    assert said(folder, name.format(folder=folder))[0] == ["extends-absolute"]


@pytest.mark.parametrize(
    ("link", "target", "name", "codes"),
    [
        ("link.yaml", "good.yaml", "link.yaml", []),
        ("link.yaml", "../rules/good.yaml", "link.yaml", []),
        ("link.yaml", "../below.yaml", "link.yaml", ["extends-link"]),
        ("link.yaml", "../secret.yaml", "link.yaml", ["extends-link"]),
        ("link.yaml", "/dev/zero", "link.yaml", ["extends-link"]),
        ("link.yaml", "gone.yaml", "link.yaml", ["extends-missing"]),
        ("link.yaml", "link.yaml", "link.yaml", ["extends-unreadable"]),
        ("up", "..", "up/below.yaml", ["extends-link"]),
        ("up", "..", "up/../below.yaml", ["extends-link"]),
    ],
)
def test_extends__a_link(folder: Path, link: str, target: str, name: str, codes: list[str]) -> None:
    (folder / link).symlink_to(target)
    assert said(folder, name)[0] == codes


def test_extends__a_link_to_a_link_that_leads_out(folder: Path) -> None:
    (folder / "first.yaml").symlink_to("second.yaml")
    (folder / "second.yaml").symlink_to("../below.yaml")
    assert said(folder, "first.yaml")[0] == ["extends-link"]


def test_extends__what_is_no_ordinary_file(folder: Path) -> None:
    (folder / "folder.yaml").mkdir()
    os.mkfifo(folder / "pipe.yaml")
    with (folder / "huge.yaml").open("wb") as file:
        file.truncate(10 * 2**30)
    (folder / "latin.yaml").write_bytes(f"# {SECRET} \xe9".encode("latin-1"))
    for name in ("folder.yaml", "pipe.yaml", "huge.yaml", "latin.yaml"):
        before = time.monotonic()
        codes, text = said(folder, name)
        assert codes == ["extends-unreadable"]
        assert SECRET not in text
        assert time.monotonic() - before < 5


@pytest.mark.parametrize(
    "text",
    [
        f"password: {SECRET}\n",
        f"- {SECRET}\n",
        f"{SECRET}\n",
        f"password: [{SECRET}\n",
        f"a: 1\na: 2\npassword: {SECRET}\n",
        f"password: &x {SECRET}\nother: *x\n",
        f"password: {SECRET}\nrulespec\n",
        f"# rulespec: 1\npassword: '{SECRET}\n",
        f"{SECRET}: {{\nrulespec: 1\n",
        f"\x07 {SECRET}",
        "",
    ],
)
def test_extends__what_is_no_rule_file_is_not_shown(folder: Path, text: str) -> None:
    (folder / "other.yaml").write_text(text)
    codes, shown = said(folder, "other.yaml")
    assert codes == ["extends-not-rules"]
    assert SECRET not in shown


def test_extends__a_rule_file_with_mistakes_is_shown(folder: Path) -> None:
    for text, code in [
        ("# mine\n\n---\nrulespec: 1\ngame: [\n", "yaml-syntax"),
        ("\ufeffrulespec : 1\r\na: 1\r\na: 2\r\n", "yaml-duplicate-key"),
    ]:
        (folder / "wrong.yaml").write_text(text)
        with pytest.raises(RuleFileError) as caught:
            open_rules(folder / "t.yaml", "rulespec: 1\nextends: wrong.yaml\ngame: Above\n")
        assert [(d.code, Path(d.span.file).name) for d in caught.value.diagnostics] == [(code, "wrong.yaml")]


def test_validate__refuses_at_once_what_is_no_file(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.yaml")
    with (tmp_path / "huge.yaml").open("wb") as file:
        file.truncate(10 * 2**30)
    (tmp_path / "folder.yaml").mkdir()
    names = ["/dev/zero", "pipe.yaml", "folder.yaml", "huge.yaml"]
    command = [sys.executable, "-m", "rulespec", "validate", *names]
    answer = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False)
    assert answer.returncode == 1
    assert answer.stderr == ""
    for line in (
        "/dev/zero:1:1: error[file-unreadable]: `/dev/zero` is not an ordinary file",
        "pipe.yaml:1:1: error[file-unreadable]: `pipe.yaml` is not an ordinary file",
        "folder.yaml:1:1: error[file-unreadable]: `folder.yaml` is a folder, expected a file",
        "huge.yaml:1:1: error[yaml-too-large]: `huge.yaml` has more than 1 MB",
    ):
        assert f"{line}\n" in answer.stdout


# No disk --------------------------------------------------------------------------------------------------


def test_no_disk__has_shipped_games_and_texts(folder: Path) -> None:
    files = NoDisk({Path("a/mine.yaml"): "rulespec: 1\nextends: ../below.yaml\ngame: Mine\n", Path("below.yaml"): GAME})
    assert load("base", files=files).title == "Azul"
    assert load("house/corners", files=files).title == open_rules("house/corners").title
    assert load("a/mine.yaml", files=files).title == "Mine"
    assert load(GAME, files=NoDisk()).title == "Below"
    assert load("nim", house=["a/mine.yaml"], files=files).title == "Mine"
    bundle = bundle_rules(open_rules("house/corners", files=NoDisk()))
    assert bundle == bundle_rules(open_rules("house/corners"))


@pytest.mark.parametrize("name", ["{folder}/good.yaml", "good.yaml", "../below.yaml", "gone.yaml", "/etc", "."])
def test_no_disk__knows_no_path(folder: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    name = name.format(folder=folder)
    with pytest.raises(GameNotFound):
        load(name, files=NoDisk())
    with pytest.raises(GameNotFound):
        load("nim", house=[name], files=NoDisk())


def test_no_disk__a_text_extends_no_file(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    text = "rulespec: 1\nextends: good.yaml\ngame: Above\n"
    with pytest.raises(RuleFileError) as caught:
        open_rules("t.yaml", text, files=NoDisk({Path("goods.yaml"): GAME}))
    (found,) = caught.value.diagnostics
    assert (found.code, found.message) == ("extends-missing", "there is no file `good.yaml`")
    assert found.why.startswith("no files are read here")
    assert found.fix == "did you mean `goods.yaml`?"


def test_bundle__tells_nothing_of_the_folder_it_names(folder: Path) -> None:
    file = {"text": "rulespec: 1\nextends: godo.yaml\ngame: Above\n", "extends": {}}
    name = str(folder / "t.yaml")
    with pytest.raises(RuleFileError) as caught:
        open_bundle({"opened": [name], "files": {name: file}})
    (found,) = caught.value.diagnostics
    assert (found.code, found.message, found.fix) == ("extends-missing", "there is no file for `godo.yaml`", "")


def test_session__writes_and_reads_no_files(folder: Path) -> None:
    def ask(session: Session, **request: object) -> dict[str, dict[str, str]]:
        answer: dict[str, dict[str, str]] = json.loads(session.answer(json.dumps(request).encode()))
        return answer

    here, none = Session("nim"), Session("nim", files=NoDisk())
    for session in (here, none):
        ask(session, do="new", seed=1)
    assert "ok" in ask(here, do="save", file=str(folder / "a.record"))
    for request in ({"do": "save", "file": str(folder / "b.record")}, {"do": "load", "file": str(folder / "a.record")}):
        assert ask(none, **request)["error"]["code"] == "no-files"
    assert not (folder / "b.record").exists()
    record = ask(none, do="save")["ok"]["record"]
    assert "ok" in ask(none, do="load", record=record)


def test_session__of_a_text_is_called_by_its_title() -> None:
    session = Session(GAME, files=NoDisk())
    assert json.loads(session.answer(b'{"do": "rules"}'))["ok"]["name"] == "Below"


WATCHED = """
import os, sys
from pathlib import Path

allowed, bait, disk = sys.argv[1].split(os.pathsep), Path(sys.argv[2]), sys.argv[3] == "disk"
touched = []

def look(path):
    if isinstance(path, (str, bytes, os.PathLike)):
        path = os.path.abspath(os.fsdecode(path))
        inside = any(path == a or path.startswith(a + os.sep) or a.startswith(path.rstrip(os.sep) + os.sep) for a in allowed)
        if not inside and path != os.devnull:
            touched.append(path)

resolving = []  # not empty while a name is relative to a folder that is open: then it is looked at where it lies

EVENTS = ("open", "os.listdir", "os.scandir", "os.mkdir", "os.remove", "os.rename", "os.link", "tempfile.mkstemp",
          "os.truncate", "os.symlink", "subprocess.Popen", "socket.connect")
sys.addaudithook(lambda event, args: look(args[0]) if event in EVENTS and not resolving else None)
link_of = os.readlink
NAMES = ("stat", "lstat", "access", "readlink", "open", "mkdir", "unlink", "remove", "rename", "replace", "link")
for name in NAMES:  # of the first there are no events, and the others do not tell the folder
    def watched(path, *args, _real=getattr(os, name), **more):
        folder = more.get("dir_fd", more.get("src_dir_fd"))
        look(path if folder is None else os.path.join(link_of(f"/proc/self/fd/{folder}"), path))
        resolving.append(name)
        try:
            return _real(path, *args, **more)
        finally:
            resolving.pop()
    setattr(os, name, watched)

import json
from interpreter import RuleFileError, load
from referee.engine.session import Session
from referee.lsp.analysis import analyse, extended_file
from referee.lsp.offsets import location_of
from rulespec.diagnostics.diagnostic import render
from rulespec.rules import GameNotFound, open_rules
from rulespec.files.sources import DISK, NoDisk

files = DISK if disk else NoDisk()

def tried(do):
    try:
        return do()
    except RuleFileError as error:
        return [render(d, disk=disk) for d in error.diagnostics]
    except GameNotFound:
        return None

NAMES = [str(bait / "good.yaml"), "good.yaml", "../bait/good.yaml", "gone.yaml", str(bait), "link.yaml", "pipe.yaml"]
for name in NAMES:
    tried(lambda: load(name, files=files))
    tried(lambda: load("nim", house=[name], files=files))
    tried(lambda: load(f"rulespec: 1\\nextends: {name}\\ngame: Above\\n", files=files))
    tried(lambda: open_rules(bait / "t.yaml", f"rulespec: 1\\nextends: {name}\\ngame: Above\\n", files=files))
    path = bait / "open.yaml"
    found = analyse(path, files.having({path: f"rulespec: 1\\nextends: {name}\\ngame: Above\\nwrong: 1\\n"}))
    extended_file(found, 2, 11, files)
    [location_of(d.span, files) for d in found.diagnostics]

session = Session("nim", files=files)
def ask(**request):
    return json.loads(session.answer(json.dumps(request).encode()))
assert "ok" in ask(do="new", seed=1)
record = ask(do="save")["ok"]["record"]
assert "ok" in ask(do="load", record=record)
header = json.loads(record.splitlines()[0])
print(sorted(header), file=sys.stderr)
for name in NAMES:
    ask(do="save", file=name + ".record")
    ask(do="load", file=name)
    ask(do="load", record=record.replace("nim.yaml", name))
    ask(do="load", record=record.replace('"game":"nim"', json.dumps({"game": name})[1:-1]))
for request in ("hint", "moves", "rules", "view", "decisions", "ledger", "simulate"):
    assert "ok" in ask(do=request), request
print(json.dumps(touched))
"""


@pytest.mark.parametrize("source", ["disk", "none"])
def test_no_disk__nothing_else_is_touched(tmp_path: Path, source: str) -> None:
    """The same with the disk shows that the watch sees what it should."""
    bait, kept = tmp_path / "bait", tmp_path / "cache"
    bait.mkdir()
    kept.mkdir()
    (bait / "good.yaml").write_text(GAME)
    (bait / "link.yaml").symlink_to("good.yaml")
    os.mkfifo(bait / "pipe.yaml")
    packages = [ROOT / name for name in ("rulespec", "interpreter", "referee", "games")]
    places = [*packages, kept, *sys.path[1:], sys.prefix, sys.base_prefix, os.path.dirname(os.__file__)]
    allowed = os.pathsep.join(os.path.abspath(str(place)) for place in places if str(place) not in ("", str(ROOT)))
    answer = subprocess.run(
        [sys.executable, "-P", "-c", WATCHED, allowed, str(bait), source],
        cwd=bait,
        env=os.environ | {"XDG_CACHE_HOME": str(kept), "RULESPEC_NATIVE": "0", "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert answer.returncode == 0, answer.stderr[-3000:]
    touched = set(json.loads(answer.stdout))
    if source == "none":
        assert touched == set()
    else:
        assert {str(bait / "good.yaml"), str(bait / "pipe.yaml"), str(bait / "gone.yaml.record")} <= touched
