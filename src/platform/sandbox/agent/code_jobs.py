"""Pieces of code in interpreters that keep their variables."""
import os
import signal
import time

from jobs import Job, Output, stream_outputs
from loop import forget, open_pipe, unwatch, watch
from processes import exit_code, kill_group, start

INTERRUPT_SECONDS = 0.5

interpreters = {}


class Interpreter:
    """A process that keeps its variables from one piece of code to the next, and takes them one after the other."""

    def __init__(self, argv, environment, output_max):
        self.outputs = [Output(output_max), Output(output_max)]
        self.replies, reply_end = open_pipe()
        source, self.requests = open_pipe()
        os.set_blocking(source, True)
        nothing = os.open("/dev/null", os.O_RDONLY)
        theirs = [nothing, *(output.write_end for output in self.outputs), source, reply_end]
        self.pid = start(self, argv, environment, theirs)
        for fd in theirs:
            os.close(fd)
        watch(self.replies, self.finish)
        self.waiting = []

    def add(self, code):
        self.waiting.append(code)
        if len(self.waiting) == 1:
            self.send()

    def send(self):
        code = self.waiting[0]
        code.begin()
        stream_outputs(code.request, self.outputs)
        try:
            sizes = len(code.content).to_bytes(4, "big") + code.timeout_ms.to_bytes(4, "big")
            view = memoryview(sizes + code.content)
            while view:
                view = view[os.write(self.requests, view) :]
        except BrokenPipeError:
            pass  # It has ended, which is noticed by itself.

    def finish(self):
        try:
            reply = os.read(self.replies, 1)
        except BlockingIOError:
            return
        if reply and self.waiting:
            self.waiting.pop(0).answer(int(reply == b"1"), self.outputs)
            if self.waiting:
                self.send()
        elif not reply:
            unwatch(self.replies)

    def exited(self, status):
        for key in [key for key, each in interpreters.items() if each is self]:
            del interpreters[key]
        for fd in (self.replies, self.requests):
            forget(fd)
        if self.waiting:
            self.waiting.pop(0).answer(exit_code(status), self.outputs)
        for output in self.outputs:
            output.close()
        for code in self.waiting:
            code.restart()


class Code(Job):
    def __init__(self, request, content):
        self.request = request
        self.content = content
        self.timeout_ms = request["timeout_ms"]
        self.interrupted = False
        super().__init__(request["id"], self.timeout_ms)
        self.restart()

    def restart(self):
        """Code that waited for an interpreter that has ended goes to the next one."""
        argv = self.request["argv"]
        key = " ".join(argv)
        try:
            if key not in interpreters:
                environment = self.request.get("environment", {})
                interpreters[key] = Interpreter(argv, environment, self.request["output_max"])
        except OSError as error:
            return self.fail(error)
        self.interpreter = interpreters[key]
        self.interpreter.add(self)

    def begin(self):
        self.deadline = time.monotonic() + self.timeout_ms / 1_000

    def kill(self):
        """First an interrupt, which may keep the variables."""
        if self.interpreter.waiting[:1] != [self]:
            if self in self.interpreter.waiting:
                self.interpreter.waiting.remove(self)
                self.answer(None)
            return
        number = signal.SIGKILL if self.interrupted else signal.SIGINT
        self.interrupted = True
        self.deadline = time.monotonic() + INTERRUPT_SECONDS
        if number == signal.SIGKILL:
            kill_group(self.interpreter.pid, number)
        else:
            os.kill(self.interpreter.pid, number)
