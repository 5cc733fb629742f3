import { z } from '#core/action.ts'
import { defineSource, mapList } from '../../source.ts'
import { flag, needed, rowsUpTo, text, words } from '../../source-fields.ts'
import { place, pointOf } from './place.ts'

const severities = { severe: 1, warning: 2, alert: 3 } as const

export const ukFloods = defineSource({
  summary: 'Flood alerts and warnings that are in force in England: area, river and severity.',
  synonyms: ['flood warning', 'flooding england', 'river flood alert', 'environment agency floods'],
  source: 'Environment Agency',
  attribution: 'Contains Environment Agency data, Open Government Licence v3.0.',
  host: 'environment.data.gov.uk',
  pacing: [{ requests: 2, windowMs: 1_000 }],
  rememberSeconds: 300,
  input: z.strictObject({
    county: words.optional().describe('County of England.'),
    ...place,
    flood_severity: z
      .enum(['severe', 'warning', 'alert'])
      .default('alert')
      .describe('Least severity of floods: alert is the weakest.'),
    limit: rowsUpTo(500, 100),
  }),
  row: z.object({
    id: needed.describe('Address of the warning.'),
    area: text.describe('The area, in words.'),
    county: text.describe('Counties of the area.'),
    river_or_sea: text.describe('Where the water comes from.'),
    severity: text.describe('Severity in words.'),
    severity_level: z
      .int()
      .nullish()
      .describe('1 severe, 2 warning, 3 alert, 4 no longer in force.'),
    tidal: flag.describe('Whether the sea causes it.'),
    message: text.describe('What people there are told.'),
    raised_at: text.describe('When it was raised.'),
    changed_at: text.describe('When its severity last changed.'),
  }),
  example: { flood_severity: 'alert', limit: 2 },
  async read({ input, ask }) {
    const { county, radius_km: radius, limit } = input
    const near = pointOf(input)
    const body = await ask.get('/flood-monitoring/id/floods', {
      'min-severity': severities[input.flood_severity],
      county,
      lat: near?.latitude,
      long: near?.longitude,
      dist: near && radius,
      _limit: limit,
    })
    return {
      items: mapList(body?.items, (row) => ({
        id: row['@id'],
        area: row.description ?? row.eaAreaName,
        county: row.floodArea?.county,
        river_or_sea: row.floodArea?.riverOrSea,
        severity: row.severity,
        severity_level: row.severityLevel,
        tidal: row.isTidal,
        message: row.message,
        raised_at: row.timeRaised,
        changed_at: row.timeSeverityChanged,
      })),
    }
  },
})
