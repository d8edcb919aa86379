import json
import struct
from pathlib import Path

import cv2
import numpy as np
import pytest

from evals.scenes.dataset import write_png
from evals.scenes.errors import DatasetFolderError, VideoError
from evals.scenes.tour import read_commands
from evals.scenes.video import extract_frames, letterboxed

FRAMES, RATE = 50, 10


@pytest.fixture(scope="module")
def video(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Five seconds, 128 x 64; the left quarter is white, six bars beside it spell the frame's number in binary."""
    path = tmp_path_factory.mktemp("video") / "tour.mp4"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"mp4v"), RATE, (128, 64))
    for number in range(FRAMES):
        picture = np.zeros((64, 128, 3), np.uint8)
        picture[:, :32] = 255
        for bit in range(6):
            picture[:, 32 + 16 * bit : 48 + 16 * bit] = 255 * (number >> bit & 1)
        writer.write(picture)
    writer.release()
    return path


def numbers(paths: list[Path]) -> list[int]:
    """Which frames of the video the pictures show; bars are 64 pixels wide in them."""
    middles = [128 + 64 * bit + 32 for bit in range(6)]
    return [sum(int(cv2.imread(str(path))[256, x, 0] > 127) << bit for bit, x in enumerate(middles)) for path in paths]


def test_equal_intervals_are_the_middles_of_equal_parts(video: Path, tmp_path: Path) -> None:
    # Fifty frames in five parts of ten: their middles are frames 5, 15, 25, 35 and 45.
    paths = extract_frames(video, 5, tmp_path / "out")
    assert numbers(paths) == [5, 15, 25, 35, 45]
    record = json.loads((tmp_path / "out" / "frames.json").read_text())
    assert [frame["seconds"] for frame in record["frames"]] == [0.5, 1.5, 2.5, 3.5, 4.5]
    assert record["ground_truth"] is False
    assert read_commands(tmp_path / "out").scenarios == ()


def test_a_stretch_and_picked_times(video: Path, tmp_path: Path) -> None:
    assert numbers(extract_frames(video, 2, tmp_path / "a", start=1.0, end=3.0)) == [15, 25]
    assert numbers(extract_frames(video, 0, tmp_path / "b", times=[4.0, 0.0, 1.25])) == [0, 12, 40]


def test_frames_are_letterboxed_squares(video: Path, tmp_path: Path) -> None:
    picture = cv2.imread(str(extract_frames(video, 1, tmp_path / "out")[0]))
    assert picture.shape == (512, 512, 3)
    # 128 x 64 becomes 512 x 256, with 128 black rows above and below.
    assert picture[:126].max() == 0
    assert picture[386:].max() == 0
    assert picture[130:380, 8:120].min() > 200


@pytest.mark.parametrize(("shape", "bars"), [((100, 50, 3), (0, 128)), ((50, 100, 3), (128, 0)), ((7, 7, 3), (0, 0))])
def test_letterboxing_centres_and_keeps_the_shape(shape: tuple[int, int, int], bars: tuple[int, int]) -> None:
    square = letterboxed(np.full(shape, 200, np.uint8))
    rows, columns = np.nonzero(square[..., 0])
    assert (rows.min(), columns.min()) == bars
    assert (rows.max(), columns.max()) == (511 - bars[0], 511 - bars[1])


def test_a_phones_rotation_mark_is_obeyed(video: Path, tmp_path: Path) -> None:
    # In the track header the matrix (a b u; c d v; x y w) becomes that of a quarter turn clockwise.
    data = bytearray(video.read_bytes())
    start = data.index(b"tkhd") + 4
    matrix = start + 40
    assert struct.unpack(">9i", data[matrix : matrix + 36]) == (65536, 0, 0, 0, 65536, 0, 0, 0, 1 << 30)
    data[matrix : matrix + 36] = struct.pack(">9i", 0, 65536, 0, -65536, 0, 0, 64 * 65536, 0, 1 << 30)
    turned = tmp_path / "phone.mp4"
    turned.write_bytes(data)
    picture = cv2.imread(str(extract_frames(turned, 1, tmp_path / "out")[0]))
    # Upright now: black bars left and right, and what was left is at the top.
    assert picture[:, :126].max() == 0
    assert picture[:, 386:].max() == 0
    assert picture[8:120, 130:380].min() > 200
    assert json.loads((tmp_path / "out" / "frames.json").read_text())["rotation"] in (90, 270)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"count": 0}, "--count must be"),
        ({"count": 5000}, "--count must be"),
        ({"count": 51}, "ask for fewer than 51"),
        ({"count": 3, "start": 6.0}, "5.0 s long"),
        ({"count": 3, "end": 9.0}, "5.0 s long"),
        ({"count": 3, "start": float("nan")}, "5.0 s long"),
        ({"count": 3, "times": [5.5]}, "5.0 s long"),
        ({"count": 3, "times": []}, "5.0 s long"),
        ({"count": 3, "side": 2}, "too small"),
    ],
)
def test_arguments_out_of_range_are_the_users_mistake(video: Path, tmp_path: Path, options: dict, message: str) -> None:
    with pytest.raises(VideoError, match=message):
        extract_frames(video, out=tmp_path / "out", **options)
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("content", [b"", b"not a video", b"\x00\x00\x00\x18ftypmp42" + b"\x00" * 64])
def test_an_unreadable_video_is_refused_in_one_line(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "broken.mp4"
    path.write_bytes(content)
    with pytest.raises(VideoError, match=r"broken\.mp4") as caught:
        extract_frames(path, 3, tmp_path / "out")
    assert "\n" not in str(caught.value)


def test_a_missing_video_is_refused(tmp_path: Path) -> None:
    with pytest.raises(VideoError, match="no such file"):
        extract_frames(tmp_path / "none.mp4", 3, tmp_path / "out")


@pytest.mark.parametrize("error", [KeyboardInterrupt, DatasetFolderError])
def test_what_breaks_off_leaves_no_half_folder_behind(
    video: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: type[BaseException]
) -> None:
    def second_fails(path: Path, pixels: np.ndarray) -> None:
        if path.name == "frame_001.png":
            raise error
        write_png(path, pixels)

    out = tmp_path / "out"
    with monkeypatch.context() as patched:
        patched.setattr("evals.scenes.video.write_png", second_fails)
        with pytest.raises(error):
            extract_frames(video, 5, out)
    assert list(out.iterdir()) == []
    # A run that was killed could not clear away.
    (out / ".unfinished_frames" / "frames").mkdir(parents=True)
    (out / ".unfinished_frames" / "frames" / "frame_004.png").write_bytes(b"")
    assert numbers(extract_frames(video, 1, out)) == [25]
    assert sorted(path.name for path in out.iterdir()) == ["commands.yaml", "frames", "frames.json"]
    assert len(list((out / "frames").iterdir())) == 1


def test_commands_that_are_there_stay(video: Path, tmp_path: Path) -> None:
    (tmp_path / "frames").mkdir()
    (tmp_path / "commands.yaml").write_text("scenarios: []  # mine\n")
    assert numbers(extract_frames(video, 1, tmp_path)) == [25]
    assert (tmp_path / "commands.yaml").read_text() == "scenarios: []  # mine\n"


def test_frames_that_are_there_are_not_mixed_with_new_ones(video: Path, tmp_path: Path) -> None:
    extract_frames(video, 2, tmp_path / "out")
    (tmp_path / "out" / "commands.yaml").write_text("scenarios: []  # mine\n")
    with pytest.raises(DatasetFolderError, match="already holds frames"):
        extract_frames(video, 3, tmp_path / "out")
