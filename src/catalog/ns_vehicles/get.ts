import { defineAction, z } from '#core/action.ts'
import { listPrice, recordFields, tellPaid } from '../lib/bought.ts'
import { readEpa, readVin, vehicleObject } from './lib/sources.ts'

export const get = defineAction('get', {
  summary: 'Get the record of one vehicle: engine, drive, fuel economy, or what its VIN says.',
  notes:
    'Takes the id of a result of ns_vehicles/search: epa: and a number, or vin: and a VIN. record holds the fields of the registry under its own names. For safety recalls use ns_recalls/search.',
  synonyms: ['vehicle record', 'car details', 'engine specs', 'vin report', 'epa rating'],
  questions: [
    'what engine does this vehicle have?',
    'what is its EPA mileage in the city?',
    'in which plant was this VIN built?',
  ],
  pay: ['mpp'],
  cacheSeconds: 86_400,
  errors: ['not_found'],
  input: z.strictObject({
    id: z
      .string()
      .trim()
      .regex(
        /^(epa:\d{1,9}|vin:[A-HJ-NPR-Za-hj-npr-z0-9]{17})$/,
        'must be the id of a result of ns_vehicles/search',
      )
      .describe('Id of the record: epa:40825.'),
  }),
  output: vehicleObject.extend(recordFields),
  price: listPrice(2.5),
  example: { input: { id: 'epa:40825' }, cents: 2.5 },
  run: tellPaid(async ({ input, http }) => {
    const [source, key = ''] = input.id.split(':')
    const found = source === 'vin' ? await readVin(http, key) : await readEpa(http, key)
    return { provider: 'NHTSA vPIC and fueleconomy.gov', ...found }
  }),
})
