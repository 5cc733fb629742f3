import { setImmediate as turn } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { createVirtualClock } from '#platform/virtual-clock.fixture.ts'
import { silentLog as log } from '#test/silent-log.ts'
import { ChainUnavailable } from '../chains/chain.ts'
import { PaymentRefusal, type Rail } from '../rails/rail.ts'
import type { Payment, PaymentState, Payments } from './payments.ts'
import { createSettlements } from './settlement.ts'

const signed = { raw: '0xraw', hash: '0xhash' }

/** One answered payment in memory, and a rail that the test controls. */
function open(state: PaymentState, rail: Partial<Rail>) {
  const { clock, run } = createVirtualClock()
  let payment = { id: 'p', rail: 'x402', state, credential: 'c', error: null, ...signed } as Payment
  payment = { ...payment, expiresAt: new Date(clock.now() + 60_000) }
  const ends: { reason: string; byPayer?: boolean }[] = []
  const payments: Partial<Payments> = {
    attend: async () => payment,
    get: async () => payment,
    async refused(_, error) {
      payment = { ...payment, error }
    },
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
    onSettled: () => undefined,
  })
  onTestFinished(settlements.close)
  return { settlements, ends, run }
}

test('a waiting caller is told to come back in time, no matter how long a node takes', async () => {
  const { settlements, run } = open('settling', { send: () => new Promise(() => {}) })
  const waiting = settlements.settle('p', 10_000)
  await run()
  await turn()
  expect(await waiting).toBe('pending')
})

test('a lost transaction of an expired payment ends the payment', async () => {
  const { settlements, ends, run } = open('settling', {
    send: async () => 'lost',
    prepare: () => Promise.reject(new PaymentRefusal('The authorization has expired.')),
    inspect: async () => ({ state: 'dead', reason: 'The authorization has expired.', block: 1 }),
  })
  const waiting = settlements.settle('p', 10_000)
  await run()
  expect(await waiting).toBe('dead')
  expect(ends.length).toBe(1)
})

test('a node that is unreachable until the payment expires is not held against the payer', async () => {
  const answers = [
    () => Promise.reject(new ChainUnavailable('away')),
    () => Promise.reject(new PaymentRefusal('The authorization has expired.', { blameless: true })),
  ]
  const { settlements, ends, run } = open('owed', {
    prepare: () => (answers.shift() as () => Promise<never>)(),
  })
  const waiting = settlements.settle('p', 10_000)
  await run()
  expect(await waiting).toBe('dead')
  expect(ends).toEqual([{ reason: 'The authorization has expired.', byPayer: false }])
})

test('a payer without the money when the transaction is sent is to blame when the payment expires', async () => {
  const verdicts = ['pending', 'dead'] as const
  let asked = 0
  const { settlements, ends, run } = open('settling', {
    send: () =>
      asked === 0 ? Promise.reject(new PaymentRefusal('Not enough.')) : Promise.resolve('sent'),
    inspect: async () => ({
      state: verdicts[asked++] as 'dead',
      reason: 'It has expired.',
      block: 1,
    }),
  })
  const waiting = settlements.settle('p', 10_000)
  await run()
  expect(await waiting).toBe('dead')
  expect(ends).toEqual([{ reason: 'It has expired.', byPayer: true }])
})
