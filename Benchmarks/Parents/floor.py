#!/usr/bin/env python3
"""floor.py PORT PARENTS: the same requests as a run with --each, four at a time over four connections, and nothing else."""
import asyncio
import sys
import time

port, parents = int(sys.argv[1]), int(sys.argv[2])


async def get(reader, writer, path):
    writer.write(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode())
    head = (await reader.readuntil(b"\r\n\r\n")).decode().lower()
    await reader.readexactly(int(head.split("content-length: ")[1].split("\r\n")[0]))


async def main():
    start = time.monotonic()
    connections = [await asyncio.open_connection("127.0.0.1", port) for _ in range(4)]
    lists = iter(range(parents))

    async def work(number):
        if number == 0:
            for page in range(1, parents // 100 + 1):
                await get(*connections[0], f"/parents?page={page}")
        for parent in lists:
            for page in (1, 2, 3):
                await get(*connections[number], f"/parents/{parent}/rows?page={page}")

    await asyncio.gather(*(work(number) for number in range(4)))
    print(f"{time.monotonic() - start:.2f} s")


asyncio.run(main())
