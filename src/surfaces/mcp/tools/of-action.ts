// An action as a tool of its own: its parameters are the arguments.
import type { Tool as ListedTool, ToolAnnotations } from '@modelcontextprotocol/server'
import { type CatalogEntry, inputSchemaOf } from '#core/catalog.ts'
import type { ShapeAnswer } from '../answer.ts'
import { envelopeSchema } from '../envelope.ts'
import type { Tool } from './tool.ts'

export function toolOf(
  { id, action }: CatalogEntry,
  listed: {
    readonly name: string
    readonly title?: string
    readonly description: string
    readonly annotations: ToolAnnotations
    readonly shape: ShapeAnswer
  },
): Tool {
  const { shape, ...described } = listed
  return {
    action: id,
    listed: {
      ...described,
      inputSchema: inputSchemaOf(action) as ListedTool['inputSchema'],
      outputSchema: envelopeSchema,
    },
    async call(sent, call) {
      const params = sent as Readonly<Record<string, unknown>>
      const envelope = await call.run({ action: id, params })
      return await shape(
        { envelope, isJobStatus: false },
        { select: undefined, caller: call.caller },
      )
    },
  }
}
