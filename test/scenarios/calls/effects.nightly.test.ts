// What a call makes that stays after it exists only if the call is charged: as a whole, and in its parts.
import { createServer } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { defineAction, defineJob, type RunContext, z } from '#core/action.ts'
import { fail } from '#core/errors.ts'
import { defineProvider } from '#core/provider.ts'
import { systemClock as clock } from '#platform/clock.ts'
import { portOf } from '#platform/http/port.ts'
import { createSandbox } from '#platform/sandbox/sandbox.ts'
import { canRent } from '#test/browsers/rented-browser.ts'
import { existing, mailDomain, prepareEffectCalls } from '#test/effects/effect-calls.ts'
import { shareGateway, type TestAccount, verify } from '#test/harness.ts'
import { mediaSample } from '#test/media-samples.ts'

const fileOf = (size_bytes: number) => ({ filename: 'a.bin', size_bytes })

const orders = z.object({
  calls: z.array(z.tuple([z.string(), z.looseObject({})])),
  ending: z.enum(['well', 'badly']),
})
type Orders = z.output<typeof orders>

/** Calls other actions, one after the other, and ends as it is told. */
async function carryOut({ input, call }: Pick<RunContext<Orders>, 'input' | 'call'>) {
  const outcomes: unknown[] = []
  for (const [action, body] of input.calls)
    outcomes.push(await call(action, body).catch(({ code }) => code))
  if (input.ending === 'badly') throw fail('upstream_error', { data: outcomes })
  return { outcomes }
}

const terms = {
  summary: 'Carry out orders.',
  input: orders,
  output: z.looseObject({}),
  price: { cents: 1 },
  example: { input: { calls: [], ending: 'well' as const }, cents: 1 },
}
const carry = defineAction('carry', { ...terms, run: carryOut })

/** Replaced by each test that pauses a call. */
let pause = { made: Promise.withResolvers<void>(), end: Promise.withResolvers<void>() }
const paused = defineAction('paused', {
  ...terms,
  async run(context) {
    const outcomes = await carryOut({ ...context, input: { ...context.input, ending: 'well' } })
    pause.made.resolve()
    await pause.end.promise
    if (context.input.ending === 'badly') throw fail('upstream_error')
    return outcomes
  },
})

const inFirstTry = Promise.withResolvers<void>()
const tryAgain = Promise.withResolvers<void>()
/** Its first try stops after its only step. */
const resumed = defineJob('resumed', {
  ...terms,
  async run({ call, save, checkpoints, later }) {
    const isFirstTry = !checkpoints.has('tried')
    await save('tried', true)
    await call('works/carry', { calls: [['files/upload', fileOf(1)]], ending: 'well' }, 'step')
    if (!isFirstTry) return {}
    inFirstTry.resolve()
    await tryAgain.promise
    return later(0)
  },
})

const web = createServer((_, reply) => void reply.end('a file'))
beforeAll(() => new Promise<void>((resolve) => web.listen(0, '127.0.0.1', resolve)))
afterAll(() => {
  web.closeAllConnections()
  web.close()
})

const gateway = shareGateway({
  providers: [defineProvider({ id: 'works', title: 'Works', actions: [carry, paused, resumed] })],
  env: { MAIL_DOMAINS: mailDomain, MAIL_PORT: '0', EGRESS_ALLOW: '127.0.0.1' },
})
const hasBoxes = (await createSandbox({ clock }).missing()) === undefined

async function open(balanceCents = 5_000) {
  const account = await gateway().account(balanceCents)
  const call = async (action: string, body: object) => (await account.call(action, body)).body.data
  const bodies = await prepareEffectCalls(call, {
    hasBoxes,
    hasBrowsers: canRent,
    picture: new Uint8Array(await mediaSample('image/png')),
    fileUrl: `http://127.0.0.1:${portOf(web)}/a.txt`,
  })
  const save = bodies().find(([action]) => action === 'ns_assembler/put_composition')
  if (save === undefined) throw new Error('No composition can be saved.')
  const saved = () =>
    account.call('ns_assembler/get_project', { project_id: Object(save[1]).project_id })
  return { account, bodies, save, saved, there: () => existing(gateway().database, account.id) }
}

const order = (account: TestAccount, calls: readonly unknown[], ending: Orders['ending']) =>
  account.call('works/carry', { calls, ending })

const expectRight = async () =>
  expect(await verify(gateway())).toMatchObject({ ok: true, problems: [] })

describe('what a call has made', () => {
  test('is there when the call is charged', async () => {
    const { account, bodies, there } = await open()
    const before = await there()
    const { body } = await order(account, bodies(), 'well')
    expect(body.data.outcomes.filter((one: unknown) => typeof one === 'string')).toEqual([])
    const after = await there()
    expect(after.map(({ action }) => action)).toEqual(
      expect.arrayContaining(before.map(({ action }) => action)),
    )
    expect(after).not.toEqual(before)
    await expectRight()
  })

  test('is gone when the call fails, each kind of it', async () => {
    const { account, bodies, there } = await open()
    const before = await there()
    const { body } = await order(account, bodies(), 'badly')
    expect(body.error).toBe('upstream_error')
    expect(body.data.filter((one: unknown) => typeof one === 'string')).toEqual([])
    expect(await there()).toEqual(before)
    await expectRight()
  })

  test('by a part of the call is gone when that part fails', async () => {
    const { account, bodies, there } = await open()
    const before = await there()
    const inner = ['works/carry', { calls: bodies(), ending: 'badly' }]
    const { body } = await order(account, [inner, ['files/upload', fileOf(1)]], 'well')
    expect(body.data.outcomes[0]).toBe('upstream_error')
    const files = (rows: typeof before) => rows.find(({ action }) => action === 'files/upload')
    const others = (rows: typeof before) => rows.filter((row) => row !== files(rows))
    const after = await there()
    expect(others(after)).toEqual(others(before))
    expect(files(after)?.micros).toBe((files(before)?.micros ?? 0) + 10_000)
    await expectRight()
  })

  test('several compositions of one call are undone in their order', async () => {
    const { account, save, saved } = await open()
    const { etag } = (await account.call(...save)).body.data
    await order(account, [save, save, save], 'badly')
    const { body } = await saved()
    expect(body.data).toMatchObject({ etag, composition: { v: 1 } })
  })

  test.for([
    ['well', 200],
    ['badly', 404],
  ] as const)(
    'is changed by another call only once its own has ended (%s)',
    async ([ending, after]) => {
      const { account, save, there } = await open()
      pause = { made: Promise.withResolvers(), end: Promise.withResolvers() }
      const calls = [['ns_assembler/create_project', { name: 'Paused' }]]
      const ended = account.call('works/paused', { calls, ending })
      await pause.made.promise
      const [row] = await gateway().database.query<{ id: string }>(
        `select id from film_project where account_id = $1 and name = 'Paused'`,
        [account.id],
      )
      const saveThere = () => account.call(save[0], { ...save[1], project_id: row?.id })
      const before = await there()
      const refused = await saveThere()
      expect([refused.status, refused.body.error]).toEqual([503, 'unavailable'])
      expect(refused.headers.get('retry-after')).toBe('1')
      expect(await there()).toEqual(before)
      pause.end.resolve()
      await ended
      expect((await saveThere()).status).toBe(after)
      await expectRight()
    },
  )

  test('a composition that another call saved since stays', async () => {
    const { account, save, saved } = await open()
    pause = { made: Promise.withResolvers(), end: Promise.withResolvers() }
    const ended = account.call('works/paused', { calls: [save], ending: 'badly' })
    await pause.made.promise
    const { etag } = (await account.call(...save)).body.data
    pause.end.resolve()
    await ended
    const { body } = await saved()
    expect(body.data.etag).toBe(etag)
    await expectRight()
  })

  test('does not count what the caller had before', async () => {
    const { account, save, saved } = await open()
    await order(account, [save], 'badly')
    expect((await saved()).status).toBe(200)
  })

  test('by a step that runs again is there once', async () => {
    const { account, there } = await open()
    const before = await there()
    const { body } = await account.call('works/resumed', { calls: [], ending: 'well' })
    await inFirstTry.promise
    // As if the gateway had stopped between the effect and the checkpoint.
    await gateway().database.query(`delete from checkpoint where call_id = $1 and name = 'step'`, [
      body.data.job_id,
    ])
    tryAgain.resolve()
    const polled = { job_id: body.data.job_id, wait_seconds: 25 }
    expect((await account.call('tollway/result', polled)).body.data.status).toBe('succeeded')
    const files = (rows: typeof before) =>
      rows.find(({ action }) => action === 'files/upload')?.micros ?? 0
    expect(files(await there()) - files(before)).toBe(10_000)
    await expectRight()
  })
})
