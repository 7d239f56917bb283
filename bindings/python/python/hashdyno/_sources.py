"""Where files are: folders, and stores that fsspec reads."""

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
        return system, root.rstrip("/")

    def files(self) -> Bin:
        system, root = self._system()
        found = system.find(root, detail=True)
        return sorted(
            (name.removeprefix(root + "/"), int(it["size"])) for name, it in found.items()
        )

    def open(self, name: str) -> Any:
        system, root = self._system()
        return system.open(f"{root}/{name}", "rb")


def source_of(url: str, options: dict[str, Any]) -> Folder | Store:
    """Where the files of a path or a URL are."""
    return Store(url, options) if "://" in url else Folder(os.path.abspath(url))
