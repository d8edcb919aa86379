"""`evals frames`: frames of a real video, for commands written by hand."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from evals.commands.output import INTERRUPTED, say


def frames(
    video: Annotated[Path, typer.Argument(help="The video.")],
    out: Annotated[Path, typer.Option(help="Folder for the frames and the commands.")],
    count: Annotated[int, typer.Option(help="Number of frames at equal intervals.", min=1)] = 30,
    at: Annotated[str | None, typer.Option(help="Times in seconds instead, e.g. 3,7.5,12.")] = None,
    start: Annotated[float, typer.Option(help="Where to begin, seconds.", min=0)] = 0.0,
    end: Annotated[float | None, typer.Option(help="Where to end, seconds; the video's end if left out.")] = None,
) -> None:
    """Take frames from a video, letterboxed to 512x512, and begin a file for commands about them."""
    from evals.reporting.text import printable
    from evals.scenes.tour import COMMANDS, NO_TRUTH
    from evals.scenes.video import extract_frames, times_of

    try:
        taken = extract_frames(video, count, out, times=None if at is None else times_of(at), start=start, end=end)
    except KeyboardInterrupt:
        say("interrupted; no frames were written: give the same command again")
        raise typer.Exit(INTERRUPTED) from None
    print(printable(f"{out}: {len(taken)} frames; write what to ask about them in {out / COMMANDS}; {NO_TRUTH}"))
