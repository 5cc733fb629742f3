// kill -9 of a gateway at named points of calls that make something: what exists afterwards is what was charged, and
// nothing else. EFFECT_KILLS says how many times a gateway is killed; each kill cuts off several calls.
import { once } from 'node:events'
import { createServer } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { systemClock as clock } from '#platform/clock.ts'
import type { Database } from '#platform/database/database.ts'
import { portOf } from '#platform/http/port.ts'
import { createSandbox } from '#platform/sandbox/sandbox.ts'
import { canRent } from '#test/browsers/rented-browser.ts'
import { depth, limitForTriesMs } from '#test/depth.ts'
import { compareEffects, mailDomain, prepareEffectCalls } from '#test/effects/effect-calls.ts'
import { mediaSample } from '#test/media-samples.ts'
import { until } from '#test/until.ts'
import { type MortalAccount, openOuterDatabase, startMortalGateway } from './mortal-gateway.ts'

const killsMin = Number(process.env.EFFECT_KILLS ?? depth(5, 40))
const hasBoxes = (await createSandbox({ clock }).missing()) === undefined
const balanceCents = 100_000
/** A browser takes a second of processor time, so that few of many rounds open one. */
const browserEvery = 3

/** Where calls wait until their gateway is killed, as triggers, and whether a waiting statement is then carried out. */
const points = {
  'before the hold': { on: 'before insert on call', outcomes: ['lost', 'done'] },
  'after the hold': { on: 'before insert on effect', outcomes: ['lost', 'done'] },
  'after the effect': {
    on: 'constraint trigger after insert on effect deferrable initially deferred',
    outcomes: ['done'],
  },
  'before the settlement': {
    on: `before update on call`,
    when: `old.state = 'held' and new.state = 'settled'`,
    outcomes: ['lost'],
  },
  'after the settlement': {
    on: 'constraint trigger after update on call deferrable initially deferred',
    when: `old.state = 'held' and new.state = 'settled'`,
    outcomes: ['done'],
  },
} as const
type Point = keyof typeof points
const lock = 4711

async function plantPoints(database: Database): Promise<void> {
  await database.query('create table halted_at (point text)')
  await database.query(`create function halt() returns trigger language plpgsql as $$
    begin
      if exists (select from halted_at where point = tg_argv[0]) then perform pg_advisory_xact_lock(${lock}); end if;
      return coalesce(new, old);
    end $$`)
  for (const [index, [point, spot]] of Object.entries(points).entries()) {
    const isConstraint = spot.on.startsWith('constraint')
    const on = isConstraint ? spot.on.slice('constraint trigger '.length) : spot.on
    await database.query(
      `create ${isConstraint ? 'constraint ' : ''}trigger halt_${index} ${on} for each row
       ${'when' in spot ? `when (${spot.when})` : ''} execute function halt('${point}')`,
    )
  }
}

/** From here on, calls of gateways wait at the point. Resolves to a function that ends the waiting. */
async function haltAt(database: Database, point: Point) {
  const session = await database.connect()
  await session.query(`select pg_advisory_lock(${lock})`)
  await database.query('insert into halted_at values ($1)', [point])
  return async (outcome: 'lost' | 'done') => {
    if (outcome === 'lost')
      await database.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and wait_event_type = 'Lock'`,
      )
    await database.query('delete from halted_at')
    await session.end()
  }
}

const countWaiting = async (database: Database) =>
  (
    await database.query(
      `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    )
  ).length

/** No gateway is taken for alive, and none of their transactions is open. */
const areGone = async (database: Database) =>
  (
    await database.query(
      `select 1 from pg_locks where locktype = 'advisory' and objsubid = 2
         and database = (select oid from pg_database where datname = current_database())
         and classid::bigint = (hashtext('tollway.gateway')::bigint & 4294967295)
       union all
       select 1 from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid() and xact_start is not null
         and backend_type = 'client backend'`,
    )
  ).length === 0

async function serveFile(): Promise<string> {
  const server = createServer((_, reply) => void reply.end('a file'))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${portOf(server)}/a.txt`
}

async function open() {
  const { database, env } = await openOuterDatabase()
  const gateway = await startMortalGateway({
    ...env,
    MAIL_DOMAINS: mailDomain,
    MAIL_PORT: '0',
    BROWSERS_AT_ONCE: '50',
    BROWSERS_PER_ACCOUNT: '50',
  })
  await plantPoints(database)
  const parts = {
    hasBoxes,
    hasBrowsers: canRent,
    fileUrl: await serveFile(),
    picture: new Uint8Array(await mediaSample('image/png')),
  }
  return { database, gateway, parts }
}

type Opened = Awaited<ReturnType<typeof open>>

/**
 * Sends the calls, and kills the gateway when each of them waits at the point or was answered. Resolves to the answers.
 */
async function cutOff(
  { database, gateway }: Opened,
  { attempt }: MortalAccount,
  { point, bodies }: { point: Point; bodies: readonly (readonly [string, object])[] },
) {
  const letGo = await haltAt(database, point)
  let answered = 0
  const calls = bodies.map(async ([action, body]) => {
    const reply = await attempt(action, body)
    answered += 1
    return reply && { action, status: reply.status }
  })
  // Holds and settlements wait for each other, since they leave together.
  const awaited = points[point].on.includes('call') ? 1 : bodies.length
  await until(async () => (await countWaiting(database)) + answered >= awaited)
  await gateway.kill()
  const { outcomes } = points[point]
  await letGo(outcomes[Math.floor(Math.random() * outcomes.length)] ?? 'done')
  await until(() => areGone(database))
  const replies = await Promise.all(calls)
  await gateway.start()
  return replies
}

test(`what exists after ${killsMin} kills in the middle of calls is what was charged`, {
  timeout: limitForTriesMs(killsMin, 10_000),
}, async () => {
  const opened = await open()
  const { database, gateway, parts } = opened
  const names = Object.keys(points) as Point[]
  let cutOffCalls = 0
  for (let round = 0; round < killsMin; round += 1) {
    const account = await gateway.openAccount(balanceCents)
    const bodies = await prepareEffectCalls(account.call, {
      ...parts,
      hasBrowsers: parts.hasBrowsers && round % browserEvery === 0,
    })
    const point = names[round % names.length] as Point
    const replies = await cutOff(opened, account, { point, bodies: bodies() })
    cutOffCalls += replies.filter((reply) => reply === undefined).length

    await until(async () => {
      const open = await database.query(`select 1 from call where state = 'held'`)
      return open.length === 0
    })
    const { exists, charged } = await compareEffects(database, account.accountId)
    expect(exists, `kill ${round} ${point}`).toEqual(charged)
    const failed = replies.filter((reply) => reply !== undefined && reply.status !== 200)
    expect(failed, `kill ${round} ${point}`).toEqual([])
    await gateway.expectBooksRight()
  }
  expect(cutOffCalls).toBeGreaterThanOrEqual(killsMin)
})
