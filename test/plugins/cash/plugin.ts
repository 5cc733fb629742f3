// A plugin with one payment rail. The tests install it as an operator would: TOLLWAY_PLUGINS names this folder.
import { definePlugin, defineRail, wholeNumber, z } from 'tollway'
import { bank } from './bank.ts'
import { createCashRail } from './rail.ts'

export const cashRail = defineRail({
  id: 'cash',
  title: 'Cash',
  settings: {
    CASH_TILL: z.string().optional().describe('The wallet that is paid by note.'),
    CASH_RESERVE_MICROS: wholeNumber(0, 1_000_000_000)
      .default(0)
      .describe('The least that the till must hold before notes are taken.'),
  },
  requires: ['CASH_TILL'],
  payments: [{ name: 'cash-payment' }],
  requestHeaders: ['Cash-Payment'],
  responseHeaders: ['Cash-Challenge', 'Cash-Receipt'],
  async open({ settings, clock }) {
    const { CASH_TILL: till, CASH_RESERVE_MICROS: reserve } = settings
    return {
      rail: createCashRail({ bank, till, now: clock.now }),
      async check() {
        const problems = bank.balanceOf(till) < reserve ? ['The till holds too little.'] : []
        return { problems, warnings: [] }
      },
      close: async () => {},
    }
  },
})

export const cash = definePlugin({ id: 'cash', rails: [cashRail] })
