// The sentence model, in its own thread. The first question starts the thread and idle time ends it, so an unused
// gateway spends no memory on it.
import { Worker } from 'node:worker_threads'
import type { Log } from '#core/ports.ts'

export interface Encoder {
  /** Vectors of length 1, in order. Undefined if the model is not available; words alone then decide. */
  embed(texts: readonly string[]): Promise<readonly Float32Array[] | undefined>
  close(): Promise<void>
}

/** Loading the model takes a tenth of this on an idle machine. */
const answerTimeoutDefaultMs = 10_000
const idleDefaultMs = 10 * 60_000
/** Questions that wait for the thread. Further ones are answered by words alone. */
const waitingMax = 64
/** The pause after a failure. */
const retryAfterMs = 60_000
/** Of one text. The model reads no more than 128 pieces of words. */
const textLengthMax = 400

interface Answer {
  readonly id: number
  readonly vectors?: readonly Float32Array[]
  readonly problem?: string
}

export function createEncoder({
  log,
  now,
  idleMs = idleDefaultMs,
  answerTimeoutMs = answerTimeoutDefaultMs,
  script = new URL('./encoder-worker.ts', import.meta.url),
}: {
  readonly log: Pick<Log, 'warn'>
  readonly now: () => number
  readonly idleMs?: number
  readonly answerTimeoutMs?: number
  /** The module that the thread runs. */
  readonly script?: URL
}): Encoder {
  const waiting = new Map<number, (vectors: readonly Float32Array[] | undefined) => void>()
  let worker: Worker | undefined
  let idleTimer: NodeJS.Timeout | undefined
  let lastId = 0
  let notBefore = 0

  function answer({ id, vectors, problem }: Answer) {
    if (problem !== undefined) log.warn({ problem }, 'The sentence model failed at a question.')
    waiting.get(id)?.(vectors)
  }

  function giveUp(failed: Worker, problem: string) {
    if (worker !== failed) return
    worker = undefined
    notBefore = now() + retryAfterMs
    log.warn({ problem }, 'The sentence model is not available; discover goes by words alone.')
    for (const resolve of [...waiting.values()]) resolve(undefined)
    void failed.terminate()
  }

  async function stop() {
    const stopped = worker
    worker = undefined
    clearTimeout(idleTimer)
    for (const resolve of [...waiting.values()]) resolve(undefined)
    await stopped?.terminate()
  }

  return {
    embed(texts) {
      if (texts.length === 0) return Promise.resolve([])
      if (waiting.size >= waitingMax || now() < notBefore) return Promise.resolve(undefined)
      worker ??= startThread(script, answer, giveUp)
      const asked = worker
      lastId += 1
      const id = lastId
      return new Promise((resolve) => {
        const timeoutMs = answerTimeoutMs + texts.length * 100
        const timer = setTimeout(() => giveUp(asked, 'It took too long.'), timeoutMs)
        waiting.set(id, (vectors) => {
          clearTimeout(timer)
          waiting.delete(id)
          clearTimeout(idleTimer)
          idleTimer = setTimeout(stop, idleMs).unref()
          resolve(vectors)
        })
        asked.postMessage({ id, texts: texts.map((text) => text.slice(0, textLengthMax)) })
      })
    },
    close: stop,
  }
}

function startThread(
  script: URL,
  answer: (answer: Answer) => void,
  giveUp: (failed: Worker, problem: string) => void,
): Worker {
  const thread = new Worker(script)
  thread.unref()
  thread.on('message', answer)
  thread.on('error', (cause) => giveUp(thread, cause.message))
  thread.on('exit', () => giveUp(thread, 'The thread ended.'))
  return thread
}
