// Registries that answer like those of the SEC and Wikidata, and an index of documentation, from the tables in
// bench/answers. The companies exist; their figures and filings are invented.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { fail } from '#core/errors.ts'
import type { HttpReply, HttpRequest, ProviderHttp } from '#core/ports.ts'

export interface ReplayedCompany {
  readonly ticker: string
  readonly cik: string
  readonly name: string
  readonly called: string
  /** Month and day. */
  readonly yearEnd: string
  readonly revenueTag: string
  readonly wikidata: string
  readonly namesake: string
}

export interface ReplayedIssuer {
  readonly cik: string
  readonly name: string
  readonly called: string
}

export interface ReplayedPage {
  readonly url: string
  readonly title: string
  readonly text: string
  readonly wordings: readonly string[]
}

interface Filed {
  readonly form: string
  readonly date: string
  readonly accession: string
  readonly reportDate: string
  readonly document: string
}

const folder = path.join(import.meta.dirname, '../answers')
const dayMs = 24 * 60 * 60 * 1_000
export const now = Date.UTC(2026, 10, 18)
const firstYear = 2018
/** Companies name a year that ends this early by the year before, or by its own. */
const retailers: ReadonlySet<string> = new Set(['TGT', 'M', 'GAP', 'HD'])
const reportAfterDays = 45

const rowsOf = (file: string): string[][] =>
  readFileSync(path.join(folder, file), 'utf8')
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((line) => line.split('\t'))

export const companies: readonly ReplayedCompany[] = rowsOf('companies.tsv').map((row) => {
  const [ticker = '', cik = '', name = '', called = '', yearEnd = '', ...rest] = row
  const [revenueTag = '', wikidata = '', namesake = ''] = rest
  return { ticker, cik, name, called, yearEnd, revenueTag, wikidata, namesake }
})
export const issuers: readonly ReplayedIssuer[] = rowsOf('issuers.tsv').map((row) => {
  const [cik = '', name = '', called = ''] = row
  return { cik, name, called }
})
export const pages: readonly ReplayedPage[] = rowsOf('pages.tsv').map((row) => {
  const [url = '', title = '', text = '', wordings = ''] = row
  return { url, title, text, wordings: wordings.split('|') }
})

const isoDay = (ms: number) => new Date(ms).toISOString().slice(0, 10)
const after = (day: string, days: number) => isoDay(Date.parse(day) + days * dayMs)
const padded = (cik: string) => cik.padStart(10, '0')

/** The last day of a company's own year. */
export function endOfYear({ ticker, yearEnd }: ReplayedCompany, year: number): string {
  return `${retailers.has(ticker) ? year + 1 : year}-${yearEnd}`
}

/** The years that have been reported, the newest first. */
export function yearsOf(company: ReplayedCompany): number[] {
  const years = Array.from({ length: 10 }, (_, at) => firstYear + at)
  return years
    .filter((year) => Date.parse(after(endOfYear(company, year), reportAfterDays)) < now)
    .toReversed()
}

/** The same amount whenever it is asked for. */
export function amountOf(company: ReplayedCompany, figure: string, period: string): number {
  let hash = 7
  for (const letter of `${company.cik} ${figure} ${period}`)
    hash = (hash * 31 + letter.charCodeAt(0)) % 1_000_003
  return (1_000 + hash) * 1_000_000
}

export const addressOf = (cik: string, { accession, document }: Filed): string =>
  `https://www.sec.gov/Archives/edgar/data/${Number(cik)}/${accession.replaceAll('-', '')}/${document}`

/** What a listed company has filed, the newest first. */
export function filingsOf(company: ReplayedCompany): readonly Filed[] {
  const filed = yearsOf(company).flatMap((year) => {
    const end = endOfYear(company, year)
    const quarters = [275, 183, 91].map((before) => after(end, -before))
    return [
      { form: '10-K', reportDate: end, days: reportAfterDays },
      { form: '10-K/A', reportDate: end, days: 80 },
      { form: 'DEF 14A', reportDate: after(end, 110), days: 70 },
      ...quarters.map((reportDate) => ({ form: '10-Q', reportDate, days: 40 })),
      ...[20, 90, 170, 260].map((days) => ({
        form: '8-K',
        reportDate: after(end, days - 2),
        days,
      })),
      ...[5, 30, 60, 150, 240].map((days) => ({ form: '4', reportDate: after(end, days), days })),
    ].map(({ form, reportDate, days }, at) => ({
      form,
      reportDate,
      date: after(form === '8-K' || form === '4' ? end : reportDate, days),
      accession: `${padded(company.cik)}-${String(year).slice(2)}-${String(at + 1).padStart(6, '0')}`,
      document: `${company.ticker.toLowerCase()}-${form.toLowerCase().replaceAll(/\W/g, '')}-${year}-${at}.htm`,
    }))
  })
  return filed
    .filter(({ date }) => Date.parse(date) < now)
    .toSorted((one, other) => (one.date < other.date ? 1 : -1))
}

/** The notices of an issuer that is not listed, the newest first. */
export const noticesOf = ({ cik }: ReplayedIssuer): readonly Filed[] =>
  [2026, 2024, 2021].map((year, at) => ({
    form: 'D',
    date: `${year}-0${(Number(cik) % 8) + 1}-1${at}`,
    reportDate: '',
    accession: `${padded(cik)}-${String(year).slice(2)}-00000${at + 1}`,
    document: 'primary_doc.xml',
  }))

const conceptNames: Readonly<Record<string, string>> = {
  NetIncomeLoss: 'net income',
  Assets: 'assets',
}

function conceptOf(company: ReplayedCompany, tag: string) {
  const figure = tag === company.revenueTag ? 'revenue' : conceptNames[tag]
  if (figure === undefined) return undefined
  const filings = filingsOf(company)
  const stated = (year: number, accessionYear: number, quarter?: string) => {
    const end = quarter ?? endOfYear(company, year)
    const reportOf = endOfYear(company, accessionYear)
    const report = filings.find(
      ({ form, reportDate }) =>
        form === (quarter ? '10-Q' : '10-K') && reportDate === (quarter ?? reportOf),
    )
    if (report === undefined) return []
    const days = quarter === undefined ? 364 : 90
    return {
      ...(tag !== 'Assets' && { start: after(end, -days) }),
      end,
      val: amountOf(company, figure, end + (quarter ? ' quarter' : '')),
      accn: report.accession,
      fy: accessionYear,
      fp:
        quarter === undefined
          ? 'FY'
          : `Q${[275, 183, 91].indexOf(daysBefore(quarter, reportOf)) + 1}`,
      form: report.form,
      filed: report.date,
    }
  }
  const facts = yearsOf(company).flatMap((year) => [
    // A report repeats the figures of the two years before.
    ...[0, 1, 2].flatMap((later) => stated(year, year + later)),
    ...[275, 183, 91].flatMap((before) =>
      stated(year, year, after(endOfYear(company, year), -before)),
    ),
  ])
  return {
    cik: Number(company.cik),
    tag,
    label: figure,
    description: null,
    entityName: company.name,
    units: { USD: facts },
  }
}

const daysBefore = (day: string, end: string) =>
  Math.round((Date.parse(end) - Date.parse(day)) / dayMs)

type Answer = (request: HttpRequest) => unknown

const missing = () => {
  throw fail('not_found')
}

const replies: Readonly<Record<string, Answer>> = {
  ns_filings: answerFilings,
  ns_knowledge: answerKnowledge,
  ns_semantic: ({ body }) => searchPages((body as { query: string }).query),
}

/** A client of one of these registries. Others do not answer. */
export function replayedHttp(provider: string): ProviderHttp {
  const send = async (request: HttpRequest): Promise<HttpReply> => {
    const answer = replies[provider] ?? missing
    const body = answer(request)
    return body === undefined
      ? { status: 404, headers: {}, body: {} }
      : { status: 200, headers: {}, body }
  }
  return {
    send,
    get: async (at, options) => (await send({ method: 'GET', path: at, ...options })).body,
    post: async (at, body, options) =>
      (await send({ method: 'POST', path: at, body, ...options })).body,
    sign: () => {
      throw new Error('Nothing is signed here.')
    },
  }
}

const registrants = [
  ...companies.map((each) => ({ ...each, filed: filingsOf(each) })),
  ...issuers.map((each) => ({ ...each, filed: noticesOf(each) })),
]

function answerFilings({ path: at, query = {} }: HttpRequest): unknown {
  if (at === '/files/company_tickers.json')
    return companies.map(({ ticker, cik, name }) => ({
      ticker,
      cik_str: Number(cik),
      title: name,
    }))
  if (at === '/cgi-bin/browse-edgar') return companyFeed(String(query.company))
  if (at === '/LATEST/search-index') return fulltext(String(query.q), String(query.forms ?? ''))
  const [, cik = '', tag] =
    /CIK(\d+)(?:\/us-gaap\/(\w+))?\.json$/.exec(at) ?? /data\/(\d+)\//.exec(at) ?? []
  const company = companies.find((each) => Number(each.cik) === Number(cik))
  if (at.startsWith('/api/xbrl/')) return company && tag ? conceptOf(company, tag) : undefined
  if (at.startsWith('/submissions/')) return historyOf(cik)
  return `<html><body><p>${company?.name ?? 'An issuer'} has filed this document.</p></body></html>`
}

/** EDGAR finds registrants by the beginning of their names. */
function companyFeed(asked: string): string {
  const found = registrants.filter(({ name }) => name.toLowerCase().startsWith(asked.toLowerCase()))
  const infos = found.map(
    ({ cik, name }) =>
      `<company-info><cik>${padded(cik)}</cik><conformed-name>${name.replaceAll('&', '&amp;')}</conformed-name></company-info>`,
  )
  return `<feed>${infos.join('')}</feed>`
}

function historyOf(cik: string): unknown {
  const company = companies.find((each) => Number(each.cik) === Number(cik))
  const issuer = issuers.find((each) => Number(each.cik) === Number(cik))
  if (company === undefined && issuer === undefined) return missing()
  const filed = company ? filingsOf(company) : issuer ? noticesOf(issuer) : []
  const column = (name: keyof Filed) => filed.map((each) => each[name])
  return {
    name: (company ?? issuer)?.name,
    tickers: company ? [company.ticker] : [],
    filings: {
      recent: {
        accessionNumber: column('accession'),
        form: column('form'),
        filingDate: column('date'),
        reportDate: column('reportDate'),
        primaryDocument: column('document'),
      },
      files: [],
    },
  }
}

/** All words and phrases must be in the name. */
function fulltext(q: string, forms: string): unknown {
  const phrases = [...q.matchAll(/"([^"]+)"|(\S+)/g)].map(([, quoted, word]) =>
    (quoted ?? word ?? '').toLowerCase(),
  )
  const wanted = forms.split(',').filter(Boolean)
  const hits = registrants
    .filter(({ name }) => phrases.every((phrase) => name.toLowerCase().includes(phrase)))
    .flatMap((each) => each.filed.map((filed) => ({ each, filed })))
    .filter(({ filed }) => wanted.length === 0 || wanted.includes(filed.form))
    // The index ranks by its own score.
    .toSorted((one, other) => (one.filed.accession < other.filed.accession ? -1 : 1))
    .slice(0, 100)
    .map(({ each, filed }) => ({
      _id: `${filed.accession}:${filed.document}`,
      _source: {
        form: filed.form,
        file_date: filed.date,
        ciks: [padded(each.cik)],
        display_names: [each.name],
      },
    }))
  return { hits: { total: { value: hits.length, relation: 'eq' }, hits } }
}

const entityId = (wikidata: string, isNamesake: boolean) =>
  isNamesake ? `${wikidata}00` : wikidata

/** Wikidata finds labels and aliases by their beginning, the best known first. */
function answerKnowledge({ path: at, query = {} }: HttpRequest): unknown {
  const asked = String(query.search ?? '').toLowerCase()
  if (at === '/w/api.php') {
    const search = companies
      .filter(({ name, called }) =>
        [name, called].some((each) => each.toLowerCase().startsWith(asked)),
      )
      .flatMap(({ called, name, wikidata, namesake }) => [
        ...(namesake !== '' && called.toLowerCase().startsWith(asked)
          ? [{ id: entityId(wikidata, true), label: called.toLowerCase(), description: namesake }]
          : []),
        { id: wikidata, label: called, description: 'American company', aliases: [name] },
      ])
    return { search: search.slice(0, Number(query.limit)) }
  }
  const id = /(Q\d+)\.json$/.exec(at)?.[1] ?? ''
  const company = companies.find(({ wikidata }) => id === wikidata || id === `${wikidata}00`)
  if (company === undefined) return missing()
  const claim = (value: string) => [
    { rank: 'normal', mainsnak: { snaktype: 'value', datavalue: { type: 'string', value } } },
  ]
  const isNamesake = id !== company.wikidata
  const claims = { P5531: claim(padded(company.cik)), P1278: claim(leiOf(company)) }
  const entity = {
    id,
    labels: { en: { value: company.called } },
    descriptions: { en: { value: isNamesake ? company.namesake : 'American company' } },
    claims: isNamesake ? {} : claims,
  }
  return { entities: { [id]: entity } }
}

export const leiOf = ({ cik }: ReplayedCompany): string => `5493${padded(cik)}ABCD12`.slice(0, 20)

const wordsOf = (text: string) => new Set(text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [])

/** By the words that a page shares with the query. The index has crawled the text of every second page. */
function searchPages(query: string): unknown {
  const asked = [...wordsOf(query)]
  const results = pages
    .map(({ url, title, text }, at) => {
      const said = wordsOf(`${title} ${text}`)
      const score = asked.filter((word) => said.has(word)).length
      return { id: url, url, title, score, ...(at % 2 === 0 && { text }) }
    })
    .filter(({ score }) => score > 0)
    .toSorted((one, other) => other.score - one.score)
  return { results: results.slice(0, 10).map(({ score: _, ...result }) => result) }
}
