// Wallets that find people: a search is paid or free, and a job is paid before it runs and gives back what it did not
// charge.
import { afterAll, expect, test } from 'vitest'
import { startPeopleVendors } from '#test/people/vendors.ts'
import { until } from '#test/until.ts'
import { expectBooksRight } from '../../payments/books.ts'
import { payments, rails, shareChains, sharePaidGateway } from '../../payments/paid-gateway.ts'
import { buy, received } from '../../payments/payers.ts'

const vendors = await startPeopleVendors()
afterAll(() => vendors.close())
const shared = sharePaidGateway(shareChains(), { env: vendors.env })

const answers = {
  '/search': {
    results: [
      { id: '1', url: 'https://www.linkedin.com/in/jane-doe', title: 'Jane Doe | CMO at Acme' },
    ],
  },
  '/v1/people/search': { profiles: [] },
  '/email-finder': { data: { email: 'jane.doe@acme.example' } },
  '/v1/email/verify': { data: { status: 'valid' } },
}

test.skipIf(!payments.ok).each(rails)(
  `%s: a wallet pays for a search that finds someone, and for no other ${payments.reason}`,
  async (rail) => {
    vendors.say(answers)
    const gateway = shared()
    const before = await received(gateway, rail)
    const found = await buy(gateway, rail, 'tollway/onefind', { query: 'CMO in Rome' })
    expect(found.body).toMatchObject({ charged_cents: 2, data: { count: 1 } })
    vendors.say({})
    const failed = await buy(gateway, rail, 'tollway/onefind', { query: 'CTO in Rome' })
    expect(failed.status).toBe(500)
    expect((await received(gateway, rail)) - before).toBe(20_000n)
    await expectBooksRight(gateway)
  },
)

// x402 takes only amounts that are known before the call, and the charge of a job is known after it.
test.skipIf(!payments.ok)(
  `mpp: a wallet pays the budget of a job first, and gets back what is not charged ${payments.reason}`,
  async () => {
    vendors.say(answers)
    const gateway = shared()
    const before = await received(gateway, 'mpp')
    const rows = ['Jane Doe, acme.example', 'Absent Person, acme.example']
    const { body } = await buy(gateway, 'mpp', 'tollway/onefind-deep', { rows })
    expect(body).toMatchObject({ data: { status: 'queued' } })
    expect((await received(gateway, 'mpp')) - before).toBe(320_000n)
    const poll = async () => (await (await fetch(body.data.status_url)).json()).data
    await until(async () => (await poll()).refund?.status === 'confirmed')
    expect(await poll()).toMatchObject({
      status: 'succeeded',
      charged_usd: '0.100000',
      refund: { amount: '0.220000' },
      result: { filled_count: 1 },
    })
    await expectBooksRight(gateway)
  },
)
