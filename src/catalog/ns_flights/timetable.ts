import { defineAction, z } from '#core/action.ts'
import { boughtFor, listPrice, tellPaid } from '../lib/bought.ts'

export const timetable = defineAction('timetable', {
  summary: 'Get today’s departures or arrivals of an airport.',
  notes:
    'One airport and one direction per call; codeshared names the flight that really flies. For one flight, a route or an airline use ns_flights/flights.',
  synonyms: ['airport board', 'departures', 'arrivals', 'flight schedule', 'airport timetable'],
  saidAs: {
    type: {
      arrival: ['landing', 'lands?', 'arriv\\p{L}+', 'inbound'],
      departure: ['leav\\p{L}+', 'depart\\p{L}+', 'tak(?:e|ing) off', 'outbound'],
    },
  },
  questions: [
    'what leaves JFK this afternoon?',
    'which flights arrive at Heathrow today?',
    'show me the departures board of Vienna',
  ],
  cacheSeconds: 120,
  input: z.strictObject({
    iataCode: z
      .string()
      .trim()
      .toUpperCase()
      .regex(/^[A-Z]{3}$/, 'must be an IATA airport code such as JFK')
      .describe('Airport: JFK.'),
    type: z.enum(['departure', 'arrival']).describe('What leaves, or what arrives.'),
  }),
  output: z.looseObject({
    total: z.int(),
    flights: z.array(
      z.looseObject({
        status: z.string().nullish(),
        airline: z.looseObject({}).nullish(),
        flight: z.looseObject({}).nullish(),
        departure: z.looseObject({}).nullish(),
        arrival: z.looseObject({}).nullish(),
        codeshared: z.looseObject({}).nullish(),
      }),
    ),
    ...boughtFor,
  }),
  price: listPrice(1),
  example: { input: { iataCode: 'JFK', type: 'departure' }, cents: 1 },
  run: tellPaid(async ({ input, http }) => {
    const { data, pagination } = await http.get('/timetable', { query: input })
    return { total: pagination?.total ?? data?.length, flights: data }
  }),
})
