import { z } from '#core/action.ts'
import { defineSource, mapList } from '../../source.ts'
import { day, figure, needed, rowsUpTo, text } from '../../source-fields.ts'
import { place, pointOf } from './place.ts'

export const earthquakes = defineSource({
  summary: 'Earthquakes anywhere on Earth: when, where, how strong and how deep.',
  synonyms: ['earthquake', 'seismic activity', 'recent quakes', 'magnitude', 'usgs earthquakes'],
  source: 'US Geological Survey',
  host: 'earthquake.usgs.gov',
  pacing: [{ requests: 2, windowMs: 1_000 }],
  rememberSeconds: 60,
  input: z.strictObject({
    from: day.optional().describe('First day.'),
    to: day.optional().describe('Last day.'),
    magnitude_min: z.number().min(-1).max(10).default(4.5).describe('Smallest magnitude.'),
    ...place,
    sort: z
      .enum(['newest', 'strongest'])
      .default('newest')
      .describe('Which earthquakes come first.'),
    limit: rowsUpTo(500, 20),
  }),
  row: z.object({
    id: needed.describe('Identifier of the earthquake.'),
    magnitude: figure.describe('Magnitude.'),
    magnitude_type: text.describe('How the magnitude was measured: mww, ml, mb.'),
    place: text.describe('Where, in words.'),
    at: needed.describe('When, UTC.'),
    latitude: figure.describe('Degrees north.'),
    longitude: figure.describe('Degrees east.'),
    depth_km: figure.describe('Depth.'),
    felt_reports: figure.describe('How many people reported it.'),
    alert: text.describe('Expected damage: green, yellow, orange or red.'),
    tsunami: z.boolean().describe('Whether it was in the range of a tsunami message.'),
    status: text.describe('automatic or reviewed.'),
    url: text.describe('Its page.'),
  }),
  example: { from: '2026-09-01', magnitude_min: 6, limit: 2 },
  async read({ input, ask }) {
    const { from, to, magnitude_min: magnitude, radius_km: radius, sort, limit } = input
    const near = pointOf(input)
    const body = await ask.get('/fdsnws/event/1/query', {
      format: 'geojson',
      starttime: from,
      endtime: to === undefined ? undefined : `${to}T23:59:59`,
      minmagnitude: magnitude,
      ...near,
      maxradiuskm: near && radius,
      orderby: sort === 'newest' ? 'time' : 'magnitude',
      limit,
    })
    return {
      items: mapList(body?.features, ({ id, properties: facts, geometry }) => {
        const [east, north, depth] = geometry.coordinates
        return {
          id,
          magnitude: facts.mag,
          magnitude_type: facts.magType,
          place: facts.place,
          at: Number.isFinite(facts.time) ? new Date(facts.time).toISOString() : undefined,
          latitude: north,
          longitude: east,
          depth_km: depth,
          felt_reports: facts.felt,
          alert: facts.alert,
          tsunami: facts.tsunami === 1,
          status: facts.status,
          url: facts.url,
        }
      }),
    }
  },
})
