import { expect, test } from 'vitest'
import { defineAction, z } from '#core/action.ts'
import { type Catalog, createCatalog, type Service } from '#core/catalog.ts'
import { findIdentifiers, identifierPatterns } from '#core/identifier.ts'
import type { ServiceHttp } from '#core/ports.ts'
import { defineProvider, type ProviderMode } from '#core/provider.ts'
import { createDiscover } from './discover.ts'
import type { Encoder } from './encoder.ts'
import { isWithin, termsOf } from './words.ts'

const http = {} as ServiceHttp
const base = { output: z.looseObject({}), run: () => ({}) } as const
const text = z.strictObject({ email: z.email(), full: z.boolean().optional() })

const verifier = (name: string, cents: number) =>
  defineAction(name, {
    ...base,
    summary: 'Check whether an e-mail address works.',
    synonyms: ['verify email', 'email checker', 'will it bounce', 'deliverability'],
    input: text,
    price: { cents },
    example: { input: { email: 'a@example.com' }, cents },
    takes: { 'e-mail address': { fills: (email) => ({ email }) } },
  })
const weather = defineAction('forecast', {
  ...base,
  summary: 'Tell the weather of a place.',
  notes:
    'To check addresses use ns_email_a/email-verifier, for moorings and berths ns_boats/timetable.',
  synonyms: ['weather forecast', 'rain', 'temperature'],
  questions: ['will it rain in Lisbon tomorrow?'],
  input: z.strictObject({ place: z.string() }),
  price: 'free',
  example: { input: { place: 'Lisbon' }, cents: 0 },
})
const rowing = defineAction('lesson', {
  ...base,
  summary: 'Book a rowing lesson.',
  input: z.strictObject({ day: z.iso.date() }),
  price: { cents: 1_100, ceilingRequired: true },
  example: { input: { day: '2026-07-01' }, cents: 1_100 },
})
const boats = defineAction('timetable', {
  ...base,
  summary: 'List ferries.',
  input: z.strictObject({ harbour: z.string() }),
  price: { upToCents: 'maxCost', fromCents: 0, atMostCents: 100, basis: 'test', settle: () => 0 },
  example: { input: { harbour: 'Kiel' }, cents: 100 },
})

function openCatalog(modes: Partial<Record<string, ProviderMode>> = {}): Catalog {
  const offer = (id: string, actions: Service['provider']['actions']): Service => ({
    provider: defineProvider({ id, title: id, actions }),
    mode: modes[id] ?? 'live',
    ...(modes[id] === 'unavailable' && { reason: 'Set a key.' }),
    http,
    close: async () => {},
  })
  return createCatalog([
    offer('ns_email_a', [verifier('email-verifier', 2)]),
    offer('ns_contact', [verifier('email-verify', 3)]),
    offer('ns_weather', [weather]),
    offer('ns_boats', [boats]),
    offer('ns_rowing', [rowing]),
  ])
}

interface Hit {
  service: string
  [field: string]: unknown
}
const caller = { accountId: 'an account without plans' }

async function ask(
  query: string,
  catalog = openCatalog(),
  encoder?: Encoder,
): Promise<{ hits: Hit[]; message?: string }> {
  const { input, run, output } = createDiscover({
    catalog: () => catalog,
    ownNamespace: 'tollway',
    ...(encoder && { loadEncoder: () => encoder }),
  }).action
  return output.parse(await run({ input: input.parse({ query }), caller } as never)) as never
}

test('a hit states what is needed to run it', async () => {
  expect((await ask('weather forecast in Lisbon')).hits[0]).toEqual({
    service: 'ns_weather',
    action: 'forecast',
    endpoint: 'POST /api/run/ns_weather/forecast',
    price_cents: 0,
    mode: 'live',
    summary: 'Tell the weather of a place.',
    price: 'free',
    async: false,
    required: ['place'],
    example: { place: 'Lisbon' },
    why: 'It is about weather, forecast, lisbon.',
    confidence: expect.any(Number),
    weak: false,
    alternatives: [],
  })
})

test('actions with the same purpose are grouped, and available ones come first', async () => {
  const [hit] = (await ask('email checker')).hits
  expect(hit).toMatchObject({
    service: 'ns_email_a',
    alternatives: [{ service: 'ns_contact', price_cents: 3 }],
  })
  const without = (await ask('email checker', openCatalog({ ns_email_a: 'unavailable' }))).hits[0]
  expect(without).toMatchObject({
    service: 'ns_contact',
    alternatives: [{ service: 'ns_email_a', mode: 'unavailable' }],
  })
  const both = openCatalog({ ns_email_a: 'unavailable', ns_contact: 'unavailable' })
  const none = (await ask('email checker', both)).hits[0]
  expect(none).toMatchObject({ mode: 'unavailable', reason: 'Set a key.' })
})

test('an identifier is filled into the example if the action accepts it', async () => {
  const [hit] = (await ask('jane.doe@acme.com')).hits
  expect(hit).toMatchObject({
    service: 'ns_email_a',
    example: { email: 'jane.doe@acme.com' },
    why: 'It takes the e-mail address jane.doe@acme.com.',
  })
})

test('a description in another action’s notes counts for the action', async () => {
  expect((await ask('moorings and berths')).hits[0]).toMatchObject({
    service: 'ns_boats',
    price_cents: null,
  })
})

test('a hit states an exact price, also where the call must set a ceiling', async () => {
  expect((await ask('rowing lesson')).hits[0]).toMatchObject({
    service: 'ns_rowing',
    price_cents: 1_100,
  })
})

test.each(['how do I bake bread', 'tell me a joke', '???', 'the of and'])(
  'nothing is named for: %s',
  async (query) => {
    const { hits, message } = await ask(query)
    expect(hits).toEqual([])
    expect(message).toMatch(/No action of this gateway/)
  },
)

test.each(['wether forcast', 'emial verifcation', 'temprature'])('misspelt: %s', async (query) => {
  expect((await ask(query)).hits.length).toBeGreaterThan(0)
})

test.each([
  ['10.7717/peerj.4375', 'DOI', '10.7717/peerj.4375'],
  ['https://doi.org/10.1038/nature14539', 'DOI', 'https://doi.org/10.1038/nature14539'],
  ['filings of CIK 0000320193', 'CIK', '0000320193'],
  ['EIN 131837418', 'EIN', '131837418'],
  ['13-1837418', 'EIN', '13-1837418'],
  ['NDC 0002-3227-30', 'NDC', '0002-3227-30'],
  ['what does 21 CFR 11.10 say', 'CFR citation', '21 CFR 11.10'],
  ['is LH454 late', 'flight number', 'LH454'],
  ['price of $NVDA', 'ticker', 'NVDA'],
  ['who may join NCT04280705', 'NCT number', 'NCT04280705'],
  ['1HGCM82633A004352 is which car', 'VIN', '1HGCM82633A004352'],
  ['facts of Q42', 'Wikidata id', 'Q42'],
  ['who is a@b.example', 'e-mail address', 'a@b.example'],
  ['stack of shopify.com', 'domain', 'shopify.com'],
  ['read https://example.org/a?b=1', 'URL', 'https://example.org/a?b=1'],
  ['linkedin.com/in/someone', 'LinkedIn profile', 'linkedin.com/in/someone'],
  ['trun_9a8b7c', 'run id', 'trun_9a8b7c'],
  [
    '8a8e8a97-8192-48ff-849a-d8a96e949732',
    'job or transaction id',
    '8a8e8a97-8192-48ff-849a-d8a96e949732',
  ],
])('%s holds a %s', (query, kind, value) => {
  expect(findIdentifiers(query, identifierPatterns).found[0]).toMatchObject({ kind, value })
})

test('plain words contain no identifier', () => {
  for (const query of [
    'who raised money in 2024',
    'Series B rounds',
    'top 10 VCs',
    'GPT 4 prices',
    'results for Q3',
    'internationalization of software',
  ]) {
    expect(findIdentifiers(query, identifierPatterns).found).toEqual([])
  }
})

test('forms of a word are one term, and so are synonyms', () => {
  const terms = (query: string) => termsOf(query).map(({ text: term }) => term)
  expect(terms('companies')).toEqual(terms('company'))
  expect(terms('firms')).toEqual(terms('businesses'))
  expect(terms('scraping')).toEqual(terms('scraped'))
  expect(terms('What are THE of')).toEqual([])
})

test.each([
  ['verify', 'verfiy', 1, true],
  ['verify', 'vrfy', 1, false],
  ['verify', 'vrfy', 2, true],
  ['a', 'abcd', 2, false],
])('%s and %s are within %i: %s', (one, other, most, expected) => {
  expect(isWithin(one, other, most)).toBe(expected)
})
