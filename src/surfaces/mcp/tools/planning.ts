// The tool that says which calls a task needs.
import type { Catalog } from '#core/catalog.ts'
import type { ShapeAnswer } from '../answer.ts'
import { toolOf } from './of-action.ts'
import { briefly, readsOnly, type Tool } from './tool.ts'

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
    toolOf(
      consult,
      {
        name: 'consult',
        title: 'Plan a task',
        description: `Plan a task of several calls: which to make, in which order, filled in and priced. Free; runs nothing. Then make the calls one by one, or run ${ownNamespace}/run-plan with its plan as params. For a single call use discover. For a film of your media, first describe ${ownNamespace}/consult.`,
        annotations: readsOnly,
        shape,
        data: { type: 'object' },
      },
      withoutMedia,
    ),
  ]
}

/**
 * Half of the tokens of all tools would describe the media of a film, which few callers have, and how constraints are
 * meant.
 */
function withoutMedia(schema: object): object {
  const { max_cost_cents: _, ...properties } = propertiesOf(schema)
  const { assets, film, constraints } = propertiesOf(properties.manifest)
  const { budget_cents, deadline_seconds, quality } = propertiesOf(constraints)
  const manifest = {
    assets: { ...bare(assets), items: { type: 'object' } },
    film: bare(film),
    constraints: {
      type: 'object',
      properties: {
        budget_cents,
        deadline_seconds: bare(deadline_seconds),
        quality: bare(quality),
      },
    },
  }
  return briefly({
    ...schema,
    properties: { ...properties, manifest: { type: 'object', properties: manifest } },
  })
}

interface Schema {
  readonly type?: string
  readonly enum?: readonly unknown[]
  readonly properties?: Readonly<Record<string, Schema>>
}

const propertiesOf = ({ properties = {} }: Schema = {}) => properties

/** What a schema takes, without its parts and its description. */
const bare = ({ type, enum: values }: Schema = {}) => ({
  type,
  ...(values && { enum: values }),
})
