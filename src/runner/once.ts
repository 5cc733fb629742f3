// Requests other than calls that move money or issue a secret: a credit, a key, an account. With an Idempotency-Key
// each is carried out once. The work and its stored answer are one transaction, so that neither exists without the
// other.
import { createHash } from 'node:crypto'
import type { ClientBase } from 'pg'
import { fail } from '#core/errors.ts'
import type { Database } from '#platform/database/database.ts'
import { openSealedText, sealText } from '#platform/sealed-text.ts'
import { digestRequest } from './idempotency.ts'

export interface OnceRequest {
  /** The owner of the Idempotency-Key: two senders may use the same key for different requests. */
  readonly sender: string
  /** The sender's credential. It is not stored; with the Idempotency-Key it encrypts the stored answer. */
  readonly credential: string
  readonly idempotencyKey: string | undefined
  /** Method and path. */
  readonly operation: string
  readonly body: unknown
}

export interface Once {
  /**
   * Does the work in a transaction, once for its Idempotency-Key: later the same request gets the same answer. Throws
   * `idempotency_key_reused` for another request, `idempotency_in_progress`, and what the work throws, which frees the
   * key.
   */
  run<Answer extends object>(
    request: OnceRequest,
    work: (client: ClientBase) => Promise<Answer>,
  ): Promise<{ readonly answer: Answer; readonly replayed: boolean }>
  forgetOld(): Promise<void>
}

interface Stored {
  readonly request_digest: Buffer
  readonly answer: Buffer
}

const answerLifetimeDays = 30

export function createOnce(database: Database): Once {
  async function runOnce<Answer extends object>(
    client: ClientBase,
    request: OnceRequest & { idempotencyKey: string },
    work: (client: ClientBase) => Promise<Answer>,
  ) {
    const { sender, idempotencyKey, operation, body } = request
    const id = createHash('sha256')
      .update(JSON.stringify([sender, idempotencyKey]))
      .digest()
    const digest = digestRequest([operation, body ?? {}])
    const secret = JSON.stringify([request.credential, idempotencyKey])
    await claim(client, id)
    const { rows } = await client.query<Stored>(
      'select request_digest, answer from request_once where id = $1 and expires_at > now()',
      [id],
    )
    const [stored] = rows
    if (stored !== undefined)
      return { answer: open<Answer>(stored, digest, secret), replayed: true }
    const answer = await work(client)
    await client.query(
      `insert into request_once (id, request_digest, answer, expires_at)
       values ($1, $2, $3, now() + $4 * interval '1 day')
       on conflict (id) do update set request_digest = excluded.request_digest, answer = excluded.answer,
         expires_at = excluded.expires_at`,
      [id, digest, sealText(JSON.stringify(answer), secret), answerLifetimeDays],
    )
    return { answer, replayed: false }
  }

  return {
    run: (request, work) =>
      database.transaction(async (client) => {
        const { idempotencyKey } = request
        return idempotencyKey === undefined
          ? { answer: await work(client), replayed: false }
          : await runOnce(client, { ...request, idempotencyKey }, work)
      }),
    async forgetOld() {
      await database.query('delete from request_once where expires_at < now()')
    },
  }
}

/** The lock ends with the transaction, so a gateway that dies leaves nothing in progress. */
async function claim(client: ClientBase, id: Buffer) {
  const { rows } = await client.query<{ claimed: boolean }>(
    'select pg_try_advisory_xact_lock($1) as claimed',
    [id.readBigInt64BE().toString()],
  )
  if (!rows[0]?.claimed) throw fail('idempotency_in_progress', { retryAfterSeconds: 1 })
}

function open<Answer>(stored: Stored, digest: Buffer, secret: string): Answer {
  if (!stored.request_digest.equals(digest)) throw fail('idempotency_key_reused')
  const text = openSealedText(stored.answer, secret)
  if (text !== undefined) return JSON.parse(text)
  throw fail('idempotency_key_reused', {
    message:
      'This Idempotency-Key was used with another credential, which alone can decrypt the stored answer. Nothing was done again. Use a new Idempotency-Key for a new request.',
  })
}
