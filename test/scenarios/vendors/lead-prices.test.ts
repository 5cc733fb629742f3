// The actions about people and companies charge for delivered results, never above the quote. Vendors are local
// servers.
import { afterAll, describe, expect, test } from 'vitest'
import { verify } from '#test/harness.ts'
import { exchangeOf, shareLeadVendors } from '#test/people/lead-vendors.ts'
import type { Exchange } from '#test/replay-server.ts'

const { vendor, gateway } = await shareLeadVendors()
const balanceCents = 20_000

const get = (path: string, query: Exchange['request']['query'], body: unknown, status = 200) => ({
  request: { method: 'GET', path, query },
  reply: { status, body },
})
const post = (path: string, sent: unknown, body: unknown, status = 200) => ({
  request: { method: 'POST', path, query: {}, body: sent },
  reply: { status, body },
})
const many = (count: number, item: object = {}) => Array.from({ length: count }, () => item)

interface Row {
  readonly title: string
  readonly action: string
  readonly input: object
  readonly exchanges: readonly Exchange[]
  readonly quoted: number
  readonly charged: number
  /** A part of the caller's answer. */
  readonly data?: object
  /** The cost of the call to the operator, in dollars. */
  readonly costUsd?: string
}

const linkedin = 'https://www.linkedin.com/in/example-person'
const found = {
  email: ['a@example.com'],
  work_email: ['a@example.com'],
  personal_email: [],
  phone: [],
}
const contactsOf = (phone: boolean, reply: object, status = 200) =>
  get('/v1/people/linkedin', { profile: linkedin, include_phone: String(phone) }, reply, status)
const searchPeople = (pageSize: number, profiles: unknown) =>
  post(
    '/v1/people/search',
    { job_title: ['CTO'], page_size: pageSize, page: 1 },
    { profiles, metadata: {} },
  )
const person = 'person@example.com'
const miss = { data: { email: null, score: null } }
const hit = { data: { email: person, score: 90 } }
const dealId = '550e8400-e29b-41d4-a716-446655440000'

const contactRows: Row[] = [
  {
    title: 'a profile found costs, and each of them',
    action: 'ns_contact/people-search',
    input: { job_title: ['CTO'], page_size: 25 },
    exchanges: [searchPeople(25, { 'https://a.example': {}, 'https://b.example': {} })],
    quoted: 25,
    charged: 2,
    data: { profiles: [{ url: 'https://a.example' }, { url: 'https://b.example' }] },
  },
  {
    title: 'no person found: free',
    action: 'ns_contact/people-search',
    input: { job_title: ['CTO'] },
    exchanges: [searchPeople(10, [])],
    quoted: 10,
    charged: 0,
    data: { profiles: [] },
  },
  {
    title: 'more than was asked for is not charged',
    action: 'ns_contact/people-search',
    input: { job_title: ['CTO'], page_size: 1 },
    exchanges: [searchPeople(1, { 'https://a.example': {}, 'https://b.example': {} })],
    quoted: 1,
    charged: 1,
  },
  {
    title: 'addresses behind a profile',
    action: 'ns_contact/linkedin-contacts',
    input: { profile: 'linkedin.com/in/example-person' },
    exchanges: [
      get(
        '/v1/people/linkedin',
        { profile: 'https://linkedin.com/in/example-person', include_phone: 'false' },
        { profile: found },
      ),
    ],
    quoted: 10,
    charged: 10,
  },
  {
    title: 'nothing behind a profile: free',
    action: 'ns_contact/linkedin-contacts',
    input: { profile: linkedin },
    exchanges: [contactsOf(false, { message: 'Not Found' }, 404)],
    quoted: 10,
    charged: 0,
    data: { profile: { email: [], phone: [] } },
  },
  {
    title: 'four empty lists: free',
    action: 'ns_contact/linkedin-contacts',
    input: { profile: linkedin, include_phone: true },
    exchanges: [contactsOf(true, { profile: { ...found, email: [], work_email: [] } })],
    quoted: 30,
    charged: 0,
  },
  {
    title: 'a phone number found',
    action: 'ns_contact/linkedin-contacts',
    input: { profile: linkedin, include_phone: true },
    exchanges: [contactsOf(true, { profile: { ...found, phone: ['+12015550123'] } })],
    quoted: 30,
    charged: 30,
  },
  {
    title: 'a phone number wanted, only addresses found',
    action: 'ns_contact/linkedin-contacts',
    input: { profile: linkedin, include_phone: true },
    exchanges: [contactsOf(true, { profile: found })],
    quoted: 30,
    charged: 10,
  },
  {
    title: 'a person behind an address',
    action: 'ns_contact/person-from-email',
    input: { email: person },
    exchanges: [exchangeOf('ns_contact/person-from-email')],
    quoted: 10,
    charged: 10,
  },
  {
    title: 'no person behind an address: free',
    action: 'ns_contact/person-from-email',
    input: { email: person },
    exchanges: [exchangeOf('ns_contact/person-from-email', { status: 404, body: {} })],
    quoted: 10,
    charged: 0,
    data: { profile: null },
  },
  ...['valid', 'invalid', 'accept_all', 'disposable'].map((status) => ({
    title: `an address that is ${status}`,
    action: 'ns_contact/email-verify',
    input: { email: person },
    exchanges: [exchangeOf('ns_contact/email-verify', { body: { data: { status } } })],
    quoted: 2,
    charged: 2,
    data: { status },
  })),
  {
    title: 'an address of which nothing could be said: free',
    action: 'ns_contact/email-verify',
    input: { email: person },
    exchanges: [exchangeOf('ns_contact/email-verify', { body: { data: { status: 'unknown' } } })],
    quoted: 2,
    charged: 0,
  },
]

const emailQueries = {
  'email-finder': { cents: 4, input: { company: 'Example Inc', full_name: 'Jane Doe' } },
  'author-finder': { cents: 4, input: { url: 'https://example.com/post' } },
  'linkedin-finder': { cents: 5, input: { url: linkedin, full: true } },
} as const
const emailPaths = {
  'email-finder': '/email-finder',
  'author-finder': '/author-finder',
  'linkedin-finder': '/linkedin',
}
const asQuery = (input: object) =>
  Object.fromEntries(Object.entries(input).map(([name, value]) => [name, String(value)]))

const emailRows: Row[] = [
  ...(Object.keys(emailQueries) as (keyof typeof emailQueries)[]).flatMap((name) => {
    const { cents, input } = emailQueries[name]
    const row = { action: `ns_email_a/${name}`, input, quoted: cents }
    const path = emailPaths[name]
    return [
      {
        ...row,
        title: `${name} finds`,
        charged: cents,
        exchanges: [get(path, asQuery(input), hit)],
        data: hit.data,
      },
      {
        ...row,
        title: `${name} finds nothing: free`,
        charged: 0,
        exchanges: [get(path, asQuery(input), miss)],
      },
    ]
  }),
  {
    title: 'a failure in passing is tried once more',
    action: 'ns_email_a/linkedin-finder',
    input: { url: linkedin },
    exchanges: [
      get('/linkedin', { url: linkedin }, { errors: {} }, 502),
      get('/linkedin', { url: linkedin }, hit),
    ],
    quoted: 5,
    charged: 5,
  },
  ...['deliverable', 'undeliverable', 'risky'].map((result) => ({
    title: `an address that is ${result}`,
    action: 'ns_email_a/email-verifier',
    input: { email: person },
    exchanges: [exchangeOf('ns_email_a/email-verifier', { body: { data: { email: { result } } } })],
    quoted: 2,
    charged: 2,
    data: { email: { result } },
  })),
  {
    title: 'addresses of a department abroad',
    action: 'ns_email_a/domain-search',
    input: { company: 'Example', department: 'it', country: 'de', limit: 50, page: 2 },
    exchanges: [
      get(
        '/domain-search',
        { company: 'Example', department: 'it', country: 'DE', limit: '50', page: '2' },
        { data: { emails: [{ email: person }] }, meta: { total: 51 } },
      ),
    ],
    quoted: 4,
    charged: 4,
  },
  {
    title: 'a domain without addresses: free',
    action: 'ns_email_a/domain-search',
    input: { domain: 'example.com', department: 'sales' },
    exchanges: [
      exchangeOf('ns_email_a/domain-search', { body: { data: { emails: [] }, meta: {} } }),
    ],
    quoted: 4,
    charged: 0,
  },
  {
    title: 'a name behind an address',
    action: 'ns_email_a/enrich',
    input: { email: person },
    exchanges: [exchangeOf('ns_email_a/enrich')],
    quoted: 4,
    charged: 4,
  },
  {
    title: 'no name behind an address: free',
    action: 'ns_email_a/enrich',
    input: { email: person },
    exchanges: [
      exchangeOf('ns_email_a/enrich', { body: { data: { email: person, full_name: null } } }),
    ],
    quoted: 4,
    charged: 0,
  },
  {
    title: 'a number by profile',
    action: 'ns_email_a/phone-finder',
    input: { url: linkedin },
    exchanges: [get('/phone-finder', { linkedin }, { data: [{ e164_format: '+12015550123' }] })],
    quoted: 10,
    charged: 10,
  },
  {
    title: 'no number: free',
    action: 'ns_email_a/phone-finder',
    input: { email: person },
    exchanges: [get('/phone-finder', { email: person }, { data: { e164_format: null } })],
    quoted: 10,
    charged: 0,
    data: { phones: [] },
  },
]

const launches: Row[] = [
  [
    'ns_email_b/email-search',
    { lastname: 'Doe', domainOrCompany: 'Example' },
    4,
    post(
      '/email-search',
      { firstname: '', lastname: 'Doe', domainOrCompany: 'Example' },
      { success: true, item: { _id: 'a', status: 'NONE' } },
    ),
  ],
  [
    'ns_email_b/email-verification',
    { email: person },
    2,
    exchangeOf('ns_email_b/email-verification'),
  ],
  ['ns_email_b/domain-scan', { domain: 'example.com' }, 4, exchangeOf('ns_email_b/domain-scan')],
  [
    'ns_enrich/person-enrich',
    { name: 'Jane Doe', company: 'Example' },
    55,
    post(
      '/person/enrichment',
      { name: 'Jane Doe', company: 'Example', lite_enrich: false },
      { success: true, data: { request_id: 'r1', status: 'queued' } },
      202,
    ),
  ],
  [
    'ns_enrich/person-enrich',
    { phone: '+1 201 555 0123', lite_enrich: true },
    30,
    post(
      '/person/enrichment',
      { phone: '+1 201 555 0123', lite_enrich: true },
      { success: true, data: { request_id: 'r2', status: 'queued' } },
      202,
    ),
  ],
  [
    'ns_enrich/company-funders',
    { company_domain: 'example.com' },
    30,
    exchangeOf('ns_enrich/company-funders'),
  ],
  [
    'ns_enrich/person-interactions',
    { social_media_url: 'https://x.com/example', type: 'following' },
    30,
    exchangeOf('ns_enrich/person-interactions'),
  ],
].map(([action, input, cents, exchange]) => ({
  title: `${action} is billed at launch`,
  action: action as string,
  input: input as object,
  exchanges: [exchange as Exchange],
  quoted: cents as number,
  charged: cents as number,
}))

const flat = (action: string, cents: number, empty?: object): Row[] => {
  const input = exampleInputs[action] as object
  const row = { action, input, quoted: cents }
  return [
    { ...row, title: `${action}: ${cents}¢`, charged: cents, exchanges: [exchangeOf(action)] },
    ...(empty === undefined
      ? []
      : [
          {
            ...row,
            title: `${action} finds nothing: free`,
            charged: 0,
            exchanges: [exchangeOf(action, { body: empty })],
          },
        ]),
  ]
}
const exampleInputs: Record<string, object> = {
  'ns_company/tech-companies': { tech: 'Snowflake', include_evidence: true },
  'ns_company/deep-research': {
    domain: 'usepylon.com',
    qualifier_question: 'Has at least 5 SDRs and a Sales Director',
  },
  'ns_company/lookup-companies': { companies: [{ domain: 'stripe.com' }, { name: 'Plaid' }] },
  'ns_company/options': {},
  'ns_jobs/jobs': { job_title_or: ['Data Engineer'], posted_at_max_age_days: 7, limit: 2 },
  'ns_jobs/companies': {
    company_technology_slug_or: ['snowflake'],
    min_employee_count: 50,
    limit: 1,
  },
  'ns_jobs/technographics': { company_domain: 'example.com', confidence: ['high'] },
  'ns_jobs/buying-intents': { company_domain: 'example.com' },
  'ns_jobs/tech-catalog': { q: 'bigquery', keyword_type: 'technology' },
  'ns_signals/funding': { date_preset: 'last_30d', round: 'Series A' },
  'ns_signals/acquisitions': { date_preset: 'last_30d', acquiring_company: 'Example' },
  'ns_signals/job-changes': { date_preset: 'last_30d', positions: 'cto' },
  'ns_signals/hiring': { date_preset: 'last_7d', departments: 'sales' },
  'ns_signals/investors': { type: 'vc', ticket_size_min: 100_000 },
  'ns_signals/companies': { countries: 'CH', employee_count_max: 50 },
  'ns_signals/people': { title: 'Head of Engineering', country: 'FR' },
  'ns_funding/deal-investors': { id: dealId },
  'ns_funding/company-search': { name: 'Example' },
  'ns_akta/headcount-trends': { company: 'tesla' },
  'ns_akta/website-traffic': { company: 'tesla' },
}
const nothing = { data: [], metadata: {} }
const noSignals = { success: true, data: [], pagination: { totalCount: 0 } }
const signalNames = [
  'funding',
  'acquisitions',
  'job-changes',
  'hiring',
  'investors',
  'companies',
  'people',
]

const flatRows: Row[] = [
  ...flat('ns_company/tech-companies', 40, { companies: [] }),
  ...flat('ns_company/deep-research', 20),
  ...flat('ns_company/lookup-companies', 0),
  ...flat('ns_company/options', 0),
  ...flat('ns_jobs/jobs', 40, nothing),
  ...flat('ns_jobs/companies', 60, nothing),
  ...flat('ns_jobs/technographics', 25, nothing),
  ...flat('ns_jobs/buying-intents', 25, nothing),
  ...flat('ns_jobs/tech-catalog', 1),
  ...flat('ns_funding/deal-investors', 10),
  ...flat('ns_funding/company-search', 1),
  ...flat('ns_akta/headcount-trends', 13, { data: [] }),
  ...flat('ns_akta/website-traffic', 11, { data: [] }),
  ...flat('ns_akta/website-traffic', 11, { data: {} }).slice(1),
  ...signalNames.flatMap((name) => flat(`ns_signals/${name}`, 25)),
  {
    title: 'a signal costs the same when nothing happened',
    action: 'ns_signals/funding',
    input: { date_preset: 'last_30d', round: 'Series A' },
    exchanges: [exchangeOf('ns_signals/funding', { body: noSignals })],
    quoted: 25,
    charged: 25,
    data: { results: [] },
  },
]

const lookalikes = (limit: number, results: readonly object[]) =>
  get(
    '/api/v1/account/search-lookalikes',
    { seed_domains: ['a.com', 'b.com'], limit: String(limit) },
    { results },
  )
const seeds = { seed_domains: ['a.com', 'b.com'] }
const deals = (pageSize: number, count: number, credits: number) =>
  post(
    '/deals',
    { page_size: pageSize, page: 0, sort_by: 'largest_raise' },
    {
      success: true,
      data: { deals: many(count, { id: dealId }) },
      meta: { credits_used: credits },
    },
  )
const sections = (names: string, data: object, credits?: number) =>
  get(
    '/company/enrichment/',
    { company: 'tesla', sections: names },
    { data, credits_consumed: credits },
  )
const aktaRows = (path: string, query: object, count: number, credits?: number) =>
  get(path, asQuery(query), { data: many(count, { title: 'x' }), credits_consumed: credits })

const perRow: Row[] = [
  {
    title: 'a company returned costs 1¢',
    action: 'ns_company/lookalikes',
    input: { ...seeds, limit: 100 },
    exchanges: [lookalikes(100, many(7))],
    quoted: 100,
    charged: 7,
  },
  {
    title: 'no company is free',
    action: 'ns_company/lookalikes',
    input: seeds,
    exchanges: [lookalikes(10, [])],
    quoted: 10,
    charged: 0,
  },
  {
    title: 'a round returned costs 10¢',
    action: 'ns_funding/deals',
    input: { page_size: 20, sort_by: 'largest_raise' },
    exchanges: [deals(20, 3, 3)],
    quoted: 200,
    charged: 30,
    costUsd: '0.150000',
  },
  {
    title: 'no round is free',
    action: 'ns_funding/deals',
    input: { sort_by: 'largest_raise' },
    exchanges: [deals(10, 0, 0)],
    quoted: 100,
    charged: 0,
  },
  {
    title: 'a round of an angel costs 10¢',
    action: 'ns_funding/investor-deals',
    input: { kind: 'person', twitter: 'https://x.com/angel', page_size: 5 },
    exchanges: [
      get(
        '/person/deals',
        { twitter: 'https://x.com/angel', page_size: '5', page: '0' },
        { data: { deals: [{ id: dealId }] }, meta: { credits_used: 1 } },
      ),
    ],
    quoted: 50,
    charged: 10,
    costUsd: '0.050000',
  },
  {
    title: 'a section by what it took',
    action: 'ns_akta/company-enrich',
    input: { company: 'tesla', sections: ['technology'] },
    exchanges: [sections('technology', { technology: ['k8s'] }, 2)],
    quoted: 35,
    charged: 10,
    costUsd: '0.100000',
  },
  {
    title: 'a cheap section costs at least 4¢',
    action: 'ns_akta/company-enrich',
    input: { company: 'tesla', sections: ['technology'] },
    exchanges: [sections('technology', { technology: ['k8s'] }, 0.1)],
    quoted: 35,
    charged: 4,
  },
  {
    title: 'a dear section costs at most 35¢',
    action: 'ns_akta/company-enrich',
    input: { company: 'tesla', sections: ['technology', 'products'] },
    exchanges: [sections('technology,products', { technology: ['k8s'], products: {} }, 99)],
    quoted: 70,
    charged: 35,
  },
  {
    title: 'sections whose cost is not told',
    action: 'ns_akta/company-enrich',
    input: { company: 'tesla', sections: ['technology', 'products'] },
    exchanges: [sections('technology,products', { technology: ['k8s'], products: ['car'] })],
    quoted: 70,
    charged: 20,
  },
  {
    title: 'a section that stays away is free',
    action: 'ns_akta/company-enrich',
    input: { company: 'tesla', sections: ['technology'] },
    exchanges: [sections('technology', { technology: null }, 0)],
    quoted: 35,
    charged: 0,
  },
  {
    title: 'news by tens',
    action: 'ns_akta/news',
    input: { company: 'tesla', limit: 40 },
    exchanges: [aktaRows('/company/news/', { company: 'tesla', limit: 40, offset: 0 }, 11, 0.21)],
    quoted: 8,
    charged: 4,
    costUsd: '0.010500',
  },
  {
    title: 'news of everything',
    action: 'ns_akta/news',
    input: { start_date: '2026-01-01' },
    exchanges: [aktaRows('/news/', { start_date: '2026-01-01', limit: 10, offset: 0 }, 10)],
    quoted: 2,
    charged: 2,
  },
  {
    title: 'no news is free',
    action: 'ns_akta/news',
    input: { company: 'tesla' },
    exchanges: [aktaRows('/company/news/', { company: 'tesla', limit: 10, offset: 0 }, 0)],
    quoted: 2,
    charged: 0,
  },
  ...(
    [
      ['jobs', 21],
      ['posts', 16],
      ['employee-reviews', 16],
      ['product-reviews', 16],
    ] as const
  ).map(([name, cents]) => ({
    title: `${name} by tens`,
    action: `ns_akta/${name}`,
    input: { company: 'tesla', limit: 30 },
    exchanges: [aktaRows(`/company/${name}/`, { company: 'tesla', limit: 30, offset: 0 }, 12)],
    quoted: 3 * cents,
    charged: 2 * cents,
  })),
]

describe.each([
  ['contacts', contactRows],
  ['e-mail addresses', emailRows],
  ['launches', launches],
  ['flat prices', flatRows],
  ['prices per row', perRow],
])('%s', (_group, rows) => {
  test.each(rows)(
    '$action: $title',
    async ({ action, input, exchanges, quoted, charged, data, costUsd }) => {
      const account = await gateway().account(balanceCents)
      const quote = await gateway().request('POST', `/api/run/${action}?quote=true`, {
        key: account.key,
        body: input,
      })
      expect(quote.body).toMatchObject({ ok: true, data: { price: { cents: quoted } } })
      vendor.add(exchanges)
      const reply = await account.call(action, input)
      expect(vendor.problems()).toEqual([])
      expect(reply.body).toMatchObject({ ok: true, charged_cents: charged, ...(data && { data }) })
      const state = await account.state()
      const transactions = quoted === 0 ? 0 : 1
      expect(state).toEqual({ availableCents: balanceCents - charged, heldCents: 0, transactions })
      if (costUsd === undefined) return
      const cost = await gateway().database.query('select cost from call where id = $1', [
        reply.body.transaction_id,
      ])
      expect(cost).toEqual([{ cost: Math.round(Number(costUsd) * 1e6) }])
    },
  )
})

afterAll(async () => expect(await verify(gateway())).toMatchObject({ ok: true }))
