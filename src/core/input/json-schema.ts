/**
 * A JSON Schema, draft 2020-12, as zod or the reader of a description writes it. What strangers send as one is read as
 * unknown until it was checked.
 */
export interface JsonSchema {
  readonly [keyword: string]: unknown
  readonly description?: string
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
  readonly allOf?: readonly JsonSchema[]
  readonly anyOf?: readonly JsonSchema[]
  readonly oneOf?: readonly JsonSchema[]
  readonly prefixItems?: readonly JsonSchema[]
  readonly items?: JsonSchema
  readonly additionalProperties?: JsonSchema | boolean
  readonly $defs?: Readonly<Record<string, JsonSchema>>
  readonly maximum?: number
  readonly maxLength?: number
  readonly maxItems?: number
}

/** Of the body of an action. */
export interface ObjectSchema extends JsonSchema {
  readonly properties: Readonly<Record<string, JsonSchema>>
}
