// Norway's forecast is a list of instants, each with a summary of the next hours. This turns it into periods with the
// field names of the American forecast.

interface Following {
  readonly summary?: { readonly symbol_code?: string }
  readonly details?: {
    readonly air_temperature_max?: number
    readonly air_temperature_min?: number
    readonly precipitation_amount?: number
    readonly probability_of_precipitation?: number
  }
}

interface Moment {
  readonly time: string
  readonly data: {
    readonly instant: {
      readonly details: {
        readonly air_temperature?: number
        readonly relative_humidity?: number
        readonly wind_speed?: number
        readonly wind_from_direction?: number
      }
    }
    readonly next_6_hours?: Following
  }
}

const hoursPerPeriod = 6
const msPerHour = 3_600_000
const compass = ['N', 'NNE', 'NE', 'ENE', 'E', 'ESE', 'SE', 'SSE', 'S', 'SSW', 'SW', 'WSW'].concat([
  'W',
  'WNW',
  'NW',
  'NNW',
])
const degreesPerPoint = 360 / compass.length

/** The parts of a symbol's name, such as lightrainshowers_day. */
const symbolWords =
  /light|heavy|clear|sky|fair|partly|cloudy|fog|rain|sleet|snow|showers|and|thunder/g

/** Periods of six hours. The first begins now, each other one at the end of the one before. */
export function readTimeseries(moments: readonly Moment[]) {
  let fromMs = Number.NEGATIVE_INFINITY
  return moments.flatMap(({ time, data }) => {
    const startMs = Date.parse(time)
    const { next_6_hours: next, instant } = data
    if (next === undefined || startMs < fromMs) return []
    fromMs = startMs + hoursPerPeriod * msPerHour
    return [describePeriod(startMs, next, instant.details)]
  })
}

function describePeriod(
  startMs: number,
  { summary, details = {} }: Following,
  now: Moment['data']['instant']['details'],
) {
  const direction = now.wind_from_direction
  return {
    startTime: new Date(startMs).toISOString(),
    endTime: new Date(startMs + hoursPerPeriod * msPerHour).toISOString(),
    temperature: now.air_temperature ?? null,
    temperatureMin: details.air_temperature_min ?? null,
    temperatureMax: details.air_temperature_max ?? null,
    temperatureUnit: 'C',
    probabilityOfPrecipitation: {
      unitCode: 'wmoUnit:percent',
      value: details.probability_of_precipitation ?? null,
    },
    precipitationMm: details.precipitation_amount ?? null,
    relativeHumidity: { unitCode: 'wmoUnit:percent', value: now.relative_humidity ?? null },
    windSpeed: now.wind_speed === undefined ? null : `${now.wind_speed} m/s`,
    windDirection:
      direction === undefined
        ? null
        : (compass[Math.round(direction / degreesPerPoint) % compass.length] ?? null),
    shortForecast: summary?.symbol_code?.match(symbolWords)?.join(' ') ?? null,
  }
}
