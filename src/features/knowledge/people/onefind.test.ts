import fc from 'fast-check'
import { expect, test } from 'vitest'
import { splitId } from '#core/catalog.ts'
import { centsToMicros, sumOf } from '#core/money.ts'
import { createOnefind, onefindCents, peopleMax } from './onefind.ts'
import { parseOptOut } from './opt-out.ts'
import { catalog, contextOf, type StrictVendors } from './people-context.fixture.ts'
import { peopleSources } from './sources.ts'

const open = (optOut = '') =>
  createOnefind({
    optOut: { current: async () => parseOptOut(optOut) },
    disclosures: { note: async () => {} },
    ownNamespace: 'tollway',
  })

async function find(
  query: string,
  upstreams: StrictVendors,
  options: { limit?: number; optOut?: string } = {},
) {
  const action = open(options.optOut)
  const input = action.input.parse({ query, ...(options.limit && { limit: options.limit }) }) as {
    query: string
  }
  action.check?.(input)
  const context = contextOf(input, { vendors: upstreams })
  return action.output.parse(await action.run(context)) as {
    people: Record<string, unknown>[]
    count: number
    calls: { provider: string; charged_cents: number; ok: boolean }[]
  }
}

const slug = (name: string) => name.toLowerCase().replaceAll(' ', '-')
const page = (name: string, headline: string, profile = slug(name)) => ({
  id: profile,
  url: `https://www.linkedin.com/in/${profile}`,
  title: `${name} | ${headline}`,
})
const pages =
  (...results: object[]) =>
  () => ({ body: { results } })
const profiles =
  (...found: { url: string; full_name: string; title?: string; company?: string }[]) =>
  () => ({
    body: {
      metadata: { total_results: found.length },
      profiles: Object.fromEntries(
        found.map(({ url, company, ...rest }) => [
          url,
          { ...rest, ...(company && { company: { name: company } }) },
        ]),
      ),
    },
  })
const noProfiles = () => ({ body: { metadata: {}, profiles: [] } })

test('rows join what two sources say of one profile, without contacts', async () => {
  const { people, calls } = await find('heads of marketing in Berlin', {
    ns_semantic: pages(page('Jane Doe', 'Head of Marketing at Acme GmbH'), page('Ali Can', 'CMO')),
    ns_contact: profiles({
      url: 'https://linkedin.com/in/Jane-Doe/',
      full_name: 'Jane Doe',
      title: 'Head of Marketing at Acme',
    }),
  })
  expect(people).toMatchObject([
    {
      name: 'Jane Doe',
      title: 'Head of Marketing',
      company: 'Acme GmbH',
      location: null,
      linkedin: 'https://www.linkedin.com/in/jane-doe',
      email: null,
      phone: null,
      enriched: false,
      sources: ['ns_semantic/search', 'ns_contact/people-search'],
      hops: [{ charged_cents: 1 }, { charged_cents: 1 }],
    },
    { name: 'Ali Can', sources: ['ns_semantic/search'] },
  ])
  expect(people[0]).not.toHaveProperty('person')
  expect(calls.map(({ charged_cents }) => charged_cents)).toEqual([1, 1])
})

test('people of one name at one company stay apart when their profiles differ', async () => {
  const { people } = await find('nurses at Acme', {
    ns_semantic: pages(
      page('Jane Doe', 'Nurse at Acme', 'jane-doe-1'),
      page('Jane Doe', 'Nurse at Acme', 'jane-doe-2'),
    ),
  })
  expect(people.map(({ linkedin }) => linkedin)).toEqual([
    'https://www.linkedin.com/in/jane-doe-1',
    'https://www.linkedin.com/in/jane-doe-2',
  ])
})

test('a query that names a person returns that person, not the namesake elsewhere', async () => {
  const { people } = await find('Jane Doe, Acme Inc.', {
    ns_semantic: pages(
      page('Jane Doe', 'Nurse at Other', 'jane-doe-2'),
      page('Jane M. Doe', 'Engineer at Acme', 'jane-doe-1'),
      page('John Roe', 'Engineer at Acme'),
    ),
  })
  expect(people).toMatchObject([{ name: 'Jane M. Doe', company: 'Acme', person: true }])
})

test.each([
  ['a person whom no source knows', 'Jane Doe, Acme'],
  ['a company at which no one was found', 'engineers at Other Ltd'],
])('people who do not answer the question are not sold: %s', async (_, query) => {
  const wrong = pages(
    page('John Roe', 'Engineer at Acme'),
    page('Ann Lee', 'Head of Engineering at Acme Germany GmbH'),
  )
  await expect(find(query, { ns_semantic: wrong })).rejects.toMatchObject({ code: 'not_found' })
})

test.each([
  ['engineers at Acme', ['John Roe', 'Ann Lee', 'Eva Moe']],
  ['Head Engineering, Acme', ['John Roe', 'Ann Lee', 'Eva Moe']],
  ['Data Engineer', ['John Roe', 'Ann Lee', 'Bob Low', 'Eva Moe']],
  ['engineers at startups', ['John Roe', 'Ann Lee', 'Bob Low', 'Eva Moe']],
])('people who may answer the question are sold: %s', async (query, names) => {
  const found = pages(
    page('John Roe', 'Engineer at Acme'),
    page('Ann Lee', 'Head of Engineering at Acme Germany GmbH'),
    page('Bob Low', 'Engineer at Other Ltd'),
    page('Eva Moe', 'Engineer'),
  )
  const { people } = await find(query, { ns_semantic: found })
  expect(people.map(({ name }) => name)).toEqual(names)
})

test('what the index knows of a person goes before the title of the page', async () => {
  const entity = {
    type: 'person',
    properties: {
      name: 'Jane Doe',
      location: 'Berlin',
      workHistory: [{ title: 'CTO', company: { name: 'Acme' } }],
    },
  }
  const { people } = await find('CTO at Acme', {
    ns_semantic: pages({ ...page('J. Doe', 'Something'), entities: [entity] }),
  })
  expect(people).toMatchObject([
    { name: 'Jane Doe', title: 'CTO', company: 'Acme', location: 'Berlin' },
  ])
})

test.each([
  ['jane@acme.com', 'e-mail address', 'ns_email_a/enrich'],
  ['who is jane@acme.com?', 'e-mail address', 'ns_email_a/enrich'],
  ['https://www.linkedin.com/in/jane-doe', 'profile', 'ns_contact/linkedin-contacts'],
])('%s as a query is refused for free, and the refusal names the action', (query, noun, action) => {
  expect(() => open().check?.({ query })).toThrow(
    `this query has the ${noun} of one person. Send it in rows to tollway/onefind-deep, or to ${action}.`,
  )
})

test('people on the list of the operator are left out', async () => {
  const upstreams = {
    ns_semantic: pages(
      page('Jane Doe', 'Nurse at Acme', 'jane-doe-1'),
      page('John Roe', 'Nurse at Acme'),
      page('Ann Lee', 'Nurse at Acme'),
    ),
  }
  const optOut = '# asked in May\nhttps://linkedin.com/in/jane-doe-1/\nJohn Roe, Acme Inc.\n'
  const { people } = await find('nurses at Acme', upstreams, { optOut })
  expect(people.map(({ name }) => name)).toEqual(['Ann Lee'])
  const all = `${optOut}Ann Lee, ACME`
  await expect(find('nurses at Acme', upstreams, { optOut: all })).rejects.toMatchObject({
    code: 'not_found',
  })
})

const broken = () => ({ status: 500, body: {} })
const busy = () => ({ status: 429, body: {} })
const garbage = () => ({ body: 'garbage' })

test.each([
  ['an error', broken],
  ['too many requests', busy],
  ['garbage', garbage],
  ['an empty object', () => ({ body: {} })],
])('one source that answers with %s leaves the rows of the other', async (_, upstream) => {
  const good = pages(page('Jane Doe', 'CMO at Acme'))
  const { people, calls } = await find('CMO in Berlin', { ns_semantic: good, ns_contact: upstream })
  expect(people).toHaveLength(1)
  expect(sumOf(calls.map(({ charged_cents }) => charged_cents))).toBe(1)
  const other = profiles({ url: 'https://www.linkedin.com/in/ali', full_name: 'Ali Can' })
  const second = await find('CMO in Berlin', { ns_semantic: upstream, ns_contact: other })
  expect(second.people).toMatchObject([{ name: 'Ali Can' }])
})

test('what a source did not take is spent on the next one, while no one is found', async () => {
  const author = {
    id: 'https://openalex.org/A1',
    display_name: 'Jane Doe',
    last_known_institutions: [{ display_name: 'MIT' }],
  }
  const asked: unknown[] = []
  const { people } = await find('Jane Doe', {
    ns_semantic: broken,
    ns_contact: ({ body }) => {
      asked.push(body)
      return noProfiles()
    },
    ns_scholar: () => ({ body: { meta: { count: 1, page: 1, per_page: 15 }, results: [author] } }),
  })
  expect(asked).toMatchObject([{ job_title: ['Jane Doe'], page_size: 1 }])
  expect(people).toMatchObject([{ name: 'Jane Doe', company: 'MIT', person: true }])
})

test.each([
  ['not_found', { ns_semantic: pages(), ns_contact: noProfiles }],
  ['upstream_error', { ns_semantic: broken, ns_contact: busy }],
  ['provider_not_configured', {}],
])('without a row the call fails with %s', async (code, upstreams) => {
  await expect(find('CMO in Berlin', upstreams)).rejects.toMatchObject({ code })
})

/** For any answers, keys, limit and query. The prices are those of the catalog. */
test('the flat price covers all that a search can spend inside', async () => {
  const people = Array.from({ length: peopleMax }, (_, at) => ({
    url: `https://www.linkedin.com/in/person-${at}`,
    full_name: `Person ${at}`,
  }))
  const outcome = fc.constantFrom('full', 'empty', 'broken', 'none')
  await fc.assert(
    fc.asyncProperty(
      fc.record({ semantic: outcome, contact: outcome, scholar: outcome }),
      fc.constantFrom('CMO', 'CMO in Berlin', 'Jane Doe, Acme', 'nurses at Acme in Rome', '?'),
      fc.integer({ min: 1, max: peopleMax }),
      async (outcomes, query, limit) => {
        const answer = (kind: string, full: () => { body: unknown }, empty: object) =>
          ({ full, empty: () => ({ body: empty }), broken, none: undefined })[kind]
        const upstreams = Object.fromEntries(
          Object.entries({
            ns_semantic: answer(outcomes.semantic, pages(), { results: [] }),
            ns_contact: answer(outcomes.contact, profiles(...people), { profiles: [] }),
            ns_scholar: answer(
              outcomes.scholar,
              () => ({ body: { meta: { count: 0, page: 1, per_page: 1 }, results: [] } }),
              { meta: { count: 0, page: 1, per_page: 1 }, results: [] },
            ),
          }).filter(([, upstream]) => upstream !== undefined),
        ) as StrictVendors
        const context = contextOf({ query, limit }, { vendors: upstreams })
        await Promise.resolve(open().run(context)).catch(() => {})
        const spent = sumOf(context.calls.map(({ charged }) => charged))
        expect(spent).toBeLessThanOrEqual(centsToMicros(onefindCents))
      },
    ),
  )
})

test('every source is an action of the catalog that takes what it is asked', () => {
  const question = { text: 'CMO', head: 'CMO', company: undefined, place: undefined }
  for (const { id, ask } of peopleSources) {
    const input = ask(question, peopleMax, onefindCents)
    expect(catalog.find(...splitId(id))?.action.input.safeParse(input)).toMatchObject({
      success: true,
    })
  }
})
