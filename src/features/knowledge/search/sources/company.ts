// The company that a question is about, as the registry of the SEC knows it. It is looked up once for all facets.
import { isSameName } from '#core/companies/company-name.ts'
import { subjectOfCompany } from '../routing/subject.ts'
import { identifierOf, type SearchQuestion, type SourceCall, shorten } from './source.ts'

/** The action that knows the registrants. Its list of traded companies is kept for hours. */
export const registry = 'ns_filings/entities'

export interface Company {
  readonly cik: string
  readonly name: string | null
  readonly tickers: readonly string[]
  /** The answer that says so. Absent where the question itself names the number. */
  readonly answer?: object
}

const lookedUp = new WeakMap<SearchQuestion, Promise<Company | undefined>>()

export const namesNoCompany = (question: SearchQuestion): string | undefined =>
  identifierOf(question, 'CIK') === undefined && nameOf(question) === undefined
    ? 'the question names no company'
    : undefined

/** What the question calls the company. */
export const nameOf = (question: SearchQuestion): string | undefined =>
  identifierOf(question, 'ticker') ?? subjectOfCompany(question.text, question.slots)

/** Undefined if the registry does not have it. */
export async function companyOf(
  question: SearchQuestion,
  call: SourceCall,
): Promise<Company | undefined> {
  const cik = identifierOf(question, 'CIK')
  if (cik !== undefined) return { cik, name: null, tickers: [] }
  const earlier = lookedUp.get(question)
  // A lane that could not pay for it, or was given up, does not decide for the others.
  if (earlier !== undefined) return await earlier.catch(() => lookUp(question, call))
  const found = lookUp(question, call)
  lookedUp.set(question, found)
  return await found
}

async function lookUp(question: SearchQuestion, call: SourceCall): Promise<Company | undefined> {
  const whole = subjectOfCompany(question.text, question.slots, true)
  const names = [nameOf(question), whole].filter((name) => name !== undefined)
  for (const name of new Set(names)) {
    const found = await find(name, call)
    if (found !== undefined) return found
  }
  return undefined
}

async function find(name: string, call: SourceCall): Promise<Company | undefined> {
  const answer = await call<{ entities: readonly Company[] }>(registry, { q: shorten(name, 150) })
  const { entities } = answer
  // The registry puts traded companies first, and another registrant may have the very name.
  const isCalled = ({ name: known }: Company) => known !== null && isSameName(name, known)
  const [first] = entities
  const best =
    first !== undefined && first.tickers.length > 0 ? first : (entities.find(isCalled) ?? first)
  return best && { cik: best.cik, name: best.name, tickers: best.tickers, answer }
}
