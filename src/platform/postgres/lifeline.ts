// Ends PostgreSQL when its gateway ends for any reason, because even a killed process closes its pipes.
import { existsSync } from 'node:fs'
import type { Writable } from 'node:stream'
import { closeFrom, launcherShell, withoutSettings } from '../sandbox/closed-start.ts'

const released = 'released'

/**
 * Waits until the pipe closes, then asks the server to shut down, and after half a minute to stop immediately. It
 * ignores the signals that service managers send to all processes at once: the gateway handles them and then stops the
 * server.
 */
const watch = `trap '' HUP INT TERM
read -r line && [ "$line" = ${released} ] && exit
kill -INT "$1"
for second in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30; do
  kill -0 "$1" || exit
  sleep 1
done
kill -QUIT "$1"`

/** Detaches the lifeline from the server and then becomes the server, so the spawned process is PostgreSQL itself. */
const launch = `exec 3<&0
( /bin/sh -c "$1" tollway-lifeline $$ <&3 3<&- >/dev/null 2>&1 & )
shift
exec "$@" </dev/null 3<&-`

/** The command to spawn with a pipe as standard input. The program then ends soon after this process does. */
export function tieToParent(program: string, args: readonly string[]) {
  // Neither the server nor its lifeline has files that are open in the gateway. A machine without Bash has a database
  // too.
  const [file, ...options] = existsSync(launcherShell)
    ? [launcherShell, ...withoutSettings, '-c', closeFrom(3) + launch]
    : ['/bin/sh', '-c', launch]
  return {
    file,
    args: [...options, 'sh', watch, program, ...args],
    /** Call it when the program has ended, because another process may then receive its id. */
    release(pipe: Writable | null) {
      pipe?.on('error', () => {})
      pipe?.end(`${released}\n`)
    },
  }
}
