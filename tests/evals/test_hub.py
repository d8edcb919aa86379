"""Getting a dataset, from a stand-in of the Hub on the loopback: the real Hub is not asked by tests."""

import hashlib
import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

COMMIT = "a" * 40
FILES = {"meta.json": b"{}", "artifacts/train_house_00000/train_house_00000.json": b"[]"}
REPOSITORY = "/api/datasets/owl-owl/POVBench"


class _Hub(BaseHTTPRequestHandler):
    """As much of the Hub's API as a download asks for; `refuses` is the error code that it answers with instead."""

    protocol_version = "HTTP/1.1"
    refuses: tuple[int, str] | None = None
    downloads = 0

    def log_message(self, *_: object) -> None:
        pass

    def do_HEAD(self) -> None:
        self._answer(sends=False)

    def do_GET(self) -> None:
        self._answer(sends=True)

    def _answer(self, sends: bool) -> None:
        status, body, headers = self._found()
        if self.refuses is not None:
            status, body, headers = self.refuses[0], b"{}", {"X-Error-Code": self.refuses[1]}
        self.send_response(status)
        for name, value in {**headers, "Content-Length": str(len(body))}.items():
            self.send_header(name, value)
        self.end_headers()
        if sends:
            self.wfile.write(body)

    def _found(self) -> tuple[int, bytes, dict[str, str]]:
        if self.path.startswith(f"{REPOSITORY}/revision/main"):
            listed = [{"rfilename": name} for name in FILES]
            return 200, json.dumps({"id": "owl-owl/POVBench", "sha": COMMIT, "siblings": listed}).encode(), {}
        if self.path.startswith(f"{REPOSITORY}/tree/"):
            tree = [
                {"type": "file", "path": name, "size": len(data), "oid": hashlib.sha1(data).hexdigest()}
                for name, data in FILES.items()
            ]
            return 200, json.dumps(tree).encode(), {}
        for name, data in FILES.items():
            if self.path == f"/datasets/owl-owl/POVBench/resolve/{COMMIT}/{name}":
                type(self).downloads += self.command == "GET"
                return 200, data, {"ETag": f'"{hashlib.sha1(data).hexdigest()}"', "X-Repo-Commit": COMMIT}
        return 404, b"{}", {"X-Error-Code": "RevisionNotFound"}


@pytest.fixture
def hub() -> Iterator[type[_Hub]]:
    class Hub(_Hub):
        url = ""

    with ThreadingHTTPServer(("127.0.0.1", 0), Hub) as server:
        Hub.url = f"http://127.0.0.1:{server.server_address[1]}"
        thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
        thread.start()
        yield Hub
        server.shutdown()


def get(hub: type[_Hub], folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    script = "import sys; from evals.cli import main; sys.argv[0] = 'evals'; main()"
    return subprocess.run(
        [sys.executable, "-c", script, "data", "get", "povbench", "--to", str(folder), *arguments],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "HF_ENDPOINT": hub.url, "HF_HOME": str(folder.parent / "home")},  # type: ignore[attr-defined]
    )


def test_a_dataset_is_stored_and_not_fetched_twice(hub: type[_Hub], tmp_path: Path) -> None:
    done = get(hub, tmp_path / "data")

    assert done.returncode == 0, done.stderr
    assert {name: (tmp_path / "data" / name).read_bytes() for name in FILES} == FILES
    assert f"evals data check {tmp_path / 'data'}" in done.stderr
    assert get(hub, tmp_path / "data").returncode == 0
    assert hub.downloads == len(FILES)


REFUSALS = [
    ((404, "RepoNotFound"), "the Hub does not know it"),
    ((403, "GatedRepo"), "accept its terms on huggingface.co and set HF_TOKEN"),
    ((500, ""), "cannot be downloaded"),
]


@pytest.mark.parametrize(("refuses", "words"), REFUSALS)
def test_what_the_hub_refuses_is_said_with_the_cure(
    hub: type[_Hub], tmp_path: Path, refuses: tuple[int, str], words: str
) -> None:
    hub.refuses = refuses

    done = get(hub, tmp_path / "data")

    assert done.returncode == 2
    assert words in done.stderr.splitlines()[-1]
    assert "Traceback" not in done.stderr


def test_a_revision_that_is_not_there_is_named(hub: type[_Hub], tmp_path: Path) -> None:
    done = get(hub, tmp_path / "data", "--revision", "v9")

    assert done.returncode == 2
    assert "has no revision 'v9'" in done.stderr


def test_without_the_extra_the_command_that_installs_it_is_said(tmp_path: Path) -> None:
    script = (
        "import sys; sys.modules['huggingface_hub'] = None; from evals.cli import main; "
        "sys.argv = ['evals', 'data', 'get', 'povbench', '--to', sys.argv[1]]; main()"
    )

    done = subprocess.run(
        [sys.executable, "-c", script, str(tmp_path / "data")], capture_output=True, text=True, check=False
    )

    assert done.returncode == 2
    assert "pip install 'situate[hub]'" in done.stderr
