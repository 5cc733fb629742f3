// How a program is started by bubblewrap.
//
// - bubblewrap itself starts with an empty environment, because the box can read that of its first process.
// - Its options travel through a pipe, so that the paths of this machine are in no command line that the box can read.
// - A root gateway first becomes another user: the files in /proc/sys belong to the host's root, even for a process
//   without capabilities.
import { type ChildProcess, spawn } from 'node:child_process'
import { access, constants } from 'node:fs/promises'
import type { Readable, Writable } from 'node:stream'
import type { BoxLimits } from './limits.ts'

export interface Command {
  /** As the box sees it: `/usr/bin/ffmpeg`. */
  readonly program: string
  readonly args: readonly string[]
  readonly limits: BoxLimits
  /** Kills the box. */
  readonly signal: AbortSignal
  /** Receives the program's output while it runs. */
  readonly onOutput?: (chunk: Buffer) => void
}

export interface Finished {
  /** Null if it was killed. */
  readonly exitCode: number | null
  /** Whether its wall time was up. */
  readonly isLate: boolean
  /** The first part of what it wrote to its output. */
  readonly output: Buffer
  /** The last part of what it wrote to its error output. */
  readonly errors: string
}

export interface Tools {
  readonly bwrap: string
  readonly prlimit: string
  /** Only for a root gateway. */
  readonly setpriv: string | undefined
}

/** Belongs to no account of the system. Chromium has another one. */
export const boxUserId = 65_533
const outputBytesMax = 4_000_000
const errorBytesMax = 64_000
const temporaryBytesMax = 64_000_000
const openFilesMax = 1_024

export const isRoot = () => process.getuid?.() === 0

/** Throws an Error that tells the operator what to install. */
export async function findTools(): Promise<Tools> {
  const needed = [
    ['/usr/bin/bwrap', 'bubblewrap'],
    ['/usr/bin/prlimit', 'util-linux'],
    ...(isRoot() ? [['/usr/bin/setpriv', 'util-linux'] as const] : []),
  ] as const
  for (const [place, packageName] of needed)
    await access(place, constants.X_OK).catch(() => {
      throw new Error(
        `Programs cannot be confined because ${place} is missing: install the package ${packageName}.`,
      )
    })
  const setpriv = isRoot() ? '/usr/bin/setpriv' : undefined
  return { bwrap: '/usr/bin/bwrap', prlimit: '/usr/bin/prlimit', setpriv }
}

interface Folders {
  readonly inputFolder: string
  readonly outputFolder: string
}

/** The system without its settings, and nothing of /home, /root, /var or /run. */
function optionsOf({ inputFolder, outputFolder }: Folders): string[] {
  return [
    ...[
      '--unshare-all',
      '--unshare-user',
      '--disable-userns',
      '--die-with-parent',
      '--new-session',
    ],
    ...['--cap-drop', 'ALL', '--hostname', 'box'],
    ...['--ro-bind', '/usr', '/usr'],
    ...['bin', 'sbin', 'lib', 'lib64'].flatMap((name) => ['--symlink', `usr/${name}`, `/${name}`]),
    ...['/etc/ld.so.cache', '/etc/alternatives', '/etc/fonts'].flatMap((place) => [
      '--ro-bind-try',
      place,
      place,
    ]),
    ...['--proc', '/proc', '--dev', '/dev'],
    ...['--size', String(temporaryBytesMax), '--tmpfs', '/tmp'],
    ...['--ro-bind', inputFolder, '/in', '--bind', outputFolder, '/out', '--chdir', '/out'],
    ...['--remount-ro', '/'],
    ...[
      '--setenv',
      'PATH',
      '/usr/bin:/bin',
      '--setenv',
      'HOME',
      '/tmp',
      '--setenv',
      'LANG',
      'C.UTF-8',
    ],
  ]
}

function commandLine({ bwrap, prlimit, setpriv }: Tools, { program, args, limits }: Command) {
  const { memoryBytes, cpuSeconds, fileBytes, processes } = limits
  const becoming =
    setpriv === undefined
      ? []
      : [
          setpriv,
          `--reuid=${boxUserId}`,
          `--regid=${boxUserId}`,
          '--clear-groups',
          '--inh-caps=-all',
        ]
  return [
    ...becoming,
    ...[bwrap, '--args', '3', '--', prlimit],
    ...[`--as=${memoryBytes}`, `--cpu=${cpuSeconds}`, `--fsize=${fileBytes}`],
    ...[`--nproc=${processes}`, `--nofile=${openFilesMax}`, '--core=0', '--'],
    ...[program, ...args],
  ]
}

type Pipes = [stdin: null, stdout: Readable, stderr: Readable, options: Writable, none: undefined]

/** Throws the reason of the command's signal. */
export async function runConfined(
  tools: Tools,
  folders: Folders,
  command: Command,
): Promise<Finished> {
  const { signal, limits, onOutput } = command
  signal.throwIfAborted()
  const [file = '', ...args] = commandLine(tools, command)
  const child = spawn(file, args, {
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    env: {},
    cwd: '/',
    detached: true,
  })
  const [, stdout, stderr, options] = child.stdio as Pipes
  const late = AbortSignal.timeout(limits.wallMs)
  const stop = AbortSignal.any([signal, late])
  const kill = () => killGroup(child)
  stop.addEventListener('abort', kill, { once: true })
  const output = keepFirst(outputBytesMax)
  const errors = keepLast(errorBytesMax)
  stdout.on('data', (chunk: Buffer) => {
    output.add(chunk)
    onOutput?.(chunk)
  })
  stderr.on('data', errors.add)
  // It may end before it has read its options.
  options.on('error', () => {})
  options.end(
    optionsOf(folders)
      .map((option) => `${option}\0`)
      .join(''),
  )
  try {
    const exitCode = await new Promise<number | null>((resolve, reject) => {
      child.once('error', reject)
      child.once('close', resolve)
    })
    signal.throwIfAborted()
    return {
      exitCode,
      isLate: late.aborted,
      output: output.value(),
      errors: errors.value().toString(),
    }
  } finally {
    stop.removeEventListener('abort', kill)
    kill()
  }
}

/** bubblewrap leads the group, and the box ends with it. */
function killGroup({ pid, exitCode, signalCode }: ChildProcess): void {
  if (pid === undefined || exitCode !== null || signalCode !== null) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // It has already ended.
  }
}

function keepFirst(bytesMax: number) {
  const chunks: Buffer[] = []
  let bytes = 0
  return {
    add(chunk: Buffer) {
      if (bytes >= bytesMax) return
      chunks.push(chunk.subarray(0, bytesMax - bytes))
      bytes += chunk.length
    },
    value: () => Buffer.concat(chunks),
  }
}

function keepLast(bytesMax: number) {
  let kept = Buffer.alloc(0)
  return {
    add(chunk: Buffer) {
      kept = Buffer.concat([kept, chunk]).subarray(-bytesMax)
    },
    value: () => kept,
  }
}
