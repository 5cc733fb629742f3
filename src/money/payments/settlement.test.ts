import { setImmediate as turn } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { createVirtualClock } from '#platform/virtual-clock.fixture.ts'
import { silentLog as log } from '../../../test/silent-log.ts'
import { ChainUnavailable } from '../chains/chain.ts'
import type { Payment, PaymentState, Payments } from './payments.ts'
import { PaymentRefusal, type Rail } from './rail.ts'
import { createSettlements } from './settlement.ts'

const signed = { raw: '0xraw', hash: '0xhash' }

/** One payment in memory, that is answered already, and a rail that does what the test says. */
function open(state: PaymentState, rail: Partial<Rail>) {
  const { clock, run } = createVirtualClock()
  let payment = { id: 'p', rail: 'x402', state, credential: 'c', error: null, ...signed } as Payment
  payment = { ...payment, expiresAt: new Date(clock.now() + 60_000) }
  const ends: { reason: string; byPayer?: true }[] = []
  const payments: Partial<Payments> = {
    attend: async () => payment,
    unattended: async () => [payment],
    async settling() {
      payment = { ...payment, state: 'settling' }
      return true
    },
    async dead(_, end) {
      ends.push(end)
      payment = { ...payment, state: 'dead' }
      return 'dead'
    },
  }
  const settlements = createSettlements({
    payments: payments as Payments,
    rails: new Map([['x402', rail as Rail]]),
    clock,
    log,
    onSettled: async () => {},
  })
  onTestFinished(settlements.close)
  return { settlements, ends, run }
}

test('whoever waits is told to come back in time, however long a node takes', async () => {
  const { settlements, run } = open('settling', { send: () => new Promise(() => {}) })
  const waiting = settlements.settle('p', 10_000)
  await run()
  await turn()
  expect(await waiting).toBe('pending')
})
