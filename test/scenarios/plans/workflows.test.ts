// Workflows of consult: plans of several steps, over the whole catalog.
import { afterAll, expect, test } from 'vitest'
import { type Catalog, createCatalog } from '#core/catalog.ts'
import { createDiscover } from '#features/knowledge/discover/discover.ts'
import { createConsult } from '#features/knowledge/plans/consult/consult.ts'
import { workflowsFor } from '#features/knowledge/plans/consult/workflows/workflows.ts'
import { composeFilm } from '#features/studio/films/edits/compose.ts'
import { systemClock as clock } from '#platform/clock.ts'
import { ownNamespace } from '#test/own-actions.ts'
import { openWholeCatalog } from '../../../training/discover-catalog.ts'

const { catalog, close } = openWholeCatalog()
afterAll(close)

interface Answer {
  readonly mode: string
  readonly calls: readonly { readonly action: string; readonly params: object }[]
  readonly plan?: { readonly steps: readonly object[] }
  readonly total: { readonly max_cents: number }
  readonly assumptions: readonly string[]
}

const askWhole = createAsk(catalog)

function createAsk(sold: Catalog) {
  const { rank } = createDiscover({ catalog: () => sold, ownNamespace })
  const consult = createConsult({ catalog: () => sold, rank, ownNamespace, clock, composeFilm })
  return async (intent: string, constraints = {}): Promise<Answer> => {
    const input = consult.input.parse({ intent, manifest: { constraints } })
    return consult.output.parse(await consult.run({ input } as never)) as never
  }
}

const planned = 'Planned as the workflow: '
const leavesSomething = new Set(['inbox with a conversation'])

test.each(workflowsFor(ownNamespace))(
  'run-plan accepts the plan: $name',
  async ({ name, phrasings: [intent = ''] }) => {
    const { mode, calls, plan, assumptions } = await askWhole(intent)
    expect(mode).toBe('call')
    expect(assumptions).toContain(`${planned}${name}.`)
    expect(calls.length).toBeGreaterThan(1)
    // No plan leaves behind what has to be ended: these calls are made one by one.
    if (leavesSomething.has(name)) return expect(plan).toBeUndefined()
    const runPlan = catalog.find(ownNamespace, 'run-plan')?.action
    expect(runPlan?.input.safeParse({ steps: plan?.steps }).error).toBeUndefined()
  },
)

test('leaves out the last optional steps to keep to the budget', async () => {
  const intent = 'a full report on the company Acme: profile, funding, news and filings'
  const { calls, total, assumptions } = await askWhole(intent, { budget_cents: 2 })
  expect(calls.length).toBeGreaterThan(1)
  expect(total.max_cents).toBeLessThanOrEqual(2)
  expect(assumptions).toContain('Left out, to keep to the budget: funding.')
})

test('takes the next action that serves where the first one has no key', async () => {
  const withoutFinder = createCatalog(
    catalog.services.map((service) =>
      service.provider.id === 'ns_email_a'
        ? { ...service, mode: 'unavailable', reason: 'Set a key.' }
        : service,
    ),
  )
  const intent = 'find and verify the work email of Jane Doe at example.com, cheapest source first'
  const { calls } = await createAsk(withoutFinder)(intent)
  expect(calls).toMatchObject([
    {
      action: 'tollway/onefind-deep',
      params: { rows: [{ name: 'Jane Doe', domain: 'example.com' }] },
    },
    {
      action: 'ns_contact/email-verify',
      params: { email: { $step: 'find', pointer: '/rows/0/email' } },
    },
  ])
})

test.each([
  'find the e-mail address of Jane Doe at stripe.com',
  'read https://example.com as markdown',
  'get the latest 10-K of Apple',
  'news about tidal power',
])('an intent that names one thing gets no workflow: %s', async (intent) => {
  const { assumptions } = await askWhole(intent)
  expect(assumptions.join(' ')).not.toContain(planned)
})
