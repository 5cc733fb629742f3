"""Keeps the variables of Python between calls, inside a box.

Without `serve` it hands a piece of code to the interpreter of the box, which it starts if there is none, and ends as the code does.
Arguments: the folder of the interpreter and that of the call, with the code in `c`, stdout in `o` and stderr in `e`.
"""

import linecache
import os
import socket
import subprocess
import sys
import time
import traceback

place = sys.argv[1]
address = os.path.join(place, "python")
attempts = 200


def connect():
    client = socket.socket(socket.AF_UNIX)
    client.connect(address)
    return client


def hand_over(call):
    client = None
    for attempt in range(attempts):
        try:
            client = connect()
            break
        except OSError:
            if attempt == 0:
                subprocess.Popen(
                    [sys.executable, os.path.join(place, "interpreter.py"), place, "serve"],
                    start_new_session=True,
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL,
                )
            time.sleep(0.05)
    if client is None:
        sys.exit("The interpreter did not start.")
    client.sendall(call.encode() + b"\n")
    code = client.makefile().readline()
    if code == "":
        sys.exit("The interpreter has ended, and its variables are lost.")
    sys.exit(int(code))


def claim():
    """Listens, unless another interpreter does."""
    server = socket.socket(socket.AF_UNIX)
    own = f"{address}.{os.getpid()}"
    server.bind(own)
    server.listen(64)
    try:
        connect().close()
        sys.exit()
    except OSError:
        os.rename(own, address)
    return server


def run(text, name, names):
    # Tracebacks show the lines.
    linecache.cache[name] = (len(text), None, text.splitlines(True), name)
    try:
        exec(compile(text, name, "exec"), names)
        return 0
    except SystemExit as ended:
        if ended.code is None or isinstance(ended.code, int):
            return ended.code or 0
        print(ended.code, file=sys.stderr)
        return 1
    except BaseException:
        kind, error, trace = sys.exc_info()
        traceback.print_exception(kind, error, trace and trace.tb_next)
        return 1


def answer(call, name, names):
    busy = os.path.join(call, "busy")
    with open(os.path.join(call, "c"), encoding="utf-8") as file:
        text = file.read()
    with open(busy, "w") as file:
        file.write(str(os.getpid()))
    for descriptor, output in ((1, "o"), (2, "e")):
        opened = os.open(os.path.join(call, output), os.O_WRONLY | os.O_APPEND)
        os.dup2(opened, descriptor)
        os.close(opened)
    code = run(text, name, names)
    for descriptor, stream in ((1, sys.stdout), (2, sys.stderr)):
        stream.flush()
        silence = os.open(os.devnull, os.O_WRONLY)
        os.dup2(silence, descriptor)
        os.close(silence)
    os.remove(busy)
    return code & 255


def serve():
    server = claim()
    names = {"__name__": "__main__"}
    sys.path[0] = ""
    count = 0
    while True:
        client, _ = server.accept()
        try:
            count += 1
            call = client.makefile().readline().strip()
            client.sendall(f"{answer(call, f'<code {count}>', names)}\n".encode())
        except (OSError, ValueError):
            # The call has ended: nothing reads the answer.
            pass
        finally:
            client.close()


if sys.argv[2] == "serve":
    serve()
hand_over(sys.argv[2])
