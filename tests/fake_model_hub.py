"""A model hub on loopback that speaks as Hugging Face does, with troubles that can be switched on.

Small files are answered directly, large ones by a redirect to a second path, as a content network
would. What was served is counted, so that a test can tell a resumed download from a repeated one.
"""

import asyncio
import hashlib
from collections import Counter
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

from aiohttp import web
from aiohttp.test_utils import TestServer

COMMIT = "c0ffee" * 6 + "c0ff"
REPO = "someone/Tiny-Model"
TOKEN = "hf_" + "open-sesame"
LARGE = (".safetensors", ".parquet")


@dataclass
class Trouble:
    """What goes wrong; nothing at first."""

    drops: dict[str, list[int]] = field(default_factory=dict)  # name -> bytes until the line dies
    stall: str | None = None  # the file that stops half-way until the hub closes
    errors: Counter[str] = field(default_factory=Counter)  # name -> answers of 500 to come
    changed: set[str] = field(default_factory=set)  # served with one bit turned over
    sizes: dict[str, int] = field(default_factory=dict)  # announced in place of the true ones
    names: list[str] = field(default_factory=list)  # announced besides
    needs_token: bool = False  # for the files; anybody may know what there is
    is_private: bool = False  # without the token, nobody even learns that there is a model
    refuses: bool = False  # whatever token is shown
    ignores_ranges: bool = False
    has_page_for_ranges: bool = False  # as a firewall does: a page and 200
    shifts_ranges: int = 0  # begins so many bytes earlier than it was asked to
    tells_no_length: bool = False
    says_gzip: bool = False  # of bytes that are not compressed
    store_url: str | None = None  # where it sends for large files
    store_status: int | None = None  # what is answered there, in place of the file


class FakeModelHub:
    """One repository: a model, or a data set where ``card`` says what its card does."""

    def __init__(
        self, files: Mapping[str, bytes], card: Mapping[str, object] | None = None
    ) -> None:
        self.files = dict(files)
        self.card = card
        self.tags: list[str] = []
        self.commit = COMMIT
        self.trouble = Trouble()
        self.served: Counter[str] = Counter()  # name -> bytes
        self.asked: Counter[str] = Counter()  # name -> requests for the first path
        self.ranges: list[tuple[str, str]] = []  # (name, Range) of every request that had one
        self.tokens: list[str | None] = []  # Authorization of every request for the first path
        self.tokens_at_store: list[str] = []  # Authorization that reached the second path
        self.stalled = asyncio.Event()
        self._over = asyncio.Event()
        self.url = ""

    @asynccontextmanager
    async def running(self) -> AsyncIterator["FakeModelHub"]:
        app = web.Application()
        kind, before = ("models", "") if self.card is None else ("datasets", "/datasets")
        app.router.add_get(f"/api/{kind}/{{owner}}/{{name}}", self._describe)
        app.router.add_get(
            f"{before}/{{owner}}/{{name}}/resolve/{{commit}}/{{file:.*}}", self._resolve
        )
        app.router.add_get("/store/{file:.*}", self._store)
        async with TestServer(app) as server:
            self.url = f"http://localhost:{server.port}"
            self._store_url = f"http://127.0.0.1:{server.port}"
            try:
                yield self
            finally:
                self._over.set()

    async def _describe(self, request: web.Request) -> web.Response:
        repo = f"{request.match_info['owner']}/{request.match_info['name']}"
        is_known = self._look_at_token(request)
        if repo != REPO or (self.trouble.is_private and not is_known):
            status = 404 if is_known else 401
            return web.Response(status=status, headers={"X-Error-Code": "RepoNotFound"})
        if self.trouble.refuses:
            return web.Response(status=403, headers={"X-Error-Code": "GatedRepo"})
        assert request.query["blobs"]
        siblings = [self._sibling(name) for name in (*self.files, *self.trouble.names)]
        told: dict[str, object] = {"id": REPO, "sha": self.commit, "siblings": siblings}
        if self.card is not None:
            told |= {"cardData": dict(self.card), "tags": self.tags}
        return web.json_response(told)

    def _look_at_token(self, request: web.Request) -> bool:
        """Whether the token is shown; another one is refused, even where none is needed."""
        token = request.headers.get("Authorization")
        self.tokens.append(token)
        if token not in (None, f"Bearer {TOKEN}"):
            words = "Invalid credentials in Authorization header"
            raise web.HTTPUnauthorized(headers={"X-Error-Message": words})
        return token is not None

    def _sibling(self, name: str) -> dict[str, object]:
        data = self.files.get(name, b"mischief")
        size = self.trouble.sizes.get(name, len(data))
        git = hashlib.sha1(f"blob {len(data)}\0".encode() + data, usedforsecurity=False)
        sibling: dict[str, object] = {"rfilename": name, "size": size, "blobId": git.hexdigest()}
        if name.endswith(LARGE):
            sha256 = hashlib.sha256(data).hexdigest()
            sibling["lfs"] = {"size": size, "sha256": sha256, "pointerSize": 130}
        return sibling

    async def _resolve(self, request: web.Request) -> web.StreamResponse:
        name, is_known = request.match_info["file"], self._look_at_token(request)
        self.asked[name] += 1
        if request.match_info["commit"] != self.commit or name not in self.files:
            return web.Response(status=404, headers={"X-Error-Code": "EntryNotFound"})
        if self.trouble.needs_token and not is_known:
            return web.Response(status=401, headers={"X-Error-Code": "GatedRepo"})
        if self.trouble.errors[name] > 0:
            self.trouble.errors[name] -= 1
            return web.Response(status=500)
        if name.endswith(LARGE):
            store = self.trouble.store_url or self._store_url
            headers = {"X-Repo-Commit": self.commit, "Location": f"{store}/store/{name}"}
            return web.Response(status=302, headers=headers)
        return await self._send(request, name)

    async def _store(self, request: web.Request) -> web.StreamResponse:
        if "Authorization" in request.headers:
            self.tokens_at_store.append(request.headers["Authorization"])
        if self.trouble.store_status is not None:
            return web.Response(status=self.trouble.store_status)
        return await self._send(request, request.match_info["file"])

    async def _send(self, request: web.Request, name: str) -> web.StreamResponse:
        data = self.files[name]
        if name in self.trouble.changed:
            data = data[:-1] + bytes([data[-1] ^ 1])
        if self.trouble.has_page_for_ranges and "Range" in request.headers:
            return web.Response(body=b"<html>Log in</html>", content_type="text/html")
        start = max(0, self._start(request, name) - self.trouble.shifts_ranges)
        if start >= len(data) > 0:
            return web.Response(status=416, headers={"Content-Range": f"bytes */{len(data)}"})
        response = web.StreamResponse(
            status=206 if start else 200, headers={"ETag": f'"{hash(data)}"'}
        )
        if start:
            response.headers["Content-Range"] = f"bytes {start}-{len(data) - 1}/{len(data)}"
        if self.trouble.says_gzip:
            response.headers["Content-Encoding"] = "gzip"
        if not self.trouble.tells_no_length:
            response.content_length = len(data) - start
        await response.prepare(request)
        await self._write(request, response, name, data[start:])
        return response

    async def _write(
        self, request: web.Request, response: web.StreamResponse, name: str, rest: bytes
    ) -> None:
        drops = self.trouble.drops.get(name, [])
        stalls = self.trouble.stall == name
        count = drops.pop(0) if drops else len(rest) // 2 if stalls else len(rest)
        await response.write(rest[:count])
        self.served[name] += min(count, len(rest))
        if stalls:
            self.stalled.set()
            await self._over.wait()
        if count < len(rest):
            assert request.transport is not None
            request.transport.close()  # flushes what was written first

    def _start(self, request: web.Request, name: str) -> int:
        wish = request.headers.get("Range")
        if wish is None:
            return 0
        self.ranges.append((name, wish))
        return 0 if self.trouble.ignores_ranges else int(wish.removeprefix("bytes=").rstrip("-"))


def files_of(folder: Path) -> dict[str, bytes]:
    """The files of a model's folder, as a hub would hold them."""
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir()) if path.is_file()}
