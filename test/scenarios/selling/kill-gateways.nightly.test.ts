// kill -9 of a gateway that sells an API or an MCP server, at each step of a call: the next gateway answers the same
// key, or the same payment, with one answer that is charged once, and no program of the killed one is left.
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { systemClock } from '#platform/clock.ts'
import { type Database, openDatabase } from '#platform/database/database.ts'
import { createSandbox } from '#platform/sandbox/sandbox.ts'
import { type DatabaseDoor, type KeptStatements, openDatabaseDoor } from '#test/database-door.ts'
import { adminToken, openDoor, type Reply, verify } from '#test/harness.ts'
import {
  type Asked,
  type MortalServer,
  type ServerKind,
  saidIn,
  serverKinds,
  shareMortalServers,
  type Way,
} from '#test/selling/mortal-servers.ts'
import { sell } from '#test/selling/sell.ts'
import { silentLog } from '#test/silent-log.ts'
import { until as untilHolds } from '#test/until.ts'
import { expectBooksLikeChains } from '../../payments/books.ts'
import { type KillableGateway, shareKillableGateways } from '../../payments/killable-gateway.ts'
import { openTill, payments, shareChains, type Till } from '../../payments/paid-gateway.ts'
import { present, sign } from '../../payments/payers.ts'
import { descendantsOf, listProcesses } from '../../simulation/processes.ts'

const priceCents = 2
const balanceCents = 100
const microsPerCent = 10_000n
/** Longer than a slow machine takes to bring both calls of a payer to a point. */
const payableSeconds = 900

const until = (condition: () => Promise<boolean>) => untilHolds(condition, { everyMs: 10 })

const missing = await createSandbox({ clock: systemClock }).missing()
const kinds = serverKinds.filter(
  (kind) => !kind.endsWith('in events') && (missing === undefined || !kind.endsWith('by command')),
)

interface Point {
  readonly name: string
  readonly keeps: KeptStatements
  /** How often the server is asked for one answer. */
  readonly asks: number
  readonly isCharged: boolean
}

/** The statements that end a call of an account and of a wallet, and the last one before the answer of a wallet. */
const settlements = /ledger_commit|payment_owed/
const listOfRefunds = /from refund where call_id/

const beforeServer: Point = {
  name: 'after the hold, before the server is asked',
  keeps: { replies: /ledger_commit/, requests: /from wallet_strike/ },
  asks: 1,
  isCharged: false,
}
const afterServer: readonly Point[] = [
  { name: 'while the server works', keeps: {}, asks: 2, isCharged: false },
  {
    name: 'after the answer of the server, before it is kept',
    keeps: { requests: settlements },
    asks: 2,
    isCharged: false,
  },
  {
    name: 'after the charge, before the reply',
    keeps: { replies: /ledger_commit/, requests: listOfRefunds },
    asks: 1,
    isCharged: true,
  },
]

describe.skipIf(!payments.ok)(`kill -9 of a gateway ${payments.reason}`, () => {
  const chains = shareChains()
  const servers = shareMortalServers()
  let till: Till
  let door: DatabaseDoor
  let database: Database
  const gateways = shareKillableGateways(async (databaseUrl, atEnd) => {
    till = await openTill(chains())
    door = await openDatabaseDoor(databaseUrl, atEnd)
    database = openDatabase({ connectionString: databaseUrl, log: silentLog })
    atEnd(() => database.close())
    const X402_MAX_TIMEOUT_SECONDS = String(payableSeconds)
    return { ...till.env, DATABASE_URL: door.connectionString, X402_MAX_TIMEOUT_SECONDS }
  })
  beforeAll(async () => {
    const { url } = await gateways.living()
    for (const kind of kinds) await sell(openDoor(url), servers()[kind].sale)
  })

  const actionOf = ({ name }: MortalServer) => `${name}/say`
  const heldMicros = async () =>
    Number((await database.query<{ sum: string }>('select sum(held) from balance'))[0]?.sum)
  const countCalls = async (state: 'held' | 'settled') =>
    (await database.query('select 1 from call where state = $1', [state])).length

  /** With a new account, and a call by it that has an idempotency key. */
  async function openAccount() {
    const opened = await request('POST', '/api/v1/admin/accounts', adminToken, {
      balance_cents: balanceCents,
    })
    const key: string = opened.body.api_key
    return {
      async say(server: MortalServer, text: string): Promise<Reply> {
        const { url } = await gateways.living()
        const headers = { 'idempotency-key': text }
        return await openDoor(url).call(actionOf(server), { text }, { key, headers })
      },
      async spentCents() {
        const { body } = await request('GET', '/api/v1/account', key)
        return balanceCents - body.available_cents
      },
    }
  }

  async function request(method: string, at: string, key: string, body?: unknown) {
    const { url } = await gateways.living()
    return await openDoor(url).request(method, at, { key, body })
  }

  async function expectBooksRight() {
    const { url } = await gateways.living()
    expect(await heldMicros()).toBe(0)
    expect(await verify(openDoor(url))).toMatchObject({ ok: true, problems: [] })
    await expectBooksLikeChains(database, chains(), till)
  }

  /** Calls wait for `release`, and all else is answered. */
  function holdCalls(server: MortalServer) {
    const { promise, resolve: release } = Promise.withResolvers<Way>()
    server.asked.length = 0
    server.decide = ({ method }) => (method === 'call' ? promise : 'answers')
    onTestFinished(() => {
      server.decide = () => 'answers'
      door.open()
    })
    const calls = () => server.asked.filter(({ method }) => method === 'call')
    return { calls, release }
  }

  describe.each(kinds)('that sells %s', (kind) => {
    test.each([beforeServer, ...afterServer])('$name', (point) => killGateway(kind, point))
  })

  async function killGateway(kind: ServerKind, point: Point) {
    const server = servers()[kind]
    const first = await gateways.living()
    const account = await openAccount()
    // A program by command runs from then on.
    expect((await account.say(server, 'first')).status).toBe(200)
    const wallet = { url: first.url, chains: chains() }
    const bought = { text: `by wallet, ${point.name}` }
    const payment = await sign(wallet, 'x402', actionOf(server), bought)
    const received = await chains().x402.balanceOf(till.payTo)
    const { calls, release } = holdCalls(server)
    const settled = await countCalls('settled')

    if (point === beforeServer) door.keep(point.keeps)
    const lost = [
      account.say(server, 'again'),
      present(first, actionOf(server), bought, payment),
    ].map((reply) => reply.catch(() => undefined))
    if (point === beforeServer)
      await until(async () => door.kept() === 2 && (await countCalls('held')) === 2)
    else await reachAfter(point, { calls, release, settled })
    const family = await descendantsOf(first.pid)
    if (kind.endsWith('by command')) expect(family).not.toEqual([])
    await gateways.kill()
    expect(await Promise.all(lost)).toEqual([undefined, undefined])
    await expectEnded(family)
    door.open()
    release('answers')

    const second = await gateways.living()
    await until(async () => (await heldMicros()) === 0)
    const before = priceCents + (point.isCharged ? priceCents : 0)
    expect(await account.spentCents()).toBe(before)
    const answer = await account.say(server, 'again')
    expect(answer.body).toMatchObject({ ok: true, charged_cents: priceCents })
    expect(answer.headers.get('idempotency-replayed')).toBe(point.isCharged ? 'true' : null)
    expect((await account.say(server, 'again')).body.data).toEqual(answer.body.data)
    const delivered = await presentUntilAnswered(second, server, bought, payment)
    expect(saidIn(delivered)).toContain(bought.text)
    const texts = calls().map(({ text }) => text)
    for (const text of ['again', bought.text])
      expect([text, texts.filter((each) => each === text).length]).toEqual([text, point.asks])
    expect(await account.spentCents()).toBe(2 * priceCents)
    const paid = (await chains().x402.balanceOf(till.payTo)) - received
    expect(paid).toBe(BigInt(priceCents) * microsPerCent)
    await expectBooksRight()
  }

  /** Both calls are with the server, and go on from there to the point. */
  async function reachAfter(
    { keeps, isCharged }: Point,
    scene: { calls(): readonly Asked[]; release(way: Way): void; settled: number },
  ) {
    await until(async () => scene.calls().length === 2)
    if (Object.keys(keeps).length === 0) return
    door.keep(keeps)
    scene.release('answers')
    await until(async () => door.kept() === 2)
    if (isCharged) await until(async () => (await countCalls('settled')) === scene.settled + 2)
  }

  /** A wallet presents the same payment until there is an answer, which is the same from then on. */
  async function presentUntilAnswered(
    gateway: KillableGateway,
    server: MortalServer,
    body: object,
    payment: Readonly<Record<string, string>>,
  ): Promise<Reply> {
    const replies: Reply[] = []
    await until(async () => {
      const reply = await present(gateway, actionOf(server), body, payment)
      replies.push(reply)
      return reply.status === 200
    })
    const told = replies.map(({ status, body }) => `${status} ${body.error ?? ''}`.trim())
    expect(told.filter((each) => !/^(200|503 payment_pending)$/.test(each))).toEqual([])
    const [answer] = replies.slice(-1) as [Reply]
    const again = await present(gateway, actionOf(server), body, payment)
    expect([again.status, again.body]).toEqual([200, answer.body])
    return answer
  }
})

/** By themselves: nothing has told them to. */
const expectEnded = (names: readonly string[]) =>
  until(async () => {
    const alive = await listProcesses()
    return !names.some((name) => alive.has(name))
  })
