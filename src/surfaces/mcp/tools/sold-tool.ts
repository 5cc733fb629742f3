// A tool of another MCP server that the operator sells. Clients read what that tool has answered, and the charge beside
// it.
import type {
  CallToolResult,
  Tool as ListedTool,
  ToolAnnotations,
} from '@modelcontextprotocol/server'
import { type CatalogEntry, inputSchemaOf, outputSchemaOf } from '#core/catalog.ts'
import { membersOf } from '#core/input/members.ts'
import type { Tool } from './tool.ts'

export function soldTool(
  { id, action }: CatalogEntry,
  listed: {
    readonly name: string
    readonly title?: string
    readonly description: string
    readonly annotations: ToolAnnotations
  },
): Tool {
  const outputSchema = structuredSchema(outputSchemaOf(action) as AnswerSchema)
  return {
    action: id,
    listed: {
      ...listed,
      inputSchema: inputSchemaOf(action) as ListedTool['inputSchema'],
      ...(outputSchema && { outputSchema }),
    },
    async call(sent, call) {
      const params = membersOf(sent)
      const envelope = await call.run({ action: id, params, listener: call.listener })
      return { envelope, result: envelope.data as CallToolResult }
    },
  }
}

interface AnswerSchema {
  readonly properties?: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  readonly required?: readonly string[]
  readonly $defs?: object
}

/** Of the structured content, where the tool has promised one. */
function structuredSchema({ properties, required, $defs }: AnswerSchema) {
  const schema = properties?.structuredContent
  if (schema === undefined || !required?.includes('structuredContent')) return undefined
  return { ...schema, ...($defs && { $defs }) } as NonNullable<ListedTool['outputSchema']>
}
