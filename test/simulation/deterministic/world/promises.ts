// What callers have been told. The books must keep it.
import type { StoredCharge } from '../database/store.ts'
import type { Reply } from './gateway.ts'

export interface Told extends Reply {
  readonly accountId: string
  readonly idempotencyKey: string | undefined
  readonly isJob: boolean
}

/** What has happened that lets the books have less than callers were told. */
export interface Excuses {
  /** The database has forgotten commits that did not wait for its disk. */
  readonly forgot: boolean
  /** The database has forgotten commits that did. */
  readonly failedOver: boolean
  /** Nothing went wrong, so every job was done. */
  readonly nothingFailed: boolean
  /** A journal could not be written. */
  readonly journalFailed: boolean
}

export function createPromises() {
  const told: Told[] = []
  const failed = new Set<string>()
  const answers = new Map<string, Told>()

  return {
    /** Undefined, or what is wrong with it. */
    tell(reply: Told, { failedOver }: Pick<Excuses, 'failedOver'>): string | undefined {
      told.push(reply)
      // A job that failed frees its key.
      if (reply.idempotencyKey === undefined || reply.isJob) return undefined
      const name = `${reply.accountId} ${reply.idempotencyKey}`
      const first = answers.get(name)
      if (first === undefined) answers.set(name, reply)
      else if (first.output !== reply.output && !failedOver)
        return `the idempotency key ${name} has two answers: ${first.output} and ${reply.output}`
      return undefined
    },
    fail: (callId: string) => void failed.add(callId),
    /** What the books have otherwise than callers were told. */
    broken(stored: readonly StoredCharge[], excuses: Excuses): string[] {
      const calls = new Map(stored.map((call) => [call.id, call]))
      const broken = told.flatMap((reply) => brokenPromise(reply, calls, excuses))
      for (const callId of failed) {
        const charged = calls.get(callId)?.charged ?? 0
        if (charged > 0) broken.push(`call ${callId} failed, and was charged ${charged}`)
      }
      return broken
    },
  }
}

function brokenPromise(
  { callId, charged, output, idempotencyKey, isJob }: Told,
  calls: ReadonlyMap<string, StoredCharge>,
  { forgot, failedOver, journalFailed, nothingFailed }: Excuses,
): string[] {
  if (callId === undefined) return []
  const call = calls.get(callId)
  if (isJob && nothingFailed && call?.state !== 'settled')
    return [`job ${callId} was accepted, and is ${call?.state ?? 'not in the books'}`]
  if (isJob)
    return call !== undefined || failedOver
      ? []
      : [`job ${callId} was accepted, and is not in the books`]
  const isOnFile = idempotencyKey === undefined
  if (call === undefined || call.state !== 'settled') {
    const mayBeLost = failedOver || (isOnFile && journalFailed) || charged === 0
    return mayBeLost
      ? []
      : [`call ${callId} was answered, and is ${call?.state ?? 'not in the books'}`]
  }
  const broken: string[] = []
  if (idempotencyKey !== undefined && call.output !== output && !failedOver)
    broken.push(`the answer of call ${callId} is ${call.output}, not ${output}`)
  if (charged === undefined || call.charged === charged) return broken
  // What its lease had reserved for it was forgotten, and spent otherwise.
  if (call.charged < charged && (forgot || failedOver)) return broken
  return [
    ...broken,
    `call ${callId} was charged ${call.charged}, and its caller was told ${charged}`,
  ]
}
