import { defineAction, z } from '#core/action.ts'
import { fail } from '#core/errors.ts'
import { boughtFor, listPrice, tellPaid } from '../lib/bought.ts'
import { findConfigurations } from './lib/configurations.ts'
import { readVin, vehicleObject, vinShape } from './lib/sources.ts'

const word = z.string().trim().min(1).max(80)

export const search = defineAction('search', {
  summary: 'Find vehicles by make, model and year, or by VIN, in US government registries.',
  notes:
    'With make and model (and year, by default this one) it lists the configurations that were sold in the US; q may be a 17-character VIN, or a phrase such as 2019 Honda Civic. The id of a result is for ns_vehicles/get. For safety recalls of a vehicle use ns_recalls/search.',
  synonyms: [
    'vin decoder',
    'car lookup',
    'car specs',
    'automobile',
    'fuel economy',
    'mpg',
    'truck',
    'gas mileage',
  ],
  questions: [
    'which car has the VIN 1HGCM82633A004352?',
    'what versions of the 2020 Toyota Camry are there?',
    'how many miles per gallon does a 2019 Civic do?',
  ],
  pay: ['mpp'],
  cacheSeconds: 86_400,
  errors: ['not_found'],
  input: z
    .strictObject({
      make: word.optional().describe('Make: Honda.'),
      model: word.optional().describe('Model, or the beginning of its name: Civic.'),
      year: z.int().min(1984).max(2100).optional().describe('Model year. Default: this year.'),
      q: z
        .string()
        .trim()
        .min(1)
        .max(200)
        .optional()
        .describe('A VIN, or year, make and model in words.'),
    })
    .refine(({ make, q }) => make !== undefined || q !== undefined, { message: 'Send make or q' }),
  output: z.looseObject({
    provider: z.string(),
    ...boughtFor,
    total: z.int(),
    results: z.array(vehicleObject),
  }),
  price: listPrice(10),
  example: { input: { make: 'Honda', model: 'Civic 4Dr', year: 2019 }, cents: 10 },
  takes: { VIN: { fills: (q) => ({ q }) } },
  run: tellPaid(async ({ input, http, clock }) => {
    const provider = 'NHTSA vPIC and fueleconomy.gov'
    if (input.q !== undefined && vinShape.test(input.q)) {
      const { record: _record, ...found } = await readVin(http, input.q)
      return { provider, total: 1, results: [found] }
    }
    const inWords = /^(?:(\d{4})\s+)?(.+?)(?:\s+(\d{4}))?$/.exec(input.q ?? '') ?? []
    const [, before, words, after] = inWords
    const year = input.year ?? (Number(before ?? after) || new Date(clock.now()).getUTCFullYear())
    const results = await findConfigurations(http, {
      year,
      words,
      make: input.make,
      model: input.model,
    })
    if (results === undefined) {
      throw fail('not_found', {
        message: `No make of ${year} is called "${input.make ?? input.q}". Send make and year, such as Honda and 2019.`,
      })
    }
    return { provider, total: results.length, results }
  }),
})
