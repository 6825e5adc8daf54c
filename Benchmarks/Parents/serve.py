#!/usr/bin/env python3
"""serve.py PORT DELAY PARENTS: /parents in pages of 100, each parent with 3 pages of 10 rows, and /walk: 1,000 pages
that need a token of POST /token, which is good for 50 pages. Every reply takes DELAY seconds. /counts tells how many
requests there were."""
import asyncio
import json
import sys

port, delay, parents = int(sys.argv[1]), float(sys.argv[2]), int(sys.argv[3])
uses, counts = {}, {"pages": 0, "refused": 0, "tokens": 0}


def reply(method, path, token):
    place, _, query = path.partition("?")
    parts = place.strip("/").split("/")
    page = int(dict(item.split("=") for item in query.split("&")).get("page", "1")) if query else 1
    if parts == ["counts"]:
        return 200, counts
    if parts == ["token"]:
        counts["tokens"] += 1
        uses[f"token-{counts['tokens']}"] = 0
        return 200, {"access_token": f"token-{counts['tokens']}", "token_type": "bearer"}
    if parts == ["parents"]:
        rows, last = [{"id": n} for n in range((page - 1) * 100, min(page * 100, parents))], page * 100 >= parents
    elif parts[0] == "walk":
        if uses.get(token, 50) >= 50:
            counts["refused"] += 1
            return 401, {"message": "the token has expired"}
        uses[token] += 1
        rows, last = [{"id": page * 10 + n} for n in range(10)], page == 1000
    else:
        first = int(parts[1]) * 100 + page * 10
        rows, last = [{"id": first + n, "name": f"row {n} of page {page}"} for n in range(10)], page == 3
    counts["pages"] += 1
    return 200, {"rows": rows, "next": None if last else page + 1}


async def serve(reader, writer):
    try:
        while True:
            head = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
            fields = {name.lower(): value for name, _, value in (line.partition(": ") for line in head[1:])}
            await reader.readexactly(int(fields.get("content-length", "0")))
            method, path, _ = head[0].split(" ")
            status, value = reply(method, path, fields.get("authorization", "").removeprefix("Bearer "))
            if delay:
                await asyncio.sleep(delay)
            body = json.dumps(value).encode()
            writer.write(
                f"HTTP/1.1 {status} X\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n".encode()
                + body)
            await writer.drain()
    except (asyncio.IncompleteReadError, ConnectionError):
        writer.close()


async def main():
    async with await asyncio.start_server(serve, "127.0.0.1", port) as server:
        await server.serve_forever()


asyncio.run(main())
