// What vendors answer about the operator's account, as their documentation shows it.
import { expect, onTestFinished, test } from 'vitest'
import { providers } from '#catalog/providers.ts'
import { baseUrlName } from '#core/provider.ts'
import { systemClock } from '#platform/clock.ts'
import { createService } from '#platform/http/service.ts'
import { createVendorQuotas } from '#platform/http/vendor-quotas.ts'
import { startReplayServer } from '#test/replay-server.ts'
import { credentialsOf } from '#test/run-action.ts'
import { silentLog } from '#test/silent-log.ts'

const bearer = { headers: { authorization: 'Bearer test-key' }, query: {} }
const tavily = { current_plan: 'Bootstrap', plan_usage: 500, plan_limit: 15_000 }

const documented = [
  {
    id: 'ns_cite',
    request: { path: '/credits/balance', ...bearer },
    body: { balance: 123.456 },
    quota: { remaining: 123.456, unit: 'credits' },
  },
  {
    id: 'ns_rag',
    request: { path: '/usage', ...bearer },
    body: {
      key: { usage: 150, limit: 1_000 },
      account: { ...tavily, paygo_usage: 25, paygo_limit: 100 },
    },
    // The limit of the key is reached before that of the account.
    quota: { remaining: 850, limit: 15_100, unit: 'credits' },
  },
  {
    id: 'ns_rag',
    request: { path: '/usage', ...bearer },
    body: {
      key: { usage: 150, limit: null },
      account: { ...tavily, paygo_usage: 0, paygo_limit: null },
    },
    quota: { remaining: 14_500, limit: 15_000, unit: 'credits' },
  },
  {
    id: 'ns_render_a',
    request: { path: '/team/credit-usage', ...bearer },
    body: {
      success: true,
      data: {
        remainingCredits: 1_000,
        planCredits: 500_000,
        billingPeriodStart: '2025-01-01T00:00:00Z',
        billingPeriodEnd: '2025-01-31T23:59:59Z',
      },
    },
    quota: {
      remaining: 1_000,
      limit: 500_000,
      unit: 'credits',
      renewsAt: '2025-01-31T23:59:59Z',
    },
  },
  {
    id: 'ns_resi',
    request: { path: '/usage', query: { 'x-api-key': 'test-key' } },
    body: {
      plan_name: 'Enthusiast',
      plan_total_credits: 100_000,
      remained_credits: 96_740,
      start_date: '2022-01-11T00:00:00',
      end_date: '2022-02-11T00:00:00',
    },
    quota: {
      remaining: 96_740,
      limit: 100_000,
      unit: 'credits',
      renewsAt: '2022-02-11T00:00:00',
    },
  },
  {
    id: 'ns_router',
    request: { path: '/key', ...bearer },
    body: { data: { limit: 100, limit_remaining: 74.5, limit_reset: 'monthly', usage: 25.5 } },
    quota: { remaining: 74.5, limit: 100, unit: 'USD' },
  },
]

const find = (id: string) => {
  const provider = providers.find((each) => each.id === id)
  if (provider === undefined) throw new Error(`There is no provider ${id}.`)
  return provider
}

async function ask(id: string, exchanges: Parameters<typeof startReplayServer>[0]) {
  const provider = find(id)
  const server = await startReplayServer(exchanges)
  const baseUrl = server.baseUrlFor(provider.upstream?.baseUrl ?? '')
  const service = createService(provider, {
    variables: new Map([[baseUrlName(provider), baseUrl], ...credentialsOf(provider)]),
    userAgent: 'Tollway/test (tests@example.org)',
    clock: systemClock,
    log: silentLog,
  })
  onTestFinished(async () => {
    await service.close()
    await server.close()
  })
  const report = (await createVendorQuotas({ services: [service], clock: systemClock }).read()).get(
    id,
  )
  return { report, problems: server.problems() }
}

test.each(documented)('$id tells what is left: $quota', async ({ id, request, body, quota }) => {
  const { report, problems } = await ask(id, [
    { request: { method: 'GET', ...request }, reply: { status: 200, body } },
  ])
  expect({ ...report, problems }).toEqual({ ...quota, askedAt: expect.any(Date), problems: [] })
})

test.each([...new Set(documented.map(({ id }) => id))])(
  'a reply of %s in another form is a problem, and not a number',
  async (id) => {
    const example = documented.find((each) => each.id === id)
    const { report } = await ask(id, [
      {
        request: { method: 'GET', ...(example?.request ?? { path: '', query: {} }) },
        reply: { status: 200, body: { success: true } },
      },
    ])
    expect(report).toMatchObject({ problem: expect.stringContaining('another form') })
  },
)

test('every provider that reports a quota is tested', () => {
  const reporting = providers.filter(({ upstream }) => upstream?.quota !== undefined)
  expect(reporting.map(({ id }) => id)).toEqual([...new Set(documented.map(({ id }) => id))])
})
