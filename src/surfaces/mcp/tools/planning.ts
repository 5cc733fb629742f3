// The tool that says which calls a task needs.
import type { Catalog } from '#core/catalog.ts'
import type { ShapeAnswer } from '../answer.ts'
import { toolOf } from './of-action.ts'
import { readsOnly, type Tool } from './tool.ts'

export function createPlanningTools({
  catalog,
  ownNamespace,
  shape,
}: {
  catalog: Catalog
  ownNamespace: string
  shape: ShapeAnswer
}): readonly Tool[] {
  const consult = catalog.find(ownNamespace, 'consult')
  if (consult === undefined) return []
  return [
    toolOf(consult, {
      name: 'consult',
      title: 'Plan a task',
      description: `Plan a task of several calls: which to make, in which order, filled in and priced. Free; runs nothing. Then make the calls one by one, or run ${ownNamespace}/run-plan with its plan as params. For a single call use discover.`,
      annotations: readsOnly,
      shape,
    }),
  ]
}
