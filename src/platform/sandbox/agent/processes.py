"""Processes of the box: how they start, end and are limited."""
import ctypes
import errno
import fcntl
import os
import resource
import signal

from loop import READ_BYTES, open_pipe, watch
from terms import ADDRESS_SPACE_MAX, ENVIRONMENT, HOME, OPEN_FILES_MAX, PROCESSES_MAX, WATCHED_BYTES_MAX

INODE_BYTES = 1_024
PR_SET_DUMPABLE = 4
FIRST_TO_DIE = b"1000"

# Opened before this process hides its files from its own user.
weight = os.open("/proc/self/oom_score_adj", os.O_RDWR)
own_weight = os.read(weight, 16)

running = {}
reaped = 0


def start(owner, argv, environment, descriptors):
    """Starts a program in a session of its own. `owner.exited(status)` is called when it has ended. `descriptors`: its 0, 1, ..."""
    pid = fork_command()
    if pid:
        running[pid] = owner
        return pid
    try:
        os.setsid()
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


def hide():
    """
    Other processes of this user neither trace this process nor open its memory, its descriptors and its folders. The same holds
    for what it forks, until that becomes another program.
    """
    ctypes.CDLL(None).prctl(PR_SET_DUMPABLE, 0, 0, 0, 0)


def fork_command():
    """The kernel takes memory from commands first, and not from this process."""
    weigh(FIRST_TO_DIE)
    try:
        pid = os.fork()
    except OSError:
        weigh(own_weight)
        raise
    if pid:
        weigh(own_weight)
    return pid


def weigh(value):
    try:
        os.pwrite(weight, value, 0)
    except OSError:
        pass


def kill_group(pid, number=signal.SIGKILL):
    try:
        os.killpg(pid, number)
    except ProcessLookupError:
        pass


def exit_code(status):
    return os.waitstatus_to_exitcode(status) if os.WIFEXITED(status) else None


def reap_children():
    """From now on, the owners of programs are told when these have ended."""
    wakes, wake_end = open_pipe()
    os.set_blocking(wake_end, False)
    signal.set_wakeup_fd(wake_end, warn_on_full_buffer=False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    watch(wakes, lambda: reap(wakes))


def reap(wakes):
    global reaped
    os.read(wakes, READ_BYTES)
    while True:
        try:
            pid, status = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return
        if pid == 0:
            return
        reaped += 1
        owner = running.pop(pid, None)
        if owner is not None:
            owner.exited(status)


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
    hide()
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_NOFILE, (OPEN_FILES_MAX, OPEN_FILES_MAX))
    resource.setrlimit(resource.RLIMIT_NPROC, (PROCESSES_MAX, PROCESSES_MAX))
    if ADDRESS_SPACE_MAX:
        resource.setrlimit(resource.RLIMIT_AS, (ADDRESS_SPACE_MAX, ADDRESS_SPACE_MAX))
