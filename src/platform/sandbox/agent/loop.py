"""Waits for events, and answers the gateway."""
import json
import os
import select

READ_BYTES = 1 << 18

poll = select.epoll()
listeners = {}


def answer(message, *contents):
    size = sum(len(content) for content in contents)
    if size:
        message["size"] = size
    for part in (json.dumps(message).encode() + b"\n", *contents):
        view = memoryview(part)
        while view:
            view = view[os.write(1, view) :]


def watch(fd, on_event, events=select.EPOLLIN):
    """Also changes what a descriptor is watched for."""
    (poll.modify if fd in listeners else poll.register)(fd, events)
    listeners[fd] = on_event


def unwatch(fd):
    if listeners.pop(fd, None):
        poll.unregister(fd)


def forget(fd):
    unwatch(fd)
    os.close(fd)


def open_pipe():
    """Neither end is inherited by other commands."""
    read_end, write_end = os.pipe()
    os.set_blocking(read_end, False)
    return read_end, write_end


def wait(seconds_max):
    """Waits for events and handles them. `seconds_max`: None for no limit."""
    for fd, _ in poll.poll(seconds_max):
        on_event = listeners.get(fd)
        if on_event is not None:
            on_event()
