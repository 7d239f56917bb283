"""What is a file below a URL, and what cannot be listed."""

import hashlib
import http.server
import io
import os
import threading
import zipfile
from contextlib import nullcontext
from functools import partial

import pytest
from hashdyno import files


@pytest.fixture
def tree(tmp_path):
    """A folder with all that is no file in it, and one file."""
    (tmp_path / "a" / "b").mkdir(parents=True)
    (tmp_path / "a" / "b" / "file").write_bytes(b"abc")
    (tmp_path / "empty").mkdir()
    (tmp_path / "link").symlink_to("a/b/file")
    (tmp_path / "folder").symlink_to("a")
    (tmp_path / "dangling").symlink_to("none")
    os.mkfifo(tmp_path / "pipe")  # to open it would take for ever
    return tmp_path


def test_links_and_pipes_are_no_files_by_any_name(tree):
    url = f"file://{tree}"
    here, there = files.hash_tree(tree, ["md5"]), files.hash_tree(url, ["md5"])
    assert here == there and here.list.startswith(b"MD5 (a/b/file) = ")
    compared = files.compare_trees(tree, url)
    assert not compared and compared.matching == 1
    assert files.hash_tree(f"file://{tree}/empty", ["md5"]) == files.Tree(b"", {})
    # The root itself may be a link, as that of a folder.
    assert files.hash_tree(f"file://{tree}/folder/", ["md5"]).list.startswith(b"MD5 (b/file) = ")


def test_what_goes_while_the_tree_is_listed_is_left_out(tmp_path, monkeypatch):
    (tmp_path / "stays").write_bytes(b"abc")
    listed = os.scandir

    def scandir(path):
        (tmp_path / "folder").mkdir()
        (tmp_path / "file").write_bytes(b"abc")
        with listed(path) as entries:
            found = [*entries]
        (tmp_path / "folder").rmdir()
        (tmp_path / "file").unlink()
        return nullcontext(found)

    monkeypatch.setattr(os, "scandir", scandir)
    made = files.hash_tree(tmp_path, ["md5"])
    assert made.list.startswith(b"MD5 (stays) = ") and made.list.count(b"\n") == 1
    assert made.failed == {}


@pytest.mark.parametrize("name", ["none", "dangling", "none/none"])
def test_a_tree_that_is_not_there(tree, name):
    for root in (str(tree), f"file://{tree}", "memory://test_sources"):
        with pytest.raises(FileNotFoundError):
            files.hash_tree(f"{root}/{name}", ["md5"])


@pytest.mark.parametrize("name", ["a/b/file", "link", "pipe"])
def test_a_tree_that_is_a_file(tree, name):
    for url in (f"{tree}/{name}", f"file://{tree}/{name}"):
        with pytest.raises(NotADirectoryError):
            files.hash_tree(url, ["md5"])


def test_one_file_of_a_store_is_no_tree():
    import fsspec

    fsspec.filesystem("memory").pipe({"/test_sources_file": b"abc"})
    with pytest.raises(NotADirectoryError, match="memory://test_sources_file"):
        files.hash_tree("memory://test_sources_file", ["md5"])


@pytest.mark.parametrize(
    "url",
    [
        "file://{}",
        "dir::file://{}",
        "dir://a::file://{}",
        "simplecache::file://{}",
        "simplecache::dir://a::file://{}",
        "async_wrapper::file://{}",
    ],
)
def test_a_folder_that_cannot_be_listed_is_an_error(tree, monkeypatch, url):
    from fsspec.implementations.local import LocalFileSystem

    listed = LocalFileSystem.ls

    def failing(self, path, *args, **kwargs):
        if path.endswith("/a/b"):
            raise PermissionError(13, "Permission denied", path)
        return listed(self, path, *args, **kwargs)

    monkeypatch.setattr(LocalFileSystem, "ls", failing)
    with pytest.raises(PermissionError, match="a/b"):
        files.hash_tree(url.format(tree), ["md5"])


def test_stores_in_a_chain(tree):
    import fsspec

    here = files.hash_tree(tree, ["md5"])
    with zipfile.ZipFile(tree / "archive.zip", "w") as file:
        file.writestr("a/b/file", b"abc")
    fsspec.filesystem("memory").pipe({"/test_stores/a/b/file": b"abc"})
    archive = f"file://{tree}/archive.zip"
    for url in (f"zip://::{archive}", f"dir::zip://::{archive}", "dir::memory://test_stores"):
        assert files.hash_tree(url, ["md5"]) == here
    for url in (f"zip://a::{archive}", f"dir://a::file://{tree}", f"dir::file://{tree}/a"):
        assert files.hash_tree(url, ["md5"]) == files.hash_tree(tree / "a", ["md5"])
    with pytest.raises(NotADirectoryError):
        files.hash_tree(f"dir::{archive}", ["md5"])
    with pytest.raises(FileNotFoundError):
        files.hash_tree(f"zip://none::{archive}", ["md5"])


@pytest.mark.parametrize("url", ["strict://tree", "dir::strict://tree"])
def test_a_store_that_hands_on_every_option(url, monkeypatch):
    import fsspec
    from fsspec.registry import known_implementations

    class Strict(fsspec.AbstractFileSystem):
        """As SFTP, whose connection refuses options that it does not know."""

        protocol = "strict"

        def __init__(self, host="", **options):
            super().__init__(**options)
            self.connect(**options)

        def connect(self, *, port=22):
            assert port == 23

        def ls(self, path, detail=True):
            return [{"name": f"{path}/a", "type": "file", "size": 3}]

        def _open(self, path, *args, **options):
            return io.BytesIO(b"abc")

    fsspec.register_implementation("strict", Strict, clobber=True)
    monkeypatch.setitem(known_implementations, "strict", {})
    made = files.hash_tree(url, ["md5"], storage_options={"strict": {"port": 23}})
    assert made.failed == {} and made.list.startswith(b"MD5 (a) = ")
    with pytest.raises(TypeError, match="user"):
        files.hash_tree(url, ["md5"], storage_options={"strict": {"user": "me"}})


def test_nothing_in_a_chain_is_of_an_earlier_call(s3):
    import fsspec

    memory = fsspec.filesystem("memory")
    for content in (b"one", b"two"):
        memory.pipe({"/test_earlier/file": content})
        for url in ("memory://test_earlier", "simplecache::memory://test_earlier"):
            made = files.hash_tree(url, ["md5"])
            assert made.list.endswith(f"{hashlib.md5(content).hexdigest()}\n".encode())
    store = fsspec.filesystem("s3", **s3)
    store.mkdir("earlier")
    for name in ("one", "two"):
        store.pipe({f"earlier/data/{name}": b"abc"})
        for url in ("s3://earlier/data", "simplecache::s3://earlier/data"):
            made = files.hash_tree(url, ["md5"], storage_options={"s3": s3})
            assert made.failed == {} and f"({name})".encode() in made.list


def test_placeholders_of_folders(s3):
    import fsspec

    store = fsspec.filesystem("s3", **s3)
    store.mkdir("placeholders")
    keys = {"data/": b"", "data/sub/": b"", "data/sub/a": b"", "data/b": b"abc"}
    for key, value in keys.items():
        store.call_s3("put_object", Bucket="placeholders", Key=key, Body=value)
    made = files.hash_tree("s3://placeholders/data", ["md5"], storage_options=s3)
    assert made.failed == {}
    names = [line.split(" ")[1] for line in made.list.decode().splitlines()]
    assert names == ["(b)", "(sub/a)"]
    for url in ("s3://placeholders/none", "s3://no-such-bucket"):
        with pytest.raises(FileNotFoundError):
            files.hash_tree(url, ["md5"], storage_options=s3)
    with pytest.raises(NotADirectoryError):
        files.hash_tree("s3://placeholders/data/b", ["md5"], storage_options=s3)
    store.mkdir("vacant")
    made = files.hash_tree("s3://vacant", ["md5"], storage_options=s3)
    assert made == files.Tree(b"", {})


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *args):
        pass


def test_a_web_page_tells_no_lengths(tmp_path):
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "file").write_bytes(b"abc")
    with http.server.ThreadingHTTPServer(
        ("127.0.0.1", 0), partial(Quiet, directory=tmp_path)
    ) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        url = f"http://127.0.0.1:{server.server_port}"
        made = files.hash_tree(f"{url}/", ["md5"])
        with pytest.raises(NotADirectoryError):
            files.hash_tree(f"{url}/a/file", ["md5"])
        with pytest.raises(FileNotFoundError):
            files.hash_tree(f"{url}/none", ["md5"])
        server.shutdown()
    assert made.failed == {} and made.list.startswith(b"MD5 (a/file) = ")
