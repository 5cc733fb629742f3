// Jobs: their rows and checkpoints, as `open-jobs.ts` asks for them, and a queue in the place of pg-boss.
import { gatewayLives } from './gateways.ts'
import type { Statement } from './model.ts'
import type { Session } from './session.ts'
import type { CallRow, QueuedTry } from './tables.ts'

/** As `queue.ts` sets up pg-boss. */
const triesMax = 4
const heartbeatMs = 10_000
const retryDelayMs = 1_000

const checkpointsOf = ({ tables }: Session, callId: string) =>
  [...tables.checkpoint.values()].filter((checkpoint) => checkpoint.callId === callId)

const openJob = ({ tables }: Session, callId: string): CallRow | undefined => {
  const call = tables.call.get(callId)
  return call?.state === 'held' && call.job ? call : undefined
}

/** Statements of jobs, by the beginning of their text. */
export const jobStatements: Readonly<Record<string, Statement>> = {
  'with found as ( select id, started_at is null and not access_is_good': (session, values) => {
    const [callId, gatewayId] = values
    const job = openJob(session, callId)
    if (job === undefined) return []
    const startedAtMs = job.startedAtMs ?? session.nowMs
    const is_at_work = job.atWork && gatewayLives(session, job.gatewayId)
    const taken = { ...job, startedAtMs, atWork: true }
    session.tables.call.put(callId, is_at_work ? taken : { ...taken, gatewayId })
    const { accountId: account_id, keyId: key_id, action, held, input, cancelled } = job
    const saved = checkpointsOf(session, callId).length
    const rest = { is_forsaken: false, is_at_work, is_limited: false, saved }
    return [{ account_id, key_id, action, held, input, cancelled, ...rest }]
  },
  'update call set at_work = false where id = $1': ({ tables }, [callId, gatewayId]) => {
    const call = tables.call.get(callId)
    if (call?.state === 'held' && call.gatewayId === gatewayId)
      tables.call.put(callId, { ...call, atWork: false })
    return []
  },
  'update call set at_work = false where state': ({ tables }, [gatewayId, atWork]) => {
    for (const call of [...tables.call.values()])
      if (
        call.state === 'held' &&
        call.job &&
        call.startedAtMs !== null &&
        call.atWork &&
        call.gatewayId === gatewayId &&
        !atWork.includes(call.id)
      )
        tables.call.put(call.id, { ...call, atWork: false })
    return []
  },
  'select name, value from checkpoint where call_id = $1': (session, [callId]) =>
    checkpointsOf(session, callId),
  'insert into checkpoint (call_id, name, value)': (session, [callId, name, value]) => {
    const call = session.tables.call.get(callId)
    if (call?.state === 'held')
      session.tables.checkpoint.put(`${callId} ${name}`, { callId, name, value })
    return []
  },
  'update call set progress = $2::jsonb': (session, [callId]) =>
    session.tables.call.get(callId)?.state === 'held' ? [{}] : [],
  'select from call where id = $1 and (cancelled is not null': ({ tables }, [callId]) =>
    tables.call.get(callId)?.cancelled == null ? [] : [{}],
  'update call set started_at = null': (session) => {
    const { tables } = session
    const left = [...tables.call.values()].filter(
      (call) =>
        call.state === 'held' &&
        call.job &&
        call.startedAtMs !== null &&
        !gatewayLives(session, call.gatewayId),
    )
    for (const call of left) tables.call.put(call.id, { ...call, startedAtMs: null })
    return left.map(({ id }) => ({ id }))
  },
  'queue: send': ({ tables, nowMs }, [id, callId, savedBefore, delayMs]) => {
    const times = { startAfterMs: nowMs + delayMs, takenUntilMs: null }
    tables.queue.put(id, { id, callId, savedBefore, tries: 0, isExhausted: false, ...times })
    return []
  },
  'queue: take': (session, [isExhausted]) => {
    const { tables, nowMs } = session
    const waiting = [...tables.queue.values()].map((queued) => afterSilence(session, queued))
    const next = waiting.find(
      (queued) =>
        queued.isExhausted === isExhausted &&
        queued.takenUntilMs === null &&
        queued.startAfterMs <= nowMs,
    )
    if (next === undefined) return []
    const taken = { ...next, tries: next.tries + 1, takenUntilMs: nowMs + heartbeatMs }
    tables.queue.put(next.id, taken)
    return [taken]
  },
  'queue: heartbeat': ({ tables, nowMs }, [id, tries]) => {
    const queued = tables.queue.get(id)
    if (queued === undefined || queued.tries !== tries || queued.takenUntilMs === null) return []
    tables.queue.put(id, { ...queued, takenUntilMs: nowMs + heartbeatMs })
    return [{}]
  },
  'queue: finish': ({ tables }, [id, tries]) => {
    if (tables.queue.get(id)?.tries === tries) tables.queue.delete(id)
    return []
  },
  'queue: fail try': (session, [id, tries]) => {
    const queued = session.tables.queue.get(id)
    if (queued !== undefined && queued.tries === tries && queued.takenUntilMs !== null)
      fail(session, queued)
    return []
  },
  'queue: fail tries': (session, [callIds]) => {
    for (const queued of [...session.tables.queue.values()])
      if (callIds.includes(queued.callId) && queued.takenUntilMs !== null) fail(session, queued)
    return []
  },
}

/** A worker that is not heard of is taken for dead. */
function afterSilence(session: Session, queued: QueuedTry): QueuedTry {
  const { takenUntilMs } = queued
  return takenUntilMs === null || takenUntilMs > session.nowMs ? queued : fail(session, queued)
}

function fail({ tables, nowMs }: Session, queued: QueuedTry): QueuedTry {
  const isLast = queued.tries >= triesMax
  const next: QueuedTry = {
    ...queued,
    takenUntilMs: null,
    startAfterMs: nowMs + retryDelayMs,
    ...(isLast ? { isExhausted: true, tries: 0 } : {}),
  }
  // The queue of those that failed too often gives up, too, and the call ends by its deadline.
  if (isLast && queued.isExhausted) tables.queue.delete(queued.id)
  else tables.queue.put(queued.id, next)
  return next
}
