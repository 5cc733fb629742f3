// One operation of a description.

import { membersOf } from '#core/input/members.ts'
import type { DescribedField, DescribedOperation } from '../described-operation.ts'
import { readBodyParameters, readRequestBody } from './bodies.ts'
import { type DescriptionReading, type DraftField, inputWriter, nameFields } from './draft-field.ts'
import { inputBytesMax } from './limits.ts'
import { paginationOf } from './pagination.ts'
import { readParameters } from './parameters.ts'
import { at, isObject, partsOf, problemAt, type SourcePlace, textAt } from './place.ts'
import { readAnswer } from './responses.ts'
import type { DefinitionIds } from './schemas.ts'
import { securityOf } from './security.ts'
import { serversOf } from './servers.ts'
import { shortDescription, shownText, titleOf } from './text.ts'

export interface OperationPlace {
  readonly method: DescribedOperation['method']
  /** As the description writes it. */
  readonly template: string
  readonly pathItem: SourcePlace
  readonly operation: SourcePlace
}

/** An operation whose name and example are not chosen. */
export type OperationDraft = Omit<DescribedOperation, 'name' | 'example'>

/** Throws a DescriptionProblem. `server` replaces what the description says. */
export function readOperation(
  reading: DescriptionReading,
  { method, template, pathItem, operation }: OperationPlace,
  {
    needs,
    credentials,
    server,
  }: { needs: DefinitionIds; credentials: ReadonlySet<string>; server: string | undefined },
): OperationDraft {
  const { root, schemas } = reading
  const inputNeeds: DefinitionIds = new Set()
  const write = inputWriter(reading, inputNeeds)
  const base = server ?? serversOf(root, operation, pathItem, root)[0]
  if (base === undefined)
    throw problemAt(
      operation,
      'The description has no whole address of a server. Name one by `"server"`.',
    )
  const security = securityOf(reading, operation)
  const parameters = readParameters(reading, { pathItem, operation, write }, credentials)
  const body =
    reading.dialect === 'swagger-2.0'
      ? readBodyParameters(reading, { operation, method, write }, parameters.body)
      : readRequestBody(reading, { operation, method, write })
  const { path, pathFields } = fillPath(template, parameters.fields)
  const others = parameters.fields.filter((field) => field.in !== 'path')
  const drafts = [...pathFields, ...inOrder(others), ...body.fields]
  const { fields, input } = nameFields(drafts, operation)
  schemas.check(inputNeeds)
  if (JSON.stringify(input).length > inputBytesMax)
    throw problemAt(operation, `The schema of the input has more than ${inputBytesMax} bytes.`)
  for (const need of inputNeeds) needs.add(need)
  const answer = readAnswer(reading, operation, needs)
  const { summary, description, operationId } = membersOf(operation.value)
  const key = `${method} ${template}`
  return {
    key,
    title: titleOf(
      summary,
      description,
      typeof operationId === 'string' ? inWords(operationId) : key,
    ),
    description: shortDescription(description ?? summary),
    tags: partsOf(at(operation, 'tags')).flatMap(({ value }) =>
      typeof value === 'string' ? [shownText(value)] : [],
    ),
    deprecated: at(operation, 'deprecated').value === true,
    method,
    path,
    server: base,
    fields,
    input,
    bodyType: body.bodyType,
    ...(body.bodyContentType && { bodyContentType: body.bodyContentType }),
    output: answer.output,
    outputTypes: answer.outputTypes,
    security,
    pagination: paginationOf(fields, { ...answer, resolve: schemas.resolve }),
  }
}

/** `getHTTPStatus` is read as "Get HTTP status". */
function inWords(id: string): string {
  const words = id
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .split(/[\s_\-./]+/)
    .filter((word) => word !== '')
    .map((word) => (/^[A-Z\d]{2,}$/.test(word) ? word : word.toLowerCase()))
    .join(' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** Those of the query before those of headers and cookies. */
function inOrder(fields: readonly DraftField[]): DraftField[] {
  const order: DescribedField['in'][] = ['query', 'header', 'cookie']
  return order.flatMap((place) => fields.filter((field) => field.in === place))
}

/**
 * The path with a placeholder for each of its fields. Descriptions forget to declare fields, write `{+name}` or
 * `:name`, and end paths with a fragment that is only there to make them differ.
 */
function fillPath(template: string, fields: readonly DraftField[]) {
  const declared = new Map(
    fields.filter((field) => field.in === 'path').map((field) => [field.wireName, field]),
  )
  const used = new Map<string, DraftField>()
  const use = (name: string): string => {
    const bare = name.replace(/^[+#./;?&]|\*$|\+$/g, '')
    const field = declared.get(name) ?? declared.get(bare)
    const wireName = field?.wireName ?? bare
    used.set(wireName, field ?? undeclared(wireName))
    return `{${wireName}}`
  }
  const [bare = ''] = template.split('#', 1)
  const path = bare
    .replace(/(?<=\/):(\w+)/g, (written, name: string) =>
      declared.has(name) ? `{${name}}` : written,
    )
    .replace(/\{([^{}]+)\}/g, (_, name: string) => use(name))
  return { path: path.startsWith('/') ? path : `/${path}`, pathFields: [...used.values()] }
}

const undeclared = (wireName: string): DraftField => ({
  in: 'path',
  wireName,
  required: true,
  schema: {
    type: 'string',
    minLength: 1,
    description: 'A part of the path. The description says nothing of it.',
  },
})

/** The operation's own id, if it is a text. */
export const ownId = (operation: SourcePlace): string | undefined =>
  isObject(operation.value) ? textAt(operation, 'operationId')?.trim() || undefined : undefined
