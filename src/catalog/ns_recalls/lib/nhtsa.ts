import type { ProviderHttp } from '#core/ports.ts'
import type { UntypedJson } from '#core/replies/untyped-json.ts'
import { newestFirst, type Recall } from './recall-object.ts'
import type { Source } from './source.ts'

/** The register of vehicles is searched by year, make and model, as in `2019 Honda Civic`. */
const vehicle = /^(\d{4})\s+(\S+\s+\S.*)$/
/** The number of words of a make: Honda, Land Rover. */
const makeLengths = [1, 2]

/** Recalls of vehicles, found by make, model and year only. */
export const nhtsa: Source = {
  takes: (q) => vehicle.test(q),
  async search(http, { q, date_gte = '', date_lte = '9', reach }) {
    const [, modelYear = '', name = ''] = vehicle.exec(q) ?? []
    const words = name.split(/\s+/)
    // A make may have several words. A wrong split between make and model finds no vehicles.
    const ends = makeLengths.filter((length) => length < words.length)
    const found = await Promise.all(
      ends.map((end) => {
        const make = words.slice(0, end).join(' ')
        const model = words.slice(end).join(' ')
        return askNhtsa(http, '/recalls/recallsByVehicle', { make, model, modelYear })
      }),
    )
    const recalls = found
      .flat()
      .filter(({ date }) => (date ?? '') >= date_gte && (date ?? '') <= date_lte)
    return { total: recalls.length, recalls: newestFirst(recalls).slice(0, reach) }
  },
  get: (http, key) => askNhtsa(http, '/recalls/campaignNumber', { campaignNumber: key }),
}

async function askNhtsa(
  http: ProviderHttp,
  path: string,
  query: Record<string, string>,
): Promise<Recall[]> {
  // A vehicle without recalls is answered with an empty list and status 400.
  const host = { host: 'api.nhtsa.gov' }
  const { status, body } = await http.send({
    method: 'GET',
    path,
    host,
    query,
    accept: [400, 404],
  })
  if (status !== 200) return []
  const seen = new Set<string>()
  return body.results.flatMap((raw: UntypedJson) => {
    // A campaign is listed once for each vehicle that it covers.
    if (seen.has(raw.NHTSACampaignNumber)) return []
    seen.add(raw.NHTSACampaignNumber)
    return {
      id: `nhtsa:${raw.NHTSACampaignNumber}`,
      source: 'NHTSA',
      title: [raw.ModelYear, raw.Make, raw.Model, raw.Component].filter(Boolean).join(' '),
      date: (raw.ReportReceivedDate ?? '').replace(/^(\d\d)\/(\d\d)\/(\d{4})$/, '$3-$2-$1') || null,
      company: raw.Manufacturer ?? null,
      hazard: raw.Summary ?? null,
      remedy: raw.Remedy ?? null,
      url: `https://www.nhtsa.gov/recalls?nhtsaId=${raw.NHTSACampaignNumber}`,
      record: raw,
    }
  })
}
