// What a plan may leave behind: nothing that has to be ended or that keeps paid time.
import { afterAll, describe, expect, test } from 'vitest'
import { outlivingOf } from '#core/effects/effect.ts'
import { examinePlan } from '#features/plans/examine.ts'
import { openWholeCatalog } from '../../../training/discover-catalog.ts'

const { catalog, close } = openWholeCatalog()
afterAll(close)

const planOf = (action: string, params: unknown) => [
  { id: 'only', action, params: params as Record<string, unknown>, optional: false },
]
const makers = catalog.entries.filter(({ action }) => action.makes !== undefined)
const outliving = makers.filter(({ action }) => outlivingOf(action.makes) !== undefined)
const staying = makers.filter(
  (entry) => !outliving.includes(entry) && !entry.action.irrevocable && !entry.service.buys,
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

  test.each(staying.map(({ id, action }) => [id, action] as const))(
    'with %s is accepted',
    (id, { example }) => {
      expect(examinePlan(catalog, planOf(id, example.input)).steps).toHaveLength(1)
    },
  )
})
