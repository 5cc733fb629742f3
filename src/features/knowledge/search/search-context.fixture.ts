// The catalog's own actions with scripted answers, for tests of a search: schemas and prices are those that are sold.
import { providers } from '#catalog/providers.ts'
import type { Hop, RunContext } from '#core/action.ts'
import { type Catalog, createCatalog, splitId } from '#core/catalog.ts'
import { fail } from '#core/errors.ts'
import { microsToCents } from '#core/money.ts'
import type { Clock, ServiceHttp } from '#core/ports.ts'
import { quotePrice } from '#core/price.ts'
import { defineProvider } from '#core/provider.ts'
import type { PageTexts } from '#core/rooms/page-texts.ts'
import { createSearchIndex } from '#features/web/site-index/actions/search-index.ts'

export const ownNamespace = 'tollway'

/** With a valid answer for every action that a source calls. */
export const answers: Readonly<Record<string, object>> = {
  'ns_semantic/search': {
    results: [
      {
        id: '1',
        url: 'https://a.example/one',
        title: 'One',
        publishedDate: '2026-11-20',
        text: 'One is here.',
      },
      { id: '2', url: 'https://b.example/two', title: 'Two' },
    ],
  },
  'ns_indep/search': {
    web: {
      results: [
        { url: 'https://a.example/one?utm_source=x', title: 'One', description: 'Of one.' },
      ],
    },
  },
  'ns_indep/news': {
    results: [
      {
        url: 'https://press.example/1',
        title: 'Report',
        description: 'A report.',
        age: '2 hours ago',
        breaking: false,
      },
    ],
  },
  'ns_rag/search': {
    query: 'q',
    results: [{ url: 'https://c.example/three', title: 'Three', content: 'Passage of three.' }],
  },
  'ns_par/search': {
    search_id: 's',
    results: [{ url: 'https://d.example/four', title: 'Four', excerpts: ['Excerpt of four.'] }],
  },
  'ns_encyclopedia/search': {
    provider: 'Wikipedia',
    lang: 'en',
    total: 1,
    next_offset: null,
    results: [
      {
        title: 'Topic',
        pageid: 1,
        snippet: 'A topic.',
        wordcount: 9,
        timestamp: null,
        url: 'https://en.wikipedia.org/wiki/Topic',
      },
    ],
  },
  'ns_knowledge/search': {
    provider: 'Wikidata',
    results: [
      {
        id: 'Q1',
        label: 'Topic',
        description: 'thing',
        aliases: [],
        url: 'https://www.wikidata.org/wiki/Q1',
      },
    ],
  },
  'ns_knowledge/entity': {
    provider: 'Wikidata',
    id: 'Q1',
    redirected_from: null,
    label: 'Topic',
    description: 'thing',
    aliases: [],
    claims: { P1278: ['LEI0'] },
    sitelinks: {},
    url: 'https://www.wikidata.org/wiki/Q1',
  },
  'ns_press/news': {
    provider: 'GDELT',
    count: 1,
    articles: [
      {
        url: 'https://zeitung.example/1',
        title: 'Bericht',
        seen_at: '2026-11-21T00:00:00Z',
        domain: 'zeitung.example',
        language: 'German',
        country: 'Germany',
        image: null,
      },
    ],
  },
  'ns_scholar/works': {
    provider: 'OpenAlex',
    count: 1,
    page: 1,
    next_page: null,
    next_cursor: null,
    results: [
      {
        id: 'https://openalex.org/W1',
        doi: 'https://doi.org/10.1/x',
        title: 'Paper',
        publication_date: '2026-11-01',
        abstract: 'An abstract.',
      },
    ],
  },
  'ns_filings/fulltext': {
    provider: 'SEC EDGAR',
    total: 1,
    total_is_lower_bound: false,
    from: 0,
    next_from: null,
    hits: [
      {
        accession: '0000320193-26-000001',
        filename: 'd.htm',
        form: '10-K',
        file_type: null,
        date: '2026-11-10',
        ciks: ['0000320193'],
        names: ['Apple Inc.'],
        url: 'https://www.sec.gov/Archives/edgar/data/320193/000032019326000001/d.htm',
      },
    ],
  },
  'ns_filings/document': {
    provider: 'SEC EDGAR',
    cik: '320193',
    accession: '0000320193-26-000001',
    filename: 'd.htm',
    content_type: 'text/html',
    content: 'The filing.',
    chars: 11,
    url: 'https://www.sec.gov/d.htm',
  },
  'ns_filings/filings': {
    provider: 'SEC EDGAR',
    cik: '320193',
    name: 'Apple Inc.',
    tickers: ['AAPL'],
    total: 1,
    offset: 0,
    next_offset: null,
    complete: true,
    filings: [
      {
        form: '10-K',
        date: '2026-11-10',
        accession: '0000320193-26-000002',
        primaryDocument: 'e.htm',
        reportDate: '2026-09-30',
        url: 'https://www.sec.gov/Archives/edgar/data/320193/000032019326000002/e.htm',
      },
    ],
  },
  'ns_filings/entities': {
    provider: 'SEC EDGAR',
    total: 1,
    truncated: false,
    entities: [
      { cik: '0000320193', name: 'Apple Inc.', tickers: ['AAPL'], state: null, sic: null },
    ],
  },
  'ns_filings/concept': {
    provider: 'SEC EDGAR',
    cik: '320193',
    entity: 'Apple Inc.',
    taxonomy: 'us-gaap',
    concept: 'Assets',
    label: 'Assets',
    description: null,
    units: {
      USD: [
        {
          end: '2026-09-30',
          val: 5,
          accn: '0000320193-26-000002',
          fp: 'FY',
          form: '10-K',
          filed: '2026-11-10',
        },
      ],
    },
  },
  'ns_nonprofit/nonprofit_search': {
    provider: 'ProPublica',
    total: 1,
    page: 0,
    next_page: null,
    organizations: [
      {
        ein: '142007220',
        name: 'ProPublica',
        city: 'New York',
        state: 'NY',
        ntee_code: null,
        url: 'https://projects.propublica.org/nonprofits/organizations/142007220',
      },
    ],
  },
  'ns_nonprofit/nonprofit': {
    provider: 'ProPublica',
    ein: '142007220',
    name: 'ProPublica',
    organization: {},
    other_returns: [],
    years: [
      {
        year: 2024,
        totrevenue: 1,
        totfuncexpns: 1,
        compnsatncurrofcr: 1,
        othrsalwages: 1,
        totassetsend: 1,
        totliabend: 1,
        pdf_url: null,
      },
    ],
    url: 'https://projects.propublica.org/nonprofits/organizations/142007220',
  },
  'ns_courts/cases': {
    provider: 'CourtListener',
    count: 1,
    next_cursor: null,
    results: [
      {
        caseName: 'A v. B',
        dateFiled: '2026-11-15',
        url: 'https://www.courtlistener.com/opinion/1/a/',
      },
    ],
  },
  'ns_courts/dockets': {
    provider: 'CourtListener',
    count: 1,
    next_cursor: null,
    results: [
      {
        caseName: 'A v. B',
        docketNumber: '3:20-cv-1',
        url: 'https://www.courtlistener.com/docket/1/a/',
      },
    ],
  },
  'ns_fedrules/search': {
    provider: 'Federal Register',
    count: 1,
    total_pages: 1,
    page: 1,
    next_page: null,
    results: [
      {
        document_number: '2026-1',
        title: 'A rule',
        publication_date: '2026-11-18',
        html_url: 'https://www.federalregister.gov/d/2026-1',
      },
    ],
  },
  'ns_regs/search': {
    provider: 'eCFR',
    total: 1,
    results: [
      {
        citation: '10 CFR 1.1',
        title: 'Scope',
        score: 1,
        snippet: 'Scope.',
        in_force_since: null,
        url: 'https://www.ecfr.gov/current/title-10/section-1.1',
      },
    ],
  },
  ...Object.fromEntries(
    ['patents', 'assignees'].map((name) => [
      `ns_patents/${name}`,
      {
        total: 1,
        names: [],
        results: [
          {
            application_number: '17000000',
            title: 'Drone',
            filing_date: '2026-11-02',
            status: null,
            patent_number: null,
            grant_date: null,
            publication_number: null,
            inventors: [],
            applicants: ['Acme'],
            assignees: [],
          },
        ],
      },
    ]),
  ),
  'ns_archive/fetch': {
    provider: 'Internet Archive',
    url: 'https://a.example/one',
    timestamp: '20200101000000',
    status: 200,
    content_type: 'text/html',
    content: '<p>Old</p>',
    chars: 10,
    first: null,
    prev: null,
    next: null,
    archived_url: 'https://web.archive.org/web/20200101000000/https://a.example/one',
  },
  [`${ownNamespace}/search-index`]: {
    hits: [
      {
        index_id: '01970000-0000-7000-8000-000000000002',
        url: 'https://docs.example/keys',
        passage_url: 'https://docs.example/keys#rotate',
        title: 'Keys',
        position: 3,
        headings: ['Rotate a key'],
        snippet: 'Rotate keys.',
        matched_words: ['keys'],
        text: 'Rotate keys every month.',
        score: 7,
        indexed_at: '2026-11-20T00:00:00.000Z',
      },
    ],
  },
  'ns_semantic/contents': { results: [{ id: '1', url: 'https://a.example/one', text: 'Text.' }] },
  ...Object.fromEntries(
    ['tiktok/search', 'instagram/hashtags', 'youtube/search', 'twitter/search'].map((id) => [
      id,
      { rows: [{ url: `https://${id}`, text: 'A post.' }], row_count: 1, requested: 20 },
    ]),
  ),
  ...Object.fromEntries(
    ['weibo/search', 'reddit/search'].map((id) => [
      id,
      { rows: [{ url: `https://${id}`, text: 'A post.' }], row_count: 1, requested: 20 },
    ]),
  ),
}

/** The search of the caller's own indexes. The scripts answer for it. */
const ownProvider = defineProvider({
  id: ownNamespace,
  title: 'The gateway’s own actions',
  actions: [createSearchIndex({ search: { search: async () => [] } })],
})

export const catalog: Catalog = createCatalog(
  [...providers, ownProvider].map((provider) => ({
    provider,
    mode: 'live',
    http: {} as ServiceHttp,
    close: async () => {},
  })),
)

/** The answer of an action, or its failure. Default: its answer of `answers`. */
export type Script = (id: string, input: unknown, signal: AbortSignal) => Promise<unknown>

const answer: Script = async (id) => answers[id]

/** The context of one search. It charges as the runner does: the quote of a call that has answered. */
export function createSearchContext(options: {
  readonly input: unknown
  readonly clock: Clock
  readonly script?: Script
  readonly available?: (id: string) => boolean
}) {
  const { script = answer, available = () => true, clock } = options
  const hops: (Hop & { id: string })[] = []
  const refused: string[] = []
  const kept: { id: string; action: string; output: unknown }[] = []
  const context: RunContext<never> = {
    input: options.input as never,
    caller: { kind: 'account', accountId: 'account', keyId: 'key', isLimited: false },
    http: {} as RunContext<never>['http'],
    files: {} as RunContext<never>['files'],
    signal: new AbortController().signal,
    transactionId: '01970000-0000-7000-8000-000000000001',
    clock,
    maxCents: 5,
    record: () => {},
    keepAnswer({ action, output }) {
      const id = `01970000-0000-7000-8000-${String(kept.length).padStart(12, 'a')}`
      kept.push({ id, action, output })
      return id
    },
    spend: () => {},
    available,
    issued: async () => [],
    effect: async () => {},
    purchase: (buy) => buy('01970000-0000-7000-8000-00000000000a'),
    prepare: () => Promise.reject(new Error('A search calls at once.')),
    async call(id, body, _step, signal = context.signal) {
      const entry = catalog.find(...splitId(id))
      if (entry === undefined) throw fail('not_found')
      const read = entry.action.input.safeParse(body)
      if (!read.success) {
        refused.push(`${id}: ${read.error.message}`)
        throw fail('bad_request')
      }
      const [provider, action] = splitId(id)
      const hop = { id, provider, action, latency_ms: 0 }
      try {
        const data = entry.action.output.safeParse(await script(id, read.data, signal))
        if (!data.success) throw fail('upstream_error')
        signal.throwIfAborted()
        const charged_cents = microsToCents(quotePrice(entry.action.price, read.data).micros, 'up')
        hops.push({ ...hop, ok: true, charged_cents })
        return data.data
      } catch (thrown) {
        hops.push({ ...hop, ok: false, charged_cents: 0 })
        throw thrown
      }
    },
  }
  const spentCents = () => hops.reduce((sum, { charged_cents }) => sum + charged_cents, 0)
  return { context, hops, refused, kept, spentCents }
}

/** Pages without a network: one is read by a vendor, and the others by this machine. */
export const pages: PageTexts = {
  admit: (urls) => [...new Set(urls)],
  read: (urls, { call }) =>
    Promise.all(
      urls.map(async (url) => {
        const bought = await call('ns_semantic/contents', { urls: [url], text: true }).catch(
          () => undefined,
        )
        const source = bought === undefined ? 'own' : 'ns_semantic'
        return { url, content: 'Text.', title: 'Page', publishedAt: null, source, trouble: null }
      }),
    ),
  textOf: async (html) => ({ title: null, content: html }),
}
