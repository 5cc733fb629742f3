"""The way out of the box: connections to its loopback go on to the gateway's proxy."""
import select
import socket

from loop import unwatch, watch
from terms import PROXY_PORT, PROXY_SOCKET

BYTES_AT_ONCE = 1 << 16
CONNECTIONS_MAX = 256

connections = set()


class Side:
    """One end of a connection. What it has sent waits here until the other end takes it."""

    def __init__(self, end):
        self.end = end
        self.fd = end.fileno()
        self.waiting = b""
        self.has_ended = False
        self.watched = 0

    def watch(self, on_event):
        reads = select.EPOLLIN if not self.waiting and not self.has_ended else 0
        writes = select.EPOLLOUT if self.other.waiting else 0
        wanted = reads | writes
        # An end that nothing is wanted of is left out: it would report again and again that it is closed.
        if not wanted and self.watched:
            unwatch(self.fd)
        elif wanted != self.watched:
            watch(self.fd, on_event, wanted)
        self.watched = wanted

    def read(self):
        try:
            self.waiting = self.end.recv(BYTES_AT_ONCE)
        except BlockingIOError:
            return
        self.has_ended = not self.waiting
        self.pass_on()

    def pass_on(self):
        if self.waiting:
            try:
                self.waiting = self.waiting[self.other.end.send(self.waiting) :]
            except BlockingIOError:
                pass
        if self.has_ended:
            self.other.end.shutdown(socket.SHUT_WR)

    def is_over(self):
        return self.has_ended and not self.waiting


class Connection:
    def __init__(self, client, proxy):
        self.sides = [Side(client), Side(proxy)]
        for side, other in zip(self.sides, reversed(self.sides)):
            side.other = other
        connections.add(self)
        self.watch()

    def watch(self):
        for side in self.sides:
            side.watch(lambda side=side: self.move(side))

    def move(self, side):
        try:
            if side.other.waiting:
                side.other.pass_on()
            if not side.waiting and not side.has_ended:
                side.read()
        except OSError:
            return self.close()
        if all(each.is_over() for each in self.sides):
            return self.close()
        self.watch()

    def close(self):
        connections.discard(self)
        for side in self.sides:
            if side.watched:
                unwatch(side.fd)
            side.end.close()
        listen()


def listen():
    has_room = len(connections) < CONNECTIONS_MAX
    if has_room:
        watch(listener.fileno(), accept)
    else:
        unwatch(listener.fileno())


def accept():
    try:
        client, _ = listener.accept()
    except OSError:
        return  # The client has gone.
    proxy = socket.socket(socket.AF_UNIX)
    try:
        client.setblocking(False)
        proxy.setblocking(False)
        proxy.connect(PROXY_SOCKET)
    except OSError:
        client.close()
        proxy.close()
        return
    Connection(client, proxy)
    listen()


listener = socket.create_server(("127.0.0.1", PROXY_PORT), backlog=128)
listener.setblocking(False)
listen()
