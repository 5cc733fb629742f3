// The sums of usage as the operator reads them: with the costs that margins are made of (money/costs/margins.ts), so
// that a cost is the same wherever it is shown. The sums themselves know only what replies have told, which is all
// that is known until the operator declares a cost or types in an invoice. Then each call of the time is looked at.
import type { Clock } from '#core/ports.ts'
import type { MarginGroup, MarginRow, Margins } from '#money/costs/margins.ts'
import type { UsageGroup, UsageRow, UsageSums } from './usage.ts'

const hourMs = 3_600_000

const marginGroups: Readonly<Record<Exclude<UsageGroup, 'key'>, MarginGroup>> = {
  day: 'day',
  service: 'provider',
  action: 'action',
  error: 'error',
}

export function withKnownCosts(
  usage: UsageSums,
  margins: Pick<Margins, 'list' | 'hasOwnCosts'>,
  clock: Clock,
): UsageSums {
  return {
    ...usage,
    async ofActions(query) {
      const [summed, hasOwnCosts] = await Promise.all([
        usage.ofActions(query),
        margins.hasOwnCosts(),
      ])
      if (!hasOwnCosts) return summed
      const { from, until } = summed
      const by = query.by.map((group) => (group === 'key' ? refuseKeys() : marginGroups[group]))
      const found = await margins.list({ ...query, from, until, by })
      const known = new Map(found.map((row) => [nameOf(row, row.provider), row]))
      const rows = summed.rows.map((row) => ({
        ...row,
        ...costOf(known.get(nameOf(row, row.service))),
      }))
      return { from, until, rows }
    },
    async ofAction(action, from) {
      if (!(await margins.hasOwnCosts())) return await usage.ofAction(action, from)
      const since = new Date(Math.floor(from.getTime() / hourMs) * hourMs)
      // The clocks of gateways differ.
      const until = new Date(clock.now() + hourMs)
      const [recent, [known]] = await Promise.all([
        usage.ofAction(action, from),
        margins.list({ from: since, until, timeZone: 'UTC', by: [], action, limit: 1 }),
      ])
      return { ...recent, ...costOf(known) }
    },
  }
}

const nameOf = (
  { day, action, error }: Pick<UsageRow, 'day' | 'action' | 'error'>,
  service: string | undefined,
) => JSON.stringify([day, service, action, error])

/** Calls that are free for everyone are counted although their rows are gone. */
const costOf = (row: MarginRow | undefined) => ({
  cost: row?.cost ?? 0,
  callsWithKnownCost: row === undefined ? 0 : row.calls - row.callsWithUnknownCost,
})

function refuseKeys(): never {
  throw new TypeError('Costs are not known by key.')
}
