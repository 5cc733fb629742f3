// What a successful answer has.
import type { JsonSchema } from '../described-operation.ts'
import type { DescriptionReading } from './draft-field.ts'
import { isJsonType } from './parameters.ts'
import { at, isObject, keyOf, partsOf, type SourcePlace } from './place.ts'
import { type DefinitionIds, followed } from './schemas.ts'

export interface AnswerFields {
  readonly output: JsonSchema | undefined
  readonly outputTypes: readonly string[]
  /** The header `Link` names the next page. */
  readonly hasLinks: boolean
}

interface OneAnswer {
  readonly schema: SourcePlace | undefined
  readonly types: readonly string[]
}

/** A reference that leads nowhere leaves the answer open: what is sold is the answer, not its description. */
export function readAnswer(
  reading: DescriptionReading,
  operation: SourcePlace,
  needs: DefinitionIds,
): AnswerFields {
  const responses = successes(reading, at(operation, 'responses'))
  const answers = responses.map((response) => readOne(reading, operation, response))
  const schemas = answers.flatMap(({ schema }) => (schema ? [schema] : []))
  const written = schemas.map((schema) => reading.schemas.write(schema, 'output', needs))
  // Where one of the answers is not described, all are open.
  const isOpen = answers.some(({ schema, types }) => !schema && types.length > 0)
  const distinct = [...new Map(written.map((schema) => [JSON.stringify(schema), schema])).values()]
  const [first] = distinct
  return {
    output: isOpen || !first ? undefined : distinct.length === 1 ? first : { anyOf: distinct },
    outputTypes: [...new Set(answers.flatMap(({ types }) => types))],
    hasLinks: responses.some((response) =>
      partsOf(at(response, 'headers')).some((header) => keyOf(header).toLowerCase() === 'link'),
    ),
  }
}

/** Of the statuses 2xx, or what holds for all statuses where there is none. */
function successes({ documents }: DescriptionReading, responses: SourcePlace): SourcePlace[] {
  const all = partsOf(responses)
  const good = all.filter((part) => /^2(?:\d\d|xx)$/i.test(keyOf(part)))
  const chosen = good.length > 0 ? good : all.filter((part) => keyOf(part) === 'default')
  return chosen.flatMap((part) => followed(documents, part) ?? [])
}

function readOne(
  reading: DescriptionReading,
  operation: SourcePlace,
  response: SourcePlace,
): OneAnswer {
  if (reading.dialect === 'swagger-2.0') return readSwaggerAnswer(reading, operation, response)
  const media = isObject(at(response, 'content').value) ? partsOf(at(response, 'content')) : []
  const types = media.map((part) => keyOf(part).trim()).filter((type) => type.includes('/'))
  const json =
    media.find((part) => isJsonType(keyOf(part))) ?? media.find((part) => keyOf(part) === '*/*')
  const ordered = json
    ? [keyOf(json).trim(), ...types.filter((type) => type !== keyOf(json).trim())]
    : types
  const schema = json && at(json, 'schema')
  return { schema: schema?.value === undefined ? undefined : schema, types: ordered }
}

function readSwaggerAnswer(
  { root }: DescriptionReading,
  operation: SourcePlace,
  response: SourcePlace,
): OneAnswer {
  const schema = at(response, 'schema')
  if (schema.value === undefined) return { schema: undefined, types: [] }
  const produced = at(operation, 'produces').value ?? at(root, 'produces').value
  const types = Array.isArray(produced) ? produced.filter((type) => typeof type === 'string') : []
  const isBinary = isObject(schema.value) && schema.value.type === 'file'
  const json = types.find(isJsonType)
  if (isBinary)
    return { schema: undefined, types: types.length > 0 ? types : ['application/octet-stream'] }
  if (types.length > 0 && json === undefined && !types.includes('*/*'))
    return { schema: undefined, types }
  return {
    schema,
    types: json ? [json, ...types.filter((type) => type !== json)] : ['application/json'],
  }
}
