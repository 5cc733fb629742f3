// Programs that read what strangers sent, confined by bubblewrap: no network, an empty environment, a read-only system,
// and of the gateway's files only those that were put into the box. Where this cannot be had, nothing runs.
import {
  access,
  chmod,
  chown,
  constants,
  copyFile,
  link,
  mkdir,
  stat,
  writeFile,
} from 'node:fs/promises'
import path from 'node:path'
import type { Clock } from '#core/ports.ts'
import { createProcessFolder, sweepProcessFolders } from '../process-folder.ts'
import {
  boxUserId,
  type Command,
  type Finished,
  findTools,
  isRoot,
  type RunningProgram,
  runConfined,
  type StreamedCommand,
  streamConfined,
  type Tools,
} from './bubblewrap.ts'
import { explainForeign, foreignDescriptors, listDescriptors } from './closed-start.ts'
import { rememberProbe } from './probe.ts'

export interface Sandbox {
  /** What the operator must do before programs can be confined here; undefined if they can be. */
  missing(): Promise<string | undefined>
  /** Throws an Error that says what is missing. */
  openBox(): Promise<ClosedBox>
  /**
   * Starts a program on a folder that `makeFolder` has made. Throws an Error that says what is missing, or the signal's
   * reason.
   */
  start(command: StreamedCommand): Promise<RunningProgram>
  /** Makes a folder that confined programs may change. The folders above it must let other users pass. */
  makeFolder(place: string): Promise<void>
}

/** A folder of inputs, a folder of outputs, and the programs that see no other files of this machine. */
export interface ClosedBox {
  /** Puts a file into the box and answers with its path there. A file that all users may read is not copied. */
  add(file: string, name: string): Promise<string>
  /** Writes a file into the box and answers with its path there. */
  write(name: string, content: string | Uint8Array | AsyncIterable<Uint8Array>): Promise<string>
  /** The folder that programs see as `/out`, by its path outside. */
  readonly outputFolder: string
  /** Throws the reason of the command's signal. Any other ending is an answer. */
  run(command: Command): Promise<Finished>
  /** Kills what still runs, and removes its files. */
  close(): Promise<void>
}

const purpose = 'box'
const probeLimits = {
  memoryBytes: 1_000_000_000,
  cpuSeconds: 5,
  fileBytes: 1_000,
  processes: 16,
  wallMs: 10_000,
}

export function createSandbox(dependencies: {
  readonly clock: Clock
  readonly parent?: string
}): Sandbox {
  const { clock, parent } = dependencies
  let swept: Promise<void> | undefined

  async function openBox(): Promise<ClosedBox> {
    swept ??= sweepProcessFolders(purpose, parent).catch(() => {})
    await swept
    const tools = await findTools()
    return createBox(tools, await createProcessFolder(purpose, parent))
  }

  async function probe(): Promise<string | undefined> {
    try {
      const box = await openBox()
      const signal = new AbortController().signal
      const [program, ...args] = listDescriptors
      const command = { program, args, limits: probeLimits, signal }
      const { exitCode, output, errors } = await box.run(command).finally(box.close)
      if (exitCode !== 0) return explain(errors)
      const foreign = foreignDescriptors(output.toString())
      return foreign.length === 0 ? undefined : explainForeign(foreign)
    } catch (thrown) {
      return thrown instanceof Error ? thrown.message : 'Programs cannot be confined here.'
    }
  }

  const missing = rememberProbe(parent === undefined ? purpose : undefined, { probe, clock })

  async function requireTools() {
    const reason = await missing()
    if (reason !== undefined) throw new Error(reason)
  }

  return {
    missing,
    async openBox() {
      await requireTools()
      return openBox()
    },
    async start(command) {
      await requireTools()
      return streamConfined(await findTools(), command)
    },
    makeFolder,
  }
}

function explain(errors: string): string {
  const [line = 'it gave no reason'] = errors.trim().split('\n').slice(-1)
  return `Programs cannot be confined on this machine (${line}). Allow unprivileged user namespaces, or start the gateway in a container that has them.`
}

async function makeFolder(place: string): Promise<void> {
  await mkdir(place, { mode: 0o700 })
  if (isRoot()) await chown(place, boxUserId, boxUserId)
}

async function createBox(
  tools: Tools,
  folder: { readonly path: string; remove(): Promise<void> },
): Promise<ClosedBox> {
  const inputFolder = path.join(folder.path, 'in')
  const outputFolder = path.join(folder.path, 'out')
  await mkdir(inputFolder)
  await chmod(inputFolder, 0o755)
  await makeFolder(outputFolder)
  const closing = new AbortController()
  const running = new Set<Promise<unknown>>()

  /** Names are the gateway's own, never a caller's. */
  function placeOf(name: string): string {
    if (!/^\w[\w.-]*$/.test(name)) throw new Error(`${name} is not a name for a file in a box.`)
    return path.join(inputFolder, name)
  }

  return {
    outputFolder,
    async add(file, name) {
      const target = placeOf(name)
      const everyoneReads = ((await stat(file)).mode & constants.S_IROTH) !== 0
      await (everyoneReads ? link(file, target) : Promise.reject()).catch(async () => {
        await copyFile(file, target, constants.COPYFILE_FICLONE)
        await chmod(target, 0o644)
      })
      return `/in/${name}`
    },
    async write(name, content) {
      await writeFile(placeOf(name), content)
      await chmod(placeOf(name), 0o644)
      return `/in/${name}`
    },
    async run(command) {
      const signal = AbortSignal.any([command.signal, closing.signal])
      const finished = runConfined(tools, { inputFolder, outputFolder }, { ...command, signal })
      running.add(finished)
      return finished.finally(() => running.delete(finished))
    },
    async close() {
      closing.abort(new Error('The box was closed.'))
      await Promise.allSettled(running)
      await folder.remove()
    },
  }
}

/** A program of the system, as boxes see it, or undefined where it is not installed. */
export async function findProgram(name: string): Promise<string | undefined> {
  const place = `/usr/bin/${name}`
  return access(place, constants.X_OK).then(
    () => place,
    () => undefined,
  )
}
