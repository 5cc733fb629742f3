import { defineAction, z } from '#core/action.ts'
import { toCallError } from '#core/errors.ts'
import { boughtFor, listPrice, tellPaid } from '../bought.ts'
import { recallObject } from './recall-object.ts'
import { sources } from './sources.ts'

export const search = defineAction('search', {
  summary:
    'Search US safety recalls of consumer products, food, medicines, medical devices and vehicles.',
  notes:
    'One question to the CPSC, the FDA and, for a phrase such as 2019 Honda Civic, the NHTSA; newest first. unanswered names agencies that did not answer. The id of a result is for ns_recalls/get. For the specification of a vehicle use ns_vehicles/search, for a medicine ns_drugs/search.',
  synonyms: [
    'product recall',
    'safety recall',
    'food recall',
    'drug recall',
    'car recall',
    'cpsc',
    'nhtsa',
  ],
  questions: [
    'has my stroller been recalled?',
    'are there recalls for the 2019 Honda Civic?',
    'which infant formula was recalled and why?',
  ],
  pay: ['mpp'],
  input: z.strictObject({
    q: z
      .string()
      .trim()
      .min(2)
      .max(200)
      .describe('Product, company or hazard; year, make and model for a vehicle.'),
    limit: z.int().min(1).max(50).default(20).describe('Recalls to return, at most 50.'),
  }),
  output: z.looseObject({
    provider: z.string(),
    ...boughtFor,
    total: z.int().describe('Recalls listed here.'),
    unanswered: z
      .array(z.string())
      .describe('Sources that did not answer; their recalls are missing.'),
    results: z.array(recallObject),
  }),
  price: listPrice(10),
  example: { input: { q: '2019 Honda Civic', limit: 3 }, cents: 10 },
  run: tellPaid(async ({ input, http }) => {
    const asking = Object.entries(sources).filter(([, source]) => source.takes?.(input.q) ?? true)
    const asked = await Promise.allSettled(
      asking.map(([, source]) => source.search(http, input.q, input.limit)),
    )
    const failures = asked.flatMap((outcome, place) =>
      outcome.status === 'rejected' ? [{ name: asking[place]?.[0], reason: outcome.reason }] : [],
    )
    if (failures.length === asked.length) throw toCallError(failures[0]?.reason)
    const unanswered = failures.map(({ name }) => name)
    const found = asked.flatMap((outcome) => (outcome.status === 'fulfilled' ? outcome.value : []))
    const newest = found.toSorted((one, other) => (other.date ?? '').localeCompare(one.date ?? ''))
    const results = newest.slice(0, input.limit).map(({ record: _record, ...recall }) => recall)
    return { provider: 'CPSC, FDA and NHTSA', total: results.length, unanswered, results }
  }),
})
