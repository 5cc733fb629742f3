import { explain } from '#core/errors.ts'
import { path } from '#core/path.ts'
import type { ProviderHttp } from '#core/ports.ts'

const nws = { host: { host: 'api.weather.gov' } } as const

/** The service knows places by its offices and their grids: first which square it is, then its forecast. */
export async function forecast(http: ProviderHttp, latitude: number, longitude: number) {
  const point = `${Number(latitude.toFixed(4))},${Number(longitude.toFixed(4))}`
  const { properties } = await http
    .get(path`/points/${point}`, nws)
    .catch(
      explain(
        'not_found',
        'The National Weather Service covers the United States only. Send a place there.',
      ),
    )
  const { gridId, gridX, gridY, relativeLocation } = properties
  const answer = await http.get(path`/gridpoints/${gridId}/${`${gridX},${gridY}`}/forecast`, nws)
  return {
    place: relativeLocation?.properties
      ? `${relativeLocation.properties.city}, ${relativeLocation.properties.state}`
      : null,
    updated_at: answer.properties?.updateTime ?? null,
    periods: answer.properties?.periods ?? [],
  }
}
