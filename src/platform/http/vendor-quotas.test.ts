import { expect, test } from 'vitest'
import { fail } from '#core/errors.ts'
import type { ServiceHttp } from '#core/ports.ts'
import { defineProvider, type VendorQuota } from '#core/provider.ts'
import { createVendorQuotas } from './vendor-quotas.ts'

const http = { withSignal: () => ({}) } as unknown as ServiceHttp

const vendor = (id: string, quota?: () => Promise<VendorQuota>) => ({
  provider: defineProvider({
    id,
    title: id,
    actions: [],
    upstream: { baseUrl: 'https://vendor.example', ...(quota && { quota }) },
  }),
  http,
})

test('a vendor is asked once in five minutes, however often an operator looks', async () => {
  let nowMs = 0
  let asked = 0
  const quotas = createVendorQuotas({
    services: [
      vendor('counted', async () => {
        asked += 1
        return { remaining: 10 - asked, unit: 'credits' }
      }),
      vendor('silent'),
    ],
    clock: { now: () => nowMs },
  })
  await Promise.all([quotas.read(), quotas.read()])
  expect([...(await quotas.read())]).toEqual([
    ['counted', { remaining: 9, unit: 'credits', askedAt: new Date(0) }],
  ])
  nowMs = 5 * 60_000
  expect((await quotas.read()).get('counted')).toMatchObject({ remaining: 8 })
  expect(asked).toBe(2)
})

test('a vendor that fails is reported beside those that answer', async () => {
  const quotas = createVendorQuotas({
    services: [
      vendor('refuses', async () => {
        throw fail('rate_limited', { message: 'The provider is busy.' })
      }),
      vendor('rambles', async () => JSON.parse('<html>')),
      vendor('answers', async () => ({ remaining: null, unit: 'USD' })),
    ],
    clock: { now: () => 0 },
  })
  const askedAt = new Date(0)
  expect(Object.fromEntries(await quotas.read())).toEqual({
    refuses: { problem: 'The vendor did not tell: The provider is busy.', askedAt },
    rambles: {
      problem: 'The vendor answered in another form than its documentation says.',
      askedAt,
    },
    answers: { remaining: null, unit: 'USD', askedAt },
  })
})
