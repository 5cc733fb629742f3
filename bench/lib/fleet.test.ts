// The simulated fleet beside what queueing theory says.
import { expect, test } from 'vitest'
import { type CallCosts, type Fleet, simulateFleet } from './fleet.ts'

const free: CallCosts = {
  gatewayCall: 0,
  gatewayStatement: 0,
  databaseOperation: 0,
  databaseStatement: 0,
  caller: 0,
  flush: 0,
  network: 0,
}
const one: Fleet = { gateways: 1, databases: 1, databaseProcessors: 1 }
const minute = { seconds: 60, seed: 1 }

test('a part is busy for what its work takes', () => {
  const costs = { ...free, gatewayCall: 300, databaseOperation: 100, flush: 50 }
  const { busy, callsPerSecond } = simulateFleet(costs, one, { callsPerSecond: 1_000 }, minute)
  expect(callsPerSecond).toBeCloseTo(1_000, -2)
  expect(busy.gateways).toBeCloseTo(0.3, 1)
  expect(busy.databases).toBeCloseTo(0.2, 1)
  expect(busy.disks).toBeLessThan(2 * 1_000 * 50e-6)
})

test('calls wait in front of a thread as in an M/D/1 queue', () => {
  // Three turns of a call follow each other without a wait between them, so the thread serves it as one.
  const serviceMs = 0.6
  const costs = { ...free, gatewayCall: serviceMs * 1_000 }
  const { p50Ms } = simulateFleet(costs, one, { callsPerSecond: 10 }, minute)
  expect(p50Ms).toBeCloseTo(serviceMs, 3)
  const busier = simulateFleet(costs, one, { callsPerSecond: 1_200 }, minute)
  expect(busier.busy.gateways).toBeCloseTo(0.72, 1)
  expect(busier.p99Ms).toBeGreaterThan(2 * serviceMs)
})

test('callers who wait for their answers get what the slowest part gives', () => {
  const disk = { ...free, flush: 2_000 }
  // A call waits for two flushes. Of many callers, those who came during a flush share the next one.
  expect(simulateFleet(disk, one, { callers: 1 }, minute).callsPerSecond).toBeCloseTo(250, 0)
  const many = simulateFleet(disk, one, { callers: 100 }, minute)
  expect(many.callsPerSecond).toBeGreaterThan(12_000)
  const processor = { ...free, databaseOperation: 500 }
  const { callsPerSecond } = simulateFleet(processor, one, { callers: 100 }, minute)
  expect(Math.abs(callsPerSecond - 1_000)).toBeLessThan(5)
})

test('processors that all share are divided among them', () => {
  const costs = { ...free, gatewayCall: 1_000, databaseOperation: 500 }
  const apart = simulateFleet(costs, one, { callers: 50 }, minute)
  const together = simulateFleet(costs, { ...one, sharedProcessors: 1 }, { callers: 50 }, minute)
  expect(together.callsPerSecond).toBeCloseTo(500, 0)
  expect(apart.callsPerSecond).toBeGreaterThan(1.1 * together.callsPerSecond)
})

test('the busiest account slows gateways that share it, unless its calls stay at one', () => {
  const costs = { ...free, databaseStatement: 100, flush: 1_000 }
  const fleet = { gateways: 20, databases: 1, databaseProcessors: 64 }
  const load = { callsPerSecond: 4_000, busiestAccountShare: 0.2 }
  const spread = simulateFleet(costs, fleet, load, { seconds: 10, seed: 1 })
  const staying = simulateFleet(costs, { ...fleet, accountsStay: true }, load, {
    seconds: 10,
    seed: 1,
  })
  expect(spread.busy.busiestAccount).toBeGreaterThan(0.9)
  expect(spread.p99Ms).toBeGreaterThan(3 * staying.p99Ms)
})

test('the same seed gives the same report', () => {
  const costs = { ...free, gatewayCall: 200, databaseOperation: 100, flush: 500 }
  const run = (seed: number) =>
    simulateFleet(costs, one, { callsPerSecond: 500 }, { seconds: 5, seed })
  expect(run(7)).toEqual(run(7))
  expect(run(7)).not.toEqual(run(8))
})
