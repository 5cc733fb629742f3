// Filings at the SEC: those of a registrant, those with a text, and offerings.
import { isSameName } from '#core/companies/company-name.ts'
import type { SourceResult } from '../evidence.ts'
import { formsOf } from '../routing/forms.ts'
import { readPeriod } from '../routing/periods.ts'
import { companyOf, nameOf, namesNoCompany, registry } from './company.ts'
import {
  firstDay,
  isoDay,
  orNone,
  type SearchQuestion,
  type SearchSource,
  type SourceCall,
  shorten,
  snippetOf,
} from './source.ts'

const filingsPerSource = 10
/** Of a year, to find the report of the period that is asked for. */
const filingsReadMax = 40

interface FulltextHit {
  readonly accession: string
  readonly form: string
  readonly date: string
  readonly ciks: readonly string[]
  readonly names: readonly string[]
  readonly url: string
  readonly description?: string | null
}

interface Filing {
  readonly form: string
  readonly date: string
  readonly accession: string
  readonly reportDate: string | null
  readonly description?: string | null
  readonly url: string
}

const periodOf = (question: SearchQuestion) => {
  const startdt = firstDay(question)
  return startdt === undefined ? {} : { startdt, enddt: isoDay(question.now) }
}

/** The index of full texts joins all words by AND, so it is asked for names rather than sentences. */
function phraseOf(question: SearchQuestion): string {
  const { slots, text } = question
  const names = slots.entities.filter((name) => formsOf(name) === undefined).slice(0, 2)
  const name = nameOf(question)
  if (names.length > 0) return names.map((each) => `"${each}"`).join(' ')
  if (name !== undefined) return name.replace(/['’]s?$/, '')
  return (text.match(/[\p{L}\p{N}-]{4,}/gu) ?? [text]).slice(0, 6).join(' ')
}

const readHit =
  (answer: object) =>
  ({ accession, form, date, names, url, description }: FulltextHit): SourceResult => ({
    url,
    accession,
    answers: [answer],
    primary: true,
    published_at: date,
    title: `${names[0] ?? 'Filing'}: ${form}, filed ${date}`,
    snippet: snippetOf(form, description, names.join(', '), `filed ${date}`),
  })

const readFiling =
  (name: string | null, answers: readonly object[]) =>
  ({ form, date, accession, reportDate, description, url }: Filing): SourceResult => ({
    url,
    accession,
    answers,
    primary: true,
    published_at: date,
    title: `${name ?? 'Filing'}: ${form}, filed ${date}`,
    snippet: snippetOf(
      name,
      form,
      description !== form && description,
      reportDate && `for the period ended ${reportDate}`,
      `filed ${date}`,
    ),
  })

interface Named {
  readonly cik: string
  readonly answer?: object
}

async function historyOf(
  { cik, answer: known }: Named,
  question: SearchQuestion,
  call: SourceCall,
  forms?: string,
) {
  const { years } = readPeriod(question)
  // The report of a year may be filed in the next one.
  const [first, last] = [Math.min(...years), Math.max(...years)]
  const ofYears =
    years.length === 0 ? {} : { startdt: `${first}-01-01`, enddt: `${last + 1}-12-31` }
  const answer = await call<{ name: string; filings: Filing[] }>('ns_filings/filings', {
    cik,
    limit: filingsReadMax,
    ...ofYears,
    ...periodOf(question),
    ...(forms && { forms }),
  })
  const { name, filings } = answer
  const answers = known === undefined ? [answer] : [answer, known]
  return inOrder(filings, question).slice(0, filingsPerSource).map(readFiling(name, answers))
}

/** First the filings for the period that is asked for, then those of its time. A report comes before its amendment. */
function inOrder(filings: readonly Filing[], question: SearchQuestion): readonly Filing[] {
  const { years, quarter } = readPeriod(question)
  const wantsAmendment = /\bamend/i.test(question.text) || /\/A\b/.test(question.text)
  const rank = ({ form, date, reportDate }: Filing) => {
    const ended = reportDate ?? date
    const isOfYear = years.length === 0 || years.includes(Number(ended.slice(0, 4)))
    const isOfQuarter =
      quarter === undefined || Math.ceil(Number(ended.slice(5, 7)) / 3) === quarter
    const isAmendment = form.endsWith('/A') !== wantsAmendment
    return Number(!isOfYear) * 4 + Number(!isOfQuarter) * 2 + Number(isAmendment)
  }
  return filings.toSorted(
    (one, other) => rank(one) - rank(other) || (one.date < other.date ? 1 : -1),
  )
}

/** What the company that the question names has filed itself. */
export const filingsOfCompany: SearchSource = {
  id: 'ns_filings/filings',
  chain: [registry],
  isDated: true,
  unfit: namesNoCompany,
  async search(question, call) {
    const company = await companyOf(question, call)
    return company === undefined
      ? []
      : await historyOf(company, question, call, formsOf(question.text))
  },
}

/** Searches the texts of filings. */
export const filingTexts: SearchSource = {
  id: 'ns_filings/fulltext',
  isDated: true,
  async search(question, call) {
    const forms = formsOf(question.text)
    const answer = await call<{ hits: FulltextHit[] }>('ns_filings/fulltext', {
      q: shorten(phraseOf(question), 1_000),
      ...periodOf(question),
      ...(forms && { forms }),
    })
    return answer.hits.map(readHit(answer))
  },
}

/** Offerings without registration, and what their issuer has filed besides. */
export const offerings: SearchSource = {
  id: 'ns_filings/fulltext',
  chain: [registry, 'ns_filings/filings'],
  isDated: true,
  async search(question, call) {
    const company =
      namesNoCompany(question) === undefined
        ? await companyOf(question, call).catch(() => undefined)
        : undefined
    const own = company === undefined ? [] : await orNone(historyOf(company, question, call, 'D'))
    if (company !== undefined && own.length > 0)
      return [...own, ...(await orNone(historyOf(company, question, call)))]
    const answer = await call<{ hits: FulltextHit[] }>('ns_filings/fulltext', {
      q: shorten(phraseOf(question), 1_000),
      forms: 'D',
      ...periodOf(question),
    })
    const name = nameOf(question)
    // The newest offering of that name is asked for. Otherwise the index knows best.
    const isNamed = ({ names }: FulltextHit) =>
      name !== undefined && names.some((each) => isSameName(name, each))
    const { hits } = answer
    const found = [
      ...hits.filter(isNamed).toSorted((one, other) => (one.date < other.date ? 1 : -1)),
      ...hits.filter((each) => !isNamed(each)),
    ]
    const cik = found[0]?.ciks[0]
    const history = cik === undefined ? [] : await orNone(historyOf({ cik }, question, call))
    return [...found.map(readHit(answer)), ...history]
  },
}
