// Filings, offerings, reported figures and tax returns.
import type { SourceResult } from '../evidence.ts'
import {
  firstDay,
  identifierOf,
  isoDay,
  type SearchQuestion,
  type SearchSource,
  type SourceCall,
  shorten,
  snippetOf,
  subjectOf,
} from './source.ts'

const filingsPerSource = 10
const secArchive = 'https://www.sec.gov/Archives/edgar/data'

interface FulltextHit {
  readonly accession: string
  readonly filename: string
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
  readonly url: string
}

/** The forms that a question names, in EDGAR's spelling. */
function formsOf(text: string): string | undefined {
  const named = text.match(
    /\b(?:10-?[KQ]|8-?K|20-?F|40-?F|6-?K|S-?[134]|13-?F|DEF ?14A|form [345D])\b/gi,
  )
  const forms = named?.map((name) =>
    name
      .toUpperCase()
      .replace(/^FORM /, '')
      .replace(/^(10|8|20|40|6|S|13)-?(?=[A-Z\d])/, '$1-')
      .replace(/^13-F$/, '13F-HR')
      .replace(/^DEF ?14A$/, 'DEF 14A'),
  )
  return forms && [...new Set(forms)].join(',')
}

const periodOf = (question: SearchQuestion) => {
  const startdt = firstDay(question)
  return startdt === undefined ? {} : { startdt, enddt: isoDay(question.now) }
}

/** The index of full texts joins all words by AND, so it is asked for names rather than sentences. */
function phraseOf({ slots, text }: SearchQuestion): string {
  const names = slots.entities.filter((name) => formsOf(name) === undefined).slice(0, 2)
  if (names.length > 0) return names.map((name) => `"${name}"`).join(' ')
  return (text.match(/[\p{L}\p{N}-]{4,}/gu) ?? [text]).slice(0, 6).join(' ')
}

const readHit = ({
  accession,
  form,
  date,
  names,
  url,
  description,
}: FulltextHit): SourceResult => ({
  url,
  accession,
  primary: true,
  published_at: date,
  title: `${names[0] ?? 'Filing'}: ${form}, filed ${date}`,
  snippet: snippetOf(form, description, names.join(', ')),
})

const readFiling =
  (name: string | null) =>
  ({ form, date, accession, reportDate, url }: Filing): SourceResult => ({
    url,
    accession,
    primary: true,
    published_at: date,
    title: `${name ?? 'Filing'}: ${form}, filed ${date}`,
    snippet: snippetOf(form, reportDate && `for the period ended ${reportDate}`),
  })

async function historyOf(cik: string, question: SearchQuestion, call: SourceCall, forms?: string) {
  const { name, filings } = await call('ns_filings/filings', {
    cik,
    limit: filingsPerSource,
    ...periodOf(question),
    ...(forms && { forms }),
  })
  return (filings as Filing[]).map(readFiling(name))
}

/**
 * What follows in a chain is left out when it fails or the lane cannot pay for it: the first part is an answer by
 * itself.
 */
async function orNone(rest: Promise<readonly SourceResult[]>): Promise<readonly SourceResult[]> {
  return await rest.catch(() => [])
}

/** Searches the texts of filings, and reads the best one where whole texts are wanted. */
export const filingTexts: SearchSource = {
  id: 'ns_filings/fulltext',
  chain: ['ns_filings/document'],
  isDated: true,
  async search(question, call) {
    const forms = formsOf(question.text)
    const { hits } = await call('ns_filings/fulltext', {
      q: shorten(phraseOf(question), 1_000),
      ...periodOf(question),
      ...(forms && { forms }),
    })
    const [best, ...rest] = hits as FulltextHit[]
    if (best === undefined) return []
    const { accession, filename, ciks } = best
    const document =
      question.withContent &&
      (await call('ns_filings/document', { cik: ciks[0], accession, filename }).catch(
        () => undefined,
      ))
    return [
      { ...readHit(best), ...(document && { content: document.content }) },
      ...rest.map(readHit),
    ]
  },
}

const namesNoCik = (question: SearchQuestion) =>
  identifierOf(question, 'CIK') === undefined ? 'the question names no CIK' : undefined

/** The history of a registrant that the question names by its number. */
export const filingsOfRegistrant: SearchSource = {
  id: 'ns_filings/filings',
  isDated: true,
  unfit: namesNoCik,
  search: (question, call) =>
    historyOf(identifierOf(question, 'CIK') ?? '', question, call, formsOf(question.text)),
}

interface Registrant {
  readonly cik: string
  readonly name: string | null
  readonly tickers: readonly string[]
}

const namesNoCompany = (question: SearchQuestion) =>
  identifierOf(question, 'CIK') === undefined &&
  identifierOf(question, 'ticker') === undefined &&
  question.slots.entities.length === 0
    ? 'the question names no company'
    : undefined

async function registrantsOf(question: SearchQuestion, call: SourceCall) {
  const q = identifierOf(question, 'ticker') ?? subjectOf(question, 150)
  const { entities } = await call('ns_filings/entities', { q })
  const found = entities as Registrant[]
  const isTicker = ({ tickers }: Registrant) => tickers.includes(q.toUpperCase())
  // A traded company is meant more often than a fund with the same beginning of its name.
  const best = found.find(isTicker) ?? found.find(({ tickers }) => tickers.length > 0) ?? found[0]
  return { best, found }
}

const cikOf = async (question: SearchQuestion, call: SourceCall) =>
  identifierOf(question, 'CIK') ?? (await registrantsOf(question, call)).best?.cik

/** The history of a company by its name or ticker. */
export const filingsOfCompany: SearchSource = {
  id: 'ns_filings/entities',
  chain: ['ns_filings/filings'],
  isDated: true,
  unfit: (question) =>
    identifierOf(question, 'CIK') === undefined
      ? namesNoCompany(question)
      : 'the question names a CIK, for which another source is asked',
  async search(question, call) {
    const { best } = await registrantsOf(question, call)
    return best === undefined ? [] : historyOf(best.cik, question, call, formsOf(question.text))
  },
}

/** Registrants with their numbers, for checks of a company. */
export const registrants: SearchSource = {
  id: 'ns_filings/entities',
  unfit: namesNoCompany,
  async search(question, call) {
    const { found } = await registrantsOf(question, call)
    return found.slice(0, filingsPerSource).map(({ cik, name, tickers }) => ({
      url: `https://www.sec.gov/cgi-bin/browse-edgar?action=getcompany&CIK=${cik}`,
      title: name ?? `CIK ${cik}`,
      snippet: snippetOf(`CIK ${cik}`, tickers.length > 0 && `ticker ${tickers.join(', ')}`),
      primary: true,
    }))
  },
}

/** Offerings without registration, and what their issuer has filed besides. */
export const offerings: SearchSource = {
  id: 'ns_filings/fulltext',
  chain: ['ns_filings/filings'],
  isDated: true,
  async search(question, call) {
    const { hits } = await call('ns_filings/fulltext', {
      q: shorten(phraseOf(question), 1_000),
      forms: 'D',
      ...periodOf(question),
    })
    const found = hits as FulltextHit[]
    const cik = found[0]?.ciks[0]
    const history = cik === undefined ? [] : await orNone(historyOf(cik, question, call))
    return [...found.map(readHit), ...history]
  },
}

interface Fact {
  readonly end: string
  readonly val: number
  readonly accn?: string
  readonly fp?: string | null
  readonly form?: string
  readonly filed?: string
}

/** The XBRL tags of a figure, the commonest first. */
const concepts: readonly (readonly [RegExp, readonly string[]])[] = [
  [/\b(?:net (?:income|loss)|profits?|earnings|losses)\b/i, ['NetIncomeLoss', 'ProfitLoss']],
  [/\bassets\b/i, ['Assets']],
]
const revenueConcepts = ['RevenueFromContractWithCustomerExcludingAssessedTax', 'Revenues']
const factsMax = 6

/** A figure that a company has reported, with the reports that state it. */
export const reportedFigures: SearchSource = {
  id: 'ns_filings/concept',
  chain: ['ns_filings/entities'],
  isDated: true,
  unfit: namesNoCompany,
  async search(question, call) {
    const cik = await cikOf(question, call)
    if (cik === undefined) return []
    const tags = concepts.find(([said]) => said.test(question.text))?.[1] ?? revenueConcepts
    const answers = []
    for (const concept of tags) {
      const answer = await call('ns_filings/concept', { cik, concept }).catch((thrown) => {
        if (answers.length === 0 && concept === tags.at(-1)) throw thrown
      })
      if (answer !== undefined) answers.push(answer)
    }
    // Companies change tags over the years: the one in use has the newest period.
    const newest = answers.toSorted((one, other) =>
      lastPeriod(one) < lastPeriod(other) ? 1 : -1,
    )[0]
    return newest === undefined ? [] : readFigures(cik, newest, question)
  },
}

interface Concept {
  readonly entity: string | null
  readonly concept: string
  readonly label: string | null
  readonly units: Readonly<Record<string, readonly Fact[]>>
}

const factsOf = ({ units }: Concept) =>
  Object.entries(units).flatMap(([unit, facts]) => facts.map((fact) => ({ ...fact, unit })))

const lastPeriod = (concept: Concept) =>
  factsOf(concept)
    .map(({ end }) => end)
    .toSorted()
    .at(-1) ?? ''

function readFigures(cik: string, concept: Concept, { slots }: SearchQuestion): SourceResult[] {
  const facts = factsOf(concept)
  const years = facts.filter(({ fp }) => fp === 'FY')
  const asked = facts.filter(({ end }) => slots.years.includes(Number(end.slice(0, 4))))
  const wanted = asked.length > 0 ? asked : years.length > 0 ? years : facts
  // A report repeats the figures of earlier periods; the first report of each is its source.
  const byPeriod = new Map(
    wanted
      .toSorted((one, other) => ((one.filed ?? '') < (other.filed ?? '') ? 1 : -1))
      .map((fact) => [fact.end, fact]),
  )
  return [...byPeriod.values()]
    .toSorted((one, other) => (one.end < other.end ? 1 : -1))
    .slice(0, factsMax)
    .flatMap(({ end, val, unit, accn, form, filed }) =>
      accn === undefined
        ? []
        : {
            url: `${secArchive}/${Number(cik)}/${accn.replaceAll('-', '')}/${accn}-index.htm`,
            title: `${concept.entity ?? `CIK ${cik}`}: ${concept.label ?? concept.concept} of ${val} ${unit}, period ended ${end}`,
            snippet: snippetOf(form, `${concept.concept} ${val} ${unit}`, `period ended ${end}`),
            accession: accn,
            primary: true,
            ...(filed && { published_at: filed }),
          },
    )
}

interface Organization {
  readonly ein: string
  readonly name: string
  readonly city: string | null
  readonly state: string | null
  readonly url: string
}

interface TaxYear {
  readonly year: number
  readonly totrevenue: number | null
  readonly totassetsend: number | null
  readonly pdf_url?: string | null
}

const dollars = (name: string, amount: number | null) => amount !== null && `${name} $${amount}`

async function returnsOf(ein: string, call: SourceCall): Promise<SourceResult[]> {
  const { name, years, url } = await call('ns_nonprofit/nonprofit', { ein })
  return (years as TaxYear[]).slice(0, factsMax).map((each) => ({
    url: each.pdf_url ?? `${url}#year-${each.year}`,
    title: `${name}: tax return of ${each.year}`,
    snippet: snippetOf(
      `EIN ${ein}`,
      dollars('revenue', each.totrevenue),
      dollars('assets', each.totassetsend),
    ),
    primary: true,
  }))
}

export const taxReturns: SearchSource = {
  id: 'ns_nonprofit/nonprofit',
  unfit: (question) =>
    identifierOf(question, 'EIN') === undefined ? 'the question has no EIN' : undefined,
  search: (question, call) => returnsOf(identifierOf(question, 'EIN') ?? '', call),
}

/** Organizations by name, with the tax returns of the best one. */
export const nonprofits: SearchSource = {
  id: 'ns_nonprofit/nonprofit_search',
  chain: ['ns_nonprofit/nonprofit'],
  async search(question, call) {
    const { organizations } = await call('ns_nonprofit/nonprofit_search', {
      q: subjectOf(question, 200),
    })
    const found = (organizations as Organization[]).slice(0, filingsPerSource)
    const [best] = found
    const returns = best === undefined ? [] : await orNone(returnsOf(best.ein, call))
    return [
      ...found.map(({ ein, name, city, state, url }) => ({
        url,
        title: name,
        snippet: snippetOf(`EIN ${ein}`, city, state),
      })),
      ...returns,
    ]
  },
}
