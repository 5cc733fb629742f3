// Reads the observations of an answer in SDMX-JSON 1.0, the form in which central banks publish series.
import { listIn, unreadable } from './source.ts'

interface Dimension {
  readonly id: string
  readonly values: readonly { readonly id: string }[]
}

/** Returns the values of the only series of the answer, by their periods. */
export function readSeries(body: unknown): { date: string | undefined; value: unknown }[] {
  const { dataSets, structure } = (body ?? {}) as {
    dataSets?: readonly { series?: Readonly<Record<string, { observations?: object }>> }[]
    structure?: { dimensions?: { observation?: readonly Dimension[] } }
  }
  const [series, ...others] = Object.values(dataSets?.[0]?.series ?? {})
  const periods = structure?.dimensions?.observation?.find(({ id }) => id === 'TIME_PERIOD')
  if (others.length > 0 || series?.observations === undefined) throw unreadable()
  const dates = listIn(periods?.values) as Dimension['values']
  return Object.entries(series.observations).map(([place, values]) => ({
    date: dates[Number(place)]?.id,
    value: Array.isArray(values) ? values[0] : undefined,
  }))
}
