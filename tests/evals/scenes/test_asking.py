import asyncio
from pathlib import Path

import cv2
import numpy as np
import pytest
from loopback_server import Answer, ModelServer, Refusal, rate_limited

from evals.model_source import ModelError
from evals.scenes.asking import ask_with


def test_a_text_goes_to_the_model_behind_its_picture(tmp_path: Path, model_server: ModelServer) -> None:
    picture = tmp_path / "view.png"
    cv2.imwrite(str(picture), np.full((32, 32, 3), 90, np.uint8))
    model_server.default = Answer("It stands on the floor.")
    ask = ask_with(f"{model_server.url}/v1#judge")
    assert asyncio.run(ask("Where does it stand?", picture)) == "It stands on the floor."
    content = model_server.received[-1].json["messages"][0]["content"]
    assert [part["type"] for part in content] == ["image_url", "text"]
    assert content[1]["text"] == "Where does it stand?"


def test_it_can_be_asked_again_in_another_event_loop(model_server: ModelServer) -> None:
    model_server.default = Answer("yes")
    ask = ask_with(f"{model_server.url}/v1#judge")

    async def once() -> str:
        try:
            return await ask("Is it?", None)
        finally:
            await ask.close()

    assert [asyncio.run(once()), asyncio.run(once())] == ["yes", "yes"]


def test_a_busy_server_is_asked_again_and_one_that_refuses_is_not(model_server: ModelServer) -> None:
    model_server.default = Answer("at last")
    model_server.plan = [rate_limited(0.1)]
    ask = ask_with(f"{model_server.url}/v1#judge")
    assert asyncio.run(ask("Is it?", None)) == "at last"
    before = len(model_server.received)
    model_server.default = Refusal(401, "no such key")
    with pytest.raises(ModelError, match=r"no such key.*goes on where this stopped"):
        asyncio.run(ask("Is it?", None))
    assert len(model_server.received) == before + 1
