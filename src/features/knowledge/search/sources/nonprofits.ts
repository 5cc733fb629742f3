// Tax returns of organizations that pay no taxes.
import type { SourceResult } from '../evidence.ts'
import {
  identifierOf,
  orNone,
  type SearchSource,
  type SourceCall,
  snippetOf,
  subjectOf,
} from './source.ts'

const organizationsPerSource = 10
const returnsMax = 6

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
  const answer = await call<{ name: string; years: TaxYear[]; url: string }>(
    'ns_nonprofit/nonprofit',
    { ein },
  )
  const { name, years, url } = answer
  return years.slice(0, returnsMax).map((each) => ({
    url: each.pdf_url ?? `${url}#year-${each.year}`,
    title: `${name}: tax return of ${each.year}`,
    answers: [answer],
    snippet: snippetOf(
      name,
      `tax return of ${each.year}`,
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
    const answer = await call<{ organizations: Organization[] }>('ns_nonprofit/nonprofit_search', {
      q: subjectOf(question, 200),
    })
    const found = answer.organizations.slice(0, organizationsPerSource)
    const [best] = found
    const returns = best === undefined ? [] : await orNone(returnsOf(best.ein, call))
    return [
      ...found.map(({ ein, name, city, state, url }) => ({
        url,
        title: name,
        answers: [answer],
        snippet: snippetOf(name, `EIN ${ein}`, city, state),
      })),
      ...returns,
    ]
  },
}
