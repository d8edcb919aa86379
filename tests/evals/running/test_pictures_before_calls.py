"""Every picture of a stored call is on disk, whenever the process dies."""

import asyncio
from pathlib import Path

from agents.model import Reply, Request
from evals.running.session import execute, make_plan
from evals.running.store import Store
from graphs import ReasoningGraph
from tools.pictures import EncodedPicture, encode


class Quick:
    """Answers at once, so that calls beside one another end while pictures are still being encoded."""

    name = identity = "quick"
    is_vlm = True

    async def reply(self, request: Request) -> Reply:
        return Reply('{"selected_image": 0, "x": 1, "y": 1}')


def run(folder: Path, graphs: list[object], **options: int) -> None:
    execute(make_plan(graphs, [Quick()], None, ["inferred"], **{"limit": 4, **options}), folder, lambda _: None)


def test_no_call_is_committed_before_its_pictures(tmp_path: Path, monkeypatch) -> None:
    missing: list[str] = []
    save_call = Store.save_call

    def watched(store: Store, key: str, model: str, request, *rest: object) -> None:
        text = request.messages
        digests = [part.partition('"')[0] for part in text.split('"picture": "')[1:]]
        missing.extend(digest for digest in digests if store.picture_path(digest) is None)
        save_call(store, key, model, request, *rest)

    async def slowly(workbench: object, picture) -> EncodedPicture:
        await asyncio.sleep(0.05)
        return encode(picture)

    monkeypatch.setattr(Store, "save_call", watched)
    monkeypatch.setattr("agents.workbench.Workbench.encoded", slowly)
    monkeypatch.setattr("evals.running.runner.preflight", _nothing)
    run(tmp_path, ["basic"])
    assert missing == []


async def _nothing(*_: object) -> None:
    """Proves nothing before the run, so that its calls begin side by side."""


def test_pictures_that_are_missing_are_made_when_a_stored_reply_is_used(tmp_path: Path) -> None:
    run(tmp_path, ["basic"])
    pictures = sorted((tmp_path / "pictures").iterdir())
    for picture in pictures:
        picture.unlink()
    run(tmp_path, [ReasoningGraph("the_same_calls", max_tokens=256)])
    assert sorted((tmp_path / "pictures").iterdir()) == pictures
