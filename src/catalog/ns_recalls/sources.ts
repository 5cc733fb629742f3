// Three agencies, each with its own names and errors, and what their recalls have in common.
import type { ProviderHttp } from '#core/ports.ts'
import { fda } from './fda.ts'
import { nhtsa } from './nhtsa.ts'
import type { Recall } from './recall-object.ts'

// biome-ignore lint/suspicious/noExplicitAny: replies are read leaf by leaf; `recallObject` checks what comes out.
type Raw = any

const names = (items: Raw): string | null =>
  (items ?? [])
    .map(({ Name }: { Name?: string }) => Name)
    .filter(Boolean)
    .join('; ') || null

/** Consumer products. */
const cpsc = {
  search: (http: ProviderHttp, q: string) => askCpsc(http, { RecallTitle: q }),
  get: (http: ProviderHttp, key: string) => askCpsc(http, { RecallID: key }),
}

async function askCpsc(http: ProviderHttp, query: Record<string, string>): Promise<Recall[]> {
  const found = await http.get('/RestWebServices/Recall', {
    host: { host: 'www.saferproducts.gov' },
    query: { format: 'json', ...query },
  })
  return found.map((raw: Raw) => ({
    id: `cpsc:${raw.RecallID}`,
    source: 'CPSC',
    title: raw.Title ?? names(raw.Products) ?? raw.RecallNumber,
    date: raw.RecallDate?.slice(0, 10) ?? null,
    company: names(raw.Manufacturers) ?? names(raw.Importers),
    hazard: names(raw.Hazards),
    remedy: names(raw.Remedies),
    url: raw.URL ?? null,
    record: raw,
  }))
}

interface Source {
  /** Whether it can be asked so; absent: it always can. */
  takes?(q: string): boolean
  search(http: ProviderHttp, q: string, limit: number): Promise<Recall[]>
  get(http: ProviderHttp, key: string): Promise<Recall[]>
}

export const sources: Readonly<Record<string, Source>> = {
  cpsc,
  'fda-food': fda('food'),
  'fda-drug': fda('drug'),
  'fda-device': fda('device'),
  nhtsa,
}
