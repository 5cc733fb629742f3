// Finding people through the door: what a search returns and charges, and what it refuses for free.
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeDataDirectory } from '#test/data-directory.ts'
import { type Gateway, startGateway, verify } from '#test/harness.ts'
import { type PeopleVendors, startPeopleVendors } from '#test/people/vendors.ts'

const page = (name: string, headline: string, slug: string) => ({
  id: slug,
  url: `https://www.linkedin.com/in/${slug}`,
  title: `${name} | ${headline}`,
})
const found = {
  '/search': { results: [page('Jane Doe', 'CMO at Acme', 'jane-doe')] },
  '/v1/people/search': {
    metadata: { total_results: 1 },
    profiles: {
      'https://www.linkedin.com/in/jane-doe': { full_name: 'Jane Doe', location: 'Berlin' },
    },
  },
}
const query = { query: 'CMO in Berlin' }

const endings: (() => Promise<void>)[] = []
let vendors: PeopleVendors
let gateway: Gateway
let optOutFile: string
beforeAll(async () => {
  vendors = await startPeopleVendors()
  optOutFile = path.join(await makeDataDirectory(), 'opt-out.txt')
  await writeFile(optOutFile, '# no one yet\n')
  gateway = await startGateway({ env: { ...vendors.env, PEOPLE_OPT_OUT: optOutFile } }, (end) =>
    endings.unshift(end),
  )
})
afterAll(async () => {
  for (const end of endings) await end()
  vendors.close()
})

test('a search costs 2¢, joins what its sources say, and its timeline has their prices', async () => {
  vendors.say(found)
  const account = await gateway.account(10)
  const { body } = await account.call('tollway/onefind', query)
  expect(body).toMatchObject({ ok: true, charged_cents: 2, balance_remaining_cents: 8 })
  expect(body.data.people).toMatchObject([
    { name: 'Jane Doe', title: 'CMO', company: 'Acme', location: 'Berlin', email: null },
  ])
  const { timeline } = (await account.get(`/api/v1/transactions/${body.transaction_id}`)).body
  const hops = timeline.filter(({ event }: { event: string }) => event === 'hop')
  expect(hops.map((hop: { charged_cents: number }) => hop.charged_cents)).toEqual([1, 1])
  expect(await verify(gateway)).toMatchObject({ ok: true, problems: [] })
})

test.each([
  [
    'no one',
    'Jane Doe',
    { '/search': { results: [] }, '/v1/people/search': { profiles: [] } },
    404,
  ],
  ['failures only', 'Ali Can', { '/search': 500, '/v1/people/search': 429, '/authors': 500 }, 500],
])('a search that meets %s is free', async (_, name, answers, status) => {
  vendors.say({
    '/authors': { meta: { count: 0, page: 1, per_page: 15 }, results: [] },
    ...answers,
  })
  const account = await gateway.account(10)
  const reply = await account.call('tollway/onefind', { query: name })
  expect(reply.status).toBe(status)
  expect(await account.state()).toMatchObject({ availableCents: 10, heldCents: 0 })
})

test.each(['jane@acme.com', 'linkedin.com/in/jane-doe'])(
  '%s as a query is refused before any source is asked',
  async (address) => {
    vendors.say(found)
    const account = await gateway.account(10)
    const { status, body } = await account.call('tollway/onefind', { query: address })
    expect(status).toBe(400)
    expect(body).toMatchObject({
      error: 'bad_request',
      message: expect.stringContaining('onefind-deep'),
    })
    expect(vendors.asked).toEqual([])
    expect(await account.state()).toMatchObject({ availableCents: 10, transactions: 0 })
  },
)

test('a person whom the operator adds to the list while the gateway runs is no longer returned', async () => {
  vendors.say({
    '/search': {
      results: [page('Jane Doe', 'CMO at Acme', 'jane-doe'), page('Ali Can', 'CMO', 'ali')],
    },
    '/v1/people/search': { profiles: [] },
  })
  const account = await gateway.account(10)
  const names = async () => {
    const { body } = await account.call('tollway/onefind', query)
    return body.data.people.map(({ name }: { name: string }) => name)
  }
  expect(await names()).toEqual(['Jane Doe', 'Ali Can'])
  await writeFile(optOutFile, 'https://www.linkedin.com/in/jane-doe\n')
  expect(await names()).toEqual(['Ali Can'])
})

test('who opted out is left out of the actions of vendors too: neither asked for nor answered nor charged', async () => {
  await writeFile(optOutFile, 'jane.doe@acme.example\nhttps://linkedin.com/in/jane-doe\n')
  const account = await gateway.account(100)
  const nothing = { status: 404, body: { error: 'not_found' } }

  vendors.say({})
  const profile = 'https://www.linkedin.com/in/jane-doe'
  for (const [action, body] of [
    ['ns_contact/linkedin-contacts', { profile }],
    ['ns_email_a/linkedin-finder', { url: profile }],
    ['ns_email_a/enrich', { email: 'Jane.Doe@acme.example' }],
    ['ns_contact/person-from-email', { email: 'jane.doe@acme.example' }],
  ] as const)
    expect([action, await account.call(action, body)]).toMatchObject([action, nothing])
  expect(vendors.asked).toEqual([])

  vendors.say({
    '/email-finder': { data: { email: 'jane.doe@acme.example', full_name: 'Jane Doe' } },
    '/v1/people/search': {
      metadata: { total_results: 2 },
      profiles: { [profile]: { full_name: 'Jane Doe' }, 'https://www.linkedin.com/in/ali': {} },
    },
  })
  const finder = { full_name: 'Jane Doe', domain: 'acme.example' }
  expect(await account.call('ns_email_a/email-finder', finder)).toMatchObject(nothing)
  const search = await account.call('ns_contact/people-search', { job_title: ['CMO'] })
  expect(search.body).toMatchObject({
    charged_cents: 1,
    data: { profiles: [{ url: 'https://www.linkedin.com/in/ali' }] },
  })
  expect(await account.state()).toMatchObject({ availableCents: 99, heldCents: 0 })

  // One source that knows her address ends the search for her phone number as well.
  vendors.say({
    '/phone-finder': { data: [{ e164_format: '+15550100' }] },
    '/email-finder': { data: { email: 'jane.doe@acme.example' } },
  })
  const handle = await account.call('tollway/onefind-deep', {
    rows: ['Jane Doe, acme.example'],
    fields: ['email', 'phone'],
    budgetCents: 80,
  })
  const poll = { job_id: handle.body.data.job_id, wait_seconds: 30 }
  const done = (await account.call('tollway/result', poll)).body.data
  expect(done.result.rows).toMatchObject([
    { name: null, missing: { email: 'not found' }, filled: [] },
  ])
  expect(await verify(gateway)).toMatchObject({ ok: true, problems: [] })
  await writeFile(optOutFile, '# no one\n')
})
