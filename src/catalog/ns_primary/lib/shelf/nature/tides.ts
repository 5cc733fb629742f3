import { z } from '#core/action.ts'
import { fail } from '#core/errors.ts'
import { defineSource, mapList } from '../../source.ts'
import { day, needed } from '../../source-fields.ts'

const dayMs = 86_400_000
const daysUsually = 2
/** The service predicts at most a year at once. */
const daysMax = 366

export const tides = defineSource({
  summary: 'High and low tides at a station on the coasts of the US, predicted, with heights.',
  synonyms: ['tide table', 'high tide', 'low tide', 'tide times', 'noaa tides'],
  source: 'NOAA, Center for Operational Oceanographic Products and Services',
  host: 'api.tidesandcurrents.noaa.gov',
  pacing: [{ requests: 2, windowMs: 1_000 }],
  rememberSeconds: 21_600,
  input: z.strictObject({
    station: z
      .string()
      .trim()
      .toUpperCase()
      .regex(/^([A-Z]{3}\d{4}|\d{7})$/, 'must be a station of NOAA: 9414290')
      .describe('Station of NOAA: 9414290 (San Francisco), 8518750 (New York), 8443970 (Boston).'),
    from: day.optional().describe('First day.'),
    to: day.optional().describe('Last day.'),
  }),
  row: z.object({
    at: needed.describe('When, UTC.'),
    height_m: z.number().describe('Height above mean lower low water.'),
    tide: z.enum(['high', 'low']).describe('high or low.'),
  }),
  example: { station: '9414290', from: '2026-09-15', to: '2026-09-15' },
  async read({ input: { station, from, to }, ask, clock }) {
    const first = from ?? to ?? dayAt(clock.now())
    const last = to ?? dayAt(Date.parse(first) + (daysUsually - 1) * dayMs)
    const days = (Date.parse(last) - Date.parse(first)) / dayMs
    if (days < 0 || days >= daysMax) {
      throw fail('bad_request', { message: `Ask for 1 to ${daysMax} days: from and to.` })
    }
    const body = await ask.get('/api/prod/datagetter', {
      product: 'predictions',
      station,
      begin_date: first.replaceAll('-', ''),
      end_date: last.replaceAll('-', ''),
      datum: 'MLLW',
      units: 'metric',
      time_zone: 'gmt',
      interval: 'hilo',
      format: 'json',
      application: 'tollway',
    })
    // The service tells of an unknown station with the status 200.
    const told: unknown = body?.error?.message
    if (told !== undefined) {
      throw fail(/no .*data was found|station/i.test(String(told)) ? 'not_found' : 'bad_request')
    }
    return {
      station,
      datum: 'MLLW',
      items: mapList(body?.predictions, ({ t, v, type }) => ({
        at: `${t.replace(' ', 'T')}:00Z`,
        height_m: Number(v),
        tide: { H: 'high', L: 'low' }[String(type)],
      })),
    }
  },
})

const dayAt = (ms: number) => new Date(ms).toISOString().slice(0, 10)
