"""A server in a process of its own that reads a chat completion, waits a fixed time, and answers."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

REPLY = json.dumps(
    {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1,
        "model": "test-model",
        "choices": [
            {
                "index": 0,
                "message": {"role": "assistant", "content": '{"selected_image": 0, "x": 256, "y": 256}'},
                "finish_reason": "stop",
            }
        ],
        "usage": {"prompt_tokens": 8000, "completion_tokens": 20, "total_tokens": 8020},
    }
).encode()


@dataclass(frozen=True)
class Served:
    """A running server.

    Attributes:
        url: Its address.
        times: File with a line for each request: when it had arrived and when it was answered, seconds.
        bodies: Folder with the first bodies that arrived.
    """

    url: str
    times: Path
    bodies: Path


@contextmanager
def serve(folder: Path, latency: float) -> Iterator[Served]:
    """Starts a server.

    Args:
        folder: Where it writes what it saw.
        latency: Seconds between a request's last byte and the reply.
    """
    folder.mkdir(parents=True, exist_ok=True)
    times = folder / "times.txt"
    times.write_text("")
    command = [sys.executable, __file__, str(latency), str(folder)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield Served(f"http://127.0.0.1:{process.stdout.readline().strip()}", times, folder)
        finally:
            process.terminate()


async def _serve(latency: float, folder: Path) -> None:
    seen = 0
    log = (folder / "times.txt").open("a", buffering=1)

    async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal seen
        while True:
            try:
                head = await reader.readuntil(b"\r\n\r\n")
            except (asyncio.IncompleteReadError, ConnectionError):
                writer.close()
                return
            lengths = [
                line.partition(b":")[2] for line in head.lower().split(b"\r\n") if line.startswith(b"content-length")
            ]
            left = int(lengths[0]) if lengths else 0
            seen += left > 0
            kept = (folder / f"body_{seen}").open("wb") if 0 < seen <= 3 else None
            while left:
                piece = await reader.read(min(left, 1 << 20))
                left -= len(piece)
                if kept is not None:
                    kept.write(piece)
            if kept is not None:
                kept.close()
            arrived = time.monotonic()
            if latency:
                await asyncio.sleep(latency)
            writer.write(
                b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s"
                % (len(REPLY), REPLY)
            )
            log.write(f"{arrived} {time.monotonic()}\n")

    server = await asyncio.start_server(connected, "127.0.0.1", 0, limit=1 << 20)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(_serve(float(sys.argv[1]), Path(sys.argv[2])))
