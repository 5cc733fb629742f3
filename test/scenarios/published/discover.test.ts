// discover over the whole catalog, through HTTP: free, directly usable, and clear about guesses.
import { expect, test } from 'vitest'
import { shareGatewayOfWorker } from '#test/harness.ts'

const gateway = shareGatewayOfWorker()

test.each([
  ['who raised money last week?', 'ns_signals/funding'],
  ['what is the work email of Jane Doe at acme.com', 'ns_email_a/email-finder'],
  ['papers about protein folding', 'ns_scholar/works'],
  ['10.7717/peerj.4375', 'ns_scholar/work'],
  ['read this web page for me', 'tollway/onescrape'],
])('%s: %s, and its example can be quoted as it is', async (query, expected) => {
  const account = await gateway().account(10)
  const { body } = await account.call('tollway/discover', { query })
  expect(body).toMatchObject({ ok: true, charged_cents: 0 })
  const found = body.data.hits.map(
    ({ service, action }: Record<string, string>) => `${service}/${action}`,
  )
  expect(found).toContain(expected)
  for (const hit of body.data.hits) {
    const reply = await gateway().request(
      'POST',
      `/api/run/${hit.service}/${hit.action}?quote=true`,
      {
        key: account.key,
        body: hit.example,
      },
    )
    if (hit.mode === 'unavailable') expect(reply.body.error).toBe('provider_not_configured')
    else if (reply.status !== 404) expect(reply.body.data.price.cents).toBe(hit.price_cents)
    expect(Object.keys(hit.example)).toEqual(expect.arrayContaining(hit.required))
  }
  expect(await account.state()).toEqual({ availableCents: 10, heldCents: 0, transactions: 0 })
})

test.each([
  ['one telling word decides', 'fax a signed contract to a law office', 'ns_fax/send'],
  ['names are not a topic', 'CIK of Palantir', 'ns_filings/entities'],
  ['what one action takes decides', 'full text of 29 CFR 541', 'ns_regs/resolve'],
  ['without an id: search first', 'are there trials recruiting for alopecia?', 'ns_trials/search'],
])('in a question about several things, %s', async (_what, query, expected) => {
  const account = await gateway().account(0)
  const { body } = await account.call('tollway/discover', { query })
  expect(`${body.data.hits[0]?.service}/${body.data.hits[0]?.action}`).toBe(expected)
})

test.each(['tell me a joke', 'how do I tie a bow tie'])(
  'a question that no action answers gets none, and is told so: %s',
  async (query) => {
    const account = await gateway().account(0)
    const { status, body } = await account.call('tollway/discover', { query })
    expect([status, body.data.hits]).toEqual([200, []])
    expect(body.data.message).toMatch(/No action/)
  },
)

test.each(['how tall is the museum', 'how do I bake sourdough bread'])(
  'a guess is shown, and marked: %s',
  async (query) => {
    const { body } = await gateway().call('tollway/discover', { query })
    expect(body.data.hits.length).toBeGreaterThan(0)
    for (const { confidence, weak } of body.data.hits) expect(weak).toBe(confidence < 0.5)
    expect(body.data.hits.some(({ weak }: { weak: boolean }) => weak)).toBe(true)
  },
)

test('a question in another language has the same answer', async () => {
  const { body } = await gateway().call('tollway/discover', {
    query: 'Gerichtsverfahren gegen ein Unternehmen finden',
  })
  expect(body.data.hits[0]).toMatchObject({ service: 'ns_courts', action: 'dockets', weak: false })
})

test.each([
  {},
  { query: ' ' },
  { query: 'x'.repeat(1_001) },
  { query: 7 },
  { query: 'x', limit: 21 },
])('%# is refused', async (input) => {
  const account = await gateway().account(0)
  const { status, body } = await account.call('tollway/discover', input)
  expect([status, body.error]).toEqual([400, 'bad_request'])
})

test('among several endpoints it names the requested one, with its price or the reason why it is unavailable', async () => {
  const ask = async (query: string) => {
    const { body } = await gateway().call('tollway/discover', { query })
    return body.data.hits[0]
  }
  expect(await ask('stock trades by members of congress')).toMatchObject({
    service: 'ns_primary',
    price_cents: 7,
    required: ['endpoint', 'name'],
    example: { endpoint: 'political-trades' },
    mode: 'unavailable',
    reason: expect.stringContaining('disclosures'),
  })
  expect(await ask('google trends by region for a keyword')).toMatchObject({
    service: 'ns_trends',
    price_cents: 5,
    required: ['endpoint', 'keyword'],
    example: { endpoint: '/interest-by-region' },
  })
})

test('it is open: without a credential it returns the same answer and no challenge', async () => {
  const { status, body } = await gateway().call('tollway/discover', { query: 'pictures of mars' })
  expect([status, body.ok, body.charged_cents]).toEqual([200, true, 0])
  const described = await gateway().request('GET', '/api/run/tollway/discover')
  expect(described.body.open).toBe(true)
  const wrongKey = await gateway().call('tollway/discover', { query: 'x' }, { key: 'tw_live_no' })
  expect(wrongKey.status).toBe(401)
})
