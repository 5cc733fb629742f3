// One entity with its numbers in registries.
import type { SourceResult } from '../evidence.ts'
import { type Company, companyOf, namesNoCompany, registry } from './company.ts'
import {
  identifierOf,
  type SearchQuestion,
  type SearchSource,
  type SourceCall,
  shorten,
  snippetOf,
  subjectOf,
} from './source.ts'

/** Ids of registries that Wikidata has of an organization, by its properties. */
const registryIds: Readonly<Record<string, string>> = {
  P1278: 'LEI',
  P5531: 'CIK',
  P1297: 'EIN',
  P946: 'ISIN',
  P1320: 'OpenCorporates',
  P2622: 'Companies House',
  P3608: 'EU VAT',
  P2771: 'D-U-N-S',
  P1616: 'SIREN',
  P213: 'ISNI',
  P856: 'website',
}
const namesakesMax = 5
/** Namesakes whose facts are read until one is the company of the registry. */
const namesakesReadMax = 2

interface Facts {
  readonly id: string
  readonly label: string | null
  readonly description: string | null
  readonly claims: Readonly<Record<string, readonly unknown[]>>
  readonly url: string
}

/** The entity that a name means: a fruit of the same name is not in any registry. */
export const entity: SearchSource = {
  id: 'ns_knowledge/entity',
  chain: ['ns_knowledge/search', registry],
  async search(question, call) {
    const company = await registrantOf(question, call)
    const facts = await factsOf(question, company, call).catch((thrown) => {
      if (company === undefined) throw thrown
      return undefined
    })
    const ids = {
      ...(facts && idsOf(facts)),
      ...(company && describeIds(company)),
    }
    if (Object.keys(ids).length === 0) return []
    return [describe({ facts, company, ids })]
  },
}

/** Undefined where the registry does not have it or cannot be asked: another one may. */
async function registrantOf(question: SearchQuestion, call: SourceCall) {
  const isNumbered =
    identifierOf(question, 'Wikidata id') !== undefined ||
    identifierOf(question, 'LEI') !== undefined
  if (isNumbered || namesNoCompany(question) !== undefined) return undefined
  return await companyOf(question, call).catch(() => undefined)
}

async function factsOf(
  question: SearchQuestion,
  company: Company | undefined,
  call: SourceCall,
): Promise<Facts | undefined> {
  const read = (id: string): Promise<Facts> => call('ns_knowledge/entity', { id })
  const named = identifierOf(question, 'Wikidata id')
  if (named !== undefined) return await read(named)
  const q = shorten(company?.name ?? subjectOf(question, 250), 250)
  const { results } = await call<{ results: readonly { id: string }[] }>('ns_knowledge/search', {
    q,
    limit: namesakesMax,
  })
  const namesakes = results.slice(0, namesakesReadMax)
  let best: Facts | undefined
  for (const { id } of namesakes) {
    // The price may not cover all of them.
    const facts = await read(id).catch((thrown) => {
      if (best === undefined && company === undefined) throw thrown
      return undefined
    })
    if (facts === undefined) break
    const { CIK, ...ids } = idsOf(facts)
    if (company === undefined ? CIK || ids.LEI : CIK && isSameCik(CIK, company.cik)) return facts
    const isRegistered = CIK === undefined && Object.keys(ids).length > 0
    if (best === undefined && isRegistered) best = facts
  }
  return best
}

const isSameCik = (one: string, other: string) => Number(one) === Number(other)

const idsOf = ({ id, claims }: Facts): Record<string, string> => {
  const found = Object.entries(registryIds).flatMap(([property, name]) => {
    const [value] = claims[property] ?? []
    return typeof value === 'string' ? [[name, value] as const] : []
  })
  return found.length === 0 ? {} : { ...Object.fromEntries(found), Wikidata: id }
}

const describeIds = ({ cik, tickers }: Company) => ({
  CIK: cik,
  ...(tickers.length > 0 && { ticker: tickers.join(', ') }),
})

function describe(found: {
  readonly facts: Facts | undefined
  readonly company: Company | undefined
  readonly ids: Readonly<Record<string, string>>
}): SourceResult {
  const { facts, company, ids } = found
  const registered = `https://www.sec.gov/cgi-bin/browse-edgar?action=getcompany&CIK=${company?.cik}`
  const name = company?.name ?? facts?.label ?? null
  return {
    ids,
    url: facts?.url ?? registered,
    title: name ?? facts?.id ?? `CIK ${company?.cik}`,
    snippet: snippetOf(
      name,
      facts?.description,
      ...Object.entries(ids).map(([registryName, id]) => `${registryName} ${id}`),
    ),
    answers: [facts, company?.answer].filter((each) => each !== undefined),
    primary: true,
    ...(facts && { wikidata: facts.id }),
  }
}
