// The tools of an MCP server as operations of an API.
import { toolHints } from '#core/calls/tool-facts.ts'
import type {
  DescribedApi,
  DescribedOperation,
  DescribedSecurity,
  JsonSchema,
  LeftOutPart,
} from '../described-operation.ts'
import { exampleInput } from '../openapi/example.ts'
import type { SchemaUse } from '../openapi/keywords.ts'
import type { SourcePlace } from '../openapi/place.ts'
import { DescriptionProblem } from '../openapi/problem.ts'
import { createSchemas, type DefinitionIds, type Schemas } from '../openapi/schemas.ts'
import type { SourceDocument } from '../openapi/source-document.ts'
import { actionName, shortDescription, shownText, takeName, titleOf } from '../openapi/text.ts'
import { type McpServerList, type McpTool, toolsMax } from './connection.ts'

/** `address`: of the server, or of the operator’s command. */
export function describeTools(
  { title, version, tools, isCut }: McpServerList,
  { address, security }: { readonly address: string; readonly security: DescribedSecurity },
): DescribedApi {
  const documents = new Map<string, SourceDocument>()
  const schemas = createSchemas(documents, 'openapi-3.1')
  const needs: DefinitionIds = new Set()
  const names = new Set<string>()
  const leftOut: LeftOutPart[] = []
  const described = new Set<string>()
  const operations = tools.flatMap((tool): Omit<DescribedOperation, 'example'>[] => {
    try {
      if (described.has(tool.name))
        throw new DescriptionProblem(
          'Its server lists another tool of this name before it. Give each a name of its own.',
        )
      described.add(tool.name)
      const own: DefinitionIds = new Set()
      const write = createWriter(tool, { documents, schemas, needs: own })
      const read = describeTool(tool, write)
      schemas.check(own)
      for (const need of own) needs.add(need)
      const name = takeName(actionName(tool.name) || 'tool', names)
      return [{ name, ...read, server: address, security }]
    } catch (thrown) {
      if (!(thrown instanceof DescriptionProblem)) throw thrown
      leftOut.push({ where: shownText(tool.name), why: shownText(thrown.message) })
      return []
    }
  })
  if (isCut)
    leftOut.push({
      where: 'further tools',
      why: `An import has at most ${toolsMax} tools. Offer fewer at the server.`,
    })
  const definitions = schemas.definitions(needs)
  return {
    title: titleOf(title) || 'An MCP server without a name',
    version: shownText(version),
    servers: [address],
    operations: operations.map((operation) => ({
      ...operation,
      example: exampleInput(operation.input, schemas.resolve, false),
    })),
    definitions,
    leftOut,
  }
}

type Write = (schema: JsonSchema, use: SchemaUse) => JsonSchema

/** The references of a tool's schema begin at its own root. */
function createWriter(
  tool: McpTool,
  parts: { documents: Map<string, SourceDocument>; schemas: Schemas; needs: DefinitionIds },
): Write {
  return (schema, use) => {
    const address = `${tool.name} ${use}`
    const document: SourceDocument = { address, value: schema, lineOf: () => undefined }
    parts.documents.set(address, document)
    const root: SourcePlace = { document, path: [], value: schema }
    return parts.schemas.write(root, use, parts.needs)
  }
}

/** Fields that no tool can have, and why. */
const takenFields = new Map([
  ['max_cost_cents', 'which the gateway reads itself'],
  ['__proto__', 'which is lost where the input of a call is checked'],
])

function describeTool(
  tool: McpTool,
  write: Write,
): Omit<DescribedOperation, 'name' | 'example' | 'server' | 'security'> {
  const { title, description, annotations = {} } = tool
  if (tool.execution?.taskSupport === 'required')
    throw new DescriptionProblem(
      'It can only be called as a task (execution.taskSupport is "required"), and the gateway begins none.',
    )
  const shownTitle = titleOf(title, annotations.title)
  const written = write(tool.inputSchema, 'input')
  const input: JsonSchema = { type: 'object', ...written }
  const properties = Object.keys(input.properties ?? {})
  for (const name of properties) {
    const why = takenFields.get(name)
    if (why !== undefined)
      throw new DescriptionProblem(`The tool has a field ${name}, ${why}. Rename it.`)
  }
  const required = new Set(input.required ?? [])
  const structured = tool.outputSchema && write(tool.outputSchema, 'output')
  return {
    key: tool.name,
    title: titleOf(description, title, annotations.title, tool.name),
    tool: { ...(shownTitle && { title: shownTitle }), ...hintsOf(annotations) },
    description: shortDescription(description),
    tags: tagsOf(annotations),
    deprecated: false,
    method: 'POST',
    path: `/${encodeURIComponent(tool.name)}`,
    fields: properties.map((name) => ({
      name,
      in: 'body',
      wireName: name,
      required: required.has(name),
    })),
    input,
    bodyType: 'json',
    output: {
      type: 'object',
      properties: {
        content: {
          type: 'array',
          items: { type: 'object' },
          description: 'Texts, images, sounds and resources.',
        },
        structuredContent: structured ?? { type: 'object' },
      },
      required: structured ? ['content', 'structuredContent'] : ['content'],
    },
    outputTypes: ['application/json'],
    pagination: undefined,
  }
}

/** What the server says of its tool, for the clients of this gateway. */
const hintsOf = (annotations: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(
    toolHints.flatMap((hint) => {
      const says = annotations[hint]
      return typeof says === 'boolean' ? [[hint, says]] : []
    }),
  )

export const readOnlyTag = 'read-only'

/** Price rules may match them. */
function tagsOf({ readOnlyHint, destructiveHint }: Readonly<Record<string, unknown>>): string[] {
  if (readOnlyHint === true) return [readOnlyTag]
  return destructiveHint === true ? ['destructive'] : []
}
