import asyncio
from pathlib import Path

from model_requests import draw_pictures

from agents.workbench import Workbench
from tools.pictures import EncodedPicture


async def test_a_picture_is_prepared_once_however_many_ask_at_a_time(tmp_path: Path) -> None:
    (picture,) = draw_pictures(tmp_path, 1)
    workbench = Workbench()
    made: list[str] = []

    def prepare(encoded: EncodedPicture) -> bytes:
        made.append(encoded.digest)
        return encoded.data[:8]

    first = await asyncio.gather(*(workbench.for_item(str(n)).prepared(picture, "head", prepare) for n in range(20)))
    later = await workbench.prepared(picture, "head", prepare)

    assert {*first, later} == {b"\x89PNG\r\n\x1a\n"}
    assert made == [picture.digest]


async def test_two_forms_of_a_picture_are_two_things(tmp_path: Path) -> None:
    (picture,) = draw_pictures(tmp_path, 1)
    workbench = Workbench()

    assert await workbench.prepared(picture, "one", lambda encoded: b"1") == b"1"
    assert await workbench.prepared(picture, "other", lambda encoded: b"2") == b"2"
