import { expect, test } from 'vitest'
import { checkIntervalSeconds, judgePayment, judgeRefund } from './finality-rules.ts'

const outlook = { newest: 100, final: 90 }
const payment = { timesMissing: 0, deadSinceBlock: null }
const settled = (block: number) => ({ state: 'settled', hash: '0x1', block }) as const
const dead = (block: number) => ({ state: 'dead', reason: 'It has expired.', block }) as const

test('a payment is final once its block is', () => {
  expect(judgePayment(payment, settled(90), outlook)).toEqual({
    step: 'final',
    hash: '0x1',
    block: 90,
  })
})

test('a payment in a block that is not final is checked again, at once if the block is new', () => {
  expect(judgePayment(payment, settled(91), outlook)).toMatchObject({
    step: 'recheck',
    afterSeconds: checkIntervalSeconds,
  })
  expect(judgePayment(payment, settled(101), outlook)).toMatchObject({ afterSeconds: 0 })
})

test('a missing payment is sent again at the second check, with one alert', () => {
  const steps = [0, 1, 2].map((timesMissing) =>
    judgePayment({ ...payment, timesMissing }, { state: 'pending' }, outlook),
  )
  expect(steps).toEqual([
    { step: 'missing', alert: false, action: 'wait' },
    { step: 'missing', alert: true, action: 'send' },
    { step: 'missing', alert: false, action: 'send' },
  ])
})

test('a payment that can never return is a loss once the block that shows it is final', () => {
  expect(judgePayment(payment, dead(95), outlook)).toEqual({ step: 'dead', sinceBlock: 95 })
  expect(judgePayment({ ...payment, deadSinceBlock: 90 }, dead(95), outlook)).toEqual({
    step: 'lost',
    reason: 'It has expired.',
    byPayer: false,
  })
})

test('an expired refund is signed again, never while the first may still be mined', () => {
  const missed = { timesMissing: 1, raw: '0xraw' }
  expect(judgeRefund(missed, { state: 'pending' }, outlook)).toMatchObject({ action: 'send' })
  expect(judgeRefund(missed, dead(95), outlook)).toMatchObject({ action: 'sign another' })
  expect(judgeRefund({ ...missed, timesMissing: 0 }, dead(95), outlook)).toMatchObject({
    action: 'wait',
  })
  const unknown = { ...missed, raw: null }
  expect(judgeRefund(unknown, { state: 'pending' }, outlook)).toMatchObject({ action: 'wait' })
})
