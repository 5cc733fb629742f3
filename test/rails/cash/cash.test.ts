// A rail that the gateway does not know: its folder and one line in the list are enough to add it.
import { expect, test } from 'vitest'
import { paymentRails } from '#money/rails/rails.ts'
import { shareGateway, startGateway } from '#test/harness.ts'
import { contractSettings, testRail } from '../contract.ts'
import { createBank } from './bank.ts'
import { defineCash } from './definition.ts'
import { type CashChallenge, type CashPayment, decode, encode } from './rail.ts'

const fundsMicros = 1_000_000_000
const noteLifetimeMs = 60_000

const bank = createBank()
const till = bank.open(fundsMicros)
const payer = bank.open(fundsMicros)
const cash = defineCash(bank)
const rails = [...paymentRails, cash]
const gateway = shareGateway({ rails, env: { ...contractSettings, CASH_TILL: till } })

testRail('Cash', () => ({
  definition: cash,
  gateway: gateway(),
  async pay(challenged) {
    const { id, ...asked } = decode(challenged.headers.get('cash-challenge') ?? '') as CashChallenge
    const note = bank.sign({ from: payer, ...asked, expiresAtMs: Date.now() + noteLifetimeMs })
    const payment: CashPayment = { challengeId: id, note }
    return { 'cash-payment': encode(payment) }
  },
}))

test('a rail that fails its check is off and reports the reason', async () => {
  const env = { CASH_TILL: bank.open(1), CASH_RESERVE_MICROS: '2' }
  const closed = await startGateway({ rails, env })
  const { price } = (await closed.request('GET', '/api/run/test/echo')).body
  expect(price.protocols).toEqual([])
  expect((await closed.call('test/echo', {})).status).toBe(401)
})
