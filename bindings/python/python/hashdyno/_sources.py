"""Where files are: folders, and stores that fsspec reads."""

import errno
import os
from collections.abc import Callable
from contextlib import nullcontext, suppress
from dataclasses import dataclass
from functools import cache
from typing import Any

Bin = list[tuple[str, int]]
"""Names below the root, and lengths in bytes."""

Opener = Callable[[str], Any]
"""What opens a file by its name, to be read as bytes."""


@dataclass(frozen=True)
class Folder:
    """A folder of this machine, or one that all workers see by the same name."""

    root: str

    def files(self) -> Bin:
        found: Bin = []
        folders = [""]
        while folders:
            folder = folders.pop()
            # What goes meanwhile is left out, but for the root itself.
            gone = suppress(FileNotFoundError) if folder else nullcontext()
            with gone, os.scandir(os.path.join(self.root, folder)) as entries:
                for entry in entries:
                    name = os.path.join(folder, entry.name)
                    try:
                        if entry.is_dir(follow_symlinks=False):
                            folders.append(name)
                        elif entry.is_file(follow_symlinks=False):
                            found.append((name, entry.stat(follow_symlinks=False).st_size))
                    except FileNotFoundError:
                        continue
        return sorted(found)

    def opener(self) -> Opener:
        return self.open

    def open(self, name: str) -> Any:
        return open(os.path.join(self.root, name), "rb")


@dataclass(frozen=True)
class Store:
    """Whatever fsspec reads. Its connection is made where it is used: no fork keeps it."""

    url: str
    options: dict[str, Any]

    def _system(self) -> tuple[Any, str]:
        from fsspec.core import url_to_fs
        from fsspec.registry import available_protocols

        # A listing that was kept would name files that are gone. A cache that was kept, or an
        # archive, would have their old content.
        *wrappers, _ = links = [link.partition("://")[0] for link in self.url.split("::")]
        made = dict.fromkeys(wrappers, {"skip_instance_cache": True})

        def connect(**fresh: bool) -> tuple[Any, str]:
            chained = {
                link: {**self.options.get(link, {}), **made.get(link, {}), **fresh}
                for link in {*links}.intersection(available_protocols())
            }
            system, root = url_to_fs(self.url, **{**self.options, **chained, **fresh})
            return system, root

        try:
            system, root = connect(use_listings_cache=False)
        except TypeError as error:
            # SFTP hands all options to a function that refuses those that it does not know.
            if "use_listings_cache" not in str(error):
                raise
            system, root = connect()
        # `dir` without a path is the folder behind it, which fsspec would look for in itself.
        return system, "" if self.url.startswith(("dir::", "dir://::")) else root

    def files(self) -> Bin:
        system, root = self._system()
        top = root.rstrip("/")
        entries = _entries(system, root)
        if [*entries] == [top] or (not entries and system.isfile(root)):
            raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), self.url)
        # A store without folders lists nothing where there is nothing, as where a folder is empty.
        if not entries and not system.exists(root):
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), self.url)
        found: Bin = []
        for path, entry in entries.items():
            if entry["type"] != "file" or entry.get("islink"):
                continue
            # A web page does not tell the lengths of what it lists.
            size = system.size(path) if entry["size"] is None else entry["size"]
            if size is None:
                raise OSError(f"{path}: its store does not tell its length")
            name = path.removeprefix(top + "/")
            # An object store may hold empty objects in the place of folders.
            if name and not (name.endswith("/") and size == 0):
                found.append((name, int(size)))
        return sorted(found)

    def opener(self) -> Opener:
        # An archive is closed with the last reference to it, and so are its files.
        connected = cache(self._system)

        def open(name: str) -> Any:
            system, root = connected()
            return system.open(f"{root.rstrip('/')}/{name}" if root else name, "rb")

        return open


def _entries(system: Any, root: str) -> dict[str, Any]:
    """What fsspec tells of all that is below a root, by path. Folders may be missing."""
    from fsspec.asyn import AsyncFileSystem
    from fsspec.spec import AbstractFileSystem

    # Stores that list a tree at once have a `find` of their own. That of all others leaves out the
    # folders that cannot be listed, and says nothing.
    store = _last(system)
    find = getattr(store, "_find", store.find)
    general = (AbstractFileSystem.find, AsyncFileSystem._find)
    entries: dict[str, Any] = {}
    if getattr(find, "__func__", None) not in general:
        entries.update(system.find(root, detail=True))
        return entries
    folders = [root]
    while folders:
        folder = folders.pop()
        for entry in system.ls(folder, detail=True):
            path = entry["name"]
            if entry["type"] != "directory":
                entries[path] = entry
            elif not entry.get("islink") and path.rstrip("/") != folder.rstrip("/"):
                folders.append(path)
    return entries


def _last(system: Any) -> Any:
    """The store behind caches, folders and other wrappers, whose `find` calls that of the store."""
    from fsspec.spec import AbstractFileSystem

    while True:
        behind = getattr(system, "fs", None) or getattr(system, "sync_fs", None)
        if not isinstance(behind, AbstractFileSystem):
            return system
        system = behind


def source_of(url: str, options: dict[str, Any]) -> Folder | Store:
    """Where the files of a path or a URL are."""
    return Store(url, options) if "://" in url else Folder(os.path.abspath(url))
