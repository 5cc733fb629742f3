// An action as a tool of its own: its parameters are the arguments.
import type { Tool as ListedTool, ToolAnnotations } from '@modelcontextprotocol/server'
import { type CatalogEntry, inputSchemaOf } from '#core/catalog.ts'
import { membersOf } from '#core/input/members.ts'
import type { ShapeAnswer } from '../answer.ts'
import { anyData, type DataSchema, envelopeOf } from '../envelope.ts'
import type { Tool } from './tool.ts'

/** `show` makes of the action's input schema what is listed. Arguments are checked against the whole schema. */
export function toolOf(
  { id, action }: CatalogEntry,
  listed: {
    readonly name: string
    readonly title?: string
    readonly description: string
    readonly annotations: ToolAnnotations
    readonly shape: ShapeAnswer
    readonly data?: DataSchema
  },
  show: (schema: object) => object = (schema) => schema,
): Tool {
  const { shape, data = anyData, ...described } = listed
  return {
    action: id,
    listed: {
      ...described,
      inputSchema: show(inputSchemaOf(action)) as ListedTool['inputSchema'],
      outputSchema: envelopeOf(data),
    },
    async call(sent, call) {
      const params = membersOf(sent)
      const envelope = await call.run({ action: id, params })
      return await shape(
        { envelope, isJobStatus: false },
        { select: undefined, caller: call.caller },
      )
    },
  }
}
