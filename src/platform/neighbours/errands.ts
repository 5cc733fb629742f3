// Work that gateways do for each other: a request with its input, and an answer of lines with parts of the output as
// they come, and the result or the failure last.
import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createInterface } from 'node:readline'
import { CallError, type ErrorCode, fail, toCallError } from '#core/errors.ts'
import type { AnswerErrand, DefineErrand, Errand, GatewayPlace } from '#core/gateways/elsewhere.ts'
import { elsewhere, isLostContact, lostContact } from '#core/gateways/elsewhere.ts'
import type { Log } from '#core/ports.ts'
import type { NeighbourCalls } from './calling.ts'
import type { GatewayRows } from './gateway-rows.ts'

type Line =
  | { readonly kind: 'alive' }
  | { readonly kind: 'part'; readonly part: unknown }
  | { readonly kind: 'result'; readonly result: unknown }
  | { readonly kind: 'failure'; readonly failure: Failure }

/** A CallError on its way. */
interface Failure {
  readonly code: ErrorCode
  readonly message: string
  readonly data?: unknown
  readonly retryAfterSeconds?: number | undefined
  readonly status: number
  /** The work may have been done. */
  readonly isInDoubt: boolean
}

const errandPrefix = '/errands/'
/** A gateway that says nothing for twice as long is gone. */
const aliveIntervalMs = 5_000
const silenceMsMax = 15_000

const lost = (cause: unknown) =>
  lostContact(cause, {
    message:
      'The contact to the gateway that has this broke while it worked. Look for its effects, and try again. Nothing was charged.',
  })

export function createErrands({
  rows,
  calling,
  log,
}: {
  readonly rows: Pick<GatewayRows, 'find'>
  readonly calling: Pick<NeighbourCalls, 'call'>
  readonly log: Log
}) {
  const answers = new Map<string, AnswerErrand>()

  async function send(
    name: string,
    place: GatewayPlace,
    input: unknown,
    { signal, onPart }: Parameters<Errand['send']>[2],
  ): Promise<unknown> {
    const neighbour = await rows.find(place)
    if (neighbour === undefined) throw elsewhere(place)
    const silence = new AbortController()
    const either = AbortSignal.any([signal, silence.signal])
    const timer = setTimeout(() => silence.abort(), silenceMsMax)
    try {
      const answer = await calling.call(neighbour, {
        method: 'POST',
        path: errandPrefix + name,
        body: JSON.stringify(input),
        signal: either,
      })
      answer.on('data', () => timer.refresh())
      return await readAnswer(answer, onPart)
    } catch (thrown) {
      signal.throwIfAborted()
      if (thrown instanceof CallError) throw thrown
      log.warn(
        { err: thrown, gateway: neighbour.number, errand: name },
        'A gateway did not answer.',
      )
      throw lost(thrown)
    } finally {
      clearTimeout(timer)
    }
  }

  const define: DefineErrand = (name, answer) => {
    answers.set(name, answer)
    return { send: (place, input, options) => send(name, place, input, options) }
  }

  return {
    define,
    /** Whether a request is an errand. */
    isErrand: (path: string) => path.startsWith(errandPrefix),
    async answer(path: string, body: string, response: ServerResponse): Promise<void> {
      const answer = answers.get(path.slice(errandPrefix.length))
      const leaving = new AbortController()
      response.once('close', () => leaving.abort(new Error('The other gateway has gone.')))
      const write = (line: Line) => void response.write(`${JSON.stringify(line)}\n`)
      const alive = setInterval(() => write({ kind: 'alive' }), aliveIntervalMs)
      response.setHeader('content-type', 'application/x-ndjson')
      response.flushHeaders()
      try {
        if (answer === undefined) throw fail('not_found')
        const onPart = (part: unknown) => write({ kind: 'part', part })
        const result = await answer(JSON.parse(body), { signal: leaving.signal, onPart })
        write({ kind: 'result', result: result ?? null })
      } catch (thrown) {
        const error = toCallError(thrown)
        if (error.cause !== undefined && error.code === 'upstream_error')
          log.error({ err: error.cause, path }, 'Work for another gateway failed.')
        const { code, message, data, retryAfterSeconds, status } = error
        const isInDoubt = isLostContact(error)
        const failure = { code, message, data, retryAfterSeconds, status, isInDoubt }
        write({ kind: 'failure', failure })
      } finally {
        clearInterval(alive)
        response.end()
      }
    },
  }
}

async function readAnswer(
  answer: IncomingMessage,
  onPart: ((part: unknown) => void) | undefined,
): Promise<unknown> {
  const lines = createInterface({ input: answer, crlfDelay: Number.POSITIVE_INFINITY })
  const broken = once(answer, 'error').then(([error]) => {
    throw error
  })
  broken.catch(() => {})
  const reading = (async () => {
    for await (const text of lines) {
      const line: Line = JSON.parse(text)
      if (line.kind === 'part') onPart?.(line.part)
      else if (line.kind === 'result') return line.result
      else if (line.kind === 'failure') {
        const { code, isInDoubt, ...rest } = line.failure
        throw isInDoubt ? lostContact(undefined, rest) : fail(code, rest)
      }
    }
    throw new Error('The answer of the other gateway ended early.')
  })()
  return await Promise.race([reading, broken])
}
