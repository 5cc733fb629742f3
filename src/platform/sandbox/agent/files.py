"""Files of the home folder: single ones in parts, and all of them as a tar file."""
import errno
import os
import select
import stat

from jobs import Job, LastOutput
from loop import READ_BYTES, answer, forget, listeners, open_pipe, watch
from processes import exit_code, kill_group, start
from terms import HOME


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
        version = version_of(fd)
        if size > request["bytes_max"]:
            raise OSError(errno.EFBIG, f"The file has {size} bytes, more than {request['bytes_max']}")
        file.seek(request["offset"])
        content = b""
        while len(content) < request["length"] and (chunk := file.read(request["length"] - len(content))):
            content += chunk
        # A file that is replaced or written meanwhile would be returned in parts of both.
        if version_of(fd) != version or request.get("version", version) != version:
            raise OSError(errno.EAGAIN, "The file changed while it was read")
    answer({"id": request["id"], "version": version}, content)


def version_of(fd):
    state = os.fstat(fd)
    return f"{state.st_ino}:{state.st_size}:{state.st_mtime_ns}:{state.st_ctime_ns}"


def refuse_special(mode):
    if not stat.S_ISREG(mode):
        raise OSError(errno.EINVAL, "The path is not a regular file")


TAR = ["/usr/bin/tar", "-C", HOME]
# Holes of files take no room, and a file that cannot be read does not keep the others from being saved.
TAR_OUT = [*TAR, "--sparse", "--ignore-failed-read", "-cf", "-", "."]
TAR_IN = [*TAR, "-xpf", "-"]
# It was written while tar read it, as the log of a program in the background is.
FILE_CHANGED = 1
# Single files could not be restored, such as one below so many folders that its path is too long to be opened. A
# damaged archive and a full disk end with the same status.
FILES_MISSING = 2


ABOUT_A_FILE = tuple(f"{TAR[0]}: {text}".encode() for text in ("./", "Exiting with failure status"))


def is_about_single_files(messages, is_cut):
    """A message about a file begins with its path, in which tar writes special characters as escapes."""
    lines = messages.split(b"\n")[:-1]
    return all(line.startswith(ABOUT_A_FILE) for line in lines[1 if is_cut else 0 :])


def has_room():
    state = os.statvfs(HOME)
    return state.f_bavail > 0 and (state.f_files == 0 or state.f_favail > 0)


class Copy(Job):
    """The home folder as a tar file: on its way out, or in."""

    def __init__(self, request, is_out):
        self.errors = LastOutput(READ_BYTES)
        self.pipe = None
        source, sink = open_pipe()
        os.set_blocking(source, True)
        os.set_blocking(sink, is_out)
        nothing = os.open("/dev/null", os.O_RDWR)
        argv = TAR_OUT if is_out else TAR_IN
        self.is_out = is_out
        inside = [nothing, sink] if is_out else [source, nothing]
        self.pid = start(self, argv, {}, [*inside, self.errors.write_end])
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
                content = content[self.write(content) :]
                if not content:
                    return
            self.end_input()
        except BrokenPipeError:
            self.end_input()  # It has failed, and says why when it has ended.

    def write(self, content):
        try:
            return os.write(self.pipe, content)
        except BlockingIOError:
            # It may read no more until its own messages are read.
            heard = [] if self.errors.fd is None else [self.errors.fd]
            if select.select(heard, [self.pipe], [])[0]:
                self.errors.read()
            return 0

    def end_input(self):
        if self.pipe is not None:
            forget(self.pipe)
            self.pipe = None

    def kill(self):
        kill_group(self.pid)

    def exited(self, status):
        self.status = status
        if self.pipe not in listeners:
            self.end_input()
        self.end()

    def end(self):
        if self.status is None or self.pipe is not None:
            return
        self.errors.drain()
        errors, is_cut = self.errors.take()
        self.errors.close()
        self.leave()
        is_good = self.is_good(errors, is_cut)
        answer({"id": self.id} if is_good else {"id": self.id, "error": errors.decode(errors="replace")})

    def is_good(self, errors, is_cut):
        code = exit_code(self.status)
        if self.is_out:
            return code in (0, FILE_CHANGED)
        # Where there is no room for the rest, the next copy would be of a part.
        is_usable = code == FILES_MISSING and is_about_single_files(errors, is_cut) and has_room()
        return code == 0 or is_usable
