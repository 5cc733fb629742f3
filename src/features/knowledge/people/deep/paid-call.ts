// Calls of other actions for a row, paid in advance until what they find is charged.
import type { JobContext } from '#core/action.ts'
import { CallError } from '#core/errors.ts'
import type { Micros } from '#core/money.ts'
import { isOptedOut } from '../guard.ts'
import type { RowTools } from './fill-row.ts'
import type { Reserve } from './reserve.ts'
import { type MailVerdict, verifiers } from './verify.ts'

const pollsMax = 4
/** The vendor asks for 3 to 5 seconds between polls. */
const pollDelayMs = 4_000

/** The job may spend nothing more on searches that find nothing. */
class StoppedError extends Error {}

export function createAsking(
  { prepare, available, checkpoints, clock, signal }: JobContext<unknown>,
  row: string,
  advance: Reserve,
): Pick<RowTools, 'ask' | 'verify'> {
  /** Adds what the call has cost to `spent`. */
  async function pay(id: string, input: object, step: string, spent: { micros: Micros }) {
    const prepared = await prepare(id, input, step)
    const share = await advance.take(prepared.quote.micros)
    if (share === undefined) throw new StoppedError()
    let paid = 0
    try {
      const { data, charged } = await prepared.run()
      paid = charged
      return data
    } finally {
      share.settle(paid)
      spent.micros += paid
    }
  }

  async function tryTo<Data>(work: (spent: { micros: Micros }) => Promise<Data | undefined>) {
    const spent = { micros: 0 }
    try {
      const data = await work(spent)
      if (data !== undefined) return { data, spent: spent.micros }
      return { reason: 'failed' as const, spent: spent.micros }
    } catch (thrown) {
      signal.throwIfAborted()
      if (thrown instanceof StoppedError) return { reason: 'stopped' as const, spent: spent.micros }
      if (!(thrown instanceof CallError)) throw thrown
      const reason = isOptedOut(thrown) ? ('opted out' as const) : ('failed' as const)
      return { reason, spent: spent.micros }
    }
  }

  return {
    ask: ({ id, action, poll }, input) =>
      tryTo(async (spent) => {
        const name = `${row} ${id}`
        const launched = await pay(action, input, name, spent)
        if (poll === undefined) return launched
        for (let turn = 1; turn <= pollsMax; turn += 1) {
          const step = `${name} poll ${turn}`
          if (!checkpoints.has(step)) await clock.sleep(pollDelayMs, signal)
          const data = await pay(poll.action, poll.input(launched), step, spent)
          if (!poll.isRunning(data)) return data
        }
        return undefined
      }),
    verify: (email) =>
      tryTo(async (spent) => {
        let verdict: MailVerdict | undefined
        // What stands in for a vendor cannot say that an address is good, so one of them is enough.
        const vendors = verifiers.filter(({ id }) => available(id, 'vendor'))
        const asked = vendors.length > 0 ? vendors : verifiers.slice(0, 1)
        for (const { id, read } of asked) {
          const step = `${row} ${id} ${email}`
          const data = await unlessFailed(pay(id, { email }, step, spent))
          verdict = data === undefined ? verdict : read(data)
          if (verdict === 'valid' || verdict === 'invalid') break
        }
        return verdict
      }),
  }
}

/** Undefined for a call that failed: another vendor may answer. */
async function unlessFailed<Data>(call: Promise<Data>): Promise<Data | undefined> {
  try {
    return await call
  } catch (thrown) {
    if (thrown instanceof CallError) return undefined
    throw thrown
  }
}
