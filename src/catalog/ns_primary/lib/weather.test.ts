import { expect, test } from 'vitest'
import { replayAction } from '#test/run-action.ts'
import { primary } from '../provider.ts'

const nowhere = {
  request: {
    method: 'GET',
    host: { host: 'api.weather.gov' },
    path: '/points/52.52,13.405',
    query: {},
  },
  reply: { status: 404, body: { title: 'Data Unavailable For Requested Point' } },
}
const moment = (time: string, temperature: number, next: object) => ({
  time,
  data: {
    instant: {
      details: {
        air_temperature: temperature,
        relative_humidity: 75.3,
        wind_from_direction: 251,
        wind_speed: 5,
      },
    },
    ...next,
  },
})
const next6 = {
  next_6_hours: {
    summary: { symbol_code: 'lightrainshowersandthunder_day' },
    details: {
      air_temperature_max: 16,
      air_temperature_min: 12,
      precipitation_amount: 1.2,
      probability_of_precipitation: 64,
    },
  },
}
const norway = (timeseries: object[]) => ({
  request: {
    method: 'GET',
    host: { host: 'api.met.no' },
    path: '/weatherapi/locationforecast/2.0/complete',
    query: { lat: '52.52', lon: '13.405' },
    headers: { 'user-agent': 'Tollway/test (tests@example.org)' },
  },
  reply: {
    status: 200,
    body: { properties: { meta: { updated_at: '2026-09-15T11:32:00Z' }, timeseries } },
  },
})
const ask = (timeseries: object[]) =>
  replayAction(primary(), 'fetch', {
    exchanges: [nowhere, norway(timeseries)],
    input: { endpoint: 'weather', latitude: 52.52, longitude: 13.40500001 },
  })

test('the forecast outside the United States is Norway’s, and names its source and licence', async () => {
  const { output } = await ask([moment('2026-09-15T12:00:00Z', 13.9, next6)])
  expect(output).toEqual({
    provider: 'Primary sources',
    endpoint: 'weather',
    source: 'MET Norway',
    result: {
      place: null,
      updated_at: '2026-09-15T11:32:00Z',
      periods: [
        {
          startTime: '2026-09-15T12:00:00.000Z',
          endTime: '2026-09-15T18:00:00.000Z',
          temperature: 13.9,
          temperatureMin: 12,
          temperatureMax: 16,
          temperatureUnit: 'C',
          probabilityOfPrecipitation: { unitCode: 'wmoUnit:percent', value: 64 },
          precipitationMm: 1.2,
          relativeHumidity: { unitCode: 'wmoUnit:percent', value: 75.3 },
          windSpeed: '5 m/s',
          windDirection: 'WSW',
          shortForecast: 'light rain showers and thunder',
        },
      ],
      attribution: 'Based on data from MET Norway (api.met.no), CC BY 4.0.',
    },
  })
})

test('periods are consecutive, do not overlap, and end with the forecast', async () => {
  const hours = ['12', '13', '17', '18', '23']
  const moments = hours.map((hour, number) => moment(`2026-09-15T${hour}:00:00Z`, number, next6))
  const { output } = await ask([...moments, moment('2026-09-16T06:00:00Z', 9, {})])
  expect(
    output.result.periods.map(({ temperature }: { temperature: number }) => temperature),
  ).toEqual([0, 3])
})

test('a failure of the American service does not mean that the place is abroad', async () => {
  const { error } = await replayAction(primary(), 'fetch', {
    exchanges: [{ ...nowhere, reply: { status: 500, body: {} } }],
    input: { endpoint: 'weather', latitude: 52.52, longitude: 13.405 },
  })
  expect(error?.code).toBe('upstream_error')
})
