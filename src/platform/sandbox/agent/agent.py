"""The first process of a standing box: it starts commands, keeps their outputs apart, and ends what takes too long.

A message is one line of JSON; if it has a size, so many bytes follow. Requests come by standard input, answers leave by
standard output. The gateway trusts none of the answers: whatever happens here, happens in this box only.
"""
import os

os.write(1, b'{"ready":true}\n')

# Imported while the gateway reads that the box is ready.
import json
import signal
import sys
import time

sys.path.insert(0, os.path.dirname(__file__))
from code_jobs import Code
from files import Copy, drop_file, read_file, write_file
from jobs import Command, jobs
from loop import READ_BYTES, answer, wait, watch
from processes import limit, reap_children, watch_memory
from processor_time import count_processor_time, count_programs
from terms import COUNTS_TIME, PROXY_PORT, WATCHED_BYTES_MAX

WATCH_SECONDS = 0.1


def abandon(request, _content):
    job = jobs.get(request["id"])
    if job is not None:
        job.kill()


def feed(request, content):
    job = jobs.get(request["id"])
    if isinstance(job, Copy) and job.pipe is not None:
        job.feed(content)


def tell_use(request, _content):
    seconds = count_processor_time()
    answer({"id": request["id"], "processor_seconds": seconds, "programs": count_programs()})


OPERATIONS = {
    "run": Command,
    "code": Code,
    "save": lambda request, _content: Copy(request, is_out=True),
    "restore": lambda request, _content: Copy(request, is_out=False),
    "feed": feed,
    "kill": abandon,
    "write": write_file,
    "drop": drop_file,
    "read": read_file,
    "use": tell_use,
}


class Requests:
    def __init__(self):
        self.buffer = bytearray()
        self.header = None
        watch(0, self.read)

    def read(self):
        chunk = os.read(0, READ_BYTES)
        if not chunk:
            os._exit(0)  # The gateway has gone, and the box goes with it.
        self.buffer += chunk
        while self.take():
            pass

    def take(self):
        if self.header is None:
            end = self.buffer.find(b"\n")
            if end < 0:
                return False
            self.header = json.loads(self.buffer[:end])
            del self.buffer[: end + 1]
        size = self.header.get("size", 0)
        if len(self.buffer) < size:
            return False
        content = bytes(self.buffer[:size])
        del self.buffer[:size]
        request, self.header = self.header, None
        try:
            OPERATIONS[request["op"]](request, content)
        except OSError as error:
            answer({"id": request["id"], "error": error.strerror})
        except ValueError as error:  # A zero byte, or half a character.
            answer({"id": request["id"], "error": str(error)})
        return True


def main():
    limit()
    signal.signal(signal.SIGPIPE, signal.SIG_IGN)
    # The kernel keeps from the first process what it does not handle. Python handles this one.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    reap_children()
    if PROXY_PORT:
        import network  # It listens. Boxes without a network save its memory.
    Requests()
    while True:
        now = time.monotonic()
        for job in [job for job in jobs.values() if job.deadline <= now]:
            job.expire()
        waits = [max(0, job.deadline - now) for job in jobs.values()]
        if WATCHED_BYTES_MAX:
            watch_memory()
        if COUNTS_TIME:
            count_processor_time()
            waits.append(WATCH_SECONDS)
        wait(min(waits, default=None))


main()
