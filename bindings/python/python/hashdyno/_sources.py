"""Where files are: folders, and stores that fsspec reads."""

import errno
import os
from dataclasses import dataclass
from typing import Any

Bin = list[tuple[str, int]]
"""Names below the root, and lengths in bytes."""


@dataclass(frozen=True)
class Folder:
    """A folder of this machine, or one that all workers see by the same name."""

    root: str

    def files(self) -> Bin:
        found: Bin = []
        folders = [""]
        while folders:
            folder = folders.pop()
            with os.scandir(os.path.join(self.root, folder)) as entries:
                for entry in entries:
                    name = os.path.join(folder, entry.name)
                    if entry.is_dir(follow_symlinks=False):
                        folders.append(name)
                    elif entry.is_file(follow_symlinks=False):
                        found.append((name, entry.stat(follow_symlinks=False).st_size))
        return sorted(found)

    def open(self, name: str) -> Any:
        return open(os.path.join(self.root, name), "rb")


@dataclass(frozen=True)
class Store:
    """Whatever fsspec reads. Its connection is made where it is used: no fork keeps it."""

    url: str
    options: dict[str, Any]

    def _system(self) -> tuple[Any, str]:
        from fsspec.core import url_to_fs

        # A listing that was kept would name files that are gone.
        system, root = url_to_fs(self.url, use_listings_cache=False, **self.options)
        return system, root

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

    def open(self, name: str) -> Any:
        system, root = self._system()
        return system.open(f"{root.rstrip('/')}/{name}", "rb")


def _entries(system: Any, root: str) -> dict[str, Any]:
    """What fsspec tells of all that is below a root, by path. Folders may be missing."""
    from fsspec.asyn import AsyncFileSystem
    from fsspec.spec import AbstractFileSystem

    # Stores that list a tree at once have a `find` of their own. That of all others leaves out the
    # folders that cannot be listed, and says nothing.
    find = getattr(system, "_find", system.find)
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


def source_of(url: str, options: dict[str, Any]) -> Folder | Store:
    """Where the files of a path or a URL are."""
    return Store(url, options) if "://" in url else Folder(os.path.abspath(url))
