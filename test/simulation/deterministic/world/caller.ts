// Callers: they send calls, repeat those that were not answered, and remember what they were told.
import type { AccountCaller } from '#core/caller.ts'
import { CallError } from '#core/errors.ts'
import type { Random } from '../machine/random.ts'
import type { CallRequest, Gateway, Reply } from './gateway.ts'

/** Sends one request to some gateway. Undefined: no answer came. */
export type Send = (
  ask: (gateway: Gateway) => Promise<Reply>,
) => Promise<Reply | CallError | undefined>

export interface CallerWorld {
  readonly random: Random
  readonly caller: AccountCaller
  readonly callsMax: number
  readonly hasJobs: boolean
  /** Then most commits do not wait for the disk of the database. */
  readonly onlyChats: boolean
  readonly send: Send
  readonly sleep: (delayMs: number) => Promise<void>
  readonly onRefused: (error: CallError) => void
  readonly onTold: (
    reply: Reply,
    asked: { idempotencyKey: string | undefined; isChat: boolean; isJob: boolean },
  ) => void
}

const triesMax = 5
/** A call that was refused for one of these may succeed later. */
const repeatable: ReadonlySet<string> = new Set([
  'unavailable',
  'payment_pending',
  'idempotency_in_progress',
])

export async function runCaller(world: CallerWorld): Promise<void> {
  const { random, callsMax, hasJobs, onlyChats, sleep } = world
  const underWay: Promise<void>[] = []
  // Some keep to one kind of call, so that leases open.
  const chats = onlyChats ? 1 : random.pick([0, 0.5, 0.8, 1])
  const jobs = hasJobs && !onlyChats ? random.pick([0, 0.3]) : 0
  const keyed = onlyChats ? random.pick([0, 0, 0.2]) : random.pick([0, 0.2, 0.5, 1])
  const pauseMsMax = random.pick([1_500, 1_500, 12_000])
  for (let count = 0; count < callsMax; count += 1) {
    const isJob = random.chance(jobs)
    const isChat = !isJob && random.chance(chats)
    const call = sendCall(world, { isJob, isChat, isKeyed: random.chance(keyed) })
    if (random.chance(0.5)) await call
    else underWay.push(call)
    await sleep(random.chance(0.1) ? random.between(200, pauseMsMax) : random.between(0, 40))
  }
  await Promise.all(underWay)
}

async function sendCall(
  { random, caller, send, sleep, onTold, onRefused }: CallerWorld,
  asked: { readonly isJob: boolean; readonly isChat: boolean; readonly isKeyed: boolean },
) {
  const { isJob, isChat, isKeyed } = asked
  // Few keys, so that requests with the same one race each other.
  const idempotencyKey = isKeyed
    ? `${isChat ? 'chat' : isJob ? 'job' : 'call'}-${random.below(6)}`
    : undefined
  const body = idempotencyKey === undefined ? {} : { about: idempotencyKey }
  const worstMicros = random.pick([10, 40, 100, 250])
  const request: CallRequest = { caller, idempotencyKey, body, worstMicros, isJob }
  for (let tries = 1; ; tries += 1) {
    const reply = await send((gateway) => (isChat ? gateway.chat(request) : gateway.call(request)))
    if (reply !== undefined && !(reply instanceof CallError))
      return onTold(reply, { idempotencyKey, isChat, isJob })
    if (reply !== undefined) onRefused(reply)
    const isOver = reply !== undefined && !repeatable.has(reply.code)
    if (isOver || idempotencyKey === undefined || tries === triesMax) return
    await sleep(random.between(50, 1_500))
  }
}
