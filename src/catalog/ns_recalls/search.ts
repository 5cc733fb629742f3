import { defineAction, z } from '#core/action.ts'
import { fail, toCallError } from '#core/errors.ts'
import { boughtFor, listPrice, tellPaid } from '../lib/bought.ts'
import { newestFirst, recallObject } from './lib/recall-object.ts'
import { reachMax, saidAs, searchInput } from './lib/search-input.ts'
import type { Source } from './lib/source.ts'
import { sourceNames, sources } from './lib/sources.ts'

const onlyVehicles =
  'The NHTSA is asked by year, make and model only, as in 2019 Honda Civic. Write q so, or leave sources out.'

export const search = defineAction('search', {
  summary:
    'Search US safety recalls of consumer products, food, medicines, medical devices and vehicles.',
  notes:
    'One question to the CPSC, the FDA and, for a phrase such as 2019 Honda Civic, the NHTSA; newest first. sources, date_gte and date_lte narrow the list down; go on with offset = next_offset. unanswered names agencies that did not answer. The id of a result is for ns_recalls/get. For the specification of a vehicle use ns_vehicles/search, for a medicine ns_drugs/search.',
  synonyms: [
    'product recall',
    'safety recall',
    'food recall',
    'drug recall',
    'car recall',
    'cpsc',
    'nhtsa',
  ],
  saidAs,
  questions: [
    'has my stroller been recalled?',
    'are there recalls for the 2019 Honda Civic?',
    'which infant formula was recalled and why?',
  ],
  pay: ['mpp'],
  input: searchInput,
  output: z.looseObject({
    provider: z.string(),
    ...boughtFor,
    total: z.int().describe('Recalls listed here.'),
    total_found: z.int().describe('Recalls that match, at all agencies that answered.'),
    next_offset: z.int().nullable().describe('The offset of the next page; null on the last.'),
    unanswered: z
      .array(z.string())
      .describe('Sources that did not answer; their recalls are missing.'),
    results: z.array(recallObject),
  }),
  price: listPrice(10),
  example: { input: { q: '2019 Honda Civic', limit: 3 }, cents: 10 },
  run: tellPaid(async ({ input, http }) => {
    const { q, date_gte, date_lte, limit, offset } = input
    const wanted = new Set(input.sources ?? sourceNames)
    const asking = sourceNames.filter(
      (name) => wanted.has(name) && ((sources[name] as Source).takes?.(q) ?? true),
    )
    if (asking.length === 0) throw fail('bad_request', { message: onlyVehicles })
    const question = { q, date_gte, date_lte, reach: offset + limit }
    const asked = await Promise.allSettled(
      asking.map((name) => sources[name].search(http, question)),
    )
    const failures = asked.flatMap((outcome, place) =>
      outcome.status === 'rejected' ? [{ name: asking[place], reason: outcome.reason }] : [],
    )
    if (failures.length === asked.length) throw toCallError(failures[0]?.reason)
    const unanswered = failures.map(({ name }) => name)
    const found = asked.flatMap((outcome) => (outcome.status === 'fulfilled' ? outcome.value : []))
    const totalFound = found.reduce((sum, { total }) => sum + total, 0)
    const newest = newestFirst(found.flatMap(({ recalls }) => recalls))
    const results = newest
      .slice(offset, offset + limit)
      .map(({ record: _record, ...recall }) => recall)
    const next = offset + results.length
    return {
      provider: 'CPSC, FDA and NHTSA',
      total: results.length,
      total_found: totalFound,
      next_offset: results.length > 0 && next < totalFound && next < reachMax ? next : null,
      unanswered,
      results,
    }
  }),
})
