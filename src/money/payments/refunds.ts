// Returns what a settled payment was not charged. A refund is owed in the transaction that ends its call; this worker
// brings it onto the chain. Each refund counts once there by construction, however often it is sent.
import type { Clock, Log } from '#core/ports.ts'
import type { Database } from '#platform/database/database.ts'
import { runEvery } from '#platform/recurring.ts'
import type { ChainVerdict, Rail, RailId } from '../rails/rail.ts'
import { createRefundRecords, type OpenRefund, type RefundRecords } from './refund-records.ts'

export interface Refunds {
  /** Takes up the refunds that are due. Resolves to the number that came to an end. */
  work(): Promise<number>
  /** Refunds that are not on the chain yet, oldest first. */
  open(): Promise<OpenRefund[]>
  close(): Promise<void>
}

const workIntervalMs = 1_000
const retryDelaySecondsMax = 300
const confirmationPollsMax = 20
const confirmationPollIntervalMs = 200
const alertAfterAttempts = 3

interface Dependencies {
  readonly records: RefundRecords
  readonly clock: Clock
  readonly stopping: AbortSignal
}

export function createRefunds({
  database,
  rails,
  clock,
  log,
}: {
  database: Database
  rails: ReadonlyMap<RailId, Rail>
  clock: Clock
  log: Log
}): Refunds {
  const stopping = new AbortController()
  const records = createRefundRecords(database)
  const dependencies: Dependencies = { records, clock, stopping: stopping.signal }

  /** Resolves to whether the refund is on the chain. It is never given up: the payer has a right to it. */
  async function attempt(refund: OpenRefund): Promise<boolean> {
    const rail = rails.get(refund.rail)
    try {
      if (rail === undefined) throw new Error(`The ${refund.rail} rail is off; refunds on it wait.`)
      const verdict = await pay(dependencies, refund, rail)
      if (verdict.state === 'settled') await records.confirmed(refund.id, verdict)
      if (verdict.state === 'over') await records.dueAgain(refund.id, verdict.hash)
      if (verdict.state === 'pending') await postpone(refund, null)
      return verdict.state === 'settled'
    } catch (error) {
      await postpone(refund, error instanceof Error ? error.message : String(error))
      return false
    }
  }

  async function postpone(refund: OpenRefund, reason: string | null) {
    const { id, rail, attempts } = refund
    await records.postpone(id, { seconds: retryDelaySeconds(attempts), reason })
    const fields = { refundId: id, rail, attempts, reason }
    if (reason !== null && attempts >= alertAfterAttempts) {
      log.error(
        fields,
        'Operator alert: a refund cannot be paid. Check the funds and the gas of the refund wallet.',
      )
    } else {
      log.warn(fields, 'A refund is not on the chain yet; it is tried again.')
    }
  }

  async function work(): Promise<number> {
    const ended = await Promise.all((await records.take()).map(attempt))
    return ended.filter(Boolean).length
  }

  const recurring = runEvery(workIntervalMs, work, (err) =>
    log.warn({ err }, 'Could not work on refunds; the next round will.'),
  )
  return {
    work,
    open: records.open,
    async close() {
      stopping.abort()
      await recurring.close()
    },
  }
}

const retryDelaySeconds = (attempts: number) =>
  Math.min(2 ** Math.min(attempts, 16), retryDelaySecondsMax)

type Outcome =
  | Exclude<ChainVerdict, { readonly state: 'dead' }>
  /** The transaction with this hash can never be carried out. */
  | { readonly state: 'over'; readonly hash: string }

/** Sends a refund and waits for the chain. */
async function pay(
  { records, clock, stopping }: Dependencies,
  refund: OpenRefund,
  rail: Rail,
): Promise<Outcome> {
  const earlier = refund.attempts > 1 ? await rail.inspectRefund(refund) : undefined
  if (earlier?.state === 'settled') return earlier
  const signed = await sign(records, refund, rail)
  const over = { state: 'over', hash: signed.hash } as const
  if ((await rail.sendRefund({ id: refund.id, raw: signed.raw })) === 'lost') return over
  for (let poll = 0; poll < confirmationPollsMax && !stopping.aborted; poll += 1) {
    const verdict = await rail.inspectRefund(refund, signed)
    if (verdict.state === 'dead') return over
    if (verdict.state === 'settled') return verdict
    await clock.sleep(confirmationPollIntervalMs)
  }
  return { state: 'pending' }
}

/** The transaction of a refund: the stored one, or a new one, which is stored before it is sent. */
async function sign(records: RefundRecords, refund: OpenRefund, rail: Rail) {
  const { id, state, raw, hash, validUntil } = refund
  if (state === 'signed' && raw && hash && validUntil)
    return { raw, hash, validUntilMs: validUntil.getTime() }
  const signed = await rail.signRefund(refund)
  if (await records.signed(id, signed)) return signed
  await rail.discard?.(signed)
  throw new Error('Another worker has taken this refund up.')
}
