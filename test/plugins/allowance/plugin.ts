// A plugin with a spend rule: no call may cost more than the operator allows.
import path from 'node:path'
import { definePlugin, type ReportedCall, wholeNumber, z } from 'tollway'

const microsPerCent = 10_000

/** What accounts have spent through this gateway, in micro-dollars. */
const spent = new Map<string, number>()
/** What the plugin of this process was told. */
export const told: ReportedCall[] = []

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
  routes: () => [
    {
      method: 'GET',
      path: '/spent/:period',
      answer: ({ caller, parameters }) => ({
        period: parameters.period,
        spent_usd: ((spent.get(caller.accountId) ?? 0) / 1e6).toFixed(6),
      }),
    },
  ],
  pages: [{ name: 'spent', title: 'Allowance', file: path.join(import.meta.dirname, 'page.js') }],
  hooks({ settings }) {
    const trip = (name: string) => {
      if (settings.ALLOWANCE_TROUBLE === name) throw new Error('The rule is broken.')
    }
    return {
      beforeCall({ quote, orders }) {
        trip('before')
        if (orders.includes('test/miss'))
          return { code: 'forbidden', message: 'Plans may not order test/miss here.' }
        if (quote.micros <= settings.ALLOWANCE_CENTS * microsPerCent) return undefined
        const message = `A call may cost ${settings.ALLOWANCE_CENTS}¢ here. Nothing was charged.`
        return { code: 'spend_limit_reached', message }
      },
      afterCall(call) {
        told.push(call)
        const { accountId, chargedMicros } = call
        spent.set(accountId, (spent.get(accountId) ?? 0) + chargedMicros)
        trip('after')
      },
    }
  },
})
