import { z } from '#core/action.ts'
import { defineSource, mapList } from '../../source.ts'
import { needed, text, usState } from '../../source-fields.ts'
import { point, pointOf } from './place.ts'

/** The service refuses coordinates with more decimals. */
const decimalsMax = 4

export const weatherAlerts = defineSource({
  summary: 'Weather warnings that are in force in the US: storms, heat, floods, winter and fire.',
  synonyms: [
    'weather warning',
    'storm alert',
    'tornado warning',
    'hurricane warning',
    'heat advisory',
  ],
  source: 'National Weather Service',
  host: 'api.weather.gov',
  pacing: [],
  rememberSeconds: 60,
  input: z.strictObject({ state: usState.optional(), ...point }),
  anyOf: ['state', 'latitude', 'longitude'],
  row: z.object({
    id: needed.describe('Identifier of the warning.'),
    event: needed.describe('What is warned of.'),
    headline: text.describe('The warning in a line.'),
    area: text.describe('Where.'),
    severity: text.describe('Extreme, Severe, Moderate, Minor or Unknown.'),
    certainty: text.describe('Observed, Likely, Possible, Unlikely or Unknown.'),
    urgency: text.describe('Immediate, Expected, Future, Past or Unknown.'),
    starts: text.describe('When the event begins.'),
    ends: text.describe('When the event ends.'),
    expires: text.describe('When the warning ends.'),
    description: text.describe('The warning in full.'),
    instruction: text.describe('What to do.'),
    sender: text.describe('Office that warns.'),
  }),
  example: { state: 'KS' },
  async read({ input, ask }) {
    const { latitude, longitude } = pointOf(input) ?? {}
    const near = [latitude, longitude].map((degrees) => Number(degrees?.toFixed(decimalsMax)))
    const body = await ask.get(
      '/alerts/active',
      { area: input.state, point: latitude === undefined ? undefined : near.join(',') },
      { headers: { accept: 'application/geo+json' } },
    )
    return {
      updated: body?.updated ?? null,
      items: mapList(body?.features, ({ properties: facts }) => ({
        id: facts.id,
        event: facts.event,
        headline: facts.headline,
        area: facts.areaDesc,
        severity: facts.severity,
        certainty: facts.certainty,
        urgency: facts.urgency,
        starts: facts.onset,
        ends: facts.ends,
        expires: facts.expires,
        description: facts.description,
        instruction: facts.instruction,
        sender: facts.senderName,
      })),
    }
  },
})
