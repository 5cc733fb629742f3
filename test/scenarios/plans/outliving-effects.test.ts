// What a plan may leave behind: nothing that has to be ended or that keeps paid time. It closes what can be closed.
import { afterAll, describe, expect, test } from 'vitest'
import { outlivingOf, outlivingPlanOf } from '#core/effects/effect.ts'
import { examinePlan } from '#features/knowledge/plans/examine.ts'
import { openWholeCatalog } from '../../../training/discover-catalog.ts'

const { catalog, close } = openWholeCatalog()
afterAll(close)

const planOf = (action: string, params: unknown) => [
  { id: 'only', action, params: params as Record<string, unknown>, optional: false },
]
const makers = catalog.entries.filter(({ action }) => action.makes !== undefined)
const outliving = makers.filter(({ action }) => outlivingPlanOf(action.makes) !== undefined)
const opening = makers.filter(
  ({ action: { makes } }) =>
    outlivingOf(makes) !== undefined && outlivingPlanOf(makes) === undefined,
)
const staying = makers.filter(
  (entry) =>
    ![...outliving, ...opening].includes(entry) && !entry.action.irrevocable && !entry.service.buys,
)

describe('a plan', () => {
  test.each(outliving.map(({ id, action }) => [id, action] as const))(
    'with %s is refused, and the step is named',
    (id, { example }) => {
      const examine = () => examinePlan(catalog, planOf(id, example.input))
      expect(examine).toThrow(
        expect.objectContaining({
          code: 'bad_request',
          message: expect.stringMatching(/^Step "only": .* would outlive the plan/),
          data: { step: 'only' },
        }),
      )
    },
  )

  test('may open sandboxes and browsers, and nothing else', () => {
    expect(opening.map(({ id }) => id).sort()).toEqual([
      'ns_browser/create_session',
      'ns_sandbox/sandbox-create',
    ])
  })

  test.each(opening.map(({ id, action }) => [id, action] as const))(
    'with %s is accepted if a later step uses it',
    (id, { example }) => {
      const step = { params: example.input as Record<string, unknown>, optional: false }
      const plan = [
        { ...step, id: 'only', action: id },
        { id: 'use', action: 'files/list', params: {}, after: ['only'], optional: false },
      ]
      expect(examinePlan(catalog, plan).steps).toHaveLength(2)
      expect(() => examinePlan(catalog, plan.slice(0, 1))).toThrow(
        /^Step "only": .* is closed with the plan, and no later step uses it/,
      )
    },
  )

  test.each(staying.map(({ id, action }) => [id, action] as const))(
    'with %s is accepted',
    (id, { example }) => {
      expect(examinePlan(catalog, planOf(id, example.input)).steps).toHaveLength(1)
    },
  )
})
