// The forecast for a place. The American service answers for the United States. Norway's service, which covers the
// globe and allows commercial use with attribution (CC BY 4.0), answers for all other places.
import { fail, toCallError } from '#core/errors.ts'
import { path } from '#core/path.ts'
import type { ProviderHttp } from '#core/ports.ts'
import type { UntypedJson } from '#core/replies/untyped-json.ts'
import { readTimeseries } from './timeseries.ts'

const nws = { host: { host: 'api.weather.gov' } } as const
const met = { host: { host: 'api.met.no' } } as const
/** Both services ask clients to cache replies. New forecasts are published about once an hour. */
const rememberSeconds = 1_200
/** Both services refuse coordinates with more decimals. */
const decimalsMax = 4

export async function forecast(http: ProviderHttp, latitude: number, longitude: number) {
  const place = [latitude, longitude].map((degrees) => Number(degrees.toFixed(decimalsMax)))
  const square = await findSquare(http, place.join(','))
  const found = square === undefined ? await askNorway(http, place) : await askStates(http, square)
  if (found.result.periods.length === 0) {
    throw fail('upstream_error', {
      message: `${found.source} gave no forecast for this place. Nothing was charged; try again later.`,
    })
  }
  return found
}

/** The American service finds places by the grids of its offices, and answers 404 for all other places. */
async function findSquare(http: ProviderHttp, point: string) {
  try {
    const { properties } = await http.get(path`/points/${point}`, { ...nws, rememberSeconds })
    return properties ?? {}
  } catch (thrown) {
    if (toCallError(thrown).code === 'not_found') return undefined
    throw thrown
  }
}

async function askStates(http: ProviderHttp, square: UntypedJson) {
  const { gridId, gridX, gridY, relativeLocation } = square
  const grid = path`/gridpoints/${gridId}/${`${gridX},${gridY}`}/forecast`
  const answer = await http.get(grid, { ...nws, rememberSeconds })
  return {
    source: 'National Weather Service',
    result: {
      place: relativeLocation?.properties
        ? `${relativeLocation.properties.city}, ${relativeLocation.properties.state}`
        : null,
      updated_at: answer.properties?.updateTime ?? null,
      periods: answer.properties?.periods ?? [],
    },
  }
}

async function askNorway(http: ProviderHttp, [lat, lon]: readonly number[]) {
  const { properties } = await http.get('/weatherapi/locationforecast/2.0/complete', {
    ...met,
    query: { lat, lon },
    rememberSeconds,
  })
  return {
    source: 'MET Norway',
    result: {
      place: null,
      updated_at: properties?.meta?.updated_at ?? null,
      periods: readTimeseries(properties?.timeseries ?? []),
      attribution: 'Based on data from MET Norway (api.met.no), CC BY 4.0.',
    },
  }
}
