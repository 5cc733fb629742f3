// Callers who open, use, break and close sessions at random, while their gateway is killed at random.
import { setTimeout as delay } from 'node:timers/promises'
import { adminToken } from './gateway-process.ts'
import type { SessionGatewayProcess } from './session-gateway-process.ts'

export interface SessionSoakResult {
  readonly seed: number
  readonly kills: number
  /** Requests by what they asked for and how they were answered. */
  readonly answers: Readonly<Record<string, number>>
}

interface Soak {
  readonly minutes: number
  readonly seed: number
  readonly callers: number
  /** The mean time between two kills. */
  readonly killEveryMs: number
}

const thinkMsMax = 400
const sessionsPerCallerMax = 6
const openingCents = 200

/** Mulberry32: small, and the same sequence for the same seed. */
function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

export async function soakSessions(
  gateway: SessionGatewayProcess,
  { minutes, seed, callers, killEveryMs }: Soak,
): Promise<SessionSoakResult> {
  const random = createRandom(seed)
  const answers: Record<string, number> = {}
  const endsAtMs = Date.now() + minutes * 60_000
  const isOver = () => Date.now() >= endsAtMs

  async function kill(): Promise<number> {
    for (let kills = 0; ; kills += 1) {
      await delay(Math.min(killEveryMs * 2 * random(), Math.max(0, endsAtMs - Date.now())))
      if (isOver()) return kills
      await gateway.killed()
    }
  }

  const [kills] = await Promise.all([
    kill(),
    ...Array.from({ length: callers }, () =>
      callUntil(gateway, isOver, random, (what) => {
        answers[what] = (answers[what] ?? 0) + 1
      }),
    ),
  ])
  return { seed, kills, answers }
}

/** How often a caller makes each move. */
const chances = { create: 0.3, run: 0.4, crash: 0.03, close: 0.22, topUp: 0.05 } as const
type Move = keyof typeof chances

function pickMove(random: () => number): Move {
  let dice = random()
  for (const [move, chance] of Object.entries(chances)) {
    dice -= chance
    if (dice < 0) return move as Move
  }
  return 'run'
}

interface Caller {
  readonly key: string
  readonly accountId: string
  readonly sessions: string[]
}

function createMoves({ send }: SessionGatewayProcess, caller: Caller, random: () => number) {
  const { key, accountId, sessions } = caller
  const pick = <Item>(items: readonly Item[]) => items[Math.floor(random() * items.length)]
  const run = (id: string, command: string | undefined) =>
    send('POST', `/api/v1/sessions/${id}/run`, key, { command, timeout: 2 })
  return {
    pickSession: () => pick(sessions),
    async create() {
      const kind = pick(['detached', 'attached'])
      const ceiling = random() < 0.3 ? { max_cost_cents: 1 + Math.floor(random() * 20) } : {}
      const reply = await send('POST', `/api/run/process_boxes/${kind}`, key, ceiling)
      const id = reply?.body.data?.session_id
      if (id !== undefined) sessions.push(id)
      return reply
    },
    run: (id: string) =>
      run(id, pick(['echo $0', 'sleep 1', 'sleep 30', 'kill -9 $$', 'seq 1000'])),
    // The box ends by itself, as a program that runs out of memory does.
    crash: (id: string) =>
      run(
        id,
        'grep -lz "^BOX_FIRST=$0" /proc/[0-9]*/environ 2>/dev/null | cut -d/ -f3 | xargs -r kill -9',
      ),
    async close(id: string) {
      const close = () => send('DELETE', `/api/v1/sessions/${id}`, key)
      const [reply] = await Promise.all([close(), ...(random() < 0.3 ? [close()] : [])])
      if (reply?.status === 200) forget(sessions, id)
      return reply
    },
    topUp: () =>
      send('POST', `/api/v1/admin/accounts/${accountId}/credit`, adminToken, {
        amount_cents: 100,
        reason: 'soak',
      }),
  }
}

function forget(sessions: string[], id: string) {
  if (sessions.includes(id)) sessions.splice(sessions.indexOf(id), 1)
}

/** One caller with a balance that runs out, and is topped up now and then. */
async function callUntil(
  gateway: SessionGatewayProcess,
  isOver: () => boolean,
  random: () => number,
  count: (what: string) => void,
): Promise<void> {
  const sessions: string[] = []
  const account = await gateway.openAccount(openingCents)
  const moves = createMoves(gateway, { ...account, sessions }, random)
  while (!isOver()) {
    const id = moves.pickSession()
    const wanted = pickMove(random)
    const isFull = wanted === 'create' && sessions.length >= sessionsPerCallerMax
    const move = id === undefined ? 'create' : isFull ? 'close' : wanted
    const reply = await moves[move](id ?? '')
    if (reply?.body.error === 'session_closed' && id !== undefined) forget(sessions, id)
    const answer = reply === undefined ? 'broken' : `${reply.status} ${reply.body.error ?? ''}`
    count(`${move} ${answer}`.trim())
    await delay(thinkMsMax * random())
  }
}
