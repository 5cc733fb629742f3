// Tools that find actions and tell what they take and cost. They are free.
import { z } from '#core/action.ts'
import { type Catalog, catalogFor, describeAction, entryFor, splitId } from '#core/catalog.ts'
import { fail } from '#core/errors.ts'
import type { Keyless } from '#runner/keyless/keyless.ts'
import type { Runner } from '#runner/runner.ts'
import { freeAnswer } from '../envelope.ts'
import { actionId, callShape } from './fields.ts'
import { defineTool, readsOnly, type Tool, type ToolCall } from './tool.ts'

const describedMax = 10
const rows = { type: 'array', items: { type: 'object' } } as const

export function createFindingTools(dependencies: {
  catalog: Catalog
  runner: Pick<Runner, 'resolve'>
  keyless: Pick<Keyless, 'rails'>
  ownNamespace: string
}): readonly Tool[] {
  const { catalog, runner, keyless, ownNamespace } = dependencies
  const describe = (id: string, caller: ToolCall['caller']) => {
    const [service, action] = splitId(id)
    const listed = catalogFor(catalog, caller).find(service, action)
    const entry = listed ?? entryFor(catalog, runner.resolve(service, action, caller), caller)
    return describeAction(entry, keyless.rails)
  }
  return [
    defineTool({
      name: 'discover',
      title: 'Find an action',
      description:
        'Find the actions that do what you want, with price, required parameters and an example to run. Free. Ask in your own words, or send an identifier (DOI, CIK, domain, e-mail, URL). Start here.',
      annotations: readsOnly,
      input: z.strictObject({
        query: z.string().min(1),
        limit: z.int().min(1).max(20).optional().describe('Default 5.'),
      }),
      data: { type: 'object', properties: { hits: rows } },
      async run(params, call) {
        return { envelope: await call.run({ action: `${ownNamespace}/discover`, params }) }
      },
    }),
    defineTool({
      name: 'describe',
      title: 'Describe actions',
      description:
        'Read the input and output schemas, price, errors and limits of actions. Free. Use it when the example of discover is not enough.',
      annotations: readsOnly,
      input: z.strictObject({ actions: z.array(actionId).min(1).max(describedMax) }),
      data: { type: 'object', properties: { actions: rows } },
      run: async ({ actions }, { caller }) =>
        freeAnswer({ actions: actions.map((id) => describe(id, caller)) }),
    }),
    defineTool({
      name: 'quote',
      title: 'Quote a call',
      description:
        'Check a call and read its exact price or cap, and whether your balance and limits allow it. Free; runs nothing.',
      annotations: readsOnly,
      input: z.strictObject(callShape),
      data: { type: 'object', properties: { price: { type: 'object' } } },
      async run({ action, params: sent, max_cost_cents }, call) {
        const params = withCeiling(sent, max_cost_cents)
        return { envelope: await call.run({ action, params, wantsQuote: true }) }
      },
    }),
  ]
}

/** The body of the call. Throws `bad_request` where the ceiling is sent twice with two values. */
export function withCeiling(
  params: Readonly<Record<string, unknown>>,
  ceilingCents: number | undefined,
): Readonly<Record<string, unknown>> {
  if (ceilingCents === undefined) return params
  const { max_cost_cents: inner = ceilingCents } = params
  if (inner !== ceilingCents)
    throw fail('bad_request', {
      message: 'Send max_cost_cents once: beside params, or inside it. Nothing was run.',
    })
  return { ...params, max_cost_cents: ceilingCents }
}
