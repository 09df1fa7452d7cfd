"""The files that browsers load: bundles as the manifest has them, nothing from other hosts, nothing the content policy forbids."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from referee.web.vendor import FOLDER, LICENCES, MANIFEST, digest

STATIC = FOLDER.parent
OURS = [path for path in sorted(STATIC.rglob("*")) if path.is_file() and FOLDER not in path.parents]
ELSEWHERE = re.compile(r"https?://(?!www\.w3\.org/)|[\"'(]//\w")


def test_vendored__files_are_those_of_the_manifest() -> None:
    there = {path.name: digest(path) for path in FOLDER.iterdir() if path != MANIFEST}
    assert there == json.loads(MANIFEST.read_text())["files"]


def test_vendored__every_package_has_version_licence_and_its_text() -> None:
    packages = json.loads(MANIFEST.read_text())["packages"]
    wanted = json.loads((FOLDER / "package.json").read_text())["dependencies"]
    assert wanted.items() <= {name: entry["version"] for name, entry in packages.items()}.items()
    text = LICENCES.read_text(encoding="utf-8")
    missing = [
        name for name, entry in packages.items() if f"{name} {entry['version']}\n" not in text or not entry["licence"]
    ]
    assert not missing


def test_vendored__the_lock_file_names_no_host() -> None:
    locked = json.loads((FOLDER / "package-lock.json").read_text())["packages"]
    assert all("integrity" in entry and "resolved" not in entry for path, entry in locked.items() if path)


@pytest.mark.parametrize("path", OURS, ids=lambda path: path.relative_to(STATIC).as_posix())
def test_static__loads_nothing_from_elsewhere_and_runs_no_text(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert not ELSEWHERE.findall(text)
    assert not re.findall(r"\beval\(|new Function|innerHTML|outerHTML|insertAdjacentHTML|document\.write", text)
    assert not re.findall(r"<script(?![^>]*\bsrc=)|\son\w+=\"|<style", text) or path.suffix == ".js"
