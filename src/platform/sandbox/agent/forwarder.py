"""Carries connections between the box's loopback and the gateway's proxy. Standard input is the socket that listens."""
import select
import socket
import sys

PROXY_SOCKET = sys.argv[1]
READ_BYTES = 1 << 16
CONNECTIONS_MAX = 256

poll = select.epoll()
sides = {}


class Side:
    """One end of a connection. What it has sent waits here until the other end takes it."""

    def __init__(self, end):
        self.end = end
        self.waiting = b""
        self.has_ended = False
        self.watched = 0
        end.setblocking(False)
        sides[end.fileno()] = self

    def watch(self):
        reads = select.EPOLLIN if not self.waiting and not self.has_ended else 0
        writes = select.EPOLLOUT if self.other.waiting else 0
        wanted = reads | writes
        if wanted == self.watched:
            return
        # An end that nothing is wanted of is left out: it would report again and again that it is closed.
        if not wanted:
            poll.unregister(self.end)
        elif self.watched:
            poll.modify(self.end, wanted)
        else:
            poll.register(self.end, wanted)
        self.watched = wanted

    def read(self):
        chunk = self.end.recv(READ_BYTES)
        self.has_ended = not chunk
        self.waiting = chunk
        self.pass_on()

    def pass_on(self):
        if self.waiting:
            try:
                self.waiting = self.waiting[self.other.end.send(self.waiting) :]
            except BlockingIOError:
                pass
        if self.has_ended:
            self.other.end.shutdown(socket.SHUT_WR)

    def step(self):
        if self.watched & select.EPOLLOUT:
            self.other.pass_on()
        if self.watched & select.EPOLLIN:
            try:
                self.read()
            except BlockingIOError:
                pass

    def is_over(self):
        return self.has_ended and not self.waiting


def close(side):
    for each in (side, side.other):
        del sides[each.end.fileno()]
        each.end.close()


def accept(listener):
    client, _ = listener.accept()
    upstream = socket.socket(socket.AF_UNIX)
    try:
        upstream.connect(PROXY_SOCKET)
    except OSError:
        client.close()
        upstream.close()
        return
    one, other = Side(client), Side(upstream)
    one.other, other.other = other, one
    one.watch()
    other.watch()


def move(side):
    try:
        side.step()
    except OSError:
        return close(side)
    if side.is_over() and side.other.is_over():
        return close(side)
    side.watch()
    side.other.watch()


def main():
    listener = socket.socket(fileno=0)
    listener.setblocking(False)
    is_listening = False
    while True:
        has_room = len(sides) < 2 * CONNECTIONS_MAX
        if has_room != is_listening:
            poll.register(listener, select.EPOLLIN) if has_room else poll.unregister(listener)
            is_listening = has_room
        for fd, _ in poll.poll():
            if fd == listener.fileno():
                try:
                    accept(listener)
                except OSError:
                    pass  # The client has gone.
            elif fd in sides:
                move(sides[fd])


main()
