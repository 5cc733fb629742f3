// kill -9 of a server that is sold, at each step of a call: a call that fails is free, the next one works, and callers
// who wait together are charged for their own answers only.
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { systemClock } from '#platform/clock.ts'
import { createSandbox } from '#platform/sandbox/sandbox.ts'
import { type Reply, shareGateway, verify } from '#test/harness.ts'
import {
  type Asked,
  type ServerKind,
  saidIn,
  serverKinds,
  shareMortalServers,
  type Way,
} from '#test/selling/mortal-servers.ts'
import { sell } from '#test/selling/sell.ts'
import { until } from '#test/until.ts'

const priceCents = 2
const balanceCents = 100

const missing = await createSandbox({ clock: systemClock }).missing()
const kinds = serverKinds.filter((kind) => missing === undefined || !kind.endsWith('by command'))
const toolServers = kinds.filter((kind) => kind !== 'an API')

const gateway = shareGateway()
const servers = shareMortalServers()
beforeAll(async () => {
  for (const kind of kinds) await sell(gateway(), servers()[kind].sale)
})
afterEach(async () => {
  for (const server of Object.values(servers())) server.decide = () => 'answers'
  expect(await gateway().database.query('select 1 from balance where held > 0')).toEqual([])
  expect(await verify(gateway())).toMatchObject({ ok: true, problems: [] })
})

describe.each(kinds)('%s that is killed', (kind) => {
  test('before a call is called again as soon as it lives', async () => {
    const { server, openCaller } = openScene(kind)
    const caller = await openCaller()
    await caller.isAnswered('warm')
    await server.kill()
    if (!kind.endsWith('by command')) await caller.fails('one')
    await server.revive()
    await caller.isAnsweredSoon('one')
    await caller.hasPaidFor(2)
  })

  test.each([
    ['between a request and its answer', 'dies'],
    ['in the middle of its answer', 'dies halfway'],
  ] as const)('%s has sold nothing, and answers the same key next', async (_, way) => {
    const { server, asked, openCaller, meetNext } = openScene(kind)
    const [caller, other] = [await openCaller(), await openCaller()]
    await caller.isAnswered('warm')
    meetNext('call', way)
    await caller.fails('one')
    await caller.hasPaidFor(1)
    await server.revive()
    await caller.isAnswered('one')
    await other.isAnswered('one')
    expect(asked('call').map(({ text }) => text)).toEqual(['warm', 'one', 'one', 'one'])
    await caller.hasPaidFor(2)
    await other.hasPaidFor(1)
  })

  test('after its answer has sold it', async () => {
    const { server, openCaller, meetNext } = openScene(kind)
    const caller = await openCaller()
    await caller.isAnswered('warm')
    meetNext('call', 'answers and dies')
    await caller.isAnswered('one')
    await server.revive()
    await caller.isAnsweredSoon('two')
    await caller.hasPaidFor(3)
  })

  test('three times in a row has sold nothing, and then works', async () => {
    const { server, openCaller, meetNext } = openScene(kind)
    const caller = await openCaller()
    await caller.isAnswered('warm')
    for (const way of ['dies', 'dies halfway', 'dies'] as const) {
      meetNext('call', way)
      await caller.fails('one')
      await server.revive()
    }
    await caller.isAnswered('one')
    await caller.hasPaidFor(2)
  })

  test('while two callers wait has sold nothing to either, and then answers both at once', async () => {
    const { server, asked, openCaller } = openScene(kind)
    const [caller, other] = [await openCaller(), await openCaller()]
    await caller.isAnswered('warm')
    const { promise: bothWait, resolve } = Promise.withResolvers<Way>()
    server.decide = ({ method }) => (method === 'call' ? bothWait : 'answers')
    const failures = [caller.fails('one'), other.fails('two')]
    await until(async () => asked('call').length === 3)
    resolve('dies')
    await Promise.all(failures)
    server.decide = () => 'answers'
    await server.revive()
    await Promise.all([caller.isAnswered('one'), other.isAnswered('two')])
    await caller.hasPaidFor(2)
    await other.hasPaidFor(1)
  })

  test('after the answer for one of two callers has sold it to that one only', async () => {
    const { server, openCaller } = openScene(kind)
    const [caller, other] = [await openCaller(), await openCaller()]
    await caller.isAnswered('warm')
    const waits = Promise.withResolvers<Way>()
    const isAsked = Promise.withResolvers<void>()
    server.decide = ({ text }) => {
      if (text !== 'two') return 'answers'
      isAsked.resolve()
      return waits.promise
    }
    const failure = other.fails('two')
    await isAsked.promise
    await caller.isAnswered('one')
    waits.resolve('dies halfway')
    await failure
    await caller.hasPaidFor(2)
    await other.hasPaidFor(0)
    server.decide = () => 'answers'
    await server.revive()
    await Promise.all([other.isAnswered('two'), caller.isAnswered('three')])
    await other.hasPaidFor(1)
    await caller.hasPaidFor(3)
  })
})

describe.each(toolServers)('%s that is killed', (kind) => {
  test('as it is asked to initialize has sold nothing to those who wait for it', async () => {
    const { server, asked, openCaller, meetNext } = openScene(kind)
    const [caller, other] = [await openCaller(), await openCaller()]
    meetNext('call', 'dies')
    await caller.fails('one')
    await server.revive()
    server.asked.length = 0
    server.decide = ({ method }) => (method === 'initialize' ? 'dies' : 'answers')
    await Promise.all([caller.fails('one'), other.fails('two')])
    server.decide = () => 'answers'
    expect(asked('initialize')).not.toEqual([])
    expect(asked('call')).toEqual([])
    await server.revive()
    await Promise.all([caller.isAnswered('one'), other.isAnswered('two')])
    await caller.hasPaidFor(1)
    await other.hasPaidFor(1)
  })

  test('as it lists changed tools keeps those that are sold, and the next call reads the change', async () => {
    const { server, asked, openCaller, meetNext, connect } = openScene(kind)
    const caller = await openCaller()
    await connect()
    const { get } = await gateway().account(0)
    const modeOf = async (tool: string) => (await get(`/api/run/${server.name}/${tool}`)).body.mode
    const sold = await modeOf('spare')
    expect(sold).not.toBe('unavailable')
    server.decide = ({ method }) =>
      method === 'call' ? Promise.withResolvers<Way>().promise : 'answers'
    const failure = caller.fails('one')
    await until(async () => asked('call').some(({ text }) => text === 'one'))
    meetNext('tools/list', 'dies')
    server.tools = ['say']
    server.sayChanged()
    await failure
    expect([await modeOf('say'), await modeOf('spare')]).toEqual([sold, sold])
    await server.revive()
    await caller.isAnswered('one')
    await until(async () => (await modeOf('spare')) === 'unavailable')
    expect(await modeOf('say')).toBe(sold)
    server.tools = ['say', 'spare']
    server.sayChanged()
    await until(async () => (await modeOf('spare')) === sold)
    await caller.hasPaidFor(1)
  })
})

function openScene(kind: ServerKind) {
  const server = servers()[kind]
  server.asked.length = 0
  const asked = (method: Asked['method']) => server.asked.filter((each) => each.method === method)

  /** With a new account. The text of a call is its idempotency key. */
  async function openCaller() {
    const account = await gateway().account(balanceCents)
    const say = (text: string) =>
      account.call(`${server.name}/say`, { text }, { 'idempotency-key': text })
    async function expectAnswer(text: string, reply: Reply) {
      expect(reply.body).toMatchObject({ ok: true, charged_cents: priceCents })
      expect(saidIn(reply)).toMatch(new RegExp(`^${text} `))
      const again = await say(text)
      expect(again.headers.get('idempotency-replayed')).toBe('true')
      expect(again.body.data).toEqual(reply.body.data)
    }
    return {
      fails: async (text: string) => expectFailed(await say(text)),
      isAnswered: async (text: string) => expectAnswer(text, await say(text)),
      /** The gateway may not have seen yet that the server is dead. */
      async isAnsweredSoon(text: string) {
        let reply = await say(text)
        await until(async () => {
          if (reply.status === 200) return true
          expectFailed(reply)
          reply = await say(text)
          return reply.status === 200
        })
        await expectAnswer(text, reply)
      },
      async hasPaidFor(answers: number) {
        const left = { availableCents: balanceCents - answers * priceCents, heldCents: 0 }
        expect(await account.state()).toMatchObject(left)
      },
    }
  }

  return {
    server,
    asked,
    openCaller,
    /** The next request of a method is met so. All others are answered. */
    meetNext(method: Asked['method'], way: Way) {
      let isMet = false
      server.decide = (request) => {
        if (isMet || request.method !== method) return 'answers'
        isMet = true
        return way
      }
    },
    /** With a new connection, after which the gateway reads the tools. */
    async connect() {
      const caller = await openCaller()
      await server.kill()
      await server.revive()
      server.asked.length = 0
      await caller.isAnsweredSoon('connect')
      await until(async () => asked('tools/list').length > 0)
    },
  }
}

const expectFailed = ({ status, body }: Reply) =>
  expect([status, body.ok, body.error]).toEqual([500, false, 'upstream_error'])
