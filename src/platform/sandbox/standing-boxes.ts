// Standing boxes: a caller's commands run in one for minutes or hours, until it is closed. Each has a process tree, a
// user of the machine where the gateway is root, files in memory with a limit, no network but its own loopback, and
// nothing of other boxes.
//
// The agent in it is Python: it starts in half the time of Node and needs half its memory, and boxes need Python
// anyway.
import {
  access,
  chmod,
  constants,
  mkdir,
  open,
  readdir,
  readFile,
  writeFile,
} from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import path from 'node:path'
import type { Readable, Writable } from 'node:stream'
import type { Clock } from '#core/ports.ts'
import { createProcessFolder, type ProcessFolder, sweepProcessFolders } from '../process-folder.ts'
import { createTurnstile } from '../turnstile.ts'
import { type BoxEgressTerms, boxProxyPort, boxProxySocket, openBoxEgress } from './box-egress.ts'
import { becoming, findTools, keepLast, killGroup, optionsOf } from './bubblewrap.ts'
import { explainForeign, foreignDescriptors, listDescriptors, startClosed } from './closed-start.ts'
import { type ControlGroups, openControlGroups } from './control-groups.ts'
import { readFrames } from './frames.ts'
import { rememberProbe } from './probe.ts'
import { chooseProcessors } from './processors.ts'
import { createSystemCallFilter } from './seccomp.ts'
import { shareNode } from './shared-node.ts'
import { createStandingBox, type StandingBox } from './standing-box.ts'

export interface StandingBoxLimits {
  /** Of all processes and files of the box. */
  readonly memoryBytes: number
  /** Of the home folder. */
  readonly homeBytes: number
  readonly processes: number
  readonly cpus: number
}

export interface StandingBoxes {
  /** What the operator must do before boxes can be opened here; undefined if they can be. */
  missing(): Promise<string | undefined>
  /** How the limits are enforced. */
  limitedBy(): Promise<ControlGroups['kind']>
  /** Throws an Error that says what is missing, or the signal's reason. */
  open(signal: AbortSignal): Promise<StandingBox>
  count(): number
  /** Closes the boxes that are open. */
  close(): Promise<void>
}

const purpose = 'standing-boxes'
const egressPurpose = 'box-egress'
const homeFolder = '/home/user'
/** The user's number inside the box. */
const innerUserId = 1_000
/**
 * Numbers of the machine's users, one for each box at a time: at the end of the range of ordinary accounts, below what
 * distributions and containers reserve.
 */
const hostUserIds = { from: 58_000, count: 2_000 }
const openFilesMax = 1_024
/** Node reserves more than a gigabyte of addresses for itself. */
const addressSpaceBytesMax = 1_900_000_000
const readyTimeoutMs = 30_000
/** A start is mostly work of the processor: more at once would only make each of them late. */
const startsAtOnceMax = 2 * availableParallelism()
const errorBytesMax = 4_000
const hosts = '127.0.0.1 localhost box\n::1 localhost ip6-localhost ip6-loopback\n'
const nameSources = 'passwd: files\ngroup: files\nhosts: files dns\n'
const agentFolder = path.join(import.meta.dirname, 'agent')

export const defaultLimits: StandingBoxLimits = {
  memoryBytes: 512_000_000,
  homeBytes: 256_000_000,
  processes: 128,
  cpus: 1,
}

/** What all boxes of a gateway share: files that each of them reads. */
interface Shared {
  readonly folder: ProcessFolder
  /** Other boxes must not see the sockets, so they are not in `folder`. */
  readonly egress: (BoxEgressTerms & { readonly folder: ProcessFolder }) | undefined
  readonly node: string
  readonly filterFile: string
  readonly groups: ControlGroups
}

export function createStandingBoxes(dependencies: {
  readonly clock: Clock
  readonly limits?: StandingBoxLimits
  readonly parent?: string
  /** Absent: boxes reach no network. */
  readonly egress?: BoxEgressTerms | undefined
  /** Default: the best that the machine offers. */
  readonly openGroups?: () => Promise<ControlGroups>
}): StandingBoxes {
  const { clock, limits = defaultLimits, openGroups = openControlGroups } = dependencies
  const boxes = new Set<StandingBox>()
  let shared: Promise<Shared> | undefined
  const starts = createTurnstile({
    insideMax: startsAtOnceMax,
    waitingMax: Number.POSITIVE_INFINITY,
  })
  let next = 0

  const share = () => {
    shared ??= prepare(dependencies, openGroups).catch((thrown) => {
      shared = undefined
      throw thrown
    })
    return shared
  }

  const launchNext = async (signal: AbortSignal) => {
    const leave = await starts.enter(signal)
    try {
      return await launch(await share(), { number: next++, limits, signal })
    } finally {
      leave()
    }
  }

  const spares = keepSpare(launchNext)

  async function probe(): Promise<string | undefined> {
    try {
      const signal = AbortSignal.timeout(readyTimeoutMs)
      const box = await launchNext(signal)
      const { exitCode, stdout } = await box
        .run({ argv: listDescriptors, timeoutMs: readyTimeoutMs, signal })
        .finally(box.close)
      if (exitCode !== 0) return 'Boxes start on this machine, but programs in them do not.'
      const foreign = foreignDescriptors(stdout.toString())
      return foreign.length === 0 ? undefined : explainForeign(foreign)
    } catch (thrown) {
      return thrown instanceof Error ? thrown.message : 'Boxes cannot be opened here.'
    }
  }

  const isUsual = dependencies.parent === undefined && dependencies.openGroups === undefined
  const needs = JSON.stringify([limits, dependencies.egress === undefined])
  const missing = rememberProbe(isUsual ? `standing box ${needs}` : undefined, { probe, clock })

  return {
    missing,
    limitedBy: async () => (await share()).groups.kind,
    async open(signal) {
      const reason = await missing()
      if (reason !== undefined) throw new Error(reason)
      const box = await spares.take(signal)
      boxes.add(box)
      void box.ended.then(() => boxes.delete(box))
      return box
    },
    count: () => boxes.size,
    async close() {
      await spares.close()
      await Promise.all([...boxes].map((box) => box.close()))
      const known = await shared?.catch(() => undefined)
      shared = undefined
      await known?.groups.close()
      await known?.folder.remove()
      await known?.egress?.folder.remove()
    },
  }
}

/** From the first box on, a spare one waits for the next caller, who does not wait for Python to start. */
function keepSpare(start: (signal: AbortSignal) => Promise<StandingBox>) {
  const closing = new AbortController()
  let spare: Promise<StandingBox | undefined> | undefined
  return {
    async take(signal: AbortSignal): Promise<StandingBox> {
      const taken = spare
      spare = undefined
      const waiting = await taken
      const box = waiting?.isAlive() ? waiting : await start(signal)
      if (!closing.signal.aborted) spare ??= start(closing.signal).catch(() => undefined)
      return box
    },
    async close(): Promise<void> {
      closing.abort(new Error('The gateway is stopping.'))
      await (await spare)?.close()
    },
  }
}

/** Starts bubblewrap, and waits until the agent says that it is ready. */
async function launch(
  { folder, egress, node, filterFile, groups }: Shared,
  { number, limits, signal }: { number: number; limits: StandingBoxLimits; signal: AbortSignal },
): Promise<StandingBox> {
  const { setpriv, bwrap } = await findTools()
  const user = hostUserIds.from + ((process.pid + number) % hostUserIds.count)
  const group = await groups.open(`box-${number}`, limits)
  const isCounted = (await group.processorSeconds()) !== undefined
  const processors = isCounted ? undefined : await chooseProcessors(number, limits.cpus)
  const way = egress && (await openBoxEgress(path.join(egress.folder.path, String(number)), egress))
  const filter = await open(filterFile)
  const command = [
    ...becoming(setpriv, user),
    ...(processors === undefined ? [] : ['/usr/bin/taskset', '--cpu-list', processors.join()]),
    ...[bwrap, '--args', '3', '--seccomp', '4', '--'],
    // bubblewrap leaves a variable of its own.
    ...['/usr/bin/env', '-i', '/usr/bin/python3', '-I', '-S', '-B', '/opt/box/agent.py'],
    ...agentArguments(groups.kind, isCounted, limits),
    ...(way === undefined ? ['0', ''] : [String(boxProxyPort), boxProxySocket]),
  ]
  const child = startClosed(command, ['pipe', 'pipe', 'pipe', 'pipe', filter.fd])
  const kill = () => killGroup(child)
  const [input, stdout, stderr, options] = child.stdio as unknown as Pipes
  for (const pipe of [input, options]) pipe.on('error', () => {})
  const errors = keepLast(errorBytesMax)
  stderr.on('data', errors.add)
  const frames = readFrames(stdout)
  const clean = async () => {
    await Promise.all([group.remove(), way?.close()])
  }
  const box = createStandingBox({
    child,
    input,
    frames,
    kill,
    clean,
    size: {
      processors: processors?.length ?? limits.cpus,
      gigabytes: limits.memoryBytes / 1e9,
    },
    group,
  })
  const late = AbortSignal.timeout(readyTimeoutMs)
  try {
    await filter.close()
    if (child.pid !== undefined) await group.join(child.pid)
    // bubblewrap begins when it has its options: all of the box is in the group.
    const lines = optionsOfBox(folder.path, node, limits, way?.mounts).map(
      (option) => `${option}\0`,
    )
    options.end(lines.join(''))
    await box.ready(AbortSignal.any([signal, late]))
    return box
  } catch (thrown) {
    await box.close()
    signal.throwIfAborted()
    const message = late.aborted ? tooLate : explain(errors.value().toString())
    throw new Error(message, { cause: thrown })
  }
}

type Pipes = [input: Writable, stdout: Readable, stderr: Readable, options: Writable]

async function prepare(
  { parent, egress }: { parent?: string; egress?: BoxEgressTerms | undefined },
  openGroups: () => Promise<ControlGroups>,
): Promise<Shared> {
  const filter = createSystemCallFilter(process.arch)
  if (filter === undefined)
    throw new Error(`Boxes need a processor of the type x64 or arm64; this one is ${process.arch}.`)
  await access('/usr/bin/python3', constants.X_OK).catch(() => {
    throw new Error(
      'Boxes cannot be opened because /usr/bin/python3 is missing: install the package python3.',
    )
  })
  await sweepProcessFolders(purpose, parent).catch(() => {})
  const folder = await createProcessFolder(purpose, parent)
  // Python finds modules only in a folder that it may list.
  await makeReadable(path.join(folder.path, 'agent'))
  for (const name of await readdir(agentFolder)) {
    const content = await readFile(path.join(agentFolder, name))
    await writeReadable(path.join(folder.path, 'agent', name), content)
  }
  await makeReadable(path.join(folder.path, 'etc'))
  const account = `user:x:${innerUserId}:${innerUserId}::${homeFolder}:/bin/bash\n`
  await writeReadable(path.join(folder.path, 'etc/passwd'), account)
  await writeReadable(path.join(folder.path, 'etc/group'), `user:x:${innerUserId}:\n`)
  await writeReadable(path.join(folder.path, 'etc/hosts'), hosts)
  await writeReadable(path.join(folder.path, 'etc/nsswitch.conf'), nameSources)
  const filterFile = path.join(folder.path, 'filter')
  await writeReadable(filterFile, filter)
  return {
    folder,
    filterFile,
    egress: egress && { ...egress, folder: await createEgressFolder(parent) },
    node: await shareNode(folder.path),
    groups: await openGroups(),
  }
}

async function createEgressFolder(parent: string | undefined): Promise<ProcessFolder> {
  await sweepProcessFolders(egressPurpose, parent).catch(() => {})
  return await createProcessFolder(egressPurpose, parent)
}

async function makeReadable(folder: string): Promise<void> {
  await mkdir(folder)
  await chmod(folder, 0o755)
}

async function writeReadable(file: string, content: string | Uint8Array): Promise<void> {
  await writeFile(file, content)
  await chmod(file, 0o644)
}

function agentArguments(
  kind: ControlGroups['kind'],
  isCounted: boolean,
  limits: StandingBoxLimits,
): string[] {
  const isGrouped = kind !== 'rlimits'
  const numbers = [openFilesMax, limits.processes]
  return [
    ...numbers,
    // A group counts what is used; without one, each process is limited, and the agent watches all of them.
    ...(isGrouped ? [0, 0] : [addressSpaceBytesMax, limits.memoryBytes]),
    isCounted ? 0 : 1,
  ].map(String)
}

function optionsOfBox(
  folder: string,
  node: string,
  limits: StandingBoxLimits,
  more: readonly string[] = [],
): string[] {
  const identity = ['--as-pid-1', '--uid', String(innerUserId), '--gid', String(innerUserId)]
  const mounts = [
    ...['--ro-bind', path.join(folder, 'agent'), '/opt/box', '--ro-bind', node, '/opt/bin/node'],
    ...['passwd', 'group', 'hosts', 'nsswitch.conf'].flatMap((name) => [
      ...['--ro-bind', path.join(folder, 'etc', name), `/etc/${name}`],
    ]),
    ...['--symlink', '../usr/lib/os-release', '/etc/os-release'],
    ...['--size', String(limits.homeBytes), '--tmpfs', homeFolder, '--chdir', homeFolder],
    ...more,
  ]
  return [...optionsOf(mounts), ...identity]
}

const tooLate = `A box did not start within ${readyTimeoutMs / 1_000} s, because this machine is busy. Try again in a minute.`

function explain(errors: string): string {
  const [line = ''] = errors.trim().split('\n').slice(-1)
  return `Boxes cannot be opened on this machine (${line || 'no reason was given'}). Allow unprivileged user namespaces, or start the gateway in a container that has them.`
}
