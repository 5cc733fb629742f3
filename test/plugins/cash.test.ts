// A rail that the gateway does not know: its package is enough to add it.
import path from 'node:path'
import { expect, test } from 'vitest'
import { shareGateway, startGateway } from '#test/harness.ts'
import { contractSettings, testRail } from '../rails/contract.ts'
import { bank } from './cash/bank.ts'
import { payByNote } from './cash/pay.ts'
import { cashRail } from './cash/plugin.ts'

const fundsMicros = 1_000_000_000

const till = bank.open(fundsMicros)
const payer = bank.open(fundsMicros)
const TOLLWAY_PLUGINS = path.join(import.meta.dirname, 'cash')
const gateway = shareGateway({ env: { ...contractSettings, TOLLWAY_PLUGINS, CASH_TILL: till } })

testRail('Cash', () => ({
  definition: cashRail,
  gateway: gateway(),
  pay: async (challenged) => payByNote(challenged, payer),
}))

test('a rail that fails its check is off and reports the reason', async () => {
  const env = { TOLLWAY_PLUGINS, CASH_TILL: bank.open(1), CASH_RESERVE_MICROS: '2' }
  const closed = await startGateway({ env })
  const { price } = (await closed.request('GET', '/api/run/test/echo')).body
  expect(price.protocols).toEqual([])
  expect((await closed.call('test/echo', {})).status).toBe(401)
})
