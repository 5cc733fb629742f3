import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { JobContext } from '#core/action.ts'
import { centsToMicros } from '#core/money.ts'
import { quotePrice } from '#core/price.ts'
import { createOnefind } from '../onefind.ts'
import { parseOptOut } from '../opt-out.ts'
import { contextOf, type StrictVendors } from '../people-context.fixture.ts'
import { type PersonField, personFields } from '../person.ts'
import type { Learning } from './learning.ts'
import { createOnefindDeep } from './onefind-deep.ts'
import { fieldCents } from './prices.ts'
import { createWorld } from './synthetic-people.fixture.ts'

interface DeepRow {
  readonly [field: string]: unknown
  readonly filled: readonly PersonField[]
  readonly missing: Readonly<Record<string, string>>
  readonly charged_cents: number
  readonly error?: string
}
interface DeepAnswer {
  readonly rows: readonly DeepRow[]
  readonly filled_count: number
  readonly spent_cents: number
  readonly spent_usd: string
  readonly search_cents: number
  readonly budget_cents: number
}

/** Remembers misses, and learns nothing. */
function createForgetfulLearning(): Learning {
  const misses = new Set<string>()
  let uncovered = 0
  return {
    uncovered: async () => uncovered,
    addUncovered: async (_account, micros) => {
      uncovered += micros
    },
    counts: async () => [],
    learn: async () => {},
    missed: async (digest) => misses.has(digest),
    remember: async (digests) => {
      for (const digest of digests) misses.add(digest)
    },
    forgetOld: async () => {},
  }
}

interface DeepOptions {
  readonly vendors: StrictVendors
  readonly learning?: Learning
  readonly optOut?: string
  readonly checkpoints?: Map<string, unknown>
  /** The process is killed when it prepares this call. */
  readonly killedAtCall?: number
}

async function findDeeply(body: object, options: DeepOptions) {
  const { vendors, learning = createForgetfulLearning(), killedAtCall } = options
  const optOut = { current: async () => parseOptOut(options.optOut ?? '') }
  const disclosures = { note: async () => {} }
  const dependencies = { learning, optOut, disclosures, ownNamespace: 'tollway' }
  const action = createOnefindDeep(dependencies)
  const input = action.input.parse(body)
  action.check?.(input)
  const own = { 'tollway/onefind': createOnefind(dependencies) }
  const { checkpoints = new Map() } = options
  const context = contextOf(input, { vendors, own, checkpoints })
  const maxCents = quotePrice(action.price, input).micros / centsToMicros(1)
  let calls = 0
  const prepare: JobContext<unknown>['prepare'] = (...call) => {
    calls += 1
    if (killedAtCall !== undefined && calls >= killedAtCall) throw new Error('killed')
    return context.prepare(...call)
  }
  const answer = action.output.parse(
    await action.run({ ...context, prepare, maxCents }),
  ) as DeepAnswer
  return { ...answer, calls: context.calls }
}

const world = createWorld(11, 40)
const rowsOf = (count: number) =>
  world.people
    .slice(0, count)
    .map(({ at, name, domain, linkedin }) => (at % 2 === 0 ? linkedin : `${name}, ${domain}`))
const priceOf = ({ filled }: DeepRow) => filled.reduce((sum, field) => sum + fieldCents[field], 0)

test('the charge is the price of the fields that were filled, and never more than the budget', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 12 }),
      fc.uniqueArray(fc.constantFrom(...personFields), { minLength: 1 }),
      fc.integer({ min: 10, max: 120 }),
      async (count, fields, budgetCents) => {
        const body = { rows: rowsOf(count), fields, budgetCents }
        const answer = await findDeeply(body, { vendors: world.vendors })
        const charged = answer.rows.map(({ charged_cents: cents }) => cents)
        expect(charged).toEqual(answer.rows.map(priceOf))
        const total = charged.reduce((sum, cents) => sum + cents, 0)
        expect(answer).toMatchObject({ spent_cents: total, search_cents: 0 })
        expect(Number(answer.spent_usd) * 100).toBeCloseTo(total, 9)
        expect(total).toBeLessThanOrEqual(budgetCents)
        for (const row of answer.rows) {
          expect(row.filled.filter((field) => row[field] === null)).toEqual([])
          for (const [field, reason] of Object.entries(row.missing)) {
            expect(row[field]).toBeNull()
            // The budget is used to the last field that it could have paid for.
            if (reason === 'over budget')
              expect(budgetCents - total).toBeLessThan(fieldCents[field as PersonField])
          }
        }
      },
    ),
    { numRuns: 60 },
  )
})

test('what a job spends inside beyond its charges is bounded, even if nothing is found', async () => {
  const strangers = Array.from({ length: 50 }, (_, at) => `Absent Person${at}, nowhere.example`)
  const { rows, spent_cents, calls } = await findDeeply(
    { rows: strangers },
    { vendors: world.vendors },
  )
  const inside = calls.reduce((sum, { charged }) => sum + charged, 0) / 10_000
  expect(spent_cents).toBe(0)
  expect(inside).toBeLessThanOrEqual(60)
  const reasons = rows.map(({ missing }) => missing.email)
  expect(reasons).toContain('not found')
  expect(reasons).toContain('stopped')
})

test('the jobs of one account together spend a bounded amount beyond their charges', async () => {
  const learning = createForgetfulLearning()
  const inside: number[] = []
  for (let job = 0; job < 8; job += 1) {
    const rows = Array.from({ length: 20 }, (_, at) => `Absent Person${job}x${at}, nowhere.example`)
    const { calls } = await findDeeply({ rows }, { vendors: world.vendors, learning })
    inside.push(calls.reduce((sum, { charged }) => sum + charged, 0) / 10_000)
  }
  expect(inside.reduce((sum, cents) => sum + cents, 0)).toBeLessThanOrEqual(300)
  expect(inside[0]).toBeGreaterThan(0)
  expect(inside.at(-1)).toBe(0)
})

test('a killed job goes on with what it has, and pays no vendor twice', async () => {
  const body = { rows: rowsOf(12), fields: ['email', 'title'] }
  const whole = await findDeeply(body, { vendors: world.vendors })
  for (const killedAtCall of [1, 2, 5, 9, 14, 20]) {
    const checkpoints = new Map<string, unknown>()
    const learning = createForgetfulLearning()
    const options = { vendors: world.vendors, checkpoints, learning }
    await expect(findDeeply(body, { ...options, killedAtCall })).rejects.toThrow('killed')
    // What was under way when the process ended.
    await new Promise((resolve) => setImmediate(resolve))
    const done = [...checkpoints.keys()].filter((name) => name.includes('/')).length
    const resumed = await findDeeply(body, options)
    expect(resumed.rows).toEqual(whole.rows)
    expect(resumed.spent_cents).toBe(whole.spent_cents)
    expect(resumed.calls.length + done).toBe(whole.calls.length)
  }
})

test('what a source did not know is not asked again on the same day', async () => {
  const learning = createForgetfulLearning()
  const body = { rows: ['Absent Person, nowhere.example'] }
  const first = await findDeeply(body, { vendors: world.vendors, learning })
  const second = await findDeeply(body, { vendors: world.vendors, learning })
  expect(first.calls.length).toBeGreaterThan(0)
  expect(second.calls).toEqual([])
  expect(second.rows).toEqual(first.rows)
})

test('a query is searched for first, at the price of a search', async () => {
  const person = world.people.find(({ at }) => at === 4)
  const index = () => ({
    body: {
      results: [
        {
          id: 'x',
          url: person?.linkedin,
          title: `${person?.name} | ${person?.title} at ${person?.company}`,
        },
      ],
    },
  })
  const vendors = { ns_semantic: index, ns_email_a: world.vendors.ns_email_a as typeof index }
  const answer = await findDeeply({ query: `nurses at ${person?.company}`, limit: 3 }, { vendors })
  expect(answer).toMatchObject({ search_cents: 2, budget_cents: 50 })
  expect(answer.rows).toMatchObject([{ name: person?.name, linkedin: person?.linkedin }])
  expect(answer.spent_cents).toBe(2 + priceOf(answer.rows[0] as DeepRow))
})

const found = await findDeeply({ rows: rowsOf(20) }, { vendors: world.vendors })
const emailOf = (at: number) => found.rows[at]?.email as string | null

test('people on the list of the operator are neither asked for nor returned nor charged', async () => {
  const [at = 0] = found.rows.flatMap((row, index) => (row.email ? [index] : []))
  const [row = ''] = rowsOf(20).slice(at, at + 1)
  const listed = (optOut: string) => findDeeply({ rows: [row] }, { vendors: world.vendors, optOut })
  const nothing = {
    name: null,
    linkedin: null,
    email: null,
    enriched: false,
    filled: [],
    missing: { email: 'not found' },
    charged_cents: 0,
  }
  // Only a source says that this address belongs to the person.
  const byEmail = await listed(emailOf(at) ?? '')
  expect(byEmail.rows).toMatchObject([nothing])
  expect(byEmail.spent_cents).toBe(0)
  // Known by the name and company that a source says of a profile.
  const ofProfile = found.rows.findIndex(
    ({ sources }) => JSON.stringify(sources) === '{"email":["ns_email_a/linkedin-finder"]}',
  )
  const { name, company, linkedin: profile } = world.people[ofProfile] ?? {}
  const byName = { vendors: world.vendors, optOut: `${name}, ${company}` }
  expect((await findDeeply({ rows: [profile] }, byName)).rows).toMatchObject([nothing])
  // Known from the start.
  const { linkedin } = world.people[at] ?? {}
  const known = row.startsWith('http') ? (linkedin ?? '') : row
  const byRow = await listed(known)
  expect(byRow.rows).toMatchObject([nothing])
  expect(byRow.calls).toEqual([])
})

test.each([
  ['Jane', 'No one can be found by "Jane"'],
  [{ title: 'CTO' }, 'No one can be found by "this row"'],
])('%j is refused before anything is held', async (row, message) => {
  await expect(findDeeply({ rows: [row] }, { vendors: world.vendors })).rejects.toThrow(message)
})

test.each([
  ['provider_not_configured', {}],
  ['upstream_error', { ns_email_a: () => ({ status: 500, body: {} }) }],
  ['upstream_error', { ns_email_a: () => ({ body: 'garbage' }) }],
])('%s when no source can answer', async (code, vendors) => {
  await expect(findDeeply({ rows: rowsOf(2) }, { vendors })).rejects.toMatchObject({ code })
})

const faults = {
  errors: () => ({ status: 500, body: {} }),
  refusals: () => ({ status: 403, body: {} }),
  'too many requests': () => ({ status: 429, body: {} }),
  garbage: () => ({ body: 'garbage' }),
  'an empty object': () => ({ body: {} }),
} as const
const vendorsOfEmails = ['ns_contact', 'ns_email_a', 'ns_email_b'] as const

test.each(
  vendorsOfEmails.flatMap((vendor) =>
    Object.entries(faults).map(([kind, fault]) => [vendor, kind, fault] as const),
  ),
)('when %s answers with %s, the others fill what they know', async (vendor, _, fault) => {
  const vendors = { ...world.vendors, [vendor]: fault }
  const answer = await findDeeply({ rows: rowsOf(20) }, { vendors })
  expect(answer.filled_count).toBeGreaterThan(0)
  expect(answer.spent_cents).toBe(answer.filled_count * fieldCents.email)
  for (const { sources } of answer.rows) expect(JSON.stringify(sources)).not.toContain(vendor)
})

test('the rows of a search can be sent on as they are', async () => {
  const { name, domain, linkedin } = world.people[2] ?? {}
  const row = {
    name,
    company: domain,
    linkedin,
    title: null,
    location: 'Rome',
    email: null,
    phone: null,
    enriched: false,
    sources: ['ns_semantic/search'],
    hops: [],
  }
  const { rows } = await findDeeply({ rows: [row] }, { vendors: world.vendors })
  expect(rows).toMatchObject([{ name, linkedin, location: 'Rome' }])
})
