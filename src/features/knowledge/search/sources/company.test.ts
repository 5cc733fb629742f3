// Questions about companies, in any wording: who is meant, and which figure or document comes first.
import { expect, test } from 'vitest'
import { subjectOfCompany } from '../routing/subject.ts'
import { answers, type Script } from '../search-context.fixture.ts'
import { search } from '../search-run.fixture.ts'

test.each([
  ['Apple revenue', 'Apple'],
  ['apple revenue', 'apple'],
  ['AAPL', 'AAPL'],
  ['revenue of apple', 'apple'],
  ["what was macy's revenue in 2023", "macy's"],
  ['APPLE REVENUE 2023', 'apple'],
  ['$NVDA earnings', 'NVDA'],
  ['how much did bank of america earn in fy2022', 'bank of america'],
  ['Johnson & Johnson net income', 'Johnson & Johnson'],
  ['Has Anthropic raised money under Reg D?', 'Anthropic'],
  ['"Acme Robotics" form D', 'Acme Robotics'],
  ['In Germany, who is Siemens AG', 'Siemens AG'],
  ['which companies disclosed a ransomware attack in 10-Ks?', undefined],
  ['revenue', undefined],
  ['Show me the latest DEF 14A that Home Depot filed with the SEC', 'Home Depot'],
  ['Has Form Energy raised money?', 'Form Energy'],
  ['Wikidata and LEI of Ford Motor', 'Ford Motor'],
  ['NetIncomeLoss MSFT', 'MSFT'],
  ['how much capital raised by CAPITAL ONE', 'CAPITAL ONE'],
])('%s is about %s', (question, name) => {
  expect(subjectOfCompany(question, { places: ['Germany'] })).toBe(name)
})

const fact = (end: string, val: number, rest: object = {}) => ({
  start: `${Number(end.slice(0, 4)) - 1}${end.slice(4)}`,
  end,
  val,
  accn: `0000320193-${Number(end.slice(2, 4)) + 1}-000001`,
  fy: Number(end.slice(0, 4)),
  fp: 'FY',
  form: '10-K',
  filed: `${Number(end.slice(0, 4)) + 1}-02-01`,
  ...rest,
})
const facts = [
  fact('2023-12-31', 300),
  fact('2024-12-31', 400),
  // The report of a year repeats the figure of the one before, which may have been corrected.
  fact('2023-12-31', 300, { accn: '0000320193-25-000001', fy: 2024, filed: '2025-02-01' }),
  fact('2025-12-31', 500),
  fact('2025-12-31', 120, { start: '2025-10-01' }),
  fact('2026-06-30', 140, {
    start: '2026-04-01',
    fp: 'Q2',
    fy: 2026,
    form: '10-Q',
    filed: '2026-08-01',
  }),
]
const reported: Script = async (id, input) => {
  if (id !== 'ns_filings/concept') return answers[id]
  const { concept } = input as { concept: string }
  return { ...answers[id], concept, label: concept, units: { USD: facts } }
}
const titlesOf = async (query: string) => {
  const { data, error } = await search({ query, facets: ['financials'] }, { script: reported })
  return data?.evidence.map(({ title }: { title: string }) => title) ?? [error?.code]
}

test.each([
  ['revenue of apple', 'of 500 USD, period ended 2025-12-31'],
  ['apple revenue 2023', 'of 300 USD, period ended 2023-12-31'],
  ["apple's fy24 revenue", 'of 400 USD, period ended 2024-12-31'],
  ['AAPL Q2 2026 revenue', 'of 140 USD, period ended 2026-06-30'],
  ['apple net income last year', 'NetIncomeLoss of 500 USD'],
])('%s is answered by the figure of that period first', async (query, said) => {
  expect((await titlesOf(query))[0]).toContain(said)
})

test('a question whose first name in capitals is another word is looked up as a whole', async () => {
  const script: Script = async (id, ...rest) =>
    id === 'ns_filings/entities' && (rest[0] as { q: string }).q === 'Umsatz'
      ? { ...answers[id], total: 0, entities: [] }
      : reported(id, ...rest)
  const { data } = await search({ query: 'Umsatz von Apple', facets: ['financials'] }, { script })
  expect(data.evidence[0].title).toContain('of 500 USD')
})

test('the latest filing of a company comes first, however long ago it was filed', async () => {
  const query = 'latest 10-k of apple'
  const script: Script = async (id) =>
    id === 'ns_filings/filings'
      ? {
          ...answers[id],
          filings: ['2026-02-01', '2025-02-01'].map((date, at) => ({
            form: '10-K',
            date,
            accession: `0000320193-2${6 - at}-000001`,
            primaryDocument: 'd.htm',
            reportDate: null,
            url: `https://www.sec.gov/Archives/edgar/data/320193/00003201932${6 - at}000001/d.htm`,
          })),
        }
      : id === 'ns_semantic/search'
        ? { results: [{ id: '1', url: 'https://a.example/', title: query, text: query }] }
        : answers[id]
  const { data } = await search({ query, facets: ['public-filings', 'web'] }, { script })
  expect(data.evidence[0].title).toContain('filed 2026-02-01')
})

test('a year that was not reported is not answered by another one', async () => {
  const script: Script = async (id, ...rest) =>
    id === 'ns_filings/fulltext' ? { ...answers[id], hits: [] } : reported(id, ...rest)
  const sent = { query: 'apple revenue 1985', facets: ['financials'] }
  expect((await search(sent, { script })).error).toMatchObject({ code: 'not_found' })
})

test('the filings of the company itself are asked before full texts, the report of the year first', async () => {
  const { data, hops } = await search({
    query: "tesla's 10-k for 2025",
    facets: ['public-filings'],
  })
  expect(hops.map(({ id }) => id)).toEqual([
    'ns_filings/entities',
    'ns_filings/filings',
    'ns_filings/document',
  ])
  expect(data.evidence[0]).toMatchObject({ source: 'ns_filings/filings', primary: true })
})

test('a question about no company asks the full texts', async () => {
  const query = 'which companies disclosed a ransomware attack in 10-Ks?'
  const { hops } = await search({ query, facets: ['public-filings'] })
  expect(hops.map(({ id }) => id)).toEqual(['ns_filings/fulltext', 'ns_filings/document'])
})

test('all facets of a question look its company up once', async () => {
  const facets = ['financials', 'public-filings', 'compliance']
  const { hops } = await search({ query: 'apple', facets })
  expect(hops.filter(({ id }) => id === 'ns_filings/entities')).toHaveLength(1)
})

/** Wikidata knows the fruit first. */
const fruitFirst: Script = async (id, input) => {
  const fruit = { ...answers['ns_knowledge/entity'], id: 'Q89', label: 'apple', claims: {} }
  const company = {
    ...answers['ns_knowledge/entity'],
    id: 'Q312',
    label: 'Apple',
    claims: { P5531: ['320193'], P1278: ['LEI0'] },
    url: 'https://www.wikidata.org/wiki/Q312',
  }
  if (id === 'ns_knowledge/search')
    return { provider: 'Wikidata', results: [fruit, company].map((each) => ({ ...each })) }
  if (id !== 'ns_knowledge/entity') return answers[id]
  return (input as { id: string }).id === 'Q89' ? fruit : company
}

test('an entity is one item with its ids in all registries', async () => {
  const sent = { query: 'registry ids of apple', facets: ['compliance'] }
  const { data } = await search(sent, { script: fruitFirst })
  expect(data.evidence).toMatchObject([
    {
      url: 'https://www.wikidata.org/wiki/Q312',
      ids: { CIK: '0000320193', LEI: 'LEI0', ticker: 'AAPL', Wikidata: 'Q312' },
    },
  ])
})

test('what is in no registry is a miss', async () => {
  const script: Script = async (id, input) => {
    if (id === 'ns_filings/entities') return { ...answers[id], total: 0, entities: [] }
    const found = (await fruitFirst(id, input, new AbortController().signal)) as {
      results: object[]
    }
    return id === 'ns_knowledge/search' ? { ...found, results: found.results.slice(0, 1) } : found
  }
  const { error } = await search({ query: 'kyc apple', facets: ['compliance'] }, { script })
  expect(error).toMatchObject({ code: 'not_found' })
})
