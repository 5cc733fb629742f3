import { defineAction, z } from '#core/action.ts'

const airport = z
  .string()
  .trim()
  .toUpperCase()
  .regex(/^[A-Z]{3}$/, 'must be an IATA airport code such as JFK')
const rowsMax = 100

export const flights = defineAction('flights', {
  summary: 'Look up flights by number, route or airline: status, times, gates and delays.',
  notes:
    'At least one of the four filters; together they narrow. Codes are IATA: flight AA100, airports JFK and LHR, airline AA. At most 100 flights, those of today. For everything that leaves or reaches one airport use ns_flights/timetable.',
  synonyms: [
    'flight status',
    'flight tracker',
    'delay',
    'arrival time',
    'departure gate',
    'airline',
  ],
  questions: [
    'is flight AA100 delayed?',
    'which flights go from JFK to London today?',
    'at what gate does my plane arrive?',
  ],
  cacheSeconds: 60,
  input: z
    .strictObject({
      flight_iata: z
        .string()
        .trim()
        .toUpperCase()
        .transform((text) => text.replaceAll(/\s/g, ''))
        .pipe(
          z.string().regex(/^[A-Z0-9]{2}\d{1,4}[A-Z]?$/, 'must be a flight number such as AA100'),
        )
        .optional()
        .describe('Flight number: AA100.'),
      dep_iata: airport.optional().describe('Airport of departure: JFK.'),
      arr_iata: airport.optional().describe('Airport of arrival: LHR.'),
      airline_iata: z
        .string()
        .trim()
        .toUpperCase()
        .regex(/^[A-Z0-9]{2}$/, 'must be an IATA airline code such as AA')
        .optional()
        .describe('Airline: AA.'),
    })
    .refine((filters) => Object.values(filters).some((value) => value !== undefined), {
      message: 'Send flight_iata, dep_iata, arr_iata or airline_iata',
    }),
  output: z.looseObject({
    total: z.int().describe('Flights that match; at most 100 are listed.'),
    flights: z.array(
      z.looseObject({
        flight_date: z.string().nullish(),
        flight_status: z.string().nullish(),
        departure: z.looseObject({}).nullish(),
        arrival: z.looseObject({}).nullish(),
        airline: z.looseObject({}).nullish(),
        flight: z.looseObject({}).nullish(),
      }),
    ),
  }),
  price: { cents: 0.5 },
  example: { input: { flight_iata: 'AA1004' }, cents: 0.5 },
  takes: { 'flight number': { fills: (flight) => ({ flight_iata: flight.replace(/\s/, '') }) } },
  async run({ input, http }) {
    const { data, pagination } = await http.get('/flights', {
      query: { ...input, limit: rowsMax },
    })
    return { total: pagination?.total ?? data?.length, flights: data }
  },
})
