import { z } from '#core/action.ts'
import { path } from '#core/path.ts'
import { defineSource, unreadable } from '../../source.ts'
import { needed } from '../../source-fields.ts'

const filter = /^[a-z_0-9]{1,30}=[A-Za-z0-9_.-]{1,40}$/
/** Of a larger table the first cells are given, and their number as `total`: filters make it smaller. */
const cellsMax = 5_000

export const euStatistics = defineSource({
  summary:
    'A table of Eurostat about countries of the EU: prices, unemployment, trade, energy, people.',
  synonyms: [
    'eurostat',
    'eu statistics',
    'european statistics',
    'hicp inflation',
    'eu unemployment',
  ],
  source: 'Eurostat',
  attribution: 'Source: Eurostat.',
  host: 'ec.europa.eu',
  pacing: [{ requests: 2, windowMs: 1_000 }],
  rememberSeconds: 21_600,
  input: z.strictObject({
    dataset: z
      .string()
      .trim()
      .regex(/^[A-Za-z0-9_$]{3,60}$/, 'must be the code of a table: une_rt_m')
      .describe(
        'Code of a table of Eurostat: une_rt_m (unemployment), prc_hicp_manr (inflation), nama_10_gdp (GDP).',
      ),
    filters: z
      .string()
      .trim()
      .max(500)
      .refine((text) => text.split(',').every((part) => filter.test(part.trim())), {
        message: 'must be codes of dimensions, with commas: geo=DE,coicop=CP00',
      })
      .optional()
      .describe('Codes of dimensions, with commas: geo=DE,coicop=CP00. geo is the country.'),
    from_period: z
      .string()
      .trim()
      .regex(/^\d{4}(-(\d{2}|Q[1-4]|S[12]|W\d{2}))?$/, 'must be a period: 2024, 2024-03 or 2024-Q1')
      .optional()
      .describe('First period: 2024, 2024-03 or 2024-Q1.'),
  }),
  row: z
    .looseObject({
      time: needed.describe('Period.'),
      value: z.number().describe('The value.'),
    })
    .describe('Each other dimension of the table has a field with the name of its value.'),
  example: { dataset: 'prc_hicp_manr', filters: 'geo=DE,coicop=CP00', from_period: '2026-07' },
  async read({ input: { dataset, filters = '', from_period: since }, ask }) {
    const body = await ask.get(path`/eurostat/api/dissemination/statistics/1.0/data/${dataset}`, {
      format: 'JSON',
      lang: 'EN',
      sinceTimePeriod: since,
      ...readFilters(filters),
    })
    const { label = null, updated = null } = body ?? {}
    const cells = readCells(body)
    return { label, updated, total: cells.length, items: cells.slice(0, cellsMax) }
  },
})

/** A dimension that is named twice is asked for with both values. */
function readFilters(text: string): Record<string, string[]> {
  const parts = text.split(',').flatMap((part) => {
    const [name, value] = part.trim().split('=')
    return name && value ? [{ name, value }] : []
  })
  const byName = Map.groupBy(parts, ({ name }) => name)
  return Object.fromEntries([...byName].map(([name, rows]) => [name, rows.map((row) => row.value)]))
}

interface Table {
  readonly id?: readonly string[]
  readonly size?: readonly number[]
  readonly value?: Readonly<Record<string, number | null>>
  readonly dimension?: Readonly<
    Record<
      string,
      {
        readonly category?: {
          readonly index?: Readonly<Record<string, number>>
          readonly label?: Readonly<Record<string, string>>
        }
      }
    >
  >
}

/** JSON-stat 2.0 numbers the cells of a table, the last dimension first. */
function readCells(body: Table | null): object[] {
  const { id, size, value, dimension } = body ?? {}
  if (!Array.isArray(id) || !Array.isArray(size) || typeof value !== 'object' || value === null)
    throw unreadable()
  const names = id.map((name) => {
    const { index = {}, label = {} } = dimension?.[name]?.category ?? {}
    const codes = Object.keys(index).toSorted(
      (one, other) => (index[one] ?? 0) - (index[other] ?? 0),
    )
    return codes.map((own) => (name === 'time' ? own : (label[own] ?? own)))
  })
  return Object.entries(value).map(([place, cell]) => ({
    ...placeOf(Number(place), { id, size, names }),
    value: cell,
  }))
}

function placeOf(
  place: number,
  { id, size, names }: { id: readonly string[]; size: readonly number[]; names: string[][] },
): Record<string, string | undefined> {
  let rest = place
  const places = size.toReversed().map((length) => {
    const own = rest % length
    rest = Math.floor(rest / length)
    return own
  })
  return Object.fromEntries(
    id.map((name, number) => [name, names[number]?.[places.at(-1 - number) ?? -1]]),
  )
}
