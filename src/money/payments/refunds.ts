// Gives back what a settled payment was not charged. A refund is owed in the very transaction that ends its call; from
// there this worker brings it onto the chain. Each counts once there by construction, however often it is sent.
import type { Micros } from '#core/money.ts'
import type { Clock, Log } from '#core/ports.ts'
import type { Database } from '#platform/database/database.ts'
import type { Rail, RailId } from '../rails/rail.ts'

export interface Refunds {
  /** Takes up what is due now. Resolves to the number that came to an end. */
  work(): Promise<number>
  /** Refunds that are not on the chain yet, oldest first. */
  open(): Promise<OpenRefund[]>
  close(): Promise<void>
}

export interface OpenRefund {
  readonly id: string
  readonly rail: RailId
  readonly callId: string
  readonly payee: string
  readonly micros: Micros
  readonly state: 'due' | 'signed'
  readonly raw: string | null
  readonly hash: string | null
  readonly validUntil: Date | null
  readonly signedAtBlock: number | null
  readonly attempts: number
  readonly error: string | null
  readonly createdAt: Date
}

const workIntervalMs = 1_000
/** Whoever takes a refund up has so long before another may. */
const leaseSeconds = 30
const refundsPerRound = 20
const retryDelaySecondsMax = 300
const confirmationPollsMax = 20
const confirmationPollIntervalMs = 200
const alarmAfterAttempts = 3
const listedMax = 200

const columns = `id, rail, call_id as "callId", payee, micros, state, raw_tx as raw, tx_hash as hash,
  valid_until as "validUntil", signed_at_block as "signedAtBlock", attempts, error, created_at as "createdAt"`

export function createRefunds(room: {
  database: Database
  rails: ReadonlyMap<RailId, Rail>
  clock: Clock
  log: Log
}): Refunds {
  const { database, rails, clock, log } = room
  let stopped = false

  async function work(): Promise<number> {
    const due = await database.query<OpenRefund>(
      `update refund set attempts = attempts + 1, next_attempt_at = now() + $1 * interval '1 second'
       where id in (select id from refund where state in ('due', 'signed') and next_attempt_at <= now()
         order by next_attempt_at limit $2 for update skip locked)
       returning ${columns}`,
      [leaseSeconds, refundsPerRound],
    )
    const ended = await Promise.all(due.map(attempt))
    return ended.filter(Boolean).length
  }

  async function attempt(refund: OpenRefund): Promise<boolean> {
    const rail = rails.get(refund.rail)
    try {
      if (rail === undefined) throw new Error(`The ${refund.rail} rail is off; refunds on it wait.`)
      const earlier = refund.attempts > 1 ? await rail.inspectRefund(refund) : undefined
      if (earlier?.state === 'settled') return await confirm(refund, earlier)
      const signed = await sign(refund, rail)
      if ((await rail.sendRefund({ id: refund.id, raw: signed.raw })) === 'lost')
        return await signAnew(refund)
      for (let poll = 0; poll < confirmationPollsMax && !stopped; poll += 1) {
        const verdict = await rail.inspectRefund(refund, signed)
        if (verdict.state === 'settled') return await confirm(refund, verdict)
        if (verdict.state === 'dead') return await signAnew(refund)
        await clock.sleep(confirmationPollIntervalMs)
      }
      await postpone(refund, null)
    } catch (error) {
      await postpone(refund, error)
    }
    return false
  }

  /** What was signed can never be carried out any more, so another may be. */
  async function signAnew(refund: OpenRefund): Promise<false> {
    await database.query(
      `update refund set state = 'due', raw_tx = null, next_attempt_at = now() where id = $1 and state = 'signed'`,
      [refund.id],
    )
    return false
  }

  async function confirm(
    refund: OpenRefund,
    { hash, block }: { hash: string; block: number },
  ): Promise<boolean> {
    await database.query('select refund_confirmed($1, $2, $3)', [refund.id, hash, block])
    return true
  }

  async function sign(refund: OpenRefund, rail: Rail) {
    if (refund.state === 'signed' && refund.raw && refund.hash && refund.validUntil) {
      return { raw: refund.raw, hash: refund.hash, validUntilMs: refund.validUntil.getTime() }
    }
    const signed = await rail.signRefund(refund)
    const stored = await database.query(
      `update refund set state = 'signed', raw_tx = $2, tx_hash = $3, gas_nonce = $4, valid_until = $5,
         signed_at_block = coalesce(signed_at_block, $6)
       where id = $1 and state = 'due' returning 1`,
      [
        refund.id,
        signed.raw,
        signed.hash,
        signed.gasNonce ?? null,
        new Date(signed.validUntilMs),
        signed.signedAtBlock ?? null,
      ],
    )
    if (stored.length === 0) {
      await rail.discard?.(signed)
      throw new Error('Another worker has taken this refund up.')
    }
    return signed
  }

  /** Never given up: whoever paid has a right to it. */
  async function postpone(refund: OpenRefund, error: unknown) {
    const seconds = Math.min(2 ** Math.min(refund.attempts, 16), retryDelaySecondsMax)
    const reason = error === null ? null : error instanceof Error ? error.message : String(error)
    await database.query(
      `update refund set next_attempt_at = now() + $2 * interval '1 second', error = $3 where id = $1`,
      [refund.id, seconds, reason],
    )
    const fields = { refundId: refund.id, rail: refund.rail, attempts: refund.attempts, reason }
    if (error !== null && refund.attempts >= alarmAfterAttempts) {
      log.error(
        fields,
        'Operator alert: a refund cannot be paid. Check the refund wallet’s funds and its gas.',
      )
    } else {
      log.warn(fields, 'A refund is not on the chain yet; it will be tried again.')
    }
  }

  let running: Promise<unknown> | undefined
  const timer = setInterval(() => {
    running ??= work()
      .catch((error) => log.warn({ err: error }, 'Refunds will be tried again.'))
      .finally(() => {
        running = undefined
      })
  }, workIntervalMs).unref()

  return {
    work,
    open: () =>
      database.query<OpenRefund>(
        `select ${columns} from refund where state in ('due', 'signed') order by created_at limit $1`,
        [listedMax],
      ),
    async close() {
      stopped = true
      clearInterval(timer)
      await running
    },
  }
}
