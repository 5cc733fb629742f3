// Whether the simulated books are right, by the rules of verification.sql.
import { inferenceId } from './spending.ts'
import type { Tables } from './tables.ts'

interface Sums {
  posted: number
  held: number
  calls: number
}

export function findProblems(tables: Tables): string[] {
  const problems: string[] = []
  const sums = new Map<string, Sums>()
  const inference = new Map<string, number>()
  const charges = new Map<string, number>()
  const of = (accountId: string): Sums => {
    const found = sums.get(accountId) ?? { posted: 0, held: 0, calls: 0 }
    sums.set(accountId, found)
    return found
  }
  const holdInference = (accountId: string, day: string, held: number) => {
    const id = inferenceId(accountId, day)
    inference.set(id, (inference.get(id) ?? 0) + held)
  }
  let total = 0
  for (const { callId, kind, debit, credit, amount } of tables.transfer.values()) {
    of(debit).posted -= amount
    of(credit).posted += amount
    if (kind === 'charge' && callId !== null) {
      charges.set(callId, (charges.get(callId) ?? 0) + amount)
      if (tables.call.get(callId) === undefined)
        problems.push(`a charge belongs to no call: ${callId}`)
    }
  }
  for (const { posted } of sums.values()) total += posted
  if (total !== 0) problems.push(`the books sum to ${total}, not to zero`)
  for (const call of tables.call.values()) {
    const { id, state, charged, onLease, accountId, held, job } = call
    if (charged !== (charges.get(id) ?? 0))
      problems.push(`call ${id} is charged otherwise than posted`)
    if (state === 'voided' && charged > 0) problems.push(`call ${id} failed and was charged`)
    if (state !== 'held' || onLease) continue
    of(accountId).held += held
    if (!job) of(accountId).calls += 1
    if (call.inference)
      holdInference(accountId, new Date(call.createdAtMs).toISOString().slice(0, 10), held)
  }
  for (const { accountId, held, places, day, inference } of tables.lease.values()) {
    of(accountId).held += held
    of(accountId).calls += places
    if (inference) holdInference(accountId, day, held)
  }
  for (const { accountId, available, held, inFlight } of tables.balance.values()) {
    const expected = of(accountId)
    if (available + held !== expected.posted)
      problems.push(
        `balance of ${accountId}: ${available} + ${held} are not its postings, ${expected.posted}`,
      )
    if (held !== expected.held)
      problems.push(`${accountId} holds ${held}, and its open calls and leases ${expected.held}`)
    if (inFlight !== expected.calls)
      problems.push(
        `${accountId} has ${inFlight} in flight, and ${expected.calls} open calls and places`,
      )
  }
  for (const { accountId, day, held } of tables.inferenceDay.values()) {
    const expected = inference.get(inferenceId(accountId, day)) ?? 0
    if (held !== expected) problems.push(`inference of ${accountId} holds ${held}, not ${expected}`)
  }
  return problems
}

/** Calls that are held, and leases. */
export function listOpen(tables: Tables): string[] {
  const open: string[] = []
  for (const { id, state } of tables.call.values()) if (state === 'held') open.push(`call ${id}`)
  for (const { id, gatewayId, turn } of tables.lease.values())
    open.push(`lease ${id} of gateway ${gatewayId} at turn ${turn}`)
  for (const { accountId, held, inFlight } of tables.balance.values())
    if (held !== 0 || inFlight !== 0) open.push(`${held} of account ${accountId}`)
  return open
}

export function listState(tables: Tables): string[] {
  const lines = (name: string, rows: Iterable<object>) =>
    [...rows].map((row) => [name, ...Object.values(row)].join(' '))
  return [
    ...lines('balance', tables.balance.values()),
    ...lines('inference', tables.inferenceDay.values()),
    ...lines('key', tables.keySpend.values()),
    ...lines('uncharged', tables.unchargedDay.values()),
    ...[...tables.call.values()].map(({ id, state, held, charged, idempotencyKey }) =>
      ['call', id, state, held, charged, idempotencyKey].join(' '),
    ),
  ]
}
