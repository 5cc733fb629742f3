// What an intent says stands in its calls, and what no call takes is named.
import { expect, test } from 'vitest'
import { createCatalog } from '#core/catalog.ts'
import type { UntypedJson } from '#core/replies/untyped-json.ts'
import { createDiscover } from '#features/knowledge/discover/discover.ts'
import { createConsult } from '#features/knowledge/plans/consult/consult.ts'
import { composeFilm } from '#features/studio/films/edits/compose.ts'
import { systemClock } from '#platform/clock.ts'
import { ownNamespace } from '#test/own-actions.ts'
import { openWholeCatalog } from '../../../training/discover-catalog.ts'

const { catalog } = openWholeCatalog()
const clock = { ...systemClock, now: () => Date.parse('2026-11-28T12:00:00Z') }

function createAsk(sold = catalog) {
  const { rank } = createDiscover({ catalog: () => sold, ownNamespace })
  const consult = createConsult({ catalog: () => sold, rank, ownNamespace, clock, composeFilm })
  return async (intent: string) => {
    const input = consult.input.parse({ intent })
    return consult.output.parse(await consult.run({ input } as never)) as UntypedJson
  }
}
const ask = createAsk()

test.each([
  ['get 50 tweets about openai', 'twitter/search', { searchTerms: ['openai'], maxItems: 50 }],
  [
    'find jobs for rust developers in Germany posted in the last week',
    'ns_jobs/jobs',
    { job_title_or: ['rust developers'], job_country_code_or: ['DE'], posted_at_max_age_days: 7 },
  ],
  [
    'clinical trials on psilocybin, phase 3, status recruiting, at most 60',
    'ns_trials/search',
    { q: 'psilocybin', phase: '3', status: 'RECRUITING', limit: 60 },
  ],
  [
    'screenshot https://example.com full page as png',
    `${ownNamespace}/screenshot`,
    { url: 'https://example.com', full_page: true, format: 'png' },
  ],
])('%s', async (intent, action, params) => {
  const { calls } = await ask(intent)
  expect(calls[0]).toMatchObject({ action, params })
})

test('each of several values gets its call where an action takes one', async () => {
  const { calls } = await ask('verify these 3: a@x.io, b@y.com, c@z.net')
  const addresses = calls.map(({ params }: { params: { email: string } }) => params.email)
  expect(addresses).toEqual(['a@x.io', 'b@y.com', 'c@z.net'])
  expect(new Set(calls.map(({ action }: { action: string }) => action)).size).toBe(1)
})

test('a later goal takes a value of an earlier call', async () => {
  const { calls } = await ask('Look up the drug ibuprofen and open the record of the first hit.')
  expect(calls).toMatchObject([
    { action: 'ns_drugs/search', params: { q: 'ibuprofen' } },
    { action: 'ns_drugs/get', params: { id: { $step: 'search', pointer: '/results/0/id' } } },
  ])
})

test('a value that no call takes is named in the words of the intent', async () => {
  const { assumptions } = await ask('screenshot https://example.com, at least 50 employees')
  expect(assumptions.join()).toContain('“at least 50 employees”')
})

test('an action that only looks like the one without a key is not proposed', async () => {
  const withoutJobs = createCatalog(
    catalog.services.map((service) =>
      ['ns_jobs', 'linkedin', 'indeed', 'ns_akta', 'ns_signals'].includes(service.provider.id)
        ? { ...service, mode: 'unavailable' as const, reason: 'Set a key.' }
        : service,
    ),
  )
  const { mode, message, calls, assumptions } = await createAsk(withoutJobs)(
    'find jobs for rust developers in Germany posted in the last week',
  )
  const told = `${message} ${assumptions.join(' ')}`
  expect(told).toContain('ns_jobs/jobs does this, and is not available on this gateway')
  if (mode === 'call') expect(calls[0].action).toBe(`${ownNamespace}/onesearch`)
})
