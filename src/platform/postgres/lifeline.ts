// Ends PostgreSQL when its gateway ends, however that ends: a killed process closes its pipes all the same.
import type { Writable } from 'node:stream'

const released = 'released'

/**
 * Waits at the pipe for its end, then asks the server to shut down, and after half a minute to leave at once. Signals that
 * service managers send to all processes at once are for the gateway, which stops the server in its own time.
 */
const watch = `trap '' HUP INT TERM
read -r line && [ "$line" = ${released} ] && exit
kill -INT "$1"
for second in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30; do
  kill -0 "$1" || exit
  sleep 1
done
kill -QUIT "$1"`

/** Leaves the watch behind as no child of the server's, and becomes the server: the process that is spawned is PostgreSQL. */
const launch = `exec 3<&0
( /bin/sh -c "$1" tollway-lifeline $$ <&3 3<&- >/dev/null 2>&1 & )
shift
exec "$@" </dev/null 3<&-`

/** What to spawn, with a pipe as standard input, so that the program ends soon after this process does. */
export function tieToParent(program: string, args: readonly string[]) {
  return {
    file: '/bin/sh',
    args: ['-c', launch, 'sh', watch, program, ...args],
    /** To be called when the program has ended, so that its process id may be given to another. */
    release(pipe: Writable | null) {
      pipe?.on('error', () => {})
      pipe?.end(`${released}\n`)
    },
  }
}
