// One standing box from outside: a bubblewrap process, the agent in it, and the requests under way. The agent shares
// the box with what strangers run there, so its answers are checked like any other input.
import type { ChildProcess } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import type { Writable } from 'node:stream'
import { inParts } from '#core/file-transfer/parts.ts'
import type { ControlGroup } from './control-groups.ts'
import { type Frame, type readFrames, writeFrame } from './frames.ts'

export interface BoxCommand {
  readonly argv: readonly string[]
  /**
   * A script that the program reads: it is put into the home folder under this name for as long as the program runs.
   */
  readonly script?: { readonly name: string; readonly text: string }
  readonly environment?: Readonly<Record<string, string>>
  /** After this time its process group is killed. */
  readonly timeoutMs: number
  readonly signal: AbortSignal
  /** Receives what the program writes as soon as it is there, up to the limit of the result. */
  readonly onOutput?: ((stream: 'stdout' | 'stderr', part: Buffer) => void) | undefined
}

/** Code for an interpreter that stays. Pieces for the same interpreter run one after the other. */
export interface BoxCode extends Omit<BoxCommand, 'script'> {
  /** Its command line is its name. */
  readonly code: string
}

export interface BoxResult {
  readonly stdout: Buffer
  readonly stderr: Buffer
  /** Null when a signal or the timeout ended the program. */
  readonly exitCode: number | null
  readonly timedOut: boolean
  /** Whether stdout or stderr was longer than its limit. */
  readonly isCut: boolean
}

export interface BoxSize {
  /** How many it can keep busy. */
  readonly processors: number
  /** Of memory, its files included. */
  readonly gigabytes: number
}

/** A refusal from inside the box that its caller should read: a file that is missing, a full disk. */
export class BoxRefusal extends Error {
  override name = 'BoxRefusal'
}

export interface StandingBox {
  /** Rejects with the signal's reason, or with an Error when the box ends. */
  run(command: BoxCommand): Promise<BoxResult>
  runCode(code: BoxCode): Promise<BoxResult>
  /** Replaces a file below the home folder, as a whole or not at all. Throws BoxRefusal. */
  writeFile(
    path: string,
    content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
    signal: AbortSignal,
  ): Promise<void>
  /**
   * In parts. Throws BoxRefusal, also for a file with more than `bytesMax` bytes, and for one that changes meanwhile.
   */
  readFile(path: string, bytesMax: number, signal?: AbortSignal): AsyncGenerator<Buffer>
  /**
   * Writes the home folder into a tar file outside, without what cannot be read. Throws BoxRefusal when it would have
   * more than `bytesMax` bytes.
   */
  save(file: string, bytesMax: number): Promise<void>
  /** Fills the home folder from such a file. */
  restore(file: string): Promise<void>
  /** What its processes have used so far, those that have ended included. Rejects when the box has ended. */
  processorSeconds(): Promise<number>
  /** How many programs run in it, those in the background included. Rejects when the box has ended. */
  programs(): Promise<number>
  readonly size: BoxSize
  isAlive(): boolean
  /** Resolves when it has ended, by itself or because it was closed. */
  readonly ended: Promise<void>
  /** Kills what runs, and removes what is left. Repeating it changes nothing. */
  close(): Promise<void>
}

/** Limits stdout and stderr, each by itself. */
export const outputBytesMax = 1_000_000
/** The agent answers within this time after a timeout, or the box is broken. */
const lateAnswerMs = 5_000
const fileTimeoutMs = 30_000
/** The agent holds one part of a file in memory. */
const partBytesMax = 1_000_000
const copyTimeoutMs = 120_000
const useTimeoutMs = 5_000

interface Pending {
  readonly settle: (frame: Frame) => void
  readonly fail: (reason: unknown) => void
  readonly onChunk?: (content: Buffer, message: Frame['message']) => Promise<unknown>
}

/** `clean` removes what it leaves outside. */
export function createStandingBox(dependencies: {
  readonly child: ChildProcess
  readonly input: Writable
  readonly frames: ReturnType<typeof readFrames>
  readonly kill: () => void
  readonly clean: () => Promise<void>
  readonly size: BoxSize
  /** What its control group counts. Undefined: only the agent can. */
  readonly group: Pick<ControlGroup, 'processorSeconds' | 'processes'>
}): StandingBox & { ready(signal: AbortSignal): Promise<void> } {
  const { child, clean, size, group } = dependencies
  const talk = createTalk(dependencies)
  // The listener must be there before the process can end.
  const closed = once(child, 'close').catch(() => {})
  let closing: Promise<void> | undefined
  let ownProcesses = 0

  async function close() {
    talk.end()
    await closed
    await clean()
  }

  return {
    async ready(signal) {
      await talk.ready(signal)
      ownProcesses = (await group.processes()) ?? 0
    },
    isAlive: talk.isAlive,
    ended: talk.ended,
    size,
    processorSeconds: async () =>
      (await group.processorSeconds()) ?? (await askUse(talk, 'processor_seconds')),
    async programs() {
      const all = await group.processes()
      return all === undefined ? await askUse(talk, 'programs') : all - ownProcesses
    },
    ...commandsOf(talk),
    ...filesOf(talk),
    close() {
      closing ??= close()
      return closing
    },
  }
}

interface Question {
  readonly timeoutMs: number
  /** How long it may wait before its own time begins. */
  readonly waitMs?: number
  readonly id?: number
  readonly signal?: AbortSignal
  readonly content?: Uint8Array | undefined
  readonly onChunk?: Pending['onChunk']
}

type Talk = ReturnType<typeof createTalk>

/** Requests to the agent and its answers, which come in any order. */
function createTalk({
  input,
  frames,
  kill,
}: {
  input: Writable
  frames: ReturnType<typeof readFrames>
  kill: () => void
}) {
  const pending = new Map<number, Pending>()
  const begun = Promise.withResolvers<void>()
  begun.promise.catch(() => {})
  let nextId = 1
  let isAlive = true

  function end() {
    isAlive = false
    kill()
    const reason = new Error('The box has ended.')
    begun.reject(reason)
    for (const { fail } of pending.values()) fail(reason)
    pending.clear()
  }
  const ended = followFrames(frames, pending, begun.resolve).then(end, end)
  const takeId = () => nextId++

  async function ask(request: object, question: Question): Promise<Frame> {
    const { timeoutMs, waitMs = 0, id = takeId(), signal, content, onChunk } = question
    signal?.throwIfAborted()
    if (!isAlive) throw new Error('The box has ended.')
    const { promise, resolve, reject } = Promise.withResolvers<Frame>()
    pending.set(id, { settle: resolve, fail: reject, ...(onChunk && { onChunk }) })
    const stop = () => {
      writeFrame(input, { op: 'kill', id })
      reject(signal?.reason)
    }
    signal?.addEventListener('abort', stop, { once: true })
    const late = setTimeout(end, waitMs + timeoutMs + lateAnswerMs)
    try {
      const terms = { id, timeout_ms: timeoutMs, output_max: outputBytesMax }
      writeFrame(input, { ...request, ...terms }, content)
      const frame = await promise
      const { error } = frame.message
      if (typeof error === 'string') throw new BoxRefusal(error)
      return frame
    } finally {
      clearTimeout(late)
      signal?.removeEventListener('abort', stop)
      pending.delete(id)
    }
  }

  return {
    input,
    ask,
    end,
    ended,
    takeId,
    isAlive: () => isAlive,
    async ready(signal: AbortSignal) {
      const late = Promise.withResolvers<never>()
      const stop = () => late.reject(signal.reason)
      signal.addEventListener('abort', stop, { once: true })
      await Promise.race([begun.promise, late.promise])
      signal.removeEventListener('abort', stop)
    },
  }
}

async function askUse({ ask }: Talk, name: 'processor_seconds' | 'programs'): Promise<number> {
  const { message } = await ask({ op: 'use' }, { timeoutMs: useTimeoutMs })
  const figure = message[name]
  if (typeof figure !== 'number') throw new Error('A box did not say what it uses.')
  return figure
}

const commandsOf = ({ ask }: Talk): Pick<StandingBox, 'run' | 'runCode'> => ({
  async run({ argv, script, environment, timeoutMs, signal, onOutput }) {
    const content = script && Buffer.from(script.text)
    const request = { op: 'run', argv, environment, script: script?.name, stream: !!onOutput }
    const onChunk = onOutput && passOutput(onOutput)
    return resultOf(await ask(request, { timeoutMs, signal, content, onChunk }))
  },
  async runCode({ argv, code, environment, timeoutMs, signal, onOutput }) {
    const content = Buffer.from(code)
    const request = { op: 'code', argv, environment, stream: !!onOutput }
    const onChunk = onOutput && passOutput(onOutput)
    return resultOf(await ask(request, { timeoutMs, waitMs: timeoutMs, signal, content, onChunk }))
  },
})

/** The agent sends no more than the result has. The gateway takes no more, even if the box sends it. */
function passOutput(
  onOutput: NonNullable<BoxCommand['onOutput']>,
): NonNullable<Pending['onChunk']> {
  const left = { stdout: outputBytesMax, stderr: outputBytesMax }
  return async (content, { stream }) => {
    const name = stream === 2 ? 'stderr' : 'stdout'
    const part = content.subarray(0, left[name])
    left[name] -= part.length
    if (part.length > 0) onOutput(name, part)
  }
}

const filesOf = ({
  ask,
  input,
  isAlive,
  takeId,
}: Talk): Pick<StandingBox, 'writeFile' | 'readFile' | 'save' | 'restore'> => ({
  async writeFile(path, content, signal) {
    const file = { path, upload: randomUUID() }
    try {
      for await (const { bytes, isLast } of inParts(content, partBytesMax)) {
        const request = { op: 'write', ...file, last: isLast }
        await ask(request, { timeoutMs: fileTimeoutMs, signal, content: bytes })
      }
    } catch (thrown) {
      await ask({ op: 'drop', ...file }, { timeoutMs: fileTimeoutMs }).catch(() => {})
      throw thrown
    }
  },
  async *readFile(path, bytesMax, signal) {
    const request = { op: 'read', path, bytes_max: bytesMax, length: partBytesMax }
    let version: unknown
    for (let offset = 0; ; offset += partBytesMax) {
      signal?.throwIfAborted()
      const part = await ask({ ...request, offset, version }, { timeoutMs: fileTimeoutMs })
      version = part.message.version
      yield part.content
      if (part.content.length < partBytesMax) return
    }
  },
  async save(file, bytesMax) {
    const target = await open(file, 'w', 0o600)
    const tooLarge = new AbortController()
    let bytes = 0
    const onChunk = async (content: Buffer) => {
      bytes += content.length
      if (bytes <= bytesMax) return await target.appendFile(content)
      tooLarge.abort(new BoxRefusal(`The files take more than ${bytesMax} bytes.`))
    }
    try {
      await ask({ op: 'save' }, { timeoutMs: copyTimeoutMs, signal: tooLarge.signal, onChunk })
      await target.sync()
    } finally {
      await target.close()
    }
  },
  async restore(file) {
    const id = takeId()
    const restored = ask({ op: 'restore' }, { timeoutMs: copyTimeoutMs, id })
    restored.catch(() => {})
    for await (const chunk of createReadStream(file)) {
      if (!isAlive()) break
      if (!writeFrame(input, { op: 'feed', id }, chunk)) await drained(input)
    }
    writeFrame(input, { op: 'feed', id })
    await restored
  },
})

async function followFrames(
  frames: ReturnType<typeof readFrames>,
  pending: ReadonlyMap<number, Pending>,
  onReady: () => void,
): Promise<void> {
  for await (const frame of frames) {
    const { ready, id, chunk } = frame.message
    if (ready === true) onReady()
    const asked = typeof id === 'number' ? pending.get(id) : undefined
    if (chunk !== true) asked?.settle(frame)
    else await asked?.onChunk?.(frame.content, frame.message).catch(asked.fail)
  }
}

function resultOf({ message, content }: Frame): BoxResult {
  const { exit, timed_out: timedOut, cut, out } = message
  const end = typeof out === 'number' ? out : 0
  return {
    stdout: content.subarray(0, end),
    stderr: content.subarray(end),
    exitCode: typeof exit === 'number' ? exit : null,
    timedOut: timedOut === true,
    isCut: cut === true,
  }
}

async function drained(target: Writable): Promise<void> {
  const closed = new AbortController()
  const { signal } = closed
  await Promise.race([once(target, 'drain', { signal }), once(target, 'close', { signal })]).catch(
    () => {},
  )
  closed.abort()
}
