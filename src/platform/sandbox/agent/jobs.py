"""Commands under way, and their outputs."""
import os
import time

from loop import READ_BYTES, answer, forget, open_pipe, watch
from processes import exit_code, kill_group, start
from terms import HOME

DRAIN_BYTES_MAX = 1 << 22

jobs = {}


class Output:
    """The first bytes of what a command writes to one pipe. The rest is read and dropped."""

    def __init__(self, bytes_max):
        self.fd, self.write_end = open_pipe()
        self.on_kept = None
        self.bytes_max = bytes_max
        self.kept = bytearray()
        self.is_cut = False
        watch(self.fd, self.read)

    def read(self):
        """Whether there may be more."""
        try:
            chunk = os.read(self.fd, READ_BYTES)
        except BlockingIOError:
            return False
        if not chunk:
            self.close()
            return False
        self.keep(chunk)
        return True

    def keep(self, chunk):
        room = self.bytes_max - len(self.kept)
        self.is_cut = self.is_cut or len(chunk) > room
        self.kept += chunk[:room]
        if self.on_kept is not None and room > 0:
            self.on_kept(chunk[:room])

    def drain(self):
        """Reads what is there. A process that never stops writing does not hold the box up."""
        for _ in range(DRAIN_BYTES_MAX // READ_BYTES):
            if self.fd is None or not self.read():
                return

    def close(self):
        if self.fd is not None:
            forget(self.fd)
            self.fd = None

    def take(self):
        kept, is_cut = bytes(self.kept), self.is_cut
        self.kept.clear()
        self.is_cut = False
        return kept, is_cut


class LastOutput(Output):
    """The last bytes instead of the first: there a program says why it gave up."""

    def keep(self, chunk):
        self.kept += chunk
        self.is_cut = self.is_cut or len(self.kept) > self.bytes_max
        del self.kept[: -self.bytes_max]


def stream_outputs(request, outputs):
    """From now on, what is kept is also sent at once, where the request asks for it."""
    for number, output in enumerate(outputs, 1):
        message = {"id": request["id"], "chunk": True, "stream": number}
        output.on_kept = (lambda part, message=message: answer({**message}, part)) if request.get("stream") else None


class Job:
    """A command under way, or a piece of code in an interpreter."""

    def __init__(self, id, timeout_ms):
        self.id = id
        self.deadline = time.monotonic() + timeout_ms / 1_000
        self.timed_out = False
        jobs[id] = self

    def leave(self):
        jobs.pop(self.id, None)

    def answer(self, code, outputs=()):
        self.leave()
        for output in outputs:
            output.drain()
        taken = [output.take() for output in outputs] or [(b"", False), (b"", False)]
        (out, out_cut), (err, err_cut) = taken
        message = {"id": self.id, "exit": None if self.timed_out else code, "timed_out": self.timed_out}
        answer({**message, "cut": out_cut or err_cut, "out": len(out)}, out, err)

    def fail(self, error):
        self.leave()
        answer({"id": self.id, "error": error.strerror})

    def expire(self):
        self.timed_out = True
        self.kill()


class Command(Job):
    def __init__(self, request, content):
        self.script = None
        if "script" in request:
            # In the home folder, because programs look for other files beside it.
            self.script = os.path.join(HOME, request["script"])
            with open(self.script, "wb") as file:
                file.write(content)
        self.outputs = [Output(request["output_max"]), Output(request["output_max"])]
        stream_outputs(request, self.outputs)
        pipes = [output.write_end for output in self.outputs]
        nothing = os.open("/dev/null", os.O_RDONLY)
        try:
            self.pid = start(self, request["argv"], request.get("environment", {}), [nothing, *pipes])
        except OSError:
            self.clean()
            raise
        finally:
            for fd in (nothing, *pipes):
                os.close(fd)
        super().__init__(request["id"], request["timeout_ms"])

    def kill(self):
        kill_group(self.pid)

    def exited(self, status):
        if self.timed_out:
            kill_group(self.pid)
        self.answer(exit_code(status), self.outputs)
        # Processes in the background live on without a reader.
        self.clean()

    def clean(self):
        for output in self.outputs:
            output.close()
        if self.script is not None and os.path.lexists(self.script):
            os.unlink(self.script)
