// Commands with an Idempotency-Key. A command cannot be undone, so it is claimed before it runs, and never run twice.
import { fail } from '#core/errors.ts'
import { isLostContact } from '#core/gateways/elsewhere.ts'
import type { Clock } from '#core/ports.ts'
import type { Database } from '#platform/database/database.ts'
import { digestRequest } from '../idempotency.ts'
import type { SessionTask, TaskResult } from './task.ts'
import { untilWritten } from './until-written.ts'

/** A larger answer is given once, and not kept. */
const answerCharactersMax = 64_000
/** The newest answers of a session. */
const answersPerSessionMax = 100

export type CommandAnswer = TaskResult & { readonly replayed?: true }

interface Stored {
  readonly digest: Buffer
  readonly hasEnded: boolean
  readonly answer: string | null
  readonly isUnderWay: boolean
}

/** Of commands before these it is only known that they ran. */
export async function forgetOldAnswers(database: Database, sessionId: string): Promise<void> {
  await database.query(
    `update session_command set answer = null where session_id = $1 and key in (
       select key from session_command where session_id = $1 and answer is not null
       order by created_at desc offset $2)`,
    [sessionId, answersPerSessionMax],
  )
}

export function createRepeats({
  database,
  gatewayNumber,
  clock,
}: {
  database: Database
  gatewayNumber: number
  clock: Clock
}) {
  async function claim(sessionId: string, key: string, digest: Buffer): Promise<boolean> {
    const claimed = await database.query(
      `insert into session_command (session_id, key, digest, gateway_id) values ($1, $2, $3, $4)
       on conflict do nothing returning 1`,
      [sessionId, key, digest, gatewayNumber],
    )
    return claimed.length > 0
  }

  async function replay(sessionId: string, key: string, digest: Buffer): Promise<CommandAnswer> {
    const [stored] = await database.query<Stored>(
      `select digest, has_ended as "hasEnded", answer, gateway_lives(gateway_id) as "isUnderWay"
       from session_command where session_id = $1 and key = $2`,
      [sessionId, key],
    )
    // The first request failed meanwhile, so its key is free again.
    if (stored === undefined) throw fail('idempotency_in_progress', { retryAfterSeconds: 1 })
    if (!stored.digest.equals(digest)) throw fail('idempotency_key_reused')
    if (stored.answer !== null) return { ...JSON.parse(stored.answer), replayed: true }
    if (!stored.hasEnded && stored.isUnderWay)
      throw fail('idempotency_in_progress', { retryAfterSeconds: 1 })
    throw fail('idempotency_key_reused', { message: stored.hasEnded ? notKept : inDoubt })
  }

  async function keep(sessionId: string, key: string, result: TaskResult): Promise<void> {
    const text = JSON.stringify(result)
    await database.query(
      'update session_command set has_ended = true, answer = $3 where session_id = $1 and key = $2',
      [sessionId, key, text.length > answerCharactersMax ? null : text],
    )
    await forgetOldAnswers(database, sessionId)
  }

  /** A command that failed may run again. */
  const release = (sessionId: string, key: string) =>
    database.query('delete from session_command where session_id = $1 and key = $2', [
      sessionId,
      key,
    ])

  return async function runOnce(
    sessionId: string,
    { key, task }: { key: string; task: SessionTask },
    { work, isStopping }: { work: () => Promise<TaskResult>; isStopping: () => boolean },
  ): Promise<CommandAnswer> {
    const { transfer, onOutput: _, ...command } = task
    const digest = digestRequest({ ...command, ...transfer?.order })
    if (!(await claim(sessionId, key, digest))) return await replay(sessionId, key, digest)
    const result = await work().catch(async (thrown) => {
      // A command that the stop of its gateway has ended may have had its effects.
      if (!isStopping() && !isLostContact(thrown))
        await untilWritten(clock, () => release(sessionId, key))
      throw thrown
    })
    await untilWritten(clock, () => keep(sessionId, key, result))
    return result
  }
}

const notKept =
  'The command with this Idempotency-Key has run. Its answer is not kept any more, or was too large; look for its effects in the session.'
const inDoubt =
  'The gateway stopped while the command with this Idempotency-Key ran. Look for its effects in the session, and send it with a new key if there are none.'
