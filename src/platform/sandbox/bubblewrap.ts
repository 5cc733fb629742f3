// How a program is started by bubblewrap.
//
// - bubblewrap itself starts with an empty environment, because the box can read that of its first process.
// - Its options travel through a pipe, so that the paths of this machine are in no command line that the box can read.
// - A root gateway first becomes another user: the files in /proc/sys belong to the host's root, even for a process
//   without capabilities.
import type { ChildProcess } from 'node:child_process'
import { access, constants } from 'node:fs/promises'
import type { Readable, Writable } from 'node:stream'
import { launcherShell, startClosed } from './closed-start.ts'
import type { BoxLimits } from './limits.ts'
import { processFolderMasks } from './proc-masks.ts'

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

export interface Ended {
  /** Null if it was killed. */
  readonly exitCode: number | null
  /** Whether its wall time was up. */
  readonly isLate: boolean
  /** The last part of what it wrote to its error output. */
  readonly errors: string
}

export interface Finished extends Ended {
  /** The first part of what it wrote to its output. */
  readonly output: Buffer
}

/** A program that works on one folder of this machine and is talked to while it runs. */
export interface StreamedCommand extends Omit<Command, 'onOutput'> {
  /** The program sees it as `/work` and starts in it. */
  readonly folder: string
  readonly mayWrite: boolean
  readonly environment: Readonly<Record<string, string>>
  /** Options of bubblewrap that mount more. */
  readonly mounts?: readonly string[]
}

export interface RunningProgram {
  readonly input: Writable
  /** The caller must read it to its end or destroy it, because the program ends only then. */
  readonly output: Readable
  /** Rejects with the reason of the command's signal. */
  readonly ended: Promise<Ended>
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
const sharedMemoryBytesMax = 16_000_000
const openFilesMax = 1_024

export const isRoot = () => process.getuid?.() === 0

/** Throws an Error that tells the operator what to install. */
export async function findTools(): Promise<Tools> {
  const needed = [
    ['/usr/bin/bwrap', 'bubblewrap'],
    ['/usr/bin/prlimit', 'util-linux'],
    [launcherShell, 'bash'],
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

const mountsOf = ({ inputFolder, outputFolder }: Folders) => [
  ...['--ro-bind', inputFolder, '/in', '--bind', outputFolder, '/out', '--chdir', '/out'],
]

interface BoxShape {
  /** The size of /tmp, which is in memory. */
  readonly temporaryBytes?: number
  /** The program may make user namespaces of its own, as a sandbox inside the box does. */
  readonly mayNest?: boolean
}

/** The system without its settings, nothing of /home, /root, /var or /run, and the mounts. */
export function optionsOf(
  mounts: readonly string[],
  { temporaryBytes = temporaryBytesMax, mayNest = false }: BoxShape = {},
): string[] {
  return [
    ...['--unshare-all', '--unshare-user', '--die-with-parent', '--new-session'],
    ...(mayNest ? [] : ['--disable-userns']),
    ...['--cap-drop', 'ALL', '--hostname', 'box'],
    ...['--ro-bind', '/usr', '/usr'],
    ...['bin', 'sbin', 'lib', 'lib64'].flatMap((name) => ['--symlink', `usr/${name}`, `/${name}`]),
    ...['/etc/ld.so.cache', '/etc/alternatives', '/etc/fonts'].flatMap((place) => [
      '--ro-bind-try',
      place,
      place,
    ]),
    ...['--proc', '/proc', '--dev', '/dev'],
    ...processFolderMasks(),
    ...['--size', String(sharedMemoryBytesMax), '--tmpfs', '/dev/shm', '--remount-ro', '/dev'],
    ...['--size', String(temporaryBytes), '--tmpfs', '/tmp'],
    // A command may set others.
    ...setVariables({ PATH: '/usr/bin:/bin', HOME: '/tmp', LANG: 'C.UTF-8' }),
    ...mounts,
    ...['--remount-ro', '/'],
  ]
}

const setVariables = (variables: Readonly<Record<string, string>>) =>
  Object.entries(variables).flatMap(([name, value]) => ['--setenv', name, value])

/** How a root gateway starts a program as another user. */
export const becoming = (setpriv: string | undefined, userId: number) =>
  setpriv === undefined
    ? []
    : [setpriv, `--reuid=${userId}`, `--regid=${userId}`, '--clear-groups', '--inh-caps=-all']

function commandLine(
  { bwrap, prlimit, setpriv }: Tools,
  { program, args, limits }: Pick<Command, 'program' | 'args' | 'limits'>,
) {
  const { memoryBytes, dataBytes = memoryBytes, cpuSeconds, fileBytes, processes } = limits
  return [
    ...becoming(setpriv, boxUserId),
    ...[bwrap, '--args', '3', '--', prlimit],
    ...[`--as=${memoryBytes}`, `--data=${dataBytes}`],
    ...[`--cpu=${cpuSeconds}`, `--fsize=${fileBytes}`],
    ...[`--nproc=${processes}`, `--nofile=${openFilesMax}`, '--core=0', '--'],
    ...[program, ...args],
  ]
}

type Pipes = [stdin: Writable | null, stdout: Readable, stderr: Readable, options: Writable]

/** Throws the reason of the command's signal. */
export async function runConfined(
  tools: Tools,
  folders: Folders,
  command: Command,
): Promise<Finished> {
  const { onOutput } = command
  const output = keepFirst(outputBytesMax)
  const { stdout, ended } = start(tools, command, { mounts: mountsOf(folders), stdin: 'ignore' })
  stdout.on('data', (chunk: Buffer) => {
    output.add(chunk)
    onOutput?.(chunk)
  })
  return { ...(await ended), output: output.value() }
}

/** Throws the reason of the command's signal. */
export function streamConfined(tools: Tools, command: StreamedCommand): RunningProgram {
  const { folder, mayWrite, environment, mounts: more = [] } = command
  const mounts = [
    ...[mayWrite ? '--bind' : '--ro-bind', folder, '/work', '--chdir', '/work', ...more],
    ...setVariables(environment),
  ]
  const { stdin, stdout, ended } = start(tools, command, { mounts, stdin: 'pipe' })
  if (stdin === null) throw new Error('A pipe was asked for.')
  // The program may end before it has read all of it. How it ended says more.
  stdin.on('error', () => {})
  return { input: stdin, output: stdout, ended }
}

function start(
  tools: Tools,
  command: Omit<Command, 'onOutput'>,
  { mounts, stdin }: { mounts: readonly string[]; stdin: 'ignore' | 'pipe' },
) {
  const { signal, limits } = command
  signal.throwIfAborted()
  const child = startClosed(commandLine(tools, command), [stdin, 'pipe', 'pipe', 'pipe'])
  const [input, stdout, stderr, options] = child.stdio as unknown as Pipes
  const errors = keepLast(errorBytesMax)
  stderr.on('data', errors.add)
  // It may end before it has read its options.
  options.on('error', () => {})
  options.end(
    optionsOf(mounts)
      .map((option) => `${option}\0`)
      .join(''),
  )
  const ended = untilEnded(child, signal, limits.wallMs).then((end) => ({
    ...end,
    errors: errors.value().toString(),
  }))
  return { stdin: input, stdout, ended }
}

async function untilEnded(child: ChildProcess, signal: AbortSignal, wallMs: number) {
  const late = AbortSignal.timeout(wallMs)
  const stop = AbortSignal.any([signal, late])
  const kill = () => killGroup(child)
  stop.addEventListener('abort', kill, { once: true })
  try {
    const exitCode = await new Promise<number | null>((resolve, reject) => {
      child.once('error', reject)
      child.once('close', resolve)
    })
    signal.throwIfAborted()
    return { exitCode, isLate: late.aborted }
  } finally {
    stop.removeEventListener('abort', kill)
    kill()
  }
}

/** bubblewrap leads the group, and the box ends with it. */
export function killGroup({ pid, exitCode, signalCode }: ChildProcess): void {
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

export function keepLast(bytesMax: number) {
  let kept = Buffer.alloc(0)
  return {
    add(chunk: Buffer) {
      kept = Buffer.concat([kept, chunk]).subarray(-bytesMax)
    },
    value: () => kept,
  }
}
