"""Trees of files: one list, whatever the engine, the workers and the order."""

import hashlib
import io
import os
import random
import shutil
import stat
import subprocess

import pytest
from hashdyno import _sources, files

ALGORITHMS = ["sha256", "blake3", "crc32"]


@pytest.fixture(scope="module")
def tree(tmp_path_factory):
    root, source = tmp_path_factory.mktemp("tree"), random.Random(9)
    for index in range(1200):
        folder = root / f"d{index % 7}" / f"e{index % 3}"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"file {index}").write_bytes(
            source.randbytes(source.choice([0, 5, 3000, 20_000]))
        )
    (root / "large").write_bytes(source.randbytes(3 << 20))
    (root / "limit").write_bytes(bytes(files.SMALL))
    (root / "over").write_bytes(bytes(files.SMALL + 1))
    (root / "line\nfeed\\").write_bytes(b"abc")
    with open(os.fsencode(root) + b"/not \xff UTF-8", "wb") as file:
        file.write(b"abc")
    (root / "link").symlink_to("large")
    return root


@pytest.fixture(scope="module")
def known(tree):
    return files.hash_tree(tree, ALGORITHMS).list


def test_every_file_is_there_once(tree, known):
    made = files.hash_tree(str(tree), ["sha256"])
    assert made.failed == {}
    lines = made.list.splitlines()
    assert len(lines) == 1205 == len(known.splitlines()) // 3
    for line in lines:
        if not line.startswith(b"\\"):
            name, digest = line.removeprefix(b"SHA256 (").rsplit(b") = ", 1)
            with open(os.path.join(os.fsencode(tree), name), "rb") as file:
                assert hashlib.file_digest(file, "sha256").hexdigest().encode() == digest


def test_sha256sum_reads_it(tree, tmp_path):
    if not shutil.which("sha256sum"):
        pytest.skip("there is no sha256sum")
    files.hash_tree(tree, ["sha256"]).write(tmp_path / "list")
    subprocess.run(
        ["sha256sum", "--check", "--strict", "--quiet", tmp_path / "list"], cwd=tree, check=True
    )


@pytest.mark.parametrize("workers", [1, 3])
def test_threads(tree, known, workers):
    assert files.hash_tree(tree, ALGORITHMS, workers=workers).list == known


def test_an_engine_of_the_callers_own_that_loses_bins(tree, known):
    rounds = []

    def engine(work, bins):
        rounds.append(len(bins))
        shuffled = random.Random(len(rounds)).sample(bins, len(bins))
        return [work(it) for it in (shuffled[1:] if len(rounds) == 1 else shuffled)]

    assert files.hash_tree(tree, ALGORITHMS, engine=engine).list == known
    assert len(rounds) == 2 and rounds[1] > 0


def test_fsspec(tree, known):
    import fsspec

    memory = fsspec.filesystem("memory")
    memory.mkdir("/empty")
    made = files.hash_tree("memory://empty", ["md5"])
    assert made == files.Tree(b"", {})
    memory.pipe({"/tree/b/c": b"abc", "/tree/a": b""})
    made = files.hash_tree("memory://tree", ["md5", "sha512_256"])
    abc, empty = hashlib.md5(b"abc").hexdigest(), hashlib.md5(b"").hexdigest()
    assert made.failed == {}
    lines = made.list.decode().splitlines()
    assert lines[0] == f"MD5 (a) = {empty}" and lines[2] == f"MD5 (b/c) = {abc}"
    assert lines[3].startswith("SHA512/256 (b/c) = ")


def test_failures_are_tried_again_and_then_named(tree, known, monkeypatch, tmp_path):
    tries, opened = {}, _sources.Folder.open

    def failing(self, name):
        tries[name] = tries.get(name, 0) + 1
        if name == "large" or (tries[name] == 1 and hash(name) % 30 == 0):
            raise OSError("the network is gone")
        return opened(self, name)

    monkeypatch.setattr(_sources.Folder, "open", failing)
    made = files.hash_tree(tree, ALGORITHMS)
    assert made.failed == {"large": "OSError: the network is gone"}
    assert made.list == b"".join(line for line in known.splitlines(True) if b"(large)" not in line)
    assert tries["large"] == 3 and max(tries[name] for name in tries if name != "large") <= 2
    with pytest.raises(ValueError, match="hint:"):
        made.write(tmp_path / "list")
    assert not list(tmp_path.iterdir())


def test_files_that_change_or_go_meanwhile(tmp_path, monkeypatch):
    for name in ("grows", "goes", "stays"):
        (tmp_path / name).write_bytes(b"abc")
    listed = _sources.Folder.files

    def listing(self):
        found = listed(self)
        (tmp_path / "grows").write_bytes(b"abcd")
        (tmp_path / "goes").unlink(missing_ok=True)
        return found

    monkeypatch.setattr(_sources.Folder, "files", listing)
    made = files.hash_tree(tmp_path, ["md5"])
    assert made.list.decode() == f"MD5 (stays) = {hashlib.md5(b'abc').hexdigest()}\n"
    assert sorted(made.failed) == ["goes", "grows"]
    assert (
        made.failed["goes"].startswith("FileNotFoundError")
        and "changed meanwhile" in made.failed["grows"]
    )


def test_a_stream_that_gives_fewer_bytes_than_it_is_asked_for(tree, known, monkeypatch):
    class Few(io.FileIO):
        def read(self, size):
            return super().read(min(size, 1000))

    opened = lambda self, name: Few(os.path.join(self.root, name))
    monkeypatch.setattr(_sources.Folder, "open", opened)
    assert files.hash_tree(tree, ALGORITHMS) == files.Tree(known, {})


def test_wrong_use(tree):
    with pytest.raises(ValueError, match="expected the engine"):
        files.hash_tree(tree, ["md5"], engine="ray")
    with pytest.raises(ValueError, match="unsupported hash type"):
        files.hash_tree(tree, ["nope"])
    with pytest.raises(FileNotFoundError):
        files.hash_tree(tree / "none", ["md5"])
    calls = (
        lambda **how: files.hash_tree(tree, ["md5"], **how),
        lambda **how: files.verify_tree(tree, b"", **how),
        lambda **how: files.compare_trees(tree, tree, **how),
    )
    for call in calls:
        with pytest.raises(ValueError, match="rounds: expected 1 at least, got 0"):
            call(rounds=0)


def test_a_list_gets_the_permissions_of_the_file_that_it_replaces(tmp_path):
    path, mask = tmp_path / "list", os.umask(0o027)
    try:
        files.Tree(b"", {}).write(path)
        assert os.umask(0o027) == 0o027
    finally:
        os.umask(mask)
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    path.chmod(0o604)
    files.Tree(b"", {}).write(path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o604


def test_tags_are_those_of_the_command_line(tmp_path):
    (tmp_path / "a").write_bytes(b"abc")
    names = [
        "blake2b",
        "blake2b-256",
        "blake2s",
        "crc32",
        "sha3_256",
        "shake_128",
        "tiger192-3",
        "sha1",
    ]
    made = files.hash_tree(tmp_path, names).list.decode().splitlines()
    tags = [line.split(" ")[0] for line in made]
    assert tags == [
        "BLAKE2b",
        "BLAKE2b-256",
        "BLAKE2S-256",
        "CRC32",
        "SHA3-256",
        "SHAKE128",
        "TIGER",
        "SHA1",
    ]


def test_dask_with_a_worker_killed(tree, known):
    from distributed import Client, LocalCluster
    from hashdyno import dask

    with (
        LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster,
        Client(cluster) as client,
    ):
        made = files.hash_tree(tree, ALGORITHMS, engine="dask", client=client)
        assert (made.list, made.failed) == (known, {})
        cluster.workers[0].process.process.kill()
        made = files.hash_tree(tree, ALGORITHMS, engine="dask", client=client)
        assert (made.list, made.failed) == (known, {})
        # What the task itself raises is no lost worker.
        with pytest.raises(ZeroDivisionError):
            list(dask.submit(client, lambda it: 1 // it, [1, 0]))
        cluster.scheduler.allowed_failures = 0
        assert [*dask.submit(client, lambda _: os._exit(1), [0])] == []


def test_progress_counts_files_and_bytes(tree, known):
    sizes = [os.lstat(os.path.join(at, it)) for at, _, names in os.walk(tree) for it in names]
    total = sum(it.st_size for it in sizes if stat.S_ISREG(it.st_mode))
    more = f"MD5 (large) = {hashlib.md5((tree / 'large').read_bytes()).hexdigest()}\n".encode()
    calls = {
        lambda **how: files.hash_tree(tree, ["crc32"], **how): 1,
        lambda **how: files.verify_tree(tree, known + more, **how): 1,
        lambda **how: files.compare_trees(tree, tree, **how): 2,
    }
    for call, trees in calls.items():
        told = []
        call(workers=1, progress=lambda *done, told=told: told.append(done))
        assert told == sorted(told) and len(told) > 1
        assert told[-1] == (trees * 1205, trees * total)


def test_verify_tells_each_difference(tree, known, tmp_path):
    assert not files.verify_tree(tree, known)
    copy = tmp_path / "copy"
    shutil.copytree(tree, copy, symlinks=True)
    (copy / "added").write_bytes(b"")
    (copy / "large").write_bytes(bytes(3 << 20))
    (copy / "line\nfeed\\").unlink()
    found = files.verify_tree(copy, files.Tree(known, {}))
    assert (found.changed, found.missing, found.added) == (["large"], ["line\nfeed\\"], ["added"])
    assert (found.matching, found.failed) == (1203, {}) and found
    compared = files.compare_trees(tree, copy)
    assert compared == found
    assert not files.compare_trees(tree, tree)


def test_verify_reads_lists_of_sha256sum(tmp_path):
    (tmp_path / "a").write_bytes(b"abc")
    digest = hashlib.sha256(b"abc").hexdigest()
    listed = tmp_path.parent / f"{tmp_path.name}.sha256"
    listed.write_text(f"# a comment\n{digest}  ./a\n")
    assert not files.verify_tree(tmp_path, listed, algorithm="sha256")
    with pytest.raises(ValueError, match="hint: give algorithm="):
        files.verify_tree(tmp_path, listed)
    both = f"SHA256 (a) = {digest}\nSHA256 (a) = {digest[::-1]}\n".encode()
    with pytest.raises(ValueError, match="two values"):
        files.verify_tree(tmp_path, both)
    for ends in (f"\ufeff{digest}  a\r\n\r\n", f"\ufeffSHA256 (a) = {digest}\r\n# a comment\r\n"):
        assert not files.verify_tree(tmp_path, ends.encode(), algorithm="sha256")


@pytest.mark.parametrize(
    ("line", "got"),
    [
        (b"SHA256 (b) = %s" % (b"0" * 62), 62),
        (b"SHA256 (b) = 012", 3),
        (b"%s  b" % (b"0" * 32), 32),
    ],
    ids=["cut", "odd", "md5"],
)
def test_a_digest_of_another_length_is_no_damage(tmp_path, line, got):
    """The list was cut, or is of another algorithm."""
    listed = b"SHA256 (a) = %s\n%s" % (b"0" * 64, line)
    said = f"line 2: expected 64 hexadecimal digits of sha256, got {got}"
    with pytest.raises(ValueError, match=said):
        files.verify_tree(tmp_path, listed, algorithm="sha256")


def test_a_list_has_digests_whose_length_a_caller_may_choose(tmp_path):
    (tmp_path / "a").write_bytes(b"abc")
    made = files.hash_tree(tmp_path, ["shake_128", "shake_256"])
    assert not files.verify_tree(tmp_path, made)


def test_names_that_begin_with_a_dot_and_a_slash(tmp_path):
    """Programs write `./a` of the file `a`; an object store may have both."""
    import fsspec

    fsspec.filesystem("memory").pipe({"/dots/a": b"one", "/dots/./a": b"two"})
    made = files.hash_tree("memory://dots", ["md5"])
    assert made.list.startswith(b"MD5 (./a) = ") and made.list.count(b"\n") == 2
    found = files.verify_tree("memory://dots", made)
    assert not found and found.matching == 2
    (tmp_path / "a").write_bytes(b"one")
    with pytest.raises(ValueError, match="line 2: expected one md5 of 'a', got two values"):
        files.verify_tree(tmp_path, made)


def test_a_file_is_compared_by_each_of_its_digests(tmp_path):
    (tmp_path / "a").write_bytes(b"abc")
    made = files.hash_tree(tmp_path, ["sha256", "md5"]).list
    wrong = made.replace(hashlib.md5(b"abc").hexdigest().encode(), b"0" * 32)
    assert files.verify_tree(tmp_path, wrong).changed == ["a"]


def test_a_verification_names_files_that_cannot_be_read(tree, known, monkeypatch):
    opened = _sources.Folder.open

    def failing(self, name):
        if name == "large":
            raise OSError("the network is gone")
        return opened(self, name)

    monkeypatch.setattr(_sources.Folder, "open", failing)
    why = "OSError: the network is gone"
    found = files.verify_tree(tree, known)
    assert (found.matching, found.failed) == (1204, {"large": why})
    found = files.compare_trees(tree, str(tree))
    assert (found.matching, found.failed) == (1204, {"large": f"{tree}: {why}; {tree}: {why}"})


def test_a_worker_that_is_lost_in_every_round_is_named(tmp_path):
    (tmp_path / "a").write_bytes(b"abc")
    made = files.hash_tree(tmp_path, ["md5"], engine=lambda work, bins: [])
    assert (made.list, list(made.failed)) == (b"", ["a"])


@pytest.fixture(scope="module")
def bucket(tree, s3):
    """A bucket with the tree in it, and what fsspec needs to reach it."""
    import fsspec

    store = fsspec.filesystem("s3", **s3)
    store.mkdir("bucket")
    names = [it for it in sorted(os.listdir(tree / "d1" / "e1"))]
    store.pipe({f"bucket/data/{it}": (tree / "d1" / "e1" / it).read_bytes() for it in names})
    store.pipe("bucket/data/large", (tree / "large").read_bytes())
    return s3, len(names) + 1


def test_a_bucket(tree, bucket, tmp_path):
    options, count = bucket
    folder = tmp_path / "same"
    shutil.copytree(tree / "d1" / "e1", folder)
    shutil.copy(tree / "large", folder)
    here = files.hash_tree(folder, ALGORITHMS)
    there = files.hash_tree("s3://bucket/data", ALGORITHMS, storage_options=options)
    assert (there.list, there.failed) == (here.list, {}) and here.list.count(
        b"\n"
    ) == 3 * count > 150
    assert not files.verify_tree("s3://bucket/data", here, storage_options=options)
    (folder / "large").write_bytes(bytes(3 << 20))
    found = files.compare_trees(folder, "s3://bucket/data", storage_options=options)
    assert found.changed == ["large"] and found.matching == count - 1
