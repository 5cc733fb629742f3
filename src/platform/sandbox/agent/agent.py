"""The first process of a standing box: it starts commands, keeps their outputs apart, and ends what takes too long.

A message is one line of JSON; if it has a size, so many bytes follow. Requests come by standard input, answers leave by
standard output. The gateway trusts none of the answers: whatever happens here, happens in this box only.
"""
import os

os.write(1, b'{"ready":true}\n')

# Imported while the gateway reads that the box is ready.
import errno
import fcntl
import json
import resource
import select
import signal
import stat
import sys
import time

HOME = "/home/user"
OPEN_FILES_MAX, PROCESSES_MAX, ADDRESS_SPACE_MAX, WATCHED_BYTES_MAX, PROXY_PORT = map(int, sys.argv[1:6])
PROXY_SOCKET = sys.argv[6]
READ_BYTES = 1 << 18
DRAIN_BYTES_MAX = 1 << 22
WATCH_SECONDS = 0.25
INODE_BYTES = 1_024
INTERRUPT_SECONDS = 0.5
RESTART_SECONDS = 1

# This process has no environment itself, since commands can read it.
ENVIRONMENT = {
    "PATH": "/opt/bin:/usr/local/bin:/usr/bin:/bin",
    "HOME": HOME,
    "USER": "user",
    "LANG": "C.UTF-8",
}
if PROXY_PORT:
    for name, value in (
        ("HTTP_PROXY", f"http://127.0.0.1:{PROXY_PORT}"),
        ("HTTPS_PROXY", f"http://127.0.0.1:{PROXY_PORT}"),
        ("NO_PROXY", "localhost,127.0.0.1,::1"),
    ):
        ENVIRONMENT[name] = ENVIRONMENT[name.lower()] = value
    ENVIRONMENT["NODE_USE_ENV_PROXY"] = "1"

poll = select.epoll()
readers = {}
jobs = {}
interpreters = {}


def answer(message, *contents):
    size = sum(len(content) for content in contents)
    if size:
        message["size"] = size
    for part in (json.dumps(message).encode() + b"\n", *contents):
        view = memoryview(part)
        while view:
            view = view[os.write(1, view) :]


def watch(fd, on_readable):
    readers[fd] = on_readable
    poll.register(fd, select.EPOLLIN)


def forget(fd):
    if readers.pop(fd, None):
        poll.unregister(fd)
    os.close(fd)


def open_pipe():
    """Neither end is inherited by other commands."""
    read_end, write_end = os.pipe()
    os.set_blocking(read_end, False)
    return read_end, write_end


def start(argv, environment, descriptors):
    """Starts a program in a session of its own. `descriptors`: what its descriptors 0, 1, ... are."""
    pid = os.fork()
    if pid:
        return pid
    try:
        os.setsid()
        die_first()
        safe = [fcntl.fcntl(fd, fcntl.F_DUPFD_CLOEXEC, 64) for fd in descriptors]
        for place, fd in enumerate(safe):
            os.dup2(fd, place)
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
        os.chdir(HOME)
        os.execvpe(argv[0], argv, {**ENVIRONMENT, **environment})
    except OSError as error:
        os.write(2, f"{argv[0]}: {error.strerror}\n".encode())
        os._exit(127 if error.errno == errno.ENOENT else 126)
    finally:
        os._exit(126)


def die_first():
    """The kernel takes memory from commands first, and not from this process."""
    try:
        with open("/proc/self/oom_score_adj", "w") as file:
            file.write("1000")
    except OSError:
        pass


class Output:
    """The first bytes of what a command writes to one pipe. The rest is read and dropped."""

    def __init__(self, bytes_max):
        self.fd, self.write_end = open_pipe()
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
        room = self.bytes_max - len(self.kept)
        self.is_cut = self.is_cut or len(chunk) > room
        self.kept += chunk[:room]
        return True

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


def kill_group(pid, number=signal.SIGKILL):
    try:
        os.killpg(pid, number)
    except ProcessLookupError:
        pass


def exit_code(status):
    return os.waitstatus_to_exitcode(status) if os.WIFEXITED(status) else None


class Job:
    """A command under way, or a piece of code in an interpreter."""

    def __init__(self, id, timeout_ms):
        self.id = id
        self.deadline = time.monotonic() + timeout_ms / 1_000
        self.timed_out = False
        jobs[id] = self

    def answer(self, code, outputs=()):
        jobs.pop(self.id, None)
        for output in outputs:
            output.drain()
        taken = [output.take() for output in outputs] or [(b"", False), (b"", False)]
        (out, out_cut), (err, err_cut) = taken
        message = {"id": self.id, "exit": None if self.timed_out else code, "timed_out": self.timed_out}
        answer({**message, "cut": out_cut or err_cut, "out": len(out)}, out, err)

    def fail(self, error):
        jobs.pop(self.id, None)
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
        pipes = [output.write_end for output in self.outputs]
        nothing = os.open("/dev/null", os.O_RDONLY)
        try:
            self.pid = start(request["argv"], request.get("environment", {}), [nothing, *pipes])
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


class Copy(Job):
    """The home folder as a tar file: on its way out, or in."""

    def __init__(self, request, _content, is_out):
        self.errors = Output(READ_BYTES)
        self.pipe = None
        source, sink = open_pipe()
        os.set_blocking(source, True)
        nothing = os.open("/dev/null", os.O_RDWR)
        argv = ["/usr/bin/tar", "-C", HOME, *(["-cf", "-", "."] if is_out else ["-xpf", "-"])]
        inside = [nothing, sink] if is_out else [source, nothing]
        self.pid = start(argv, {}, [*inside, self.errors.write_end])
        self.pipe, theirs = (source, sink) if is_out else (sink, source)
        for fd in (nothing, theirs, self.errors.write_end):
            os.close(fd)
        if is_out:
            watch(self.pipe, self.pass_on)
        self.status = None
        super().__init__(request["id"], request["timeout_ms"])

    def pass_on(self):
        try:
            chunk = os.read(self.pipe, READ_BYTES)
        except BlockingIOError:
            return
        if chunk:
            return answer({"id": self.id, "chunk": True}, chunk)
        self.end_input()
        self.end()

    def feed(self, content):
        """Nothing more comes after an empty content."""
        try:
            while content:
                content = content[os.write(self.pipe, content) :]
                if not content:
                    return
            self.end_input()
        except BrokenPipeError:
            self.end_input()  # It has failed, and says why when it has ended.

    def end_input(self):
        if self.pipe is not None:
            forget(self.pipe)
            self.pipe = None

    def kill(self):
        kill_group(self.pid)

    def exited(self, status):
        self.status = status
        if self.pipe not in readers:
            self.end_input()
        self.end()

    def end(self):
        if self.status is None or self.pipe is not None:
            return
        self.errors.drain()
        errors, _ = self.errors.take()
        self.errors.close()
        jobs.pop(self.id, None)
        code = exit_code(self.status)
        answer({"id": self.id} if code == 0 else {"id": self.id, "error": errors.decode(errors="replace")})


class Interpreter:
    """A process that keeps its variables from one piece of code to the next, and takes them one after the other."""

    def __init__(self, argv, environment, output_max):
        self.outputs = [Output(output_max), Output(output_max)]
        self.replies, reply_end = open_pipe()
        source, self.requests = open_pipe()
        os.set_blocking(source, True)
        nothing = os.open("/dev/null", os.O_RDONLY)
        theirs = [nothing, *(output.write_end for output in self.outputs), source, reply_end]
        self.pid = start(argv, environment, theirs)
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
            poll.unregister(self.replies)
            readers.pop(self.replies)

    def exited(self, status):
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
                running[interpreters[key].pid] = interpreters[key]
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


class Forwarder:
    """The process that carries connections to the gateway's proxy. A command may kill it, so it is started again."""

    def __init__(self):
        import socket

        self.listener = socket.create_server(("127.0.0.1", PROXY_PORT), backlog=128)
        self.start()

    def start(self):
        self.started = time.monotonic()
        nothing = os.open("/dev/null", os.O_RDWR)
        try:
            argv = ["/usr/bin/python3", "-I", "-S", "-B", "/opt/box/forwarder.py", PROXY_SOCKET]
            running[start(argv, {}, [self.listener.fileno(), nothing, nothing])] = self
        finally:
            os.close(nothing)

    def exited(self, _status):
        if time.monotonic() < self.started + RESTART_SECONDS:
            return
        try:
            self.start()
        except OSError:
            pass  # The box has no room for another process.


def inside(path):
    """A path below the home folder, wherever its links lead."""
    real = os.path.realpath(os.path.join(HOME, path))
    if not (real + "/").startswith(HOME + "/"):
        raise OSError(errno.EACCES, "The path leads out of the home folder")
    return real


def parts_of(request):
    """Parts of a file wait beside it for the last one."""
    place = inside(request["path"])
    return place, os.path.join(os.path.dirname(place), f".part-{request['upload']}")


def write_file(request, content):
    place, parts = parts_of(request)
    mode = os.lstat(place).st_mode if os.path.lexists(place) else None
    if mode is not None:
        refuse_special(mode)
    os.makedirs(os.path.dirname(place), exist_ok=True)
    with open(parts, "ab") as file:
        file.write(content)
    if request["last"]:
        if mode is not None:
            os.chmod(parts, stat.S_IMODE(mode))
        os.replace(parts, place)
    answer({"id": request["id"]})


def drop_file(request, _content):
    os.unlink(parts_of(request)[1])
    answer({"id": request["id"]})


def read_file(request, _content):
    fd = os.open(inside(request["path"]), os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW)
    with open(fd, "rb", buffering=0) as file:
        refuse_special(os.fstat(fd).st_mode)
        size = os.fstat(fd).st_size
        if size > request["bytes_max"]:
            raise OSError(errno.EFBIG, f"The file has {size} bytes, more than {request['bytes_max']}")
        file.seek(request["offset"])
        content = b""
        while len(content) < request["length"] and (chunk := file.read(request["length"] - len(content))):
            content += chunk
    answer({"id": request["id"]}, content)


def refuse_special(mode):
    if not stat.S_ISREG(mode):
        raise OSError(errno.EINVAL, "The path is not a regular file")


running = {}


def start_job(kind):
    def begin(request, content):
        job = kind(request, content)
        if not isinstance(job, Code):
            running[job.pid] = job

    return begin


def abandon(request, _content):
    job = jobs.get(request["id"])
    if job is not None:
        job.kill()


def feed(request, content):
    job = jobs.get(request["id"])
    if isinstance(job, Copy) and job.pipe is not None:
        job.feed(content)


OPERATIONS = {
    "run": start_job(Command),
    "code": start_job(Code),
    "save": start_job(lambda *request: Copy(*request, True)),
    "restore": start_job(lambda *request: Copy(*request, False)),
    "feed": feed,
    "kill": abandon,
    "write": write_file,
    "drop": drop_file,
    "read": read_file,
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


def reap(wakes):
    def on_wake():
        os.read(wakes, READ_BYTES)
        while True:
            try:
                pid, status = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                return
            if pid == 0:
                return
            ended = running.pop(pid, None)
            for key in [key for key, each in interpreters.items() if each is ended]:
                del interpreters[key]
            if ended is not None:
                ended.exited(status)

    return on_wake


def memory_of(pid):
    with open(f"/proc/{pid}/statm") as file:
        return int(file.read().split()[1]) * resource.getpagesize()


def watch_memory():
    """Where no control group limits the box: ends its largest process when all together use too much."""
    sizes = {}
    for name in os.listdir("/proc"):
        if name.isdigit() and name != "1":
            try:
                sizes[int(name)] = memory_of(name)
            except OSError:
                pass
    for folder in (HOME, "/tmp", "/dev/shm"):
        disk = os.statvfs(folder)
        sizes[folder] = (disk.f_blocks - disk.f_bfree) * disk.f_bsize
        sizes[folder] += (disk.f_files - disk.f_ffree) * INODE_BYTES
    if sum(sizes.values()) > WATCHED_BYTES_MAX:
        largest = max((pid for pid in sizes if isinstance(pid, int)), key=sizes.get, default=None)
        if largest is not None:
            os.kill(largest, signal.SIGKILL)


def limit():
    os.nice(10)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_NOFILE, (OPEN_FILES_MAX, OPEN_FILES_MAX))
    resource.setrlimit(resource.RLIMIT_NPROC, (PROCESSES_MAX, PROCESSES_MAX))
    if ADDRESS_SPACE_MAX:
        resource.setrlimit(resource.RLIMIT_AS, (ADDRESS_SPACE_MAX, ADDRESS_SPACE_MAX))


def main():
    limit()
    wakes, wake_end = open_pipe()
    os.set_blocking(wake_end, False)
    signal.set_wakeup_fd(wake_end, warn_on_full_buffer=False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.signal(signal.SIGPIPE, signal.SIG_IGN)
    watch(wakes, reap(wakes))
    if PROXY_PORT:
        Forwarder()
    Requests()
    while True:
        now = time.monotonic()
        for job in [job for job in jobs.values() if job.deadline <= now]:
            job.expire()
        deadlines = [job.deadline - now for job in jobs.values()]
        if WATCHED_BYTES_MAX:
            watch_memory()
            deadlines.append(WATCH_SECONDS)
        timeout = max(0, min(deadlines)) if deadlines else None
        for fd, _ in poll.poll(timeout):
            on_readable = readers.get(fd)
            if on_readable is not None:
                on_readable()


main()
