"""What the gateway passes on the agent's command line, and what commands find in their environment."""
import sys

HOME = "/home/user"
OPEN_FILES_MAX, PROCESSES_MAX, ADDRESS_SPACE_MAX, WATCHED_BYTES_MAX, COUNTS_TIME, PROXY_PORT = map(int, sys.argv[1:7])
PROXY_SOCKET = sys.argv[7]

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
