// The two registries of the US government in one form. `epa:41216` is a configuration that was tested for its fuel
// economy, `vin:1HG...` one vehicle by its identification number.
import { z } from '#core/action.ts'
import { fail } from '#core/errors.ts'
import { path } from '#core/path.ts'
import type { ProviderHttp } from '#core/ports.ts'

const epa = { host: { host: 'www.fueleconomy.gov' } } as const
const vpic = { host: { host: 'vpic.nhtsa.dot.gov' } } as const

export const vinShape = /^[A-HJ-NPR-Z0-9]{17}$/i

/** The documented fields of a record. Other fields of the registry pass through. */
export const vehicleObject = z.looseObject({
  id: z.string().describe('For ns_vehicles/get.'),
  source: z.string(),
  title: z.string(),
  year: z.int().nullable(),
  make: z.string().nullable(),
  model: z.string().nullable(),
  url: z.url(),
})

export interface MenuItem {
  readonly text: string
  readonly value: string
}

/** A menu is null without items, and the bare item where there is only one. */
export async function menu(
  http: ProviderHttp,
  name: string,
  query: Record<string, string | number>,
) {
  const answer = await http.get(path`/ws/rest/vehicle/menu/${name}`, { ...epa, query })
  const items = answer?.menuItem ?? []
  return (Array.isArray(items) ? items : [items]) as MenuItem[]
}

type Fields = Readonly<Record<string, unknown>>
const text = (value: unknown) =>
  (typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '') || null

export async function readEpa(http: ProviderHttp, number: string) {
  const { status, body } = await http.send({
    method: 'GET',
    path: path`/ws/rest/vehicle/${number}`,
    ...epa,
    accept: [404],
  })
  if (status === 404 || !body?.id) throw unknown(`epa:${number}`)
  const { id, year, make, model, ...record } = body as Fields
  return {
    id: `epa:${id}`,
    source: 'fueleconomy.gov',
    title: [year, make, model, record.trany].filter(Boolean).join(' '),
    year: Number(year) || null,
    make: text(make),
    model: text(model),
    url: `https://www.fueleconomy.gov/feg/Find.do?action=sbs&id=${id}`,
    record,
  }
}

export async function readVin(http: ProviderHttp, vin: string) {
  const { Results } = await http.get(path`/api/vehicles/DecodeVinValues/${vin}`, {
    ...vpic,
    query: { format: 'json' },
  })
  const fields = (Results?.[0] ?? {}) as Fields
  if (text(fields.Make) === null) throw unknown(`vin:${vin}`)
  // Every vehicle has hundreds of fields, and most are empty.
  const record = Object.fromEntries(
    Object.entries(fields).filter(([, value]) => text(value) !== null),
  )
  return {
    id: `vin:${vin.toUpperCase()}`,
    source: 'NHTSA vPIC',
    title: [fields.ModelYear, fields.Make, fields.Model, fields.Trim].filter(Boolean).join(' '),
    year: Number(fields.ModelYear) || null,
    make: text(fields.Make),
    model: text(fields.Model),
    url: `https://vpic.nhtsa.dot.gov/decoder/Decoder?VIN=${vin.toUpperCase()}`,
    record,
  }
}

const unknown = (id: string) =>
  fail('not_found', {
    message: `No registry has a vehicle ${id}. Take the id from ns_vehicles/search.`,
  })
