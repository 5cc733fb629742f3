import { expect, test } from 'vitest'
import { fitCosts, fitLine, type MeasuredLoad } from './call-costs.ts'

test('a line is found through points, and none of its parts is below zero', () => {
  const expectLine = (
    points: readonly (readonly [number, number])[],
    slope: number,
    offset: number,
  ) => {
    const line = fitLine(points)
    expect(line.slope).toBeCloseTo(slope)
    expect(line.offset).toBeCloseTo(offset)
  }
  expectLine(
    [
      [1, 12],
      [2, 14],
      [4, 18],
    ],
    2,
    10,
  )
  expectLine(
    [
      [1, 10],
      [2, 8],
      [3, 6],
    ],
    0,
    (1 / 10 + 1 / 8 + 1 / 6) / (1 / 100 + 1 / 64 + 1 / 36),
  )
  expectLine(
    [
      [1, 1],
      [2, 4],
      [3, 7],
    ],
    (1 / 1 + 2 / 4 + 3 / 7) / (1 / 1 + 4 / 16 + 9 / 49),
    0,
  )
})

test('what a call and what a statement costs is told apart, without what an idle gateway takes', () => {
  const idle = { gatewayMicros: 10_000, databaseMicros: 5_000, transactions: 20 }
  const load = (callers: number, statements: number): MeasuredLoad => {
    const [calls, seconds] = [1_000, 2]
    const own = { gateway: 200 + 50 * statements, database: 2 * 80 + 150 * statements }
    return {
      callers,
      calls,
      seconds,
      callsPerSecond: calls / seconds,
      gatewaySeconds: (own.gateway * calls + idle.gatewayMicros * seconds) / 1e6,
      databaseSeconds: (own.database * calls + idle.databaseMicros * seconds) / 1e6,
      callerSeconds: (30 * calls) / 1e6,
      transactions: statements * calls + idle.transactions * seconds,
    }
  }
  const costs = fitCosts([load(1, 2), load(8, 0.5), load(32, 0.1)], idle)
  const expected = {
    gatewayCall: 200,
    gatewayStatement: 50,
    databaseOperation: 80,
    databaseStatement: 150,
    caller: 30,
  }
  for (const [name, micros] of Object.entries(expected))
    expect(costs[name as keyof typeof expected]).toBeCloseTo(micros, 3)
})
