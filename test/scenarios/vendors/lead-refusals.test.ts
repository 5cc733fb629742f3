// Every refusal of the actions about people and companies: 400, 0¢, no transaction, no request to a vendor. Failures of
// the vendors become the caller's errors and cost nothing either.
import { afterAll, describe, expect, test } from 'vitest'
import { verify } from '#test/harness.ts'
import { exchangeOf, shareLeadVendors } from '#test/people/lead-vendors.ts'

const { vendor, gateway } = await shareLeadVendors()

const email = 'person@example.com'
const profile = 'https://www.linkedin.com/in/example-person'
const long = 'x'.repeat(2_100)
const uuid = '550e8400-e29b-41d4-a716-446655440000'
const withBase = (base: object, ...rows: object[]) => rows.map((row) => ({ ...base, ...row }))
const badEmails = [
  '',
  'person',
  'person@',
  '@example.com',
  'a b@example.com',
  `${long}@example.com`,
  7,
]
const badDomains = [
  '',
  'example',
  'https://example.com',
  'example.com/path',
  'a@example.com',
  '-a.com',
  `${long}.com`,
]
const badSignals = [
  { sortBy: 'amount' },
  { sort_by: ['occurred_at'] },
  ...['date', 'date_posted', 'name', 'created_at', 'title', 'company_name', 'ticket_size_min'].map(
    (sort_by) => ({ sort_by }),
  ),
  { limit: 0 },
  { limit: 101 },
  { page: 0 },
]
const badSignalLists = [...badSignals, { countries: ['US', 'DE'] }]
const badDates = [
  { date_preset: 'last_31d' },
  { date_preset: 'last_30d', dateFrom: '2026-01-01' },
  { dateFrom: '01.02.2026' },
  { dateTo: 'today' },
]
const twoNames = [{ company: 'Example' }, { domain: 'example.com', company: 'Example' }]
const launchIds = [{}, { id: '' }, { id: 7 }, { id: long }]

const refused: Record<string, readonly object[]> = {
  'ns_contact/people-search': [
    {},
    { page_size: 5 },
    { job_title: 'CTO' },
    { job_title: [] },
    ...withBase(
      { job_title: ['CTO'] },
      { page_size: 26 },
      { page_size: 0 },
      { page: 0 },
      { reveal_info: true },
    ),
    { location: ['Berlin OR Paris'] },
    { location: ['NOT Berlin'] },
    { seniority: ['director AND vp'] },
  ],
  'ns_contact/linkedin-contacts': [
    {},
    { linkedin_url: profile },
    { profile, linkedin_url: profile },
    { profile, include_phone: 'yes' },
    { profile: 7 },
  ],
  'ns_contact/person-from-email': [
    {},
    ...badEmails.map((bad) => ({ email: bad })),
    { email, url: profile },
  ],
  'ns_contact/email-verify': [{}, ...badEmails.map((bad) => ({ email: bad }))],
  'ns_email_a/email-finder': [
    {},
    { domain: 'example.com' },
    { full_name: 'Jane Doe' },
    ...badDomains.map((domain) => ({ domain, full_name: 'Jane Doe' })),
    { domain: 'example.com', company: 'Example', full_name: 'Jane Doe' },
    { company: 'Example', full_name: ' ' },
  ],
  'ns_email_a/email-verifier': [{}, ...badEmails.map((bad) => ({ email: bad }))],
  'ns_email_a/linkedin-finder': [{}, { linkedin_url: profile }, { url: profile, full: 'yes' }],
  'ns_email_a/domain-search': [
    {},
    twoNames[1] as object,
    ...withBase(
      { domain: 'example.com' },
      { department: 'legal' },
      { limit: 11 },
      { limit: 100 },
      { country: 'USA' },
      { page: 0 },
    ),
  ],
  'ns_email_a/author-finder': [{}, { url: '' }, { url: 7 }],
  'ns_email_a/enrich': [{}, { email: 'person' }],
  'ns_email_a/phone-finder': [
    {},
    { email, domain: 'example.com' },
    { domain: 'example.com', url: profile },
    { linkedin: profile },
  ],
  'ns_email_b/email-search': [
    {},
    { firstname: 'Jane', lastname: 'Doe' },
    { domainOrCompany: 'example.com' },
    { firstname: ' ', lastname: '', domainOrCompany: 'example.com' },
  ],
  'ns_email_b/email-verification': [{}, ...badEmails.map((bad) => ({ email: bad }))],
  'ns_email_b/domain-scan': [{}, ...badDomains.map((domain) => ({ domain }))],
  'ns_email_b/result': [
    ...launchIds,
    { id: 'a', mode: 'single' },
    { mode: 'bulk' },
    { mode: 'single', limit: 101 },
    { id: 'a', limit: 5 },
  ],
  'ns_enrich/person-enrich': [
    {},
    { lite_enrich: true },
    { name: 'Jane Doe' },
    { company: 'Example' },
    { email, phone: '+12015550123' },
    { email, name: 'Jane Doe', company: 'Example' },
    { email, company: 'Example' },
    { social_media_url: 'x.com/jane' },
    { phone: 'call me' },
    { email, lite_enrich: 'yes' },
  ],
  'ns_enrich/company-funders': [
    {},
    { company_name: 'A', company_domain: 'a.com' },
    { company_domain: 'a' },
  ],
  'ns_enrich/person-interactions': [
    {},
    { social_media_url: 'https://x.com/a' },
    ...withBase(
      { social_media_url: 'https://x.com/a' },
      { type: 'likes' },
      { type: 'followers', tweet_id: '1234567890' },
      { type: 'replies', tweet_id: '123' },
      { type: 'replies', tweet_id: 1234567890 },
      { type: 'following', max_results: 9 },
      { type: 'following', max_results: 1_001 },
    ),
  ],
  'ns_enrich/result': [
    {},
    { request_id: 'r1' },
    { endpoint: 'person/enrichment' },
    { endpoint: 'person/../admin', request_id: 'r1' },
    { endpoint: 'company/search', request_id: 'r1' },
  ],
  'ns_company/lookalikes': [
    {},
    { limit: 5 },
    ...withBase(
      { query: 'Tools' },
      { limit: 0 },
      { limit: 101 },
      { query: 'x'.repeat(201) },
      { funding_stages: ['Series Z'] },
      { funding_stages: 'Seed' },
      { locations: ['US'] },
      { seed_domains: [] },
      { seed_domains: Array.from({ length: 11 }, (_, at) => `a${at}.com`) },
      { min_employees: -1 },
    ),
  ],
  'ns_company/lookalikes-bulk': [
    {},
    { query: 'Tools', limit: 2_001 },
    { query: 'Tools', limit: 0 },
  ],
  'ns_company/tam-build': [
    {},
    { query: '' },
    { query: 'x'.repeat(501) },
    { query: 'Banks', max_companies: 0 },
  ],
  'ns_company/tech-companies': [
    {},
    { tech: '' },
    { tech: 'dbt', variations: 'DBT' },
    { tech: 'dbt', page: 0 },
    { tech: 'dbt', include_evidence: 1 },
  ],
  'ns_company/tech-intent': [
    {},
    { tech: 'dbt' },
    { activity: 'x' },
    { tech: 'dbt', activity: 'x', limit: 26 },
  ],
  'ns_company/deep-research': [
    {},
    { domain: 'example.com' },
    { activity_question: 'x' },
    { domain: 'Example', activity_question: 'x' },
  ],
  'ns_company/lookup-companies': [
    {},
    { companies: [] },
    { companies: ['stripe.com'] },
    { companies: [{}] },
    { companies: [{ website: 'stripe.com' }] },
    { companies: Array.from({ length: 101 }, () => ({ domain: 'stripe.com' })) },
  ],
  'ns_company/options': [{ kind: 'tam' }],
  'ns_company/results': [
    {},
    { kind: 'tam' },
    { kind: 'crawl', job_id: uuid },
    { kind: 'tam', job_id: '../x' },
  ],
  'ns_company/job-control': [{}, { job_id: uuid }, { job_id: uuid, action: 'stop' }],
  'ns_jobs/jobs': [
    {},
    { posted_at_max_age_days: 7 },
    { job_title_or: ['CTO'], limit: 5 },
    { job_title_or: ['CTO'], job_country_code_or: ['US'], limit: 5 },
    ...withBase(
      { posted_at_max_age_days: 7 },
      { limit: 11 },
      { limit: 0 },
      { limit: 5, job_title_or: 'CTO' },
      { limit: 5, job_country_code_or: ['usa'] },
      { limit: 5, page: -1 },
      { limit: 5, offset: 3 },
    ),
  ],
  'ns_jobs/companies': [
    {},
    { limit: 6 },
    { limit: 0 },
    { limit: 1, min_num_jobs_found: 0 },
    { limit: 1, company_domain_or: 'a.com' },
  ],
  'ns_jobs/technographics': [
    {},
    { company_domain: 'example' },
    { company_domain: 'a.com', confidence: 'certain' },
    { company_domain: 'a.com', confidence: [] },
  ],
  'ns_jobs/buying-intents': [
    {},
    { company_domain: 'a.com', company_name: 'A' },
    { company_linkedin_url: 'linkedin' },
  ],
  'ns_jobs/tech-catalog': [
    {},
    { keyword_type: 'technology' },
    { q: 'x', keyword_type: 'topic' },
    { q: 'x', keyword_type: 'technology', keyword_type_not: 'technology' },
  ],
  'ns_signals/funding': [
    ...badSignalLists,
    ...badDates,
    { round: ['Seed'] },
    { round_flavor: 'mega' },
    { amount_min: '1M' },
  ],
  'ns_signals/acquisitions': [...badSignalLists, ...badDates, { acquirer_countries: ['US'] }],
  'ns_signals/job-changes': [
    ...badSignalLists,
    ...badDates,
    { positions: ['cto'] },
    { seniorities: ['vp'] },
  ],
  'ns_signals/hiring': [...badSignalLists, ...badDates, { departments: ['sales'] }],
  'ns_signals/investors': [
    ...badSignalLists,
    ...badDates,
    { type: 'bank' },
    { type: 'vc,angel' },
    { ticket_size_min: -1 },
  ],
  'ns_signals/companies': [...badSignalLists, ...badDates],
  'ns_signals/people': [...badSignals, ...badDates, { country: ['FR'] }],
  'ns_funding/deals': [
    { page_size: 0 },
    { page_size: 101 },
    { page: -1 },
    { sort_by: 'date' },
    { deal: { date_start: 'yesterday' } },
    { company: { locations: ['San Francisco'] } },
    { filters: {} },
  ],
  'ns_funding/deal-investors': [{}, { id: 'deal' }, { deal_id: uuid }],
  'ns_funding/investor-deals': [
    {},
    { page_size: 5 },
    { domain: 'a.com', id: uuid },
    { kind: 'person', domain: 'a.com' },
    { twitter: 'https://x.com/a' },
    { domain: 'a.com', page_size: 101 },
  ],
  'ns_funding/company-search': [{}, { name: 'A', domain: 'a.com' }, { linkedin: 'stripe' }],
  'ns_akta/company-enrich': [
    {},
    { company: 'tesla' },
    { sections: ['technology'] },
    ...withBase(
      { company: 'tesla' },
      { sections: [] },
      { sections: 'technology' },
      { sections: ['technology', 'technology'] },
      { sections: ['a,b'] },
      { sections: Array.from({ length: 17 }, (_, at) => `s${at}x`) },
    ),
  ],
  'ns_akta/news': [
    { limit: 101 },
    { limit: 0 },
    { offset: -1 },
    { start_date: 'May' },
    { category: ['m&a'] },
  ],
  ...Object.fromEntries(
    [
      'headcount-trends',
      'website-traffic',
      'jobs',
      'posts',
      'employee-reviews',
      'product-reviews',
    ].map((name) => [`ns_akta/${name}`, [{}, { company: '' }, { company: 'tesla', date: '2026' }]]),
  ),
}

const noProfile = [
  'not an address',
  'https://example.com/in/jane',
  'https://www.linkedin.com/company/acme',
  'https://www.linkedin.com/sales/lead/1',
]
const badAddresses: Record<string, readonly object[]> = {
  'ns_contact/linkedin-contacts': noProfile.map((bad) => ({ profile: bad })),
  'ns_email_a/linkedin-finder': noProfile.map((bad) => ({ url: bad })),
  'ns_email_a/phone-finder': noProfile.map((bad) => ({ url: bad })),
  'ns_email_a/author-finder': [{ url: 'not an address' }, { url: 'mailto:a@example.com' }],
}

test('a call that cannot be served is refused before anything is held or asked', async () => {
  const account = await gateway().account(10_000)
  const rows = [
    ...Object.entries(refused).flatMap(([action, inputs]) =>
      inputs.map((input) => ({ action, input, error: 'bad_request' })),
    ),
    ...Object.entries(badAddresses).flatMap(([action, inputs]) =>
      inputs.map((input) => ({ action, input, error: 'bad_url' })),
    ),
  ]
  const found = await Promise.all(
    rows.map(async ({ action, input }) => {
      const { status, body } = await account.call(action, input)
      return { action, input, status, error: body.error, told: body.message?.length > 10 }
    }),
  )
  expect(found).toEqual(rows.map((row) => ({ ...row, status: 400, told: true })))
  expect(found.length).toBeGreaterThan(250)
  expect(vendor.problems()).toEqual([])
  expect(await account.state()).toEqual({ availableCents: 10_000, heldCents: 0, transactions: 0 })
})

test('titles and skills may contain operators, and a place may be called OR', async () => {
  const account = await gateway().account(100)
  for (const input of [
    { job_title: ['CTO OR "VP Engineering"'], skills: 'Kafka AND NOT Spark' },
    { location: ['Portland, OR', 'Portland, OR, United States'] },
  ]) {
    const { body } = await gateway().request(
      'POST',
      '/api/run/ns_contact/people-search?quote=true',
      {
        key: account.key,
        body: input,
      },
    )
    expect(body).toMatchObject({ ok: true })
  }
})

const failures = [
  {
    action: 'ns_contact/email-verify',
    reply: { status: 401, body: {} },
    status: 500,
    error: 'upstream_error',
  },
  {
    action: 'ns_contact/email-verify',
    reply: { status: 403, body: {} },
    status: 500,
    error: 'upstream_error',
  },
  {
    action: 'ns_contact/email-verify',
    reply: { status: 429, body: {} },
    status: 429,
    error: 'rate_limited',
  },
  {
    action: 'ns_contact/email-verify',
    reply: { status: 503, body: {} },
    status: 500,
    error: 'upstream_error',
  },
  {
    action: 'ns_email_a/email-verifier',
    reply: { status: 402, body: {} },
    status: 500,
    error: 'upstream_error',
    says: /mail server/,
  },
  {
    action: 'ns_email_a/email-verifier',
    reply: { status: 200, body: { data: null } },
    status: 500,
    error: 'upstream_error',
  },
  {
    action: 'ns_email_b/email-verification',
    reply: { status: 200, body: { success: false, validationErrors: [{}] } },
    status: 400,
    error: 'bad_request',
  },
  {
    action: 'ns_email_b/email-verification',
    reply: { status: 200, body: { success: true } },
    status: 500,
    error: 'upstream_error',
  },
  {
    action: 'ns_enrich/company-funders',
    reply: { status: 402, body: { error: 'insufficient_credits' } },
    status: 500,
    error: 'upstream_error',
  },
  {
    action: 'ns_enrich/company-funders',
    reply: { status: 200, body: { success: false } },
    status: 400,
    error: 'bad_request',
  },
  {
    action: 'ns_enrich/company-funders',
    reply: { status: 202, body: { success: true, data: {} } },
    status: 500,
    error: 'upstream_error',
  },
  {
    action: 'ns_jobs/tech-catalog',
    reply: { status: 422, body: {} },
    status: 400,
    error: 'bad_request',
  },
  {
    action: 'ns_jobs/tech-catalog',
    reply: { status: 200, text: '<html>', headers: {} },
    status: 500,
    error: 'upstream_error',
  },
  {
    action: 'ns_funding/company-search',
    reply: { status: 200, body: { success: false, error: {} } },
    status: 500,
    error: 'upstream_error',
  },
  {
    action: 'ns_funding/company-search',
    reply: { status: 404, body: {} },
    status: 404,
    error: 'not_found',
  },
  {
    action: 'ns_akta/website-traffic',
    reply: { status: 403, body: {} },
    status: 500,
    error: 'upstream_error',
  },
  {
    action: 'ns_akta/website-traffic',
    reply: { status: 307, body: {}, headers: { location: '/x' } },
    status: 500,
    error: 'upstream_error',
  },
]
const inputs: Record<string, object> = {
  'ns_contact/email-verify': { email },
  'ns_email_a/email-verifier': { email },
  'ns_email_b/email-verification': { email },
  'ns_enrich/company-funders': { company_domain: 'example.com' },
  'ns_jobs/tech-catalog': { q: 'bigquery', keyword_type: 'technology' },
  'ns_funding/company-search': { name: 'Example' },
  'ns_akta/website-traffic': { company: 'tesla' },
}

describe('a failure of the vendor costs nothing', () => {
  test.each(failures)(
    '$action: $reply.status is $error',
    async ({ action, reply, status, error, says = /./ }) => {
      const account = await gateway().account(100)
      vendor.add([exchangeOf(action, reply)])
      const answer = await account.call(action, inputs[action])
      expect(vendor.problems()).toEqual([])
      expect(answer.status).toBe(status)
      expect(answer.body).toMatchObject({ ok: false, error })
      expect(answer.body.message).toMatch(says)
      expect(answer.headers.get('retry-after') !== null).toBe(status === 429)
      expect(await account.state()).toMatchObject({ availableCents: 100, heldCents: 0 })
    },
  )
})

afterAll(async () => expect(await verify(gateway())).toMatchObject({ ok: true }))
