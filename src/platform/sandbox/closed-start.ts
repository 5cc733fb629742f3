// How the gateway starts programs that read what strangers sent: they inherit the descriptors that are meant for them,
// and nothing else. Node marks what it opens itself, but not what a service manager, `flock` or an editor left open in
// the gateway's process. Such a descriptor of a folder leads out of any box, so it must be closed between the fork and
// the program.
//
// Bash does that, because it is on every Debian and starts in two milliseconds. The smaller shells cannot name
// descriptors above 9, and Node can neither mark nor list what an addon opens at that very moment.
import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process'

export const launcherShell = '/bin/bash'
/**
 * A Bash whose input is a socket, as Node's pipes are, takes itself for a remote shell and reads the settings of its
 * user.
 */
export const withoutSettings = ['--norc', '-p']

/** Lines for `launcherShell`: without a list of what is open, the program does not start. */
export const closeFrom = (first: number): string => `for place in /dev/fd/*; do
  descriptor=\${place##*/}
  if ! [[ $descriptor =~ ^[0-9]+$ ]]; then
    echo 'The open descriptors are not listed in /dev/fd.' >&2
    exit 126
  fi
  if ((descriptor >= ${first})); then eval "exec $descriptor>&-"; fi
done
unset place descriptor
`

interface Start {
  /** How many descriptors the program keeps, from 0 on. */
  readonly kept?: number
  readonly environment?: Readonly<Record<string, string>>
}

/** The command line that closes all other descriptors and becomes `command`, with this environment alone. */
export function closedCommand(command: readonly string[], { kept = 3, environment = {} }: Start) {
  const variables = Object.entries(environment).map(([name, value]) => `${name}=${value}`)
  const program = variables.length === 0 ? command : ['/usr/bin/env', ...variables, ...command]
  const script = `${closeFrom(kept)}exec -c "$@"`
  return { file: launcherShell, args: [...withoutSettings, '-c', script, 'start', ...program] }
}

/** The program leads a process group of its own. It keeps what `stdio` names. */
export function startClosed(
  command: readonly string[],
  stdio: Extract<StdioOptions, readonly unknown[]>,
  environment?: Readonly<Record<string, string>>,
): ChildProcess {
  const { file, args } = closedCommand(command, {
    kept: stdio.length,
    ...(environment && { environment }),
  })
  return spawn(file, args, { stdio, env: {}, cwd: '/', detached: true })
}

/**
 * What a program found open besides its three streams. `listing` is what `ls` prints of /proc/self/fd, where it has one
 * descriptor of its own.
 */
export function foreignDescriptors(listing: string): number[] {
  const found = listing.trim().split(/\s+/).map(Number)
  const own = [0, 1, 2, 3]
  return found.filter((descriptor) => !own.includes(descriptor))
}

export const listDescriptors = ['/bin/ls', '/proc/self/fd'] as const

/** For the operator, where boxes would be open to the files of this machine. */
export const explainForeign = (descriptors: readonly number[]): string =>
  `Programs in boxes would inherit open files of the gateway (descriptors ${descriptors.join(', ')}). Start the gateway without them: they come from the program that starts it.`
