// A model of the ledger's SQL functions: the statements that the gateway sends, on tables in memory. A run with
// PostgreSQL compares the two: see `compared.ts`.
import { findProblems, listOpen, listState } from './books.ts'
import { forgetGateways, gatewayLives, lookForGateways, noteGateway } from './gateways.ts'
import {
  changeBalance,
  extendHold,
  ledgerClaim,
  ledgerCommit,
  ledgerHold,
  post,
  spendable,
} from './holds.ts'
import { jobStatements } from './jobs.ts'
import {
  leaseCommit,
  leaseReplay,
  reconcileLeases,
  releaseAbandonedLeases,
  unwrittenCalls,
} from './leases.ts'
import {
  type HoldRequest,
  type LeaseCallRecord,
  type LeaseTurnRecord,
  noKey,
  nullHold,
  nullLeaseCall,
  nullSettlement,
  readRecord,
  readRecords,
  type Session,
  type SettlementRecord,
} from './session.ts'
import { keyLeft } from './spending.ts'
import type { Rows, Store } from './store.ts'
import { type CallRow, createTables, house, ReportedError, utcDay } from './tables.ts'

// biome-ignore lint/suspicious/noExplicitAny: the gateway sends values of many types.
type Values = readonly any[]
export type Statement = (session: Session, values: Values) => Rows

export function createModel(): Store {
  const tables = createTables()
  const connected = new Set<number>([0])
  let gatewayNumbers = 0
  const known = new Map<string, Statement>()
  const statements: Readonly<Record<string, Statement>> = {
    ...ledgerStatements,
    ...leaseStatements,
    ...jobStatements,
    'select number, gateway_lives(number)': () => {
      gatewayNumbers += 1
      return [{ number: gatewayNumbers, isTaken: false }]
    },
  }

  function statementOf(text: string): Statement {
    const found = known.get(text)
    if (found !== undefined) return found
    const parts = text.split(' union all ')
    const statement = parts.length === 1 ? single(text) : united(parts)
    known.set(text, statement)
    return statement
  }

  /** Calls of functions one after the other, each with the next of the values. */
  function united(parts: readonly string[]): Statement {
    return (session, values) => {
      const left = [...values]
      return parts.flatMap((part) =>
        single(part)(session, left.splice(0, part.match(/\$\d+/g)?.length ?? 0)),
      )
    }
  }

  function single(text: string): Statement {
    const plain = text.replaceAll(/\s+/g, ' ').trim()
    const begin = Object.keys(statements).find((each) => plain.startsWith(each))
    const statement = begin === undefined ? undefined : statements[begin]
    if (statement === undefined)
      throw new ReportedError(
        '0A000',
        `The simulated database does not know this statement: ${plain}`,
      )
    return statement
  }

  const isConnected = (number: number) => connected.has(number)
  return {
    run(text, values, nowMs) {
      const before = tables.mark()
      try {
        return statementOf(text)({ tables, nowMs, isConnected }, values)
      } catch (error) {
        tables.rollBack(before)
        throw error
      }
    },
    mark: tables.mark,
    rollBack: tables.rollBack,
    setConnected(number, isConnected) {
      if (isConnected) connected.add(number)
      else connected.delete(number)
    },
    problems: () => findProblems(tables),
    open: () => listOpen(tables),
    calls: () => [...tables.call.values()],
    state: () => listState(tables),
    addAccount({ accountId, micros, keys }) {
      tables.balance.put(accountId, { accountId, available: 0, held: 0, inFlight: 0 })
      for (const key of keys) tables.apiKey.put(key.id, { ...key, accountId, monthMicrosMax: null })
      credit({ tables, nowMs: 0, isConnected }, accountId, micros)
    },
  }
}

function credit(session: Session, accountId: string, amount: number): number | null {
  const available = changeBalance(session, accountId, { available: amount })
  if (available !== null)
    post(session, { callId: null, kind: 'credit', debit: house.credit, credit: accountId, amount })
  return available
}

/** By the beginning of their text. */
const ledgerStatements: Readonly<Record<string, Statement>> = {
  'select * from ledger_commit_turn(': (session, [gateway, atOnceMax, settlements, holds]) =>
    ledgerCommit(session, gateway, atOnceMax, {
      settlements: readRecords<SettlementRecord>(settlements, nullSettlement),
      holds: readRecords<HoldRequest>(holds, nullHold),
    }),
  'select * from ledger_claim(': (session, [gateway, claims]) =>
    ledgerClaim(session, gateway, readRecords<HoldRequest>(claims, nullHold)),
  'select * from ledger_hold(0,': (session, [hold, atOnceMax]) => [
    ledgerHold(session, 0, readRecord<HoldRequest>(hold, nullHold), atOnceMax),
  ],
  'select 1 from balance where account_id = $1 for update': () => [],
  'select extend_hold(': (session, [callId, target]) => {
    const call = session.tables.call.get(callId)
    const left = keyLeft(session, call?.keyId ?? null, utcDay(call?.createdAtMs ?? 0))
    return [{ held: extendHold(session, callId, target, left) }]
  },
  'select ledger_credit(': (session, [accountId, amount]) => [
    { available: credit(session, accountId, amount) },
  ],
  // No account of a simulation has credit that expires.
  'select expire_credit(': () => [],
  'select expire_due_grants(': () => [{ last: null }],
  'select * from abandoned_calls(': (session, [most, gateway]) => {
    lookForGateways(session)
    return [...session.tables.call.values()]
      .filter((call) => isAbandoned(session, call, gateway ?? null))
      .slice(0, most)
      .map(idsOf)
  },
  'select * from open_calls_of(': ({ tables }, [gateway]) =>
    [...tables.call.values()]
      .filter(({ state, gatewayId, job }) => state === 'held' && gatewayId === gateway && !job)
      .map(idsOf),
  'select gateway_lives(': (session, [number]) => [{ lives: gatewayLives(session, number) }],
  'select note_gateway(': (session, [number]) => noteGateway(session, number),
  'select forget_gateways(': ({ tables }, [numbers]) => forgetGateways(tables, numbers),
  'select number, place from look_for_gateways(': lookForGateways,
  'select pg_advisory_lock_shared(': () => [],
  'select id, action, state, key_id': ({ tables }, [accountId, callId, keyId]) => {
    const call = tables.call.get(callId)
    const isOwn = call?.accountId === accountId && (keyId === null || call?.keyId === keyId)
    return call !== undefined && isOwn ? [shown(call)] : []
  },
}

const leaseStatements: Readonly<Record<string, Statement>> = {
  'select * from lease_commit_turns(': (session, [gatewayId, inFlightMax, share, turns, calls]) =>
    leaseCommit(
      session,
      { gatewayId, inFlightMax, share },
      readRecords<LeaseTurnRecord>(turns, { key: null }),
      readRecords<LeaseCallRecord>(calls, nullLeaseCall),
    ),
  'select id from reconcile_leases(': (session, [gateway, known]) =>
    reconcileLeases(session, gateway, JSON.parse(known)),
  'select id from unwritten_calls(': (session, [ids]) => unwrittenCalls(session, ids),
  'select lease_replay(': (session, [call]) => [
    { value: leaseReplay(session, readRecord<LeaseCallRecord>(call, nullLeaseCall)) },
  ],
  'select spendable(': (session, [accountId]) => [{ value: spendable(session, accountId) }],
  'select release_abandoned_leases(': (session, [gateway]) => [
    { release_abandoned_leases: releaseAbandonedLeases(session, gateway ?? null) },
  ],
}

const idsOf = ({ id, accountId }: CallRow) => ({ id, account_id: accountId })

/** A held call whose gateway is gone or whose deadline has passed. */
function isAbandoned(session: Session, call: CallRow, asking: number | null) {
  if (call.state !== 'held') return false
  const isLeft = !call.job && call.gatewayId !== asking && !gatewayLives(session, call.gatewayId)
  return call.expiresAtMs < session.nowMs || isLeft
}

function shown(call: CallRow) {
  return {
    ...call,
    keyId: call.keyId === noKey ? null : call.keyId,
    progress: null,
    createdAt: new Date(call.createdAtMs),
    endedAt: call.endedAtMs === null ? null : new Date(call.endedAtMs),
  }
}
