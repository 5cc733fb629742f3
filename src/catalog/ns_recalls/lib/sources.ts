// The three agencies, each with its own field names and errors, and the common form of their recalls.

import { keysOf } from '#core/input/records.ts'
import type { ProviderHttp, QueryValue } from '#core/ports.ts'
import type { UntypedJson } from '#core/replies/untyped-json.ts'
import { fda } from './fda.ts'
import { nhtsa } from './nhtsa.ts'
import { newestFirst, type Recall } from './recall-object.ts'
import type { Source } from './source.ts'

const names = (items: UntypedJson): string | null =>
  (items ?? [])
    .map(({ Name }: { Name?: string }) => Name)
    .filter(Boolean)
    .join('; ') || null

/** Consumer products. */
const cpsc: Source = {
  async search(http, { q, date_gte, date_lte, reach }) {
    const dated = { RecallDateStart: date_gte, RecallDateEnd: date_lte }
    const found = await askCpsc(http, { RecallTitle: q, ...dated })
    return { total: found.length, recalls: newestFirst(found).slice(0, reach) }
  },
  get: (http, key) => askCpsc(http, { RecallID: key }),
}

async function askCpsc(http: ProviderHttp, query: Record<string, QueryValue>): Promise<Recall[]> {
  const found = await http.get('/RestWebServices/Recall', {
    host: { host: 'www.saferproducts.gov' },
    query: { format: 'json', ...query },
  })
  return found.map((raw: UntypedJson) => ({
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

export const sources = {
  cpsc,
  'fda-food': fda('food'),
  'fda-drug': fda('drug'),
  'fda-device': fda('device'),
  nhtsa,
} as const satisfies Readonly<Record<string, Source>>

export type SourceName = keyof typeof sources
export const sourceNames = keysOf(sources)
