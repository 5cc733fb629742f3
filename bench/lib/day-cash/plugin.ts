// Lets wallets pay at the bank of the day.
import { definePlugin, defineRail, z } from 'tollway'
import { createCashRail } from '../../../test/plugins/cash/rail.ts'
import { openSharedBank } from './bank.ts'

const dayCashRail = defineRail({
  id: 'cash',
  title: 'Cash',
  settings: {
    CASH_FOLDER: z.string().optional().describe('Where cashed notes lie.'),
  },
  requires: ['CASH_FOLDER'],
  payments: [{ name: 'cash-payment' }],
  requestHeaders: ['Cash-Payment'],
  responseHeaders: ['Cash-Challenge', 'Cash-Receipt'],
  async open({ settings, clock }) {
    const bank = openSharedBank(settings.CASH_FOLDER)
    return {
      rail: createCashRail({ bank, till: 'till', now: clock.now }),
      check: async () => ({ problems: [], warnings: [] }),
      close: async () => {},
    }
  },
})

export const dayCash = definePlugin({ id: 'day_cash', rails: [dayCashRail] })
