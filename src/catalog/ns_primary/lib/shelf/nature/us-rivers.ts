import { z } from '#core/action.ts'
import type { UntypedJson } from '#core/replies/untyped-json.ts'
import { defineSource, mapList } from '../../source.ts'
import { needed, text } from '../../source-fields.ts'

/** Discharge, gage height and water temperature. */
const measured = '00060,00065,00010'

export const usRivers = defineSource({
  summary: 'Rivers of the US as gages measure them now: flow, water level and temperature.',
  synonyms: ['river level', 'stream flow', 'river gauge', 'water level', 'discharge of a river'],
  source: 'US Geological Survey',
  host: 'waterservices.usgs.gov',
  pacing: [{ requests: 5, windowMs: 1_000 }],
  rememberSeconds: 300,
  input: z.strictObject({
    gage: z
      .string()
      .trim()
      .regex(/^\d{8,15}$/, 'must be the number of a gage: 01646500')
      .describe('Number of a gage of the USGS, 8 to 15 digits: 01646500 (Potomac at Washington).'),
  }),
  row: z.object({
    gage: needed.describe('Number of the gage.'),
    name: text.describe('River and place.'),
    measure: needed.describe('What is measured, with its unit.'),
    unit: text.describe('Unit of the value.'),
    value: z.number().describe('The value.'),
    at: needed.describe('When it was measured.'),
    provisional: z.boolean().describe('Whether the value may still be corrected.'),
    latitude: z.number().nullish().describe('Degrees north.'),
    longitude: z.number().nullish().describe('Degrees east.'),
  }),
  example: { gage: '01646500' },
  async read({ input: { gage }, ask }) {
    const body = await ask.get('/nwis/iv/', {
      format: 'json',
      sites: gage,
      parameterCd: measured,
      siteStatus: 'all',
    })
    const series = mapList(body?.value?.timeSeries, describeSeries)
    return { items: series.filter((row) => row?.value !== null) }
  },
})

function describeSeries({ sourceInfo, variable, values }: UntypedJson) {
  const latest = values[0].value.at(-1)
  const value = Number(latest.value)
  const { latitude, longitude } = sourceInfo.geoLocation?.geogLocation ?? {}
  return {
    gage: sourceInfo.siteCode[0].value,
    name: sourceInfo.siteName,
    measure: variable.variableDescription ?? variable.variableName,
    unit: variable.unit?.unitCode,
    // A gage that cannot measure says so by this value.
    value: value === variable.noDataValue ? null : value,
    at: latest.dateTime,
    provisional: latest.qualifiers?.includes('P') ?? false,
    latitude,
    longitude,
  }
}
