// A gain that changes over time, as a filter of ffmpeg.

/**
 * Seconds and decibels. Between two points the gain moves in a straight line; before the first and after the last it
 * rests.
 */
export interface GainPoint {
  readonly seconds: number
  readonly db: number
}

/** The gain is set anew after so many samples: ten milliseconds. */
const stepSamples = 480
/** Silence, as a gain. */
export const silenceDb = -90

/** None for a gain that is always 0. */
export function gainFilters(points: readonly GainPoint[]): string[] {
  if (points.every(({ db }) => db === 0)) return []
  return [
    `asetnsamples=n=${stepSamples}:p=0`,
    `volume=volume='pow(10,(${expressionOf(points)})/20)':eval=frame:precision=float`,
  ]
}

/** A sum of stretches of which one counts at each time, because nested conditions have a depth that ffmpeg limits. */
function expressionOf(points: readonly GainPoint[]): string {
  const [first, last] = [points[0], points.at(-1)]
  if (first === undefined || last === undefined) return '0'
  const stretches = points.slice(1).flatMap((to, index) => {
    const from = points[index]
    if (from === undefined || to.seconds <= from.seconds) return []
    const slope = (to.db - from.db) / (to.seconds - from.seconds)
    const line =
      slope === 0
        ? exact(from.db)
        : `(${exact(from.db)}+${exact(slope)}*(t-${exact(from.seconds)}))`
    return [`gte(t,${exact(from.seconds)})*lt(t,${exact(to.seconds)})*${line}`]
  })
  return [
    `lt(t,${exact(first.seconds)})*${exact(first.db)}`,
    ...stretches,
    `gte(t,${exact(last.seconds)})*${exact(last.db)}`,
  ]
    .join('+')
    .replaceAll('+-', '-')
}

const exact = (number: number) => number.toFixed(6)
