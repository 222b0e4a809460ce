"""A model's server for tests: the interface of OpenAI, deterministic, misbehaving on command.

It listens on a port of 127.0.0.1. The vector of a text is a function of its bytes, which the tests
compute again in SQL. What goes wrong is said from outside: a list of faults, of which each request
takes the next, or marks in the texts themselves. It counts what it was asked, and how long it
worked.

    server = ModelServer()        # starts
    server.url                    # http://127.0.0.1:PORT/v1
    server.faults("500", "reset") # for the next two requests
    server.stop()
"""

import email.utils
import hashlib
import json
import socket
import ssl
import struct
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

DIMENSIONS = 8
REFUSED = "text-that-is-refused"  # a mark: status 400 for its request
CRASHES = "text-that-crashes"  # a mark: status 500
SHORT = "text-with-short-vector"  # a mark: its vector has fewer dimensions


def vector_of(text):
    """(byte - 128) / 128 of the first bytes of a SHA-256: exact in single precision."""
    digest = hashlib.sha256(text.encode()).digest()
    size = DIMENSIONS - 3 if SHORT in text else DIMENSIONS
    return [(byte - 128) / 128 for byte in digest[:size]]


class Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def handle_error(self, request, client_address):
        """Workers that are killed leave connections behind."""
        if not isinstance(sys.exc_info()[1], (ConnectionError, ssl.SSLError)):
            super().handle_error(request, client_address)


class Busy:
    """The time during which at least one request was worked on."""

    def __init__(self):
        self.lock = threading.Lock()
        self.workers = self.most = 0
        self.seconds = 0.0
        self.since = 0.0

    def __enter__(self):
        with self.lock:
            if self.workers == 0:
                self.since = time.monotonic()
            self.workers += 1
            self.most = max(self.most, self.workers)

    def __exit__(self, *_):
        with self.lock:
            self.workers -= 1
            if self.workers == 0:
                self.seconds += time.monotonic() - self.since


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    wbufsize = 1 << 16  # one segment an answer

    def log_message(self, *_):
        pass

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        model = self.server.model
        with model.busy:
            model.note(self.path, dict(self.headers), body)
            try:
                self.answer(model, model.next_fault(), json.loads(body))
            except (BrokenPipeError, ConnectionResetError):
                self.close_connection = True

    def answer(self, model, fault, request):
        kind, _, value = (fault or "").partition(" ")
        if kind in ("slow", "hang"):
            model.sleep(float(value or 600))
        if kind == "reset":
            return self.reset()
        if kind.isdigit():
            # Servers repeat what they were asked, and with which key.
            error = {"error": {"message": "no: " + self.headers.get("Authorization", "")}}
            return self.send(int(kind), error, value)
        answer = model.embed(request) if "/embeddings" in self.path else model.chat(request)
        if isinstance(answer, int):
            return self.send(answer, {"error": {"message": json.dumps(request)}})
        self.spoil(kind, answer)

    def spoil(self, kind, answer):
        data = answer.get("data", [])
        if kind == "count":
            data.pop()
        elif kind == "order":
            data.reverse()  # each says its index
        elif kind == "dimensions":
            for element in data:
                element["embedding"] = element["embedding"][:3]
        elif kind == "nan":
            for element in data:
                element["embedding"][0] = float("nan")
        text = json.dumps(answer)
        if kind == "truncated":
            text = text[: len(text) // 2]
        elif kind == "html":
            text = "<html>It works!</html>"
        elif kind == "partial":
            return self.send_part(text.encode())
        self.send(200, text)

    def send(self, status, answer, retry_after=""):
        body = (answer if isinstance(answer, str) else json.dumps(answer)).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        if status in (301, 307):
            self.send_header("Location", self.path + "/elsewhere")
        if retry_after == "date":
            retry_after = email.utils.formatdate(time.time() + 2, usegmt=True)
        if retry_after:
            self.send_header("Retry-After", retry_after)
        self.end_headers()
        self.wfile.write(body)

    def send_part(self, body):
        """Says how long it is, and breaks off."""
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body[: len(body) // 2])
        self.close_connection = True

    def reset(self):
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.close_connection = True
        self.connection.close()


class ModelServer:
    """With the files of a certificate and its key it speaks TLS."""

    def __init__(self, certificate=None):
        self.lock = threading.Lock()
        self.stopping = threading.Event()
        self.said = []  # answers to questions of words: (a part of the question, the answer)
        self.refuses_schema = False
        self.reset_counts()
        self.http = Server(("127.0.0.1", 0), Handler)
        self.http.model = self
        self.scheme = "https" if certificate else "http"
        if certificate:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(*certificate)
            self.http.socket = context.wrap_socket(self.http.socket, server_side=True)
        threading.Thread(target=self.http.serve_forever, daemon=True).start()

    def reset_counts(self):
        with self.lock:
            self.busy = Busy()
            self.queue = []
            self.texts = {}  # how often each was asked for
            self.requests = 0
            self.headers = []
            self.paths = []
            self.bodies = []

    @property
    def port(self):
        return self.http.server_address[1]

    @property
    def url(self):
        return f"{self.scheme}://127.0.0.1:{self.port}/v1"

    def stop(self):
        self.stopping.set()
        self.http.shutdown()
        self.http.server_close()

    def faults(self, *kinds):
        with self.lock:
            self.queue.extend(kinds)

    def next_fault(self):
        with self.lock:
            return self.queue.pop(0) if self.queue else None

    def sleep(self, seconds):
        """Ends early where the server does."""
        self.stopping.wait(seconds)

    def note(self, path, headers, body):
        with self.lock:
            self.requests += 1
            # What a test looks at is the first of them; a long run keeps no more.
            if len(self.bodies) < 1000:
                self.paths.append(path)
                self.headers.append(headers)
                self.bodies.append(body.decode())

    def embed(self, request):
        texts = request["input"]
        with self.lock:
            for text in texts:
                self.texts[text] = self.texts.get(text, 0) + 1
        if any(REFUSED in text for text in texts):
            return 400
        if any(CRASHES in text for text in texts):
            return 500
        data = [
            {"object": "embedding", "index": place, "embedding": vector_of(text)}
            for place, text in enumerate(texts)
        ]
        return {"object": "list", "data": data, "usage": {"total_tokens": len(texts)}}

    def chat(self, request):
        if self.refuses_schema and "response_format" in request:
            return 400
        question = request["messages"][-1]["content"]
        with self.lock:
            answer = next((answer for part, answer in self.said if part in question), '{"facts": []}')
        return {"choices": [{"message": {"role": "assistant", "content": answer}}], "usage": {"total_tokens": 5}}
