// Answers that callers asked to keep: the same request of the same payer is answered again without a model and without
// a charge. They are in the memory of this gateway, and in that of all gateways if there is one.
import { createHash } from 'node:crypto'
import type { AccountCaller } from '#core/caller.ts'
import { fail } from '#core/errors.ts'
import type { Clock } from '#core/ports.ts'
import type { SharedCache } from '#core/replicas/shared-state.ts'
import type { ModelRequest } from './conversation/model-request.ts'

export const cacheHeader = 'x-response-cache'
const lifetimeSecondsDefault = 300
const lifetimeSecondsMax = 86_400

/** UTF-16 code units, of all answers, of those of one payer, and of one answer. */
const charactersMax = 32_000_000
const payerCharactersMax = 4_000_000
const answerCharactersMax = 1_000_000
/** Of a key and its entry. */
const entryCharacters = 200

/** How long an answer may be kept, in seconds: `true` is 300. Undefined if the caller does not want it. */
export function readCacheHeader(value: string | undefined): number | undefined {
  if (value === undefined || value === 'false') return undefined
  if (value === 'true') return lifetimeSecondsDefault
  const seconds = Number(value)
  if (!/^\d{1,6}$/.test(value) || seconds < 1 || seconds > lifetimeSecondsMax)
    throw fail('bad_request', {
      message: `${cacheHeader} must be true, false, or how many seconds an answer may be kept: 1 to ${lifetimeSecondsMax}.`,
    })
  return seconds
}

export interface CachedAnswer {
  /** A completion as JSON, or the events of a stream (latin1). Its usage says that it cost nothing. */
  readonly text: string
  /** The call that was charged for it. */
  readonly callId: string
  readonly model: string
  readonly ageSeconds: number
}

interface Entry extends Omit<CachedAnswer, 'ageSeconds'> {
  readonly keptAtMs: number
  readonly untilMs: number
}

export interface AnswerCache {
  find(caller: AccountCaller, chat: ModelRequest): Promise<CachedAnswer | undefined>
  keep(
    caller: AccountCaller,
    chat: ModelRequest,
    answer: Omit<CachedAnswer, 'ageSeconds'> & { readonly lifetimeSeconds: number },
  ): void
}

/** In the memory of this gateway. */
function createOwnAnswers(clock: Pick<Clock, 'now'>) {
  /** By payer, and in it by request. The least recently used come first. */
  const payers = new Map<string, Map<string, Entry>>()
  const sizes = new Map<Map<string, Entry>, number>()
  let characters = 0

  function drop(payer: string, key: string) {
    const entries = payers.get(payer)
    const entry = entries?.get(key)
    if (entries === undefined || entry === undefined) return
    entries.delete(key)
    const size = sizeOf(entry)
    characters -= size
    sizes.set(entries, (sizes.get(entries) ?? 0) - size)
    if (entries.size > 0) return
    payers.delete(payer)
    sizes.delete(entries)
  }

  function dropOldest(payer: string) {
    const [oldest] = payers.get(payer)?.keys() ?? []
    if (oldest !== undefined) drop(payer, oldest)
  }

  function find(payer: string, key: string): Entry | undefined {
    const entries = payers.get(payer)
    const entry = entries?.get(key)
    if (entries === undefined || entry === undefined) return undefined
    if (entry.untilMs <= clock.now()) {
      drop(payer, key)
      return undefined
    }
    entries.delete(key)
    entries.set(key, entry)
    payers.delete(payer)
    payers.set(payer, entries)
    return entry
  }

  function keep(payer: string, key: string, entry: Entry) {
    drop(payer, key)
    const entries = payers.get(payer) ?? new Map<string, Entry>()
    payers.delete(payer)
    payers.set(payer, entries)
    entries.set(key, entry)
    const size = sizeOf(entry)
    characters += size
    sizes.set(entries, (sizes.get(entries) ?? 0) + size)
    while ((sizes.get(entries) ?? 0) > payerCharactersMax) dropOldest(payer)
    while (characters > charactersMax) dropOldest(payers.keys().next().value ?? payer)
  }

  return { find, keep }
}

export function createAnswerCache({
  clock,
  cache,
}: {
  clock: Pick<Clock, 'now'>
  /** Keeps answers for all gateways. */
  cache?: SharedCache | undefined
}): AnswerCache {
  const own = createOwnAnswers(clock)

  /** Of any gateway. */
  async function findShared(payer: string, key: string): Promise<Entry | undefined> {
    const text = await cache?.get(sharedName(payer, key))
    if (text === undefined) return undefined
    const entry: Entry = JSON.parse(text)
    if (entry.untilMs <= clock.now()) return undefined
    own.keep(payer, key, entry)
    return entry
  }

  return {
    async find(caller, chat) {
      const [payer, key] = [payerOf(caller), keyOf(chat)]
      const entry = own.find(payer, key) ?? (await findShared(payer, key))
      if (entry === undefined) return undefined
      const { text, callId, model, keptAtMs } = entry
      const ageSeconds = Math.max(0, Math.floor((clock.now() - keptAtMs) / 1_000))
      return { text, callId, model, ageSeconds }
    },
    keep(caller, chat, { lifetimeSeconds, ...answer }) {
      if (answer.text.length > answerCharactersMax) return
      const [payer, key] = [payerOf(caller), keyOf(chat)]
      const now = clock.now()
      const lifetimeMs = lifetimeSeconds * 1_000
      const entry = { ...answer, keptAtMs: now, untilMs: now + lifetimeMs }
      own.keep(payer, key, entry)
      cache?.set(sharedName(payer, key), JSON.stringify(entry), lifetimeMs)
    },
  }
}

const sharedName = (payer: string, key: string) => `answer ${payer} ${key}`

const sizeOf = ({ text }: Entry) => text.length + entryCharacters

/** A limited key has its own answers, and none from before its limits changed: it may not read those any more. */
function payerOf({ accountId, keyId, isLimited, limits = '' }: AccountCaller): string {
  return isLimited ? `${accountId} ${keyId} ${limits}` : accountId
}

/** What the caller may pay at most does not change an answer. */
function keyOf(chat: ModelRequest): string {
  const { json: _fieldsAgain, maxCostMicros: _ceiling, ...request } = chat
  return createHash('sha256').update(JSON.stringify(request)).digest('base64url')
}
