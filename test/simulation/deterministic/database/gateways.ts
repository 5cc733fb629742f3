// Which gateways live, as `gateways.sql` has it. No gateway of a simulation tells where it runs.
import type { Session } from './session.ts'
import type { Rows } from './store.ts'
import type { Tables } from './tables.ts'

const graceMs = 3_000

export const gatewayLives = ({ tables, isConnected }: Session, number: number): boolean =>
  number === 0 || tables.gatewayProcess.get(String(number)) !== undefined || isConnected(number)

export function noteGateway({ tables: { gatewayProcess } }: Session, number: number): Rows {
  const known = gatewayProcess.get(String(number))
  if (known === undefined || known.missingSinceMs !== null)
    gatewayProcess.put(String(number), { number, missingSinceMs: null })
  return [{}]
}

export function forgetGateways({ gatewayProcess }: Tables, numbers: readonly number[]): Rows {
  for (const number of numbers) gatewayProcess.delete(String(number))
  return [{}]
}

export function lookForGateways({ tables: { gatewayProcess }, isConnected, nowMs }: Session): Rows {
  const missing: number[] = []
  for (const { number, missingSinceMs } of [...gatewayProcess.values()]) {
    const key = String(number)
    if (isConnected(number)) {
      if (missingSinceMs !== null) gatewayProcess.put(key, { number, missingSinceMs: null })
    } else if (missingSinceMs !== null && missingSinceMs <= nowMs - graceMs) {
      gatewayProcess.delete(key)
    } else {
      if (missingSinceMs === null) gatewayProcess.put(key, { number, missingSinceMs: nowMs })
      missing.push(number)
    }
  }
  return missing.map((number) => ({ number, place: null }))
}
