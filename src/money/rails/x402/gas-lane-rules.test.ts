import { serializeTransaction } from 'viem'
import { expect, test } from 'vitest'
import { planLane } from './gas-lane-rules.ts'

const signed = (maxFeePerGas: bigint) =>
  serializeTransaction({ chainId: 1, nonce: 5, maxFeePerGas, gas: 21_000n, type: 'eip1559' })
const dear = signed(100n)
const lane = {
  mined: 5,
  pending: 5,
  next: 6,
  waitedMs: 0,
  baseFee: 50n,
  sends: 0,
  stored: new Map([[5, dear]]),
}

test('the first transaction is sent again a limited number of times', () => {
  expect(planLane(lane)).toEqual({ replace: [], first: { send: dear } })
  expect(planLane({ ...lane, sends: 10 })).toEqual({ replace: [], first: 'replace' })
})

test('a transaction in the pool is left alone', () => {
  expect(planLane({ ...lane, pending: 6 })).toEqual({ replace: [], first: 'wait' })
})

test('a transaction that can no longer pay for its gas is replaced', () => {
  expect(planLane({ ...lane, pending: 6, baseFee: 101n }).replace).toEqual([5])
})

test('a number without a transaction is filled after ten seconds, or two minutes if the pool has a transaction', () => {
  const crashed = { ...lane, stored: new Map() }
  expect(planLane({ ...crashed, waitedMs: 9_999 }).replace).toEqual([])
  expect(planLane({ ...crashed, waitedMs: 10_000 }).replace).toEqual([5])
  expect(planLane({ ...crashed, pending: 6, waitedMs: 10_000 }).replace).toEqual([])
  expect(planLane({ ...crashed, pending: 6, waitedMs: 120_000 }).replace).toEqual([5])
})
