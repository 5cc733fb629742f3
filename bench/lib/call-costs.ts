// What a call costs the parts of a gateway, from loads of several sizes. The busier a gateway, the more calls share a
// statement: so what a statement costs and what a call costs can be told apart.
import type { CallCosts } from './fleet.ts'

export interface MeasuredLoad {
  readonly callers: number
  readonly calls: number
  readonly callsPerSecond: number
  readonly seconds: number
  readonly gatewaySeconds: number
  readonly databaseSeconds: number
  readonly callerSeconds: number
  readonly transactions: number
}

/** In a second. */
export interface IdleUse {
  readonly gatewayMicros: number
  readonly databaseMicros: number
  readonly transactions: number
}

type FittedCosts = Omit<CallCosts, 'flush' | 'network'>

export function fitCosts(loads: readonly MeasuredLoad[], idle: IdleUse): FittedCosts {
  const points = loads.map((load) => {
    const perCall = (total: number, idlePerSecond: number) =>
      Math.max(0, total - idlePerSecond * load.seconds) / load.calls
    return {
      statements: perCall(load.transactions, idle.transactions),
      gateway: perCall(load.gatewaySeconds * 1e6, idle.gatewayMicros),
      database: perCall(load.databaseSeconds * 1e6, idle.databaseMicros),
    }
  })
  const gateway = fitLine(points.map(({ statements, gateway }) => [statements, gateway]))
  const database = fitLine(points.map(({ statements, database }) => [statements, database]))
  const calls = loads.reduce((sum, load) => sum + load.calls, 0)
  const callerSeconds = loads.reduce((sum, load) => sum + load.callerSeconds, 0)
  return {
    gatewayCall: gateway.offset,
    gatewayStatement: gateway.slope,
    databaseOperation: database.offset / 2,
    databaseStatement: database.slope,
    caller: (callerSeconds * 1e6) / calls,
  }
}

/** The line with the least relative errors, squared, through points. Neither of its parts is below zero. */
export function fitLine(points: readonly (readonly [x: number, y: number])[]) {
  const weighted = points.map(([x, y]) => ({ x, y, weight: 1 / y ** 2 }))
  const sum = (pick: (point: (typeof weighted)[number]) => number) =>
    weighted.reduce((total, point) => total + point.weight * pick(point), 0)
  const all = sum(() => 1)
  const mean = { x: sum(({ x }) => x) / all, y: sum(({ y }) => y) / all }
  const variance = sum(({ x }) => (x - mean.x) ** 2)
  const covariance = sum(({ x, y }) => (x - mean.x) * (y - mean.y))
  const slope = Math.max(0, variance === 0 ? 0 : covariance / variance)
  const offset = mean.y - slope * mean.x
  if (offset >= 0) return { slope, offset }
  return { slope: sum(({ x, y }) => x * y) / sum(({ x }) => x ** 2), offset: 0 }
}
