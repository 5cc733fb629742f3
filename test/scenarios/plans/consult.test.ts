// Consult: plans for intents, by the rules alone, over the whole catalog.
import { afterAll, describe, expect, test } from 'vitest'
import { defineAction, z } from '#core/action.ts'
import { type Catalog, createCatalog, outputSchemaOf, splitId } from '#core/catalog.ts'
import { noFiles } from '#core/files.ts'
import type { ServiceHttp } from '#core/ports.ts'
import { defineProvider } from '#core/provider.ts'
import { createDiscover } from '#features/knowledge/discover/discover.ts'
import { createConsult } from '#features/knowledge/plans/consult/consult.ts'
import { recipesFor } from '#features/knowledge/plans/consult/drafting/recipes.ts'
import { splitGoals } from '#features/knowledge/plans/consult/goals.ts'
import { ownFile, readJudged } from '#features/knowledge/plans/consult/intents.ts'
import { isNowhere, placeIn } from '#features/knowledge/plans/types.ts'
import { composeFilm } from '#features/studio/films/edits/compose.ts'
import { systemClock as clock } from '#platform/clock.ts'
import { ownNamespace } from '#test/own-actions.ts'
import { openWholeCatalog } from '../../../training/discover-catalog.ts'

const { catalog, close } = openWholeCatalog()
afterAll(close)

interface Call {
  readonly action: string
  readonly params: Record<string, unknown>
  readonly max_cents: number
}
interface Answer {
  readonly mode: string
  readonly message: string
  readonly calls: readonly Call[]
  readonly plan?: { readonly steps: readonly object[]; readonly max_cost_cents: number }
  readonly question?: { readonly parameter: string; readonly text: string }
  readonly total: { readonly max_cents: number }
  readonly assumptions: readonly string[]
  readonly composition?: object
  readonly validation?: object
}

const photoId = '0b7a9e0c-55e5-4f0e-9f0e-2c9b6f8f7a10'
const files = {
  ...noFiles,
  find: async (id: string) =>
    id === photoId ? { mediaType: 'image/png' } : await noFiles.find(id),
}
const askWhole = createAsk(catalog)

function createAsk(sold: Catalog) {
  const { rank } = createDiscover({ catalog: () => sold, ownNamespace })
  const consult = createConsult({ catalog: () => sold, rank, ownNamespace, clock, composeFilm })
  return async (body: object): Promise<Answer> => {
    const input = consult.input.parse(body)
    return consult.output.parse(await consult.run({ input, files } as never)) as never
  }
}

test('finds a value that the intent does not name by a call before, and run-plan takes the plan', async () => {
  const { mode, calls, plan } = await askWhole({ intent: 'get the latest 10-K of Apple' })
  expect(mode).toBe('call')
  expect(calls).toMatchObject([
    { action: 'ns_filings/entities', params: { q: 'Apple' } },
    { params: { cik: { $step: 'entities', pointer: '/entities/0/cik' } } },
  ])
  const runPlan = catalog.find(ownNamespace, 'run-plan')?.action
  const { max_cost_cents: ceiling, ...steps } = plan ?? { max_cost_cents: -1 }
  expect(runPlan?.input.safeParse(steps).success).toBe(true)
  expect(ceiling).toBe(2)
})

test.each([
  ['create a git repository', 'ns_repo/repo-create'],
  ['open a remote chrome that I can control', 'ns_browser/create_session'],
])('%s: names the call, and proposes no plan of what would outlive it', async (intent, action) => {
  const { calls, plan } = await askWhole({ intent })
  expect(calls.map((call) => call.action)).toContain(action)
  expect(plan).toBeUndefined()
})

test.each([
  ['create a git repository named website', { name: 'website' }],
  ['create a git repository called "My site"', { name: 'My site' }],
  ['create a git repository', {}],
])('%s: what is made has the name that the caller gives it', async (intent, params) => {
  const { calls, message } = await askWhole({ intent })
  expect(calls).toMatchObject([{ action: 'ns_repo/repo-create' }])
  expect(calls[0]?.params).toEqual(params)
  expect(message).toBe('Make this call.')
})

test('all addresses go into a call that takes several', async () => {
  const urls = ['https://example.org/a.html', 'https://example.org/b.html']
  const { calls } = await askWhole({ intent: `summarise ${urls.join(' and ')}` })
  expect(calls).toMatchObject([{ action: 'tollway/onescrape', params: { urls } }])
})

test('the argument of a function is not the number of a goal', () => {
  const intent = 'run python code print(1) in a sandbox'
  expect(splitGoals(intent)).toEqual([intent])
  expect(splitGoals('1) find the page 2) read the page')).toHaveLength(2)
})

test.each([
  ['whose address has no extension', { url: 'https://example.com/walk' }],
  ['of no medium', { url: 'https://example.com/walk.txt' }],
  ['that is a file of another caller', { file_id: '52431d2c-8a3a-4c1c-9e8e-6f2b1a7d0c11' }],
])('asks what an asset of a film is %s', async (_title, asset) => {
  for (const film of [{ film: {} }, {}]) {
    const manifest = { ...film, assets: [{ ...asset, label: 'a walk' }] }
    const intent = 'edit a video from my photos with crossfades and a title'
    expect(await askWhole({ intent, manifest })).toMatchObject({
      mode: 'converse',
      calls: [],
      question: { parameter: 'manifest.assets', text: expect.stringContaining('the kind') },
    })
  }
})

test.each(['edit a video from my photos with crossfades and a title', 'make a film of my photos'])(
  '%s: the composition is authored, with the kinds of stored files',
  async (intent) => {
    const assets = [
      { file_id: photoId, label: 'harbour' },
      { url: 'https://example.com/Market.JPEG?size=large' },
    ]
    const { mode, calls, composition, validation } = await askWhole({
      intent,
      manifest: { assets },
    })
    expect({ mode, validation }).toEqual({ mode: 'call', validation: { valid: true, errors: [] } })
    const put = calls.find(({ action }) => action === 'ns_assembler/put_composition')
    expect(put?.params).toHaveProperty('tracks')
    expect(calls[0]).toMatchObject({ action: 'ns_assembler/upload', params: { file_id: photoId } })
    expect(JSON.stringify(composition).includes('harbour')).toBe(intent.includes('title'))
  },
)

test.each([
  'edit a video from my photos with crossfades and a title',
  'save the timeline of my video',
  'put these photos one after the other with music',
])('%s: no plan saves a composition that was never written', async (intent) => {
  const { calls } = await askWhole({ intent })
  for (const { action, params } of calls)
    if (action === 'ns_assembler/put_composition') expect(params).toHaveProperty('tracks')
})

test('takes a value from a step that the plan has for another reason', async () => {
  const { calls } = await askWhole({
    intent: 'find the e-mail address of Jane Doe at stripe.com, then verify the e-mail address',
  })
  expect(calls).toMatchObject([
    { action: 'ns_email_a/email-finder', params: { domain: 'stripe.com', full_name: 'Jane Doe' } },
    { params: { email: { $step: 'email_finder', pointer: '/email' } } },
  ])
})

test('an amount above the limit of an action is declined, with the limit', async () => {
  const fax = (pages: number) =>
    askWhole({
      intent: `fax the ${pages} page contract at https://example.com/contract.pdf to +1 212 555 0188`,
    })
  expect(await fax(4)).toMatchObject({ mode: 'call', calls: [{ action: 'ns_fax/send' }] })
  expect(await fax(24)).toMatchObject({
    mode: 'unsupported',
    message: expect.stringContaining('at most 10 pages'),
  })
})

test('how fast, exact and recent an answer must be goes into the search', async () => {
  const { calls } = await askWhole({
    intent:
      'search all sources within 10 seconds: what is new about sodium-ion batteries, nothing older than 2 weeks, with the full text of what you find?',
  })
  expect(calls).toMatchObject([
    {
      action: 'tollway/onesearch',
      params: { timeCritical: true, fidelityRequired: true, recencyDays: 14 },
    },
  ])
})

test('a deadline prefers a call that answers at once to a job', async () => {
  const intent = 'fill in emails and phones for these people: Jane Doe, example.com'
  const actions = async (constraints: object) => {
    const { calls } = await askWhole({ intent, manifest: { constraints } })
    return calls.map(({ action }) => catalog.find(...splitId(action))?.action.mode)
  }
  expect(await actions({})).toContain('job')
  expect(await actions({ deadline_seconds: 20 })).not.toContain('job')
})

test('says which step may miss the deadline', async () => {
  const { assumptions } = await askWhole({
    intent: 'make a video of a lighthouse at dusk',
    manifest: { constraints: { deadline_seconds: 5 } },
  })
  expect(assumptions).toContainEqual(expect.stringContaining('the deadline of 5 seconds'))
})

test('the manifest sets how fast and how sure a search must be', async () => {
  const intent = 'search all sources: what is new about sodium-ion batteries?'
  const paramsFor = async (constraints: object) => {
    const { calls } = await askWhole({ intent, manifest: { constraints } })
    return calls.find(({ action }) => action === 'tollway/onesearch')?.params
  }
  expect(await paramsFor({ deadline_seconds: 10 })).toMatchObject({ timeCritical: true })
  expect(await paramsFor({ quality: 'verified' })).toMatchObject({ fidelityRequired: true })
  expect(await paramsFor({ quality: 'standard' })).not.toHaveProperty('timeCritical')
})

test('verified quality checks the contacts that are found, within the budget', async () => {
  const ask = (budget_cents: number) =>
    askWhole({
      intent: 'find the e-mail address of Jane Doe at stripe.com',
      manifest: { constraints: { quality: 'verified', budget_cents } },
    })
  const { calls, plan } = await ask(20)
  expect(calls).toMatchObject([
    { action: 'ns_email_a/email-finder' },
    {
      action: 'ns_email_a/email-verifier',
      params: { email: { $step: 'email_finder', pointer: '/email' } },
    },
  ])
  expect(plan?.steps).toHaveLength(2)
  const cheap = await ask(4)
  expect(cheap.calls).toHaveLength(1)
  expect(cheap.assumptions).toContainEqual(expect.stringContaining('Not verified'))
})

test.each([
  { intent: '"'.repeat(1_999) },
  {},
  { intent: 'find it', manifest: { constraints: { quality: 'best' } } },
  { intent: 'find it', manifest: { constraints: { deadline_seconds: 0 } } },
])('refuses an intent without words, and constraints that it does not know', (input) => {
  expect(catalog.find(ownNamespace, 'consult')?.action.input.safeParse(input).success).toBe(false)
})

test('a goal that says "it" takes what an earlier step finds', async () => {
  const { calls } = await askWhole({
    intent: 'find the email of Jane Doe at stripe.com and verify it',
  })
  expect(calls).toMatchObject([
    { params: { domain: 'stripe.com', full_name: 'Jane Doe' } },
    { params: { email: { $step: expect.any(String) } } },
  ])
})

test('a goal that says "it" is not searched for where nothing finds what it means', async () => {
  const withoutKeys = createCatalog(
    catalog.services.map((service) =>
      service.provider.id === ownNamespace
        ? service
        : { ...service, mode: 'unavailable', reason: 'Set a key.' },
    ),
  )
  const { calls } = await createAsk(withoutKeys)({
    intent: 'find the email of Jane Doe at stripe.com and verify it',
  })
  expect(JSON.stringify(calls.map(({ params }) => params))).not.toContain('verify it')
})

test.each([
  'Bitte lösche die Datei.',
  'where can I store a file for later?',
  'Store a picture for me.',
])('no value of an example stands for one that the caller has not named: %s', async (intent) => {
  const { calls } = await askWhole({ intent })
  expect(JSON.stringify(calls)).not.toMatch(/report\.pdf|52431/)
})

test('a file that is named without an address is uploaded under its name', async () => {
  const { calls } = await askWhole({
    intent: 'The signed lease is lease-2026.pdf on my disk. Fax it to +1-212-555-0177.',
  })
  expect(calls[0]).toMatchObject({ action: 'files/upload', params: { filename: 'lease-2026.pdf' } })
})

test.each([
  ['NetIncomeLoss for CIK 320193', 'NetIncomeLoss'],
  ['StockholdersEquity as reported by CIK 320193 over the years', 'StockholdersEquity'],
])('the concept is the one that is asked for: %s', async (intent, concept) => {
  const { calls } = await askWhole({ intent })
  expect(JSON.stringify(calls)).not.toContain('Revenues')
  for (const { action, params } of calls)
    if (action === 'ns_filings/concept') expect(params).toEqual({ cik: '320193', concept })
})

test.each([
  ['Revenues and NetIncomeLoss for CIK 320193', ['NetIncomeLoss', 'Revenues']],
  [
    'us-gaap:Assets, Liabilities and StockholdersEquity of CIK 320193',
    ['StockholdersEquity', 'Assets', 'Liabilities'],
  ],
])('of several concepts none is left out: %s', async (intent, concepts) => {
  const { calls } = await askWhole({ intent })
  expect(calls.map(({ action, params }) => [action, params])).toEqual(
    concepts.map((concept) => ['ns_filings/concept', { cik: '320193', concept }]),
  )
})

test('the concept is not the name of a company', async () => {
  const { calls } = await askWhole({ intent: 'Revenues of PayPal for CIK 1633917' })
  for (const { action, params } of calls)
    if (action === 'ns_filings/concept') expect(params.concept).toBe('Revenues')
})

test.each([
  [
    'addresses',
    'verify the e-mail addresses ada@example.com, bob@example.com and cleo@example.com',
    'email',
    ['bob@example.com', 'cleo@example.com'],
  ],
  [
    'identifiers',
    'get the clinical trials NCT04280705 and NCT05024032',
    'id',
    ['NCT04280705', 'NCT05024032'],
  ],
])('of several %s it never leaves one out in silence', async (_, intent, parameter, left) => {
  const answer = await askWhole({ intent })
  const said = JSON.stringify(answer)
  for (const value of left) expect(said).toContain(value)
  if (answer.mode !== 'converse') return
  expect(answer.question?.parameter).toBe(parameter)
  const [, chosen = ''] = left
  const answered = await askWhole({ intent, answers: { [parameter]: chosen } })
  expect(answered).toMatchObject({ mode: 'call', calls: [{ params: { [parameter]: chosen } }] })
})

test('a value of a kind that no call takes is named as not used', async () => {
  const { mode, assumptions } = await askWhole({
    intent: 'take a screenshot of https://example.com for the case of EIN 13-1837418',
  })
  expect(mode).toBe('call')
  expect(assumptions).toContainEqual(expect.stringContaining('13-1837418'))
})

test.each([
  [
    'a second person',
    'find the work email of Ada Lovelace at Stripe and Grace Hopper',
    'Grace Hopper',
  ],
  ['a second quotation', 'search papers on "coral bleaching" and "kelp forests"', 'kelp forests'],
  ['a second language', 'translate "good morning" into German and French', 'French'],
  ['a number that is a part of another', 'find 10 dentists within 5 km of 48.8566, 2.3522', '“5”'],
  [
    'the host of an address',
    'verify ada@example.com and say who works at example.com',
    'takes it: example.com.',
  ],
])('%s that no call takes is named as not used', async (_, intent, left) => {
  const { mode, calls, assumptions } = await askWhole({ intent })
  expect([mode, JSON.stringify(calls.map(({ params }) => params)).includes(left)]).toEqual([
    'call',
    false,
  ])
  expect(assumptions).toContainEqual(expect.stringMatching(new RegExp(`^Not used.*${left}`)))
})

test('an address that another one begins with has a call of its own', async () => {
  const { calls } = await askWhole({
    intent: 'take a screenshot of https://example.com/a and of https://example.com',
  })
  expect(calls.map(({ params }) => params.url)).toEqual([
    'https://example.com/a',
    'https://example.com',
  ])
})

test('a manifest without an intent becomes a film of its media, or a question', async () => {
  const film = { kind: 'video', duration_seconds: 8, url: 'https://example.com/a.mp4' }
  const { mode, calls } = await askWhole({ manifest: { assets: [film] } })
  expect(mode).toBe('call')
  expect(calls.at(-1)?.action).toBe('ns_assembler/render')
  const manifest = { assets: [{ url: 'https://example.com/pricing' }] }
  expect(await askWhole({ manifest })).toMatchObject({
    mode: 'converse',
    question: { parameter: 'intent' },
  })
  const intent = 'take a screenshot of the page'
  expect(await askWhole({ manifest, answers: { intent } })).toMatchObject({
    calls: [{ action: 'tollway/screenshot' }],
  })
})

test('asks one question for what only the caller knows, and goes on with its answer', async () => {
  const intent = 'verify this e-mail address'
  const { mode, question, calls } = await askWhole({ intent })
  expect({ mode, calls, question }).toMatchObject({
    mode: 'converse',
    calls: [],
    question: { parameter: 'email', text: expect.stringContaining('answers.email') },
  })
  const answered = await askWhole({ intent, answers: { email: 'jane@example.com' } })
  expect(answered).toMatchObject({
    mode: 'call',
    calls: [{ params: { email: 'jane@example.com' } }],
  })
})

test('takes addresses of the manifest', async () => {
  const url = 'https://example.com/pricing'
  const { calls } = await askWhole({
    intent: 'take a screenshot of the page',
    manifest: { assets: [{ url }] },
  })
  expect(calls).toMatchObject([{ action: 'tollway/screenshot', params: { url } }])
})

test('never invents a value: a person and a person’s company come from the intent', async () => {
  const { mode, question } = await askWhole({ intent: 'find an e-mail address at example.org' })
  const named = JSON.stringify({ mode, question })
  expect(named).not.toContain('Jane Doe')
})

test('asks for fewer results where the budget needs it', async () => {
  const { mode, calls, total, assumptions } = await askWhole({
    intent: 'climate startups that closed series A in the last 30 days',
    manifest: { constraints: { budget_cents: 30 } },
  })
  expect({ mode, count: calls.length }).toEqual({ mode: 'call', count: 1 })
  expect(total.max_cents).toBeGreaterThan(0)
  expect(total.max_cents).toBeLessThanOrEqual(30)
  expect(assumptions).toContainEqual(expect.stringContaining('to keep to the budget'))
})

test('a file on the caller’s disk is uploaded first', async () => {
  const { calls } = await askWhole({
    intent: 'The signed lease is a PDF on my disk. Fax it to +1-212-555-0177.',
  })
  expect(calls.map(({ action }) => action)).toEqual(['files/upload', 'files/get', 'ns_fax/send'])
  expect(calls[2]?.params).toMatchObject({ to: '+1-212-555-0177', file_url: { $step: 'get' } })
})

test('what cannot be undone comes after the free call that finds what it needs', async () => {
  const { mode, calls, assumptions } = await askWhole({
    intent: 'send a bottle of wine as a gift to Ann Ferro in Portland',
  })
  expect({ mode, calls }).toMatchObject({ mode: 'call', calls: [{ action: 'ns_wine/catalog' }] })
  expect(assumptions).toContainEqual(expect.stringContaining('ns_wine/purchase'))
})

test('puts a question that no action is good at to the search of all sources', async () => {
  const { calls } = await askWhole({ intent: 'which ferries run from Ancona to Split in winter' })
  expect(calls).toMatchObject([{ action: 'tollway/onesearch' }])
})

test.each([
  'call my dentist and move the appointment to Thursday',
  'wire 400 euros to my landlord',
  'reserve a table for two at the harbour',
])('what happens elsewhere is not sold: %s', async (intent) => {
  const { mode, calls } = await askWhole({ intent })
  expect({ mode, calls }).toEqual({ mode: 'unsupported', calls: [] })
})

test('takes a value that stands behind the name of its parameter', async () => {
  const { calls } = await askWhole({
    intent: 'get me the paid newsletter post "the-salt-road" of publication slowcartography',
  })
  expect(calls).toMatchObject([
    { params: { publication: 'slowcartography', post: 'the-salt-road' } },
  ])
})

test('does not search for what an intent only points at', async () => {
  const { mode, question } = await askWhole({ intent: 'turn this page into markdown' })
  expect(mode).toBe('converse')
  expect(question?.parameter).toMatch(/^urls?$/)
})

test('makes a film of the assets: uploads, a valid composition, and the render', async () => {
  const { mode, calls, plan, composition, validation } = await askWhole({
    intent: 'Cut these clips and the song to one 20 second vertical video with fades.',
    manifest: {
      film: {},
      assets: [
        { url: 'https://example.com/a.mp4', kind: 'video', duration_seconds: 8 },
        { url: 'https://example.com/b.jpg', kind: 'image', caption: 'The harbour' },
        { url: 'https://example.com/song.mp3', kind: 'audio', duration_seconds: 9 },
      ],
    },
  })
  expect(mode).toBe('call')
  expect(validation).toEqual({ valid: true, errors: [] })
  expect(composition).toMatchObject({ format: { aspectRatio: '9:16' } })
  expect(calls.slice(-3).map(({ action }) => action)).toEqual([
    'ns_assembler/create_project',
    'ns_assembler/put_composition',
    'ns_assembler/render',
  ])
  expect(JSON.stringify(calls.at(-2)?.params)).toContain(
    '{"$step":"media_1","pointer":"/media_id"}',
  )
  expect(plan?.steps).toHaveLength(calls.length)
})

test('says that no action does it', async () => {
  const { mode, calls } = await askWhole({ intent: 'order a pizza' })
  expect({ mode, calls }).toEqual({ mode: 'unsupported', calls: [] })
})

test('asks for a larger budget where the calls may cost more', async () => {
  const intent = 'take a full page screenshot of https://example.com'
  const manifest = { constraints: { budget_cents: 0 } }
  const { mode, question } = await askWhole({ intent, manifest })
  expect({ mode, question }).toMatchObject({
    mode: 'converse',
    question: { parameter: 'budget_cents' },
  })
  const raised = await askWhole({ intent, manifest, answers: { budget_cents: 5 } })
  expect(raised.mode).toBe('call')
})

test('an answer that is not an amount does not lift the budget', async () => {
  const { mode } = await askWhole({
    intent: 'take a full page screenshot of https://example.com',
    manifest: { constraints: { budget_cents: 0 } },
    answers: { budget_cents: -5 },
  })
  expect(mode).toBe('converse')
})

test.each([
  [
    'an id that a vendor has issued',
    'the browser session bs_40aa93 still runs: how many paid minutes are left on it?',
    ['ns_browser/session_status', { session_id: 'bs_40aa93' }],
  ],
  [
    'an id instead of the call that would find one',
    'render the saved film of proj_c83d10 as the final mp4',
    ['ns_assembler/render', { project_id: 'proj_c83d10' }],
  ],
  [
    'coordinates by their halves',
    'weather forecast for 44.98 N, 93.27 W',
    ['ns_primary/fetch', { endpoint: 'weather', latitude: 44.98, longitude: -93.27 }],
  ],
  [
    'names in a row',
    'instagram follower counts and bio of these profiles: aesop, muji_global, noritake_us',
    ['instagram/profiles', { usernames: ['aesop', 'muji_global', 'noritake_us'] }],
  ],
  [
    'companies by their names',
    'match these to clean company records: Mailchimp, Buffer and Planoly',
    [
      'ns_company/lookup-companies',
      { companies: [{ name: 'Mailchimp' }, { name: 'Buffer' }, { name: 'Planoly' }] },
    ],
  ],
  [
    'values behind the names of their parameters',
    'buy and read the paid newsletter post: publication=chipletter, post=the-end-of-moore',
    ['ns_newsletter/post', { publication: 'chipletter', post: 'the-end-of-moore' }],
  ],
  [
    'a person with their company',
    'order a full dossier on Viktor Hellström, CFO at Nordbanken Invest: career, schooling, social profiles and posts',
    ['ns_enrich/person-enrich', { name: 'Viktor Hellström', company: 'Nordbanken Invest' }],
  ],
  [
    'a profile as an address',
    'recent posts of https://www.linkedin.com/in/annhandley',
    ['linkedin/profile-posts', { targetUrls: ['https://www.linkedin.com/in/annhandley'] }],
  ],
  [
    'an address whose host has a hyphen',
    'solve the reCAPTCHA v2 on https://portal.example-permits.gov/login, sitekey is 6Le-wvkSAAAAAPBMRTvw0Q4Muexq9bi0',
    [
      'ns_captcha/solve',
      {
        task: {
          websiteURL: 'https://portal.example-permits.gov/login',
          websiteKey: '6Le-wvkSAAAAAPBMRTvw0Q4Muexq9bi0',
        },
      },
    ],
  ],
] as const)('fills in %s', async (_, intent, [action, params]) => {
  const { calls } = await askWhole({ intent })
  expect(calls[0]).toMatchObject({ action, params })
})

test('says why an action that does it is not available', async () => {
  const forecast = defineAction('forecast', {
    summary: 'Tell the weather of a place.',
    synonyms: ['weather forecast', 'rain', 'temperature'],
    questions: ['will it rain in Lisbon tomorrow?'],
    input: z.strictObject({ q: z.string() }),
    output: z.looseObject({}),
    price: 'free',
    example: { input: { q: 'Lisbon' }, cents: 0 },
    run: () => ({}),
  })
  const ask = createAsk(
    createCatalog([
      {
        provider: defineProvider({ id: 'ns_weather', title: 'Weather', actions: [forecast] }),
        mode: 'unavailable',
        reason: 'Set a key.',
        http: {} as ServiceHttp,
        close: async () => {},
      },
    ]),
  )
  expect(await ask({ intent: 'weather forecast rain' })).toMatchObject({
    mode: 'unsupported',
    message: expect.stringContaining('Set a key.'),
  })
})

describe('for every intent of the development set', () => {
  const intents = readJudged(ownFile, ownNamespace).map(({ intent }) => intent)

  test('calls are complete, cost at most the budget, and name no other address', async () => {
    let planned = 0
    for (const intent of intents) {
      const budget = 10
      const manifest = { constraints: { budget_cents: budget } }
      const { calls, total, plan } = await askWhole({ intent, manifest })
      planned += calls.length
      expect(total.max_cents, intent).toBeLessThanOrEqual(budget)
      for (const { action, params } of calls) {
        const entry = catalog.find(...splitId(action))
        const isComplete = !JSON.stringify(params).includes('$step')
        if (isComplete) expect(entry?.action.input.safeParse(params).error, intent).toBeUndefined()
        for (const [url] of JSON.stringify(params).matchAll(/https?:\/\/[^\s"\\]+/g))
          expect(intent).toContain(url)
      }
      if (plan !== undefined) expect(plan.steps).toHaveLength(calls.length)
    }
    expect(planned).toBeGreaterThan(intents.length / 2)
  })
})

test.each(recipesFor(ownNamespace))('$by has $finds where its recipe says', (recipe) => {
  const entry = catalog.find(...splitId(recipe.by))
  expect(entry).toBeDefined()
  if (entry === undefined) return
  const parts = `${recipe.list === undefined ? '' : `${recipe.list}/0`}${recipe.at}`.split('/')
  expect(isNowhere(placeIn(outputSchemaOf(entry.action), parts.slice(1)))).toBe(false)
})
