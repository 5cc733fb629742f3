// A plugin with a spend rule: no call may cost more than the operator allows.
import path from 'node:path'
import { definePlugin, type ReportedCall, wholeNumber, z } from 'tollway'

const microsPerCent = 10_000

/** What the plugin of this process was told. */
export const told: ReportedCall[] = []

/** What it was told of the calls of one account. */
export const toldOf = (account: string) => told.filter(({ accountId }) => accountId === account)

/** Actions that the plugin of this process refuses from now on. */
export const stopped = new Set<string>()

export const allowance = definePlugin({
  id: 'allowance',
  settings: {
    ALLOWANCE_CENTS: wholeNumber(0, 1_000_000)
      .default(100)
      .describe('The most that one call may cost, in cents.'),
    ALLOWANCE_TROUBLE: z
      .enum(['none', 'before', 'after'])
      .default('none')
      .describe('When the hook of this name throws.'),
  },
  schema: path.join(import.meta.dirname, 'schema'),
  routes: ({ transaction }) => [
    {
      method: 'GET',
      path: '/spent/:period',
      async answer({ caller, parameters }) {
        const { rows } = await transaction((client) =>
          client.query('select sum(micros) as micros from spent where account_id = $1', [
            caller.accountId,
          ]),
        )
        const spent = Number(rows[0]?.micros ?? 0)
        return { period: parameters.period, spent_usd: (spent / 1e6).toFixed(6) }
      },
    },
  ],
  pages: [{ name: 'spent', title: 'Allowance', file: path.join(import.meta.dirname, 'page.js') }],
  hooks({ settings, transaction }) {
    const trip = (name: string) => {
      if (settings.ALLOWANCE_TROUBLE === name) throw new Error('The rule is broken.')
    }
    return {
      beforeCall({ action, quote, orders }) {
        trip('before')
        if (stopped.has(action)) return { code: 'forbidden', message: `${action} is stopped here.` }
        if (orders.includes('test/miss'))
          return { code: 'forbidden', message: 'Plans may not order test/miss here.' }
        if (quote.micros <= settings.ALLOWANCE_CENTS * microsPerCent) return undefined
        const message = `A call may cost ${settings.ALLOWANCE_CENTS}¢ here. Nothing was charged.`
        return { code: 'spend_limit_reached', message }
      },
      async afterCall(call) {
        told.push(call)
        await transaction((client) =>
          client.query('insert into spent values ($1, $2, $3) on conflict do nothing', [
            call.transactionId,
            call.accountId,
            call.chargedMicros,
          ]),
        )
        trip('after')
      },
    }
  },
})
