// The callers of `npm run bench day`. They come when the plan says, however long earlier ones wait, and their time
// counts from then: a gateway that falls behind cannot hide it.
import { setTimeout as delay } from 'node:timers/promises'
import { Pool } from 'undici'
import type { UntypedJson } from '#core/replies/untyped-json.ts'
import { openSharedBank } from './day-cash/bank.ts'
import { type Arrival, actionCount, vendorCount } from './day-plan.ts'

export interface DayLoad {
  /** Milliseconds of each call, by its kind. */
  readonly times: ReadonlyMap<string, number[]>
  /** How calls ended: `200`, or the status and code of an error. */
  readonly outcomes: ReadonlyMap<string, number>
  /** Calls with a key that were repeated, and were answered from the store. */
  readonly replayed: number
  readonly seconds: number
}

const connectionsMax = 256
const noteLifetimeMs = 60_000
const pathOf = (action: number) =>
  `day_vendor_${action % vendorCount}/action_${Math.floor(action / vendorCount) % (actionCount / vendorCount)}`

interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: UntypedJson
}

export async function playDay(options: {
  readonly arrivals: readonly Arrival[]
  readonly urls: readonly string[]
  readonly keys: readonly string[]
  readonly cashFolder: string
}): Promise<DayLoad> {
  const { arrivals, keys } = options
  const pools = options.urls.map(
    (url) => new Pool(url, { connections: connectionsMax, pipelining: 1 }),
  )
  const bank = openSharedBank(options.cashFolder)
  const times = new Map<string, number[]>()
  const outcomes = new Map<string, number>()
  let replayed = 0
  const beganAt = performance.now()

  async function post(place: number, path: string, body: object, headers: Record<string, string>) {
    const reply = await pools[place % pools.length]?.request({
      method: 'POST',
      path,
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json', ...headers },
    })
    if (reply === undefined) throw new Error('There is no gateway to ask.')
    const answer: Answer = {
      status: reply.statusCode,
      headers: reply.headers,
      body: await reply.body.json(),
    }
    return answer
  }

  function note(kind: string, startedAt: number, { status, body }: Answer) {
    const list = times.get(kind) ?? []
    times.set(kind, list)
    list.push(performance.now() - startedAt)
    const code = typeof body?.error === 'string' ? body.error : (body?.error?.code ?? '')
    const outcome = `${status} ${code}`.trim()
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
  }

  async function call(arrival: Arrival, place: number, dueAt: number) {
    const { kind, account, action, key, repeats } = arrival
    const authorization = `Bearer ${keys[account]}`
    const headers = { authorization, ...(key === undefined ? {} : { 'idempotency-key': key }) }
    if (kind === 'wallet') return await payByWallet(pathOf(action), place, dueAt)
    const [path, body] = requestOf(kind, action, place)
    const answer = await post(place, path, body, headers)
    note(kind, dueAt, answer)
    if (kind === 'session' && answer.status < 300) await closeSession(place, answer, authorization)
    if (!repeats || kind === 'session' || answer.status !== 200) return
    const again = await post(place + 1, path, body, headers)
    if (again.headers['idempotency-replayed'] === 'true') replayed += 1
  }

  async function payByWallet(action: string, place: number, dueAt: number) {
    const path = `/api/run/${action}`
    const body = { text: `wallet ${place}` }
    const challenged = await post(place, path, body, {})
    const { id, ...asked } = decode(String(challenged.headers['cash-challenge']))
    const expiresAtMs = Date.now() + noteLifetimeMs
    const signed = bank.sign({ from: `wallet-${place % 100}`, ...asked, expiresAtMs })
    const payment = encode({ challengeId: id, note: signed })
    note('wallet', dueAt, await post(place, path, body, { 'cash-payment': payment }))
  }

  async function closeSession(place: number, { body }: Answer, authorization: string) {
    await pools[place % pools.length]
      ?.request({
        method: 'DELETE',
        path: `/api/v1/sessions/${body.data.session_id}`,
        headers: { authorization },
      })
      .then((reply) => reply.body.dump())
  }

  const running = new Set<Promise<void>>()
  for (const [place, arrival] of arrivals.entries()) {
    const early = arrival.atMs - (performance.now() - beganAt)
    if (early > 1) await delay(early)
    const one = call(arrival, place, beganAt + arrival.atMs).finally(() => running.delete(one))
    running.add(one)
  }
  await Promise.all(running)
  const seconds = (performance.now() - beganAt) / 1_000
  await Promise.all(pools.map((pool) => pool.close()))
  return { times, outcomes, replayed, seconds }
}

function requestOf(kind: Arrival['kind'], action: number, place: number): [string, object] {
  if (kind === 'chat')
    return [
      '/api/llm/v1/chat/completions',
      {
        model: 'lab/one',
        messages: [{ role: 'user', content: `question ${place}` }],
        max_tokens: 100,
      },
    ]
  if (kind === 'job') return ['/api/run/day_own/job', { text: `job ${place}` }]
  if (kind === 'session') return ['/api/run/day_own/session', {}]
  return [`/api/run/${pathOf(action)}`, { text: `call ${place}` }]
}

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
const decode = (text: string) => JSON.parse(Buffer.from(text, 'base64url').toString())
