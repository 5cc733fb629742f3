// A request that the provider's plan does not include leaves the other requests available.
import { expect, test } from 'vitest'
import { shareGateway } from '#test/harness.ts'
import { shareVendorStub } from '#test/vendor-stub.ts'

const stub = shareVendorStub()
const shared = shareGateway(() => ({
  env: {
    NS_AKTA_BASE_URL: stub().url,
    NS_AKTA_API_KEY: 'a-key',
    TWITTER_BASE_URL: stub().url,
    TWITTER_API_KEY: 'a-key',
  },
}))
const refused = { status: 403, body: { status: 'error', message: 'the vendor’s own words' } }
const gone = { status: 404, body: { error: { type: 'record-not-found', message: 'No actor.' } } }
const unrented = { status: 403, body: { error: { type: 'actor-is-not-rented', message: 'Rent.' } } }
type Reply = { status: number; body: unknown }
type Call = [action: string, input: object]
const jobs: Call = ['ns_akta/jobs', { company: 'tesla' }]
const news: Call = ['ns_akta/news', {}]
const followers: Call = ['twitter/followers', { user_names: ['nasa'] }]
const posts: Call = ['twitter/search', { searchTerms: ['tea'] }]

test.each<[string, Call, Reply, Call, unknown]>([
  ['an endpoint beyond the plan', jobs, refused, news, { data: [] }],
  ['an actor that is gone', followers, gone, posts, []],
  ['an actor that is not rented', followers, unrented, posts, []],
])('%s', async (_what, refusedCall, refusal, otherCall, body) => {
  const account = await shared().account(100)
  stub().say(refusal)
  for (let call = 0; call < 6; call += 1) {
    const reply = await account.call(...refusedCall)
    expect(reply.body).toMatchObject({ ok: false, error: 'upstream_error' })
    expect(reply.body.message).toContain('does not allow this gateway to use this')
  }
  expect(await account.state()).toMatchObject({ availableCents: 100, heldCents: 0 })
  stub().say({ body })
  expect((await account.call(...otherCall)).body).toMatchObject({ ok: true })
})
