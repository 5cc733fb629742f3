// Misleading replies of public registries, each with the answer that callers receive.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { providers } from '#catalog/providers.ts'
import type { Provider } from '#core/provider.ts'
import type { Exchange } from '#test/replay-server.ts'
import { replayAction } from '#test/run-action.ts'

const contact = { 'user-agent': 'Tollway/test (tests@example.org)' }
interface Reply {
  status?: number
  headers?: Record<string, string>
  body?: unknown
  text?: string
}
const get = (path: string, query: object, reply: Reply, host?: string): Exchange => ({
  request: {
    method: 'GET',
    ...(host === undefined ? {} : { host: { host } }),
    path,
    query: query as Record<string, string>,
    headers: contact,
  },
  reply: { status: 200, ...reply },
})
const provider = (id: string) => providers.find((candidate) => candidate.id === id) as Provider
const replay = (action: string, input: unknown, exchanges: readonly Exchange[]) => {
  const [service = '', name = ''] = action.split('/')
  return replayAction(provider(service), name, { input, exchanges })
}

const doc = '/api/v2/doc/doc'
const newsQuery = { query: 'tea', mode: 'artlist', format: 'json', maxrecords: '75' }
const sparql = { query: 'SELECT * WHERE {?a ?b ?c}', format: 'json' }
const wayback = 'web.archive.org'
const cdx = {
  url: 'https://example.com/',
  limit: '100',
  output: 'json',
  fl: 'timestamp,original,mimetype,statuscode,digest,length',
  showResumeKey: 'true',
}
const fdaSearch = (q: string) => ({
  search: `product_description:"${q}" reason_for_recall:"${q}" recalling_firm:"${q}"`,
  sort: 'report_date:desc',
  limit: '20',
})
const fda = (kind: string, q: string, reply: Reply) =>
  get(`/${kind}/enforcement.json`, fdaSearch(q), reply, 'api.fda.gov')
const noMatches = { status: 404, body: { error: { code: 'NOT_FOUND' } } }
const denied =
  '<?xml version="1.0" encoding="UTF-8"?><Error><Code>AccessDenied</Code><Message>Access Denied</Message></Error>'

const refused: {
  title: string
  action: string
  input: object
  exchanges: Exchange[]
  code: string
  message?: RegExp
  retryAfterSeconds?: number
}[] = [
  {
    title: 'filings: a daily index that is not there is answered with 403',
    action: 'ns_filings/index',
    input: { date: '2026-07-03' },
    exchanges: [
      get(
        '/Archives/edgar/daily-index/2026/QTR3/form.20260703.idx',
        {},
        { status: 403, text: denied },
        'www',
      ),
    ],
    code: 'not_found',
    message: /no filings for 2026-07-03/,
  },
  {
    title: 'press: too many questions, as plain text with 429',
    action: 'ns_press/news',
    input: { query: 'tea' },
    exchanges: [
      get(doc, newsQuery, {
        status: 429,
        text: 'Please limit requests to one every 5 seconds or contact kalev.leetaru5@gmail.com for larger queries.',
      }),
    ],
    code: 'rate_limited',
    retryAfterSeconds: 5,
  },
  {
    title: 'press: too many questions, as plain text with 200',
    action: 'ns_press/timeline',
    input: { query: 'tea' },
    exchanges: [
      get(
        doc,
        { query: 'tea', mode: 'timelinevol', format: 'json' },
        {
          text: 'Please limit requests to one every 5 seconds.',
        },
      ),
    ],
    code: 'rate_limited',
  },
  {
    title: 'press: a refused query, as plain text with 200',
    action: 'ns_press/news',
    input: { query: 'tea' },
    exchanges: [get(doc, newsQuery, { text: 'The specified phrase is too short.\n' })],
    code: 'bad_request',
    message: /GDELT refused this query/,
  },
  {
    title: 'knowledge: a query past its time, as a stack trace with 500',
    action: 'ns_knowledge/sparql',
    input: { query: sparql.query },
    exchanges: [
      get(
        '/sparql',
        sparql,
        { status: 500, text: 'java.util.concurrent.TimeoutException\n\tat java.base' },
        'query.wikidata.org',
      ),
    ],
    code: 'bad_request',
    message: /60 seconds/,
  },
  {
    title: 'knowledge: too many queries, with the time to wait',
    action: 'ns_knowledge/sparql',
    input: { query: sparql.query },
    exchanges: [
      get(
        '/sparql',
        sparql,
        { status: 429, headers: { 'retry-after': '37' }, text: 'Too Many Requests' },
        'query.wikidata.org',
      ),
    ],
    code: 'rate_limited',
    retryAfterSeconds: 37,
  },
  {
    title: 'archive: a site that its owner hides',
    action: 'ns_archive/snapshots',
    input: { url: 'example.com' },
    exchanges: [
      get(
        '/cdx/search/cdx',
        cdx,
        {
          status: 403,
          text: 'org.archive.util.io.RuntimeIOException: org.archive.wayback.exception.AdministrativeAccessControlException: Blocked Site Error',
        },
        wayback,
      ),
    ],
    code: 'not_found',
    message: /owner/,
  },
  {
    title: 'archive: a page that was never captured',
    action: 'ns_archive/fetch',
    input: { url: 'example.com', timestamp: '2001' },
    exchanges: [get('/web/2001id_/https://example.com/', {}, { status: 404, text: '' }, wayback)],
    code: 'not_found',
  },
  {
    title: 'archive: a capture that is not text',
    action: 'ns_archive/fetch',
    input: { url: 'example.com/a.png', timestamp: '2001' },
    exchanges: [
      get(
        '/web/2001id_/https://example.com/a.png',
        {},
        { text: 'PNG\u0000\u0000', headers: { 'memento-datetime': 'x' } },
        wayback,
      ),
    ],
    code: 'bad_request',
  },
  {
    title: 'nonprofit: an unknown EIN is answered with an organization without a name',
    action: 'ns_nonprofit/nonprofit',
    input: { ein: '00-0000001' },
    exchanges: [
      get(
        '/organizations/1.json',
        {},
        { body: { organization: { name: 'Unknown Organization' }, filings_with_data: [] } },
      ),
    ],
    code: 'not_found',
  },
  {
    title: 'encyclopedia: a page that does not exist',
    action: 'ns_encyclopedia/page',
    input: { title: 'No such page' },
    exchanges: [
      {
        request: {
          method: 'GET',
          host: { lang: 'en' },
          path: '/w/api.php',
          query: {
            action: 'query',
            format: 'json',
            prop: 'extracts',
            explaintext: '1',
            redirects: '1',
            titles: 'No such page',
          },
          headers: contact,
        },
        reply: {
          status: 200,
          body: { query: { pages: { '-1': { ns: 0, title: 'No such page', missing: '' } } } },
        },
      },
    ],
    code: 'not_found',
  },
  {
    title: 'regulations: a reserved title has no text',
    action: 'ns_regs/resolve',
    input: { citation: '35 CFR 1.1' },
    exchanges: [
      get(
        '/api/versioner/v1/titles.json',
        {},
        { body: { titles: [{ number: 35, reserved: true, up_to_date_as_of: null }] } },
      ),
    ],
    code: 'not_found',
  },
  {
    title: 'recalls: no agency answers',
    action: 'ns_recalls/search',
    input: { q: 'formula' },
    exchanges: [
      get(
        '/RestWebServices/Recall',
        { format: 'json', RecallTitle: 'formula' },
        { status: 500, body: {} },
        'www.saferproducts.gov',
      ),
      ...['food', 'drug', 'device'].map((kind) => fda(kind, 'formula', { status: 500, body: {} })),
    ],
    code: 'upstream_error',
  },
]

test.each(refused)(
  '$title: $code',
  async ({ action, input, exchanges, code, message = /./, retryAfterSeconds }) => {
    const { error } = await replay(action, input, exchanges)
    expect(error).toMatchObject({ code, message: expect.stringMatching(message) })
    if (retryAfterSeconds !== undefined) expect(error).toMatchObject({ retryAfterSeconds })
  },
)

test.each<{ title: string; action: string; input: object; exchanges: Exchange[]; output: object }>([
  {
    title: 'press: nothing found is an empty object',
    action: 'ns_press/news',
    input: { query: 'tea' },
    exchanges: [get(doc, newsQuery, { body: {} })],
    output: { count: 0, articles: [] },
  },
  {
    title: 'nonprofit: nothing found is a page with 404; the number of an EIN has lost its zeros',
    action: 'ns_nonprofit/nonprofit_search',
    input: { q: 'nobody' },
    exchanges: [
      get(
        '/search.json',
        { q: 'nobody', page: '0' },
        { status: 404, body: { total_results: 0, organizations: [] } },
      ),
    ],
    output: { total: 0, next_page: null, organizations: [] },
  },
  {
    title: 'nonprofit: the next page is told while there is one',
    action: 'ns_nonprofit/nonprofit_search',
    input: { q: 'food bank', page: 1 },
    exchanges: [
      get(
        '/search.json',
        { q: 'food bank', page: '1' },
        { body: { total_results: 60, organizations: [{ ein: 10211513, name: 'Food Bank' }] } },
      ),
    ],
    output: { total: 60, next_page: 2, organizations: [{ ein: '010211513' }] },
  },
  {
    title:
      'federal register: without matches the list is missing, and with more pages there is an address',
    action: 'ns_fedrules/search',
    input: { term: 'zzz' },
    exchanges: [
      get(
        '/documents.json',
        { 'conditions[term]': 'zzz', order: 'relevance', per_page: '20', page: '1' },
        { body: { count: 0, description: 'none' } },
      ),
    ],
    output: { count: 0, next_page: null, results: [] },
  },
  {
    title: 'federal register: several types, an agency and days',
    action: 'ns_fedrules/search',
    input: {
      type: 'rule,PRORULE',
      agency: 'energy-department',
      date_gte: '2024-01-01',
      date_lte: '2024-01-31',
      page: 2,
    },
    exchanges: [
      get(
        '/documents.json',
        {
          'conditions[type][]': ['RULE', 'PRORULE'],
          'conditions[agencies][]': 'energy-department',
          'conditions[publication_date][gte]': '2024-01-01',
          'conditions[publication_date][lte]': '2024-01-31',
          order: 'newest',
          per_page: '20',
          page: '2',
        },
        {
          body: {
            count: 41,
            total_pages: 3,
            next_page_url: 'https://x',
            results: [{ document_number: '2024-1' }],
          },
        },
      ),
    ],
    output: { next_page: 3, results: [{ document_number: '2024-1' }] },
  },
  {
    title: 'archive: the list goes on with the key of the page before, and ends without one',
    action: 'ns_archive/snapshots',
    input: { url: 'example.com', resume_key: 'com%2Cexample%29%2F+2020' },
    exchanges: [
      get(
        '/cdx/search/cdx',
        { ...cdx, resumeKey: 'com%2Cexample%29%2F+2020' },
        { body: [] },
        wayback,
      ),
    ],
    output: { total: 0, next_resume_key: null, snapshots: [] },
  },
  {
    title: 'archive: a page that was an error then is a capture all the same',
    action: 'ns_archive/fetch',
    input: { url: 'example.com/gone', timestamp: '20200101000000' },
    exchanges: [
      get(
        '/web/20200101000000id_/https://example.com/gone',
        {},
        {
          status: 404,
          text: 'Not here',
          headers: { 'memento-datetime': 'Wed, 01 Jan 2020 00:00:00 GMT' },
        },
        wayback,
      ),
    ],
    output: { status: 404, content: 'Not here' },
  },
  {
    title: 'archive: nothing archived is an empty object',
    action: 'ns_archive/available',
    input: { url: 'example.com/never' },
    exchanges: [
      get(
        '/wayback/available',
        { url: 'https://example.com/never' },
        { body: { archived_snapshots: {} } },
        'archive.org',
      ),
    ],
    output: { available: false, closest: null },
  },
  {
    title: 'knowledge: a merged entity is answered in its place',
    action: 'ns_knowledge/entity',
    input: { id: 'Q1' },
    exchanges: [
      get(
        '/wiki/Special:EntityData/Q1.json',
        {},
        {
          status: 303,
          headers: { location: 'https://www.wikidata.org/wiki/Special:EntityData/Q2.json' },
          text: '',
        },
        'www.wikidata.org',
      ),
      get(
        '/wiki/Special:EntityData/Q2.json',
        {},
        { body: { entities: { Q2: { id: 'Q2', labels: {} } } } },
        'www.wikidata.org',
      ),
    ],
    output: { id: 'Q2', redirected_from: 'Q1', label: null },
  },
  {
    title: 'trials: later pages go on with the token and are not counted again',
    action: 'ns_trials/search',
    input: { q: 'asthma', page_token: 'NF0g5' },
    exchanges: [
      get(
        '/studies',
        { 'query.term': 'asthma', pageSize: '20', pageToken: 'NF0g5' },
        { body: { studies: [] } },
      ),
    ],
    output: { total: null, next_page_token: null, results: [] },
  },
  {
    title: 'trials: a status and a phase are a question by themselves',
    action: 'ns_trials/search',
    input: { status: 'recruiting', phase: '2' },
    exchanges: [
      get(
        '/studies',
        {
          'filter.overallStatus': 'RECRUITING',
          'filter.advanced': 'AREA[Phase]PHASE2',
          pageSize: '20',
          countTotal: 'true',
        },
        { body: { studies: [], totalCount: 0 } },
      ),
    ],
    output: { total: 0, results: [] },
  },
  {
    title: 'drugs: nothing found is 404, and quotes cannot break out of the query',
    action: 'ns_drugs/search',
    input: { q: 'x" OR product_ndc:"0', limit: 1 },
    exchanges: [
      get(
        '/drug/ndc.json',
        {
          search:
            '(brand_name:"x  OR product_ndc: 0" generic_name:"x  OR product_ndc: 0" active_ingredients.name:"x  OR product_ndc: 0")',
          limit: '1',
        },
        { status: 404, body: { error: { code: 'NOT_FOUND' } } },
      ),
    ],
    output: { total: 0, results: [] },
  },
  {
    title:
      'recalls: an agency that does not answer is named, the others’ recalls are there, newest first',
    action: 'ns_recalls/search',
    input: { q: 'formula' },
    exchanges: [
      get(
        '/RestWebServices/Recall',
        { format: 'json', RecallTitle: 'formula' },
        {
          body: [
            {
              RecallID: 9,
              Title: 'Bottle',
              RecallDate: '2021-05-01T00:00:00',
              Hazards: [{ Name: 'Choking' }],
            },
          ],
        },
        'www.saferproducts.gov',
      ),
      fda('food', 'formula', {
        body: {
          results: [
            {
              recall_number: 'F-0001-2022',
              product_description: 'Infant formula',
              report_date: '20220216',
              reason_for_recall: 'Cronobacter',
            },
          ],
        },
      }),
      fda('drug', 'formula', noMatches),
      fda('device', 'formula', { status: 500, body: {} }),
    ],
    output: {
      total: 2,
      unanswered: ['fda-device'],
      results: [
        { id: 'fda-food:F-0001-2022', date: '2022-02-16' },
        { id: 'cpsc:9', date: '2021-05-01', hazard: 'Choking' },
      ],
    },
  },
  {
    title: 'vehicles: a VIN among the words',
    action: 'ns_vehicles/search',
    input: { q: '1HGCM82633A004352' },
    exchanges: [
      get(
        '/api/vehicles/DecodeVinValues/1HGCM82633A004352',
        { format: 'json' },
        {
          body: {
            Results: [
              { Make: 'HONDA', Model: 'Accord', ModelYear: '2003', Trim: 'EX-V6', Doors: '' },
            ],
          },
        },
        'vpic.nhtsa.dot.gov',
      ),
    ],
    output: {
      total: 1,
      results: [{ id: 'vin:1HGCM82633A004352', title: '2003 HONDA Accord EX-V6', year: 2003 }],
    },
  },
])('$title', async ({ action, input, exchanges, output }) => {
  const answered = await replay(action, input, exchanges)
  expect(answered.error).toBeUndefined()
  expect(answered.output).toMatchObject(output)
})

test.each([
  ['12 CFR 1026.43', '12', '1026', '1026.43'],
  ['12 C.F.R. § 1026.43(e)(1)', '12', '1026', '1026.43'],
  ['Title 21, CFR section 101.9', '21', '101', '101.9'],
  ['40 cfr part 63', '40', '63', undefined],
  ['17 CFR 240.10b-5', '17', '240', '240.10b-5'],
])('the citation %s is read', async (citation, title, part, section) => {
  const { parseCitation } = await import('#catalog/ns_regs/lib/citation.ts')
  expect(parseCitation(citation)).toMatchObject({ title, part, section })
})

test.each(['CFR 12', '99 CFR 1.1', '12 USC 1026', 'twelve', ''])(
  '%j is not a citation',
  async (citation) => {
    const { parseCitation } = await import('#catalog/ns_regs/lib/citation.ts')
    expect(parseCitation(citation)).toBeUndefined()
  },
)

test.each(['ns_vehicles', 'ns_drugs', 'ns_trials', 'ns_recalls'])(
  'every id that %s/search answers with is one that get takes',
  (id) => {
    const file = path.join(import.meta.dirname, `../../src/catalog/${id}/fixtures/search.json`)
    const { output } = JSON.parse(readFileSync(file, 'utf8')) as {
      output: { results: { id: string }[] }
    }
    const read = provider(id).actions.find(({ name }) => name === 'get')
    expect(output.results.length).toBeGreaterThan(0)
    for (const result of output.results)
      expect(read?.input.safeParse({ id: result.id }).success).toBe(true)
  },
)
