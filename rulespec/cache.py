"""The cache on disk: results of earlier runs, in the user's cache folder. It makes a start faster and changes no result.

An entry is bytes under a kind and a mark of everything they depend on. Nothing that is read is ever run: parses are
JSON, shape marks are empty, and the one thing that holds code, a native library, is loaded from a private copy of the
bytes that were checked.

Two different dangers, two different guards:

- A file that was cut, damaged, put in the place of another or left by a crash: every entry begins with a SHA-256 of its
  name and content, which is compared before anything else looks at the content.
- Somebody else who plants entries: a checksum does not help, since anyone who can write the folder can compute one.
  The folder must belong to the user and be writable by nobody else, and so must every file in it. A folder that is
  not like that is not used: nothing is read, nothing is written, everything is computed again.

INVARIANT: whatever is in the folder, no function here raises, blocks, or returns anything but what was kept.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import secrets
import shutil
import stat
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

MOST_ENTRIES = 400
MOST_BYTES = 64 << 20  # of all entries together
LARGEST = 16 << 20  # bytes of one entry
LEFT_BEHIND = 3600  # seconds after which a temporary file or folder counts as abandoned

_MAGIC = b"rulespec cache 1\n"
_HEAD = len(_MAGIC) + hashlib.sha256().digest_size
_ENTRY = re.compile(r"(?:grammar|native|shape|trees)-[0-9a-f]{24,64}(?:\.lark|\.so)?")  # also of earlier versions
_TEMPORARY = re.compile(r"(?:rulespec-)?tmp-(\d{1,10})-[0-9a-z_]+")


def recall(kind: str, *depends: str) -> bytes | None:
    """Return what was kept of this kind for exactly these texts, or None."""
    name = _name(kind, depends)
    with _opened() as folder:
        if folder is None:
            return None
        try:
            data = _read(folder, name)
        except OSError:
            return None
    content = data[_HEAD:]
    return content if data[:_HEAD] == _head(name, content) else None


def keep(kind: str, content: bytes, *depends: str) -> None:
    """Store an entry. Another process sees the old one or the new one, never a part, even after a power loss."""
    name = _name(kind, depends)
    if _HEAD + len(content) > LARGEST:
        return
    with _opened() as folder:
        if folder is None:
            return
        with contextlib.suppress(OSError):
            _write(folder, name, _head(name, content) + content)
            _tidy(folder)


@contextmanager
def workplace() -> Iterator[Path]:
    """Return a new private folder for temporary files, deleted at the end; what a killed process left is deleted at the start.

    It is in the cache folder, or among the system's temporary files where that is not used. Raises OSError where
    neither can be written.
    """
    own = f"tmp-{os.getpid()}-"
    with _opened() as folder:
        if folder is not None:
            with contextlib.suppress(OSError):
                _remove_left_behind(folder, os.listdir(folder))
        where = cache_folder() if folder is not None else None
        if where is None:
            where, own = Path(tempfile.gettempdir()), f"rulespec-{own}"
            _remove_left_in(where)
    made = ""
    try:
        made = tempfile.mkdtemp(prefix=own, dir=where)  # nobody else can enter it
        yield Path(made)
    finally:
        if made:
            shutil.rmtree(made, ignore_errors=True)


def cache_folder() -> Path | None:
    """Return where the folder should be: an absolute path, or None."""
    base = os.environ.get("XDG_CACHE_HOME", "")
    if not os.path.isabs(base):  # a relative one is ignored: a working folder could bring its own
        home = os.path.expanduser("~")
        if not os.path.isabs(home):
            return None
        base = os.path.join(home, ".cache")
    return Path(base) / "rulespec"


# Folder ------------------------------------------------------------------------------------------------------------


@contextmanager
def _opened() -> Iterator[int | None]:
    """Return a handle of the folder, made if there is none; None if it is not the user's alone.

    Everything is done through the handle, so what was checked is what is used, whatever happens to the path.
    """
    handle = None
    path = cache_folder()
    if path is not None and hasattr(os, "geteuid"):  # elsewhere the owner of a file cannot be checked
        try:
            handle = _open_folder(path)
        except (OSError, ValueError):  # a path can hold what no file system takes
            handle = None
    try:
        yield handle if handle is not None and _is_ours(os.fstat(handle)) else None
    finally:
        if handle is not None:
            os.close(handle)


def _open_folder(path: Path) -> int:
    flags = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC
    try:
        return os.open(path, flags)
    except FileNotFoundError:
        path.parent.mkdir(parents=True, exist_ok=True)
        with contextlib.suppress(FileExistsError):
            path.mkdir(mode=0o700)
        return os.open(path, flags)


def _is_ours(found: os.stat_result) -> bool:
    """Return whether nobody but the user can write to it."""
    return found.st_uid == os.geteuid() and not found.st_mode & 0o022


# Entries -----------------------------------------------------------------------------------------------------------


def _name(kind: str, depends: tuple[str, ...]) -> str:
    mark = hashlib.sha256()
    for text in depends:
        data = text.encode(errors="surrogatepass")
        mark.update(b"%d:" % len(data))
        mark.update(data)
    return f"{kind}-{mark.hexdigest()}"


def mark_of(*parts: str) -> str:
    """Return a mark that differs where any part differs."""
    return _name("", parts)[1:25]


def _head(name: str, content: bytes) -> bytes:
    mark = hashlib.sha256(name.encode() + b"\0")
    mark.update(content)
    return _MAGIC + mark.digest()


def _read(folder: int, name: str) -> bytes:
    """Return the bytes of a file that is ours, regular and not too large; OSError otherwise. Never waits for a pipe."""
    handle = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=folder)
    try:
        found = os.fstat(handle)
        if not stat.S_ISREG(found.st_mode) or not _is_ours(found) or not _HEAD <= found.st_size <= LARGEST:
            raise OSError("not an entry")
        with os.fdopen(handle, "rb", closefd=False) as file:
            return file.read(LARGEST)  # it may have grown since
    finally:
        os.close(handle)


def _write(folder: int, name: str, data: bytes) -> None:
    temporary = f"tmp-{os.getpid()}-{secrets.token_hex(8)}"
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
    try:
        with os.fdopen(os.open(temporary, flags, 0o600, dir_fd=folder), "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.rename(temporary, name, src_dir_fd=folder, dst_dir_fd=folder)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(temporary, dir_fd=folder)
        raise


# Bounds ------------------------------------------------------------------------------------------------------------


def _tidy(folder: int) -> None:
    """Delete the oldest entries where there are too many or they are too large, and what nobody owns any more."""
    names = os.listdir(folder)
    _remove_left_behind(folder, names)
    kept = []
    for name in names:
        if _ENTRY.fullmatch(name):
            with contextlib.suppress(OSError):
                found = os.stat(name, dir_fd=folder, follow_symlinks=False)
                if not stat.S_ISDIR(found.st_mode):
                    kept.append((found.st_mtime, name, found.st_size))
    entries, total = len(kept), sum(size for *_, size in kept)
    if entries <= MOST_ENTRIES and total <= MOST_BYTES:
        return
    for _, name, size in sorted(kept):
        if entries <= MOST_ENTRIES // 2 and total <= MOST_BYTES // 2:
            return
        with contextlib.suppress(OSError):
            os.unlink(name, dir_fd=folder)
        entries, total = entries - 1, total - size


def _remove_left_in(where: Path) -> None:
    with contextlib.suppress(OSError):
        handle = os.open(where, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            _remove_left_behind(handle, [n for n in os.listdir(handle) if n.startswith("rulespec-")])
        finally:
            os.close(handle)


def _remove_left_behind(folder: int, names: list[str]) -> None:
    """Delete temporary files and folders of processes that are gone, or that are older than any work on them."""
    for name in names:
        made_by = _TEMPORARY.fullmatch(name)
        if made_by is None:
            continue
        with contextlib.suppress(OSError):
            found = os.stat(name, dir_fd=folder, follow_symlinks=False)
            old = time.time() - found.st_mtime > LEFT_BEHIND
            if found.st_uid != os.geteuid() or not (old or _is_gone(int(made_by[1]))):
                continue
            if stat.S_ISDIR(found.st_mode):
                shutil.rmtree(name, ignore_errors=True, dir_fd=folder)
            else:
                os.unlink(name, dir_fd=folder)


def _is_gone(process: int) -> bool:
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return True
    except PermissionError:
        return False
    return False
