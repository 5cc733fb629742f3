import { expect, onTestFinished, test } from 'vitest'
import { createLogCapture } from '#test/log-capture.ts'
import { watchSalesBelowCost } from './below-cost.ts'
import type { MarginRow } from './margins.ts'

const row = (action: string, charged: number, cost: number): MarginRow => ({
  action,
  calls: 1,
  failedCalls: 0,
  charged,
  cost,
  costOfSales: cost,
  chargedWithKnownCost: charged,
  callsWithReportedCost: 1,
  callsWithInvoicedCost: 0,
  callsWithDeclaredCost: 0,
  callsWithUnknownCost: 0,
})

test('the operator hears once of an action that begins to lose money, and again if it does so again', async () => {
  const log = createLogCapture()
  let rows: MarginRow[] = []
  const margins = {
    belowCost: async () => ({ from: new Date(0), until: new Date(), rows }),
  }
  const watch = watchSalesBelowCost({ margins, log })
  onTestFinished(watch.close)
  const told = () =>
    log
      .text()
      .split('\n')
      .filter((line) => line.includes('Operator alert: an action is sold below its cost'))
      .map((line) => JSON.parse(line).action)
  const look = async (found: MarginRow[]) => {
    rows = found
    await watch.look()
    return told()
  }
  expect(await look([])).toEqual([])
  expect(await look([row('shop/one', 5, 8)])).toEqual(['shop/one'])
  expect(watch.losses()).toEqual(new Map([['shop/one', 3]]))
  expect(await look([row('shop/one', 5, 9), row('shop/two', 1, 2)])).toEqual([
    'shop/one',
    'shop/two',
  ])
  expect(await look([])).toEqual(['shop/one', 'shop/two'])
  expect(watch.losses()).toEqual(new Map())
  expect(await look([row('shop/one', 5, 8)])).toEqual(['shop/one', 'shop/two', 'shop/one'])
})
