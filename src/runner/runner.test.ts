import { describe, expect, test } from 'vitest'
import type { AccountCaller } from '#core/caller.ts'
import { shareGatewayOfWorker } from '../../test/support/harness.ts'
import { type RunRequest, wayOf } from './runner.ts'

const entryOf = (open: boolean) => ({ action: { open } }) as unknown as RunRequest['entry']
const caller: AccountCaller = { kind: 'account', accountId: '', keyId: '', isLimited: false }
const payment = { rail: 'x402', header: '', source: '' } as const

describe('the decision how a request is answered', () => {
  const plain = { caller: undefined, payment: undefined, wantsQuote: false, open: false }
  test.each([
    [{ ...plain, wantsQuote: true, caller, payment }, true, 'quote'],
    [{ ...plain, payment }, true, 'wallet'],
    [{ ...plain, payment, open: true }, true, 'wallet'],
    [{ ...plain, payment }, false, 'wallet'],
    [{ ...plain, caller, open: true }, true, 'account'],
    [{ ...plain, open: true }, true, 'open'],
    [{ ...plain, open: true }, false, 'open'],
    [plain, true, 'wallet'],
    [plain, false, 'account'],
  ] as const)('%#: %j', ({ open, ...request }, walletsCanPay, way) => {
    const sent = { entry: entryOf(open), body: {}, bodyText: '', ...request }
    expect(wayOf(sent, walletsCanPay)).toBe(way)
  })
})

describe('a request from outside HTTP', () => {
  const gateway = shareGatewayOfWorker()

  async function setUp(request: Partial<RunRequest> & { action?: string } = {}) {
    const { runner, database, account } = gateway()
    const { id } = await account(100)
    const [key] = await database.query<{ id: string }>(
      'select id from api_key where account_id = $1',
      [id],
    )
    const points: number[] = []
    const handle = (more: Partial<RunRequest> = {}) =>
      runner.handle({
        entry: runner.resolve('test', request.action ?? 'echo', undefined),
        body: { text: 'hello' },
        bodyText: '{"text":"hello"}',
        caller: { kind: 'account', accountId: id, keyId: key?.id ?? '', isLimited: false },
        payment: undefined,
        wantsQuote: false,
        weigh: async (count) => void points.push(count),
        ...request,
        ...more,
      })
    return { handle, points }
  }

  test('is charged to its account, and replayed for its idempotency key', async () => {
    const { handle, points } = await setUp({ idempotencyKey: 'once' })
    const first = await handle()
    expect(first).toMatchObject({ way: 'account', replayed: false })
    expect(JSON.parse(first.body)).toMatchObject({ ok: true, data: { echo: 'hello' } })
    expect(await handle()).toEqual({ ...first, replayed: true })
    expect(points).toEqual([])
  })

  test('is quoted without being run, for one point', async () => {
    const { handle, points } = await setUp({ wantsQuote: true })
    const before = gateway().provider.asked.length
    const { way, body } = await handle()
    expect(way).toBe('quote')
    expect(JSON.parse(body)).toMatchObject({ data: { allowed: true }, charged_cents: 0 })
    expect([gateway().provider.asked.length, points]).toEqual([before, [1]])
  })

  test('needs an account where wallets cannot pay', async () => {
    const { handle } = await setUp({ caller: undefined })
    await expect(handle()).rejects.toMatchObject({ code: 'invalid_token' })
  })

  test('with an invalid idempotency key is refused before it counts', async () => {
    const { handle, points } = await setUp({ idempotencyKey: 'two words', wantsQuote: true })
    await expect(handle()).rejects.toMatchObject({ code: 'bad_request' })
    expect(points).toEqual([])
  })
})
