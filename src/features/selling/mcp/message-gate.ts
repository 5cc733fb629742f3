// How many messages a server may send besides its answers. The library takes a tenth of a millisecond for each, in
// which the gateway serves no other caller.
import { fail } from '#core/errors.ts'

/** Of one kind and one call, in a second. Further ones are dropped. */
export const callMessagesPerSecondMax = 100
/** Of a connection, in a second. Further ones are dropped. */
export const connectionMessagesPerSecondMax = 500
/** Of a connection, in a minute. One more closes it. */
export const connectionMessagesPerMinuteMax = 50_000

const secondMs = 1_000
const minuteMs = 60_000
const toolsChanged = 'notifications/tools/list_changed'
export const toolsChangedMessage = { jsonrpc: '2.0', method: toolsChanged } as const

export interface MessageGate {
  /** Notes the ids of requests before they are sent: `message` is one message, or a list. */
  expect(message: unknown): void
  /**
   * The library drops an answer that is not one of JSON-RPC, and waits for another until the call's time is over. An
   * error stands in its place.
   */
  readable(message: unknown): unknown
  /** Whether a message is passed on. Throws for a flood. The answer to a request is, once. */
  admit(message: unknown): boolean
  /** Whether a request of this id has no answer yet. */
  awaits(id: unknown): boolean
}

/**
 * Of one connection. All that does not answer a request is counted, and an answer that was not asked for is dropped.
 * `tellChanged` is called a second after a dropped message that the tools have changed, which may be the last one.
 */
export function createMessageGate(
  tellChanged: () => void,
  now: () => number = () => performance.now(),
): MessageGate {
  const second = createWindow(now, secondMs)
  const minute = createWindow(now, minuteMs)
  let passed = 0
  let passedByCall = new Map<string, number>()
  let isChangeDue = false
  /** Some servers answer the number of a request as a text. */
  const expected = new Set<string>()

  function tellLater() {
    if (isChangeDue) return
    isChangeDue = true
    setTimeout(() => {
      isChangeDue = false
      tellChanged()
    }, secondMs).unref()
  }

  function admit(sent: unknown): boolean {
    const message = asMessage(sent)
    if (isAnswer(message) && expected.delete(String(message.id))) return true
    if (minute.count() > connectionMessagesPerMinuteMax) {
      // The connection is closed, and the next one has a minute of its own.
      minute.end()
      throw flood()
    }
    if (isAnswer(message)) return false
    if (second.count() === 1) {
      passed = 0
      passedByCall = new Map()
    }
    const { method, token } = kindOf(message)
    const call = `${method} ${token}`
    const ofCall = passedByCall.get(call) ?? 0
    if (ofCall >= callMessagesPerSecondMax) {
      if (method === toolsChanged) tellLater()
      return false
    }
    if (method !== toolsChanged) {
      if (passed >= connectionMessagesPerSecondMax) return false
      passed += 1
    }
    passedByCall.set(call, ofCall + 1)
    return true
  }

  return {
    expect(sent) {
      for (const message of [sent].flat() as readonly SentMessage[])
        if (message.id !== undefined && message.method !== undefined)
          expected.add(String(message.id))
    },
    readable(sent) {
      const message = asMessage(sent)
      const isExpected =
        message !== undefined && message.method === undefined && expected.has(String(message.id))
      return isExpected ? readAnswer(message) : sent
    },
    admit,
    awaits: (id) => expected.has(String(id)),
  }
}

/** Counts what comes within a time, and begins anew after it. */
function createWindow(now: () => number, lengthMs: number) {
  let endsAt = Number.NEGATIVE_INFINITY
  let counted = 0
  return {
    count(): number {
      const at = now()
      if (at >= endsAt) {
        endsAt = at + lengthMs
        counted = 0
      }
      counted += 1
      return counted
    },
    end() {
      endsAt = Number.NEGATIVE_INFINITY
    },
  }
}

interface SentMessage {
  readonly id?: unknown
  readonly result?: unknown
  readonly error?: unknown
  readonly method?: unknown
  readonly params?: { readonly progressToken?: unknown } | null
}

/** Undefined for what is not a message. */
const asMessage = (value: unknown): SentMessage | undefined =>
  typeof value === 'object' && value !== null ? value : undefined

/** Of JSON-RPC: a code that servers may give a meaning of their own. */
const serverError = -32_000

/** The error that the caller of a request reads. */
export const failureOf = (id: unknown, message: string) => ({
  jsonrpc: '2.0',
  id,
  error: { code: serverError, message },
})

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The same message where it has no such part. */
function withOnly(message: SentMessage, left: 'result' | 'error'): SentMessage {
  if (!(left in message)) return message
  const { [left]: _null, ...rest } = message
  return rest
}

/** Null stands for what is not there. */
function readAnswer(message: SentMessage): unknown {
  const { id, result = null, error = null } = message
  const isError =
    isObject(error) && Number.isInteger(error.code) && typeof error.message === 'string'
  if (result === null && isError) return withOnly(message, 'result')
  if (error === null && isObject(result)) return withOnly(message, 'error')
  return failureOf(id, 'It has answered with neither a result nor an error. Nothing was charged.')
}

const isAnswer = (message: SentMessage | undefined): message is SentMessage =>
  message !== undefined && 'id' in message && ('result' in message || 'error' in message)

const kindOf = (message: SentMessage | undefined) => ({
  method: String(message?.method).slice(0, kindCharactersMax),
  token: String(message?.params?.progressToken).slice(0, kindCharactersMax),
})
const kindCharactersMax = 100

const flood = () =>
  fail('upstream_error', {
    message: 'It sends too many messages. Nothing was charged; try again later.',
    cause: new Error(
      `An MCP server has sent more than ${connectionMessagesPerMinuteMax} messages in a minute besides its answers.`,
    ),
  })
