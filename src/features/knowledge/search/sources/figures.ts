// Figures that companies have reported, with the reports that state them.
import { CallError } from '#core/errors.ts'
import type { SourceResult } from '../evidence.ts'
import { revenueTags, tagsOf } from '../routing/figures.ts'
import { type Period, readPeriod } from '../routing/periods.ts'
import { companyOf, namesNoCompany, registry } from './company.ts'
import { type SearchQuestion, type SearchSource, type SourceCall, snippetOf } from './source.ts'

const secArchive = 'https://www.sec.gov/Archives/edgar/data'
const figuresMax = 6
const dayMs = 24 * 60 * 60 * 1_000
/** A company that still uses a tag has reported it within this time. */
const inUseDays = 550
const yearDays = { least: 340, most: 390 }
const quarterDays = { least: 75, most: 105 }

interface Fact {
  readonly start?: string
  readonly end: string
  readonly val: number
  readonly accn?: string
  readonly fy?: number | null
  readonly fp?: string | null
  readonly form?: string
  readonly filed?: string
}

interface Concept {
  readonly entity: string | null
  readonly concept: string
  readonly label: string | null
  readonly units: Readonly<Record<string, readonly Fact[]>>
}

/** A value with the report that stated it first. */
interface Figure extends Fact {
  readonly accn: string
  readonly unit: string
  /** The company's own year. */
  readonly fiscalYear: number
  /** A report of a year states it. */
  readonly isAnnual: boolean
}

export const reportedFigures: SearchSource = {
  id: 'ns_filings/concept',
  chain: [registry],
  isDated: true,
  unfit: namesNoCompany,
  async search(question, call) {
    const company = await companyOf(question, call)
    if (company === undefined) return []
    const { cik, answer: known } = company
    const tags = tagsOf(question.text) ?? revenueTags
    const found = await findFigures(cik, tags, question, call)
    return found === undefined
      ? []
      : found.figures.slice(0, figuresMax).map(readFigure(cik, found.concept, known))
  },
}

/** Companies change tags over the years: the one in use has the period that is asked for, or the newest one. */
async function findFigures(
  cik: string,
  tags: readonly string[],
  question: SearchQuestion,
  call: SourceCall,
) {
  const period = readPeriod(question)
  const answers: { concept: Concept; figures: readonly Figure[] }[] = []
  let isAnswered = false
  let failure: unknown
  for (const tag of tags) {
    try {
      const concept = await call<Concept>('ns_filings/concept', { cik, concept: tag })
      isAnswered = true
      const wanted = choose(figuresOf(concept), period)
      const newest = Date.parse(wanted[0]?.end ?? '')
      if (wanted.length > 0) answers.push({ concept, figures: wanted })
      const isInUse = newest > question.now - inUseDays * dayMs
      if (wanted.length > 0 && (period.years.length > 0 || isInUse)) break
    } catch (thrown) {
      failure = thrown
      if (!(thrown instanceof CallError && thrown.code === 'not_found')) break
    }
  }
  if (!isAnswered && failure !== undefined) throw failure
  return answers.toSorted((one, other) => (endOf(one) < endOf(other) ? 1 : -1))[0]
}

const endOf = ({ figures: [newest] }: { figures: readonly Figure[] }) => newest?.end ?? ''

/** A report repeats the figures of earlier periods, so the first report of each is its source. */
function figuresOf({ units }: Concept): readonly Figure[] {
  const facts = Object.entries(units).flatMap(([unit, each]) =>
    each.flatMap((fact) => (fact.accn === undefined ? [] : { ...fact, accn: fact.accn, unit })),
  )
  const latestIn = new Map<string, string>()
  for (const { accn, end } of facts) if (end > (latestIn.get(accn) ?? '')) latestIn.set(accn, end)
  const periods = Map.groupBy(facts, ({ unit, start = '', end }) => `${unit} ${start} ${end}`)
  return [...periods.values()].flatMap((stated) => {
    const [first] = stated.toSorted((one, other) => (filedOf(one) < filedOf(other) ? -1 : 1))
    if (first === undefined) return []
    const fiscalYear = fiscalYearOf(first, latestIn.get(first.accn) ?? first.end)
    return { ...first, fiscalYear, isAnnual: stated.some(isOfAnnualReport) }
  })
}

const isOfAnnualReport = ({ fp, form = '' }: Fact) =>
  fp === 'FY' || /^(?:10-K|20-F|40-F)/.test(form)

const filedOf = ({ filed = '' }: Fact) => filed

/** `fy` is the year of the report, which is that of its newest figure. */
function fiscalYearOf({ end, fy }: Fact, latestEnd: string): number {
  const yearsBefore = Math.round((Date.parse(latestEnd) - Date.parse(end)) / (365 * dayMs))
  return typeof fy === 'number' ? fy - yearsBefore : Number(end.slice(0, 4))
}

/** Those for the period that is asked for, the newest first. None where it was not reported. */
function choose(all: readonly Figure[], { years, quarter, isQuarterly }: Period): Figure[] {
  const isOfKind = (each: Figure) =>
    isQuarterly ? isOfQuarter(each) && isNumbered(each, quarter) : isOfYear(each)
  const ofKind = all.filter(isOfKind).toSorted((one, other) => (one.end < other.end ? 1 : -1))
  if (years.length === 0) return ofKind
  const ofYears = ofKind.filter(({ fiscalYear }) => years.includes(fiscalYear))
  if (ofYears.length > 0) return ofYears
  return ofKind.filter(({ end }) => years.includes(Number(end.slice(0, 4))))
}

const daysOf = ({ start, end }: Fact) =>
  start === undefined ? undefined : (Date.parse(end) - Date.parse(start)) / dayMs

/** Balances have no first day, and their report says whether it is that of a year. */
function isOfYear(fact: Figure): boolean {
  const days = daysOf(fact)
  if (days === undefined) return fact.isAnnual
  return days >= yearDays.least && days <= yearDays.most
}

function isOfQuarter(fact: Figure): boolean {
  const days = daysOf(fact)
  if (days === undefined) return true
  return days >= quarterDays.least && days <= quarterDays.most
}

/** The last quarter of a year is stated in the report of the year. */
const isNumbered = ({ fp }: Figure, quarter: number | undefined) =>
  quarter === undefined || fp === `Q${quarter}` || (quarter === 4 && fp === 'FY')

const readFigure =
  (cik: string, concept: Concept, known: object | undefined) =>
  ({ start, end, val, unit, accn, form, filed, fiscalYear }: Figure): SourceResult => ({
    url: `${secArchive}/${Number(cik)}/${accn.replaceAll('-', '')}/${accn}-index.htm`,
    title: `${concept.entity ?? `CIK ${cik}`}: ${concept.label ?? concept.concept} of ${val} ${unit}, period ended ${end}`,
    snippet: snippetOf(
      concept.entity,
      form,
      `${concept.concept} ${val} ${unit}`,
      start ? `period from ${start} to ${end}` : `at ${end}`,
      `fiscal year ${fiscalYear}`,
    ),
    // One report states several figures.
    figure: `${accn} ${concept.concept} ${start ?? ''} ${end}`,
    answers: known === undefined ? [concept] : [concept, known],
    primary: true,
    ...(filed && { published_at: filed }),
  })
