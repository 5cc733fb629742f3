// The JSON Schema that callers and their programs read admits what the gateway admits.
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { afterAll, describe, expect, test } from 'vitest'
import { exampleBodyOf, inputSchemaOf } from '#core/catalog.ts'
import { openWholeCatalog } from '../../training/discover-catalog.ts'

const { catalog, close } = openWholeCatalog()
afterAll(close)

const ajv = new Ajv2020({ strict: false, allErrors: true, logger: false })
addFormats.default(ajv)

interface Property {
  readonly pattern?: string
  readonly description?: string
  readonly default?: unknown
}
const propertiesOf = (schema: object) =>
  Object.entries((schema as { properties: Record<string, Property> }).properties)

/** Codes and names that a description gives as examples, after a colon or `such as`. */
function examplesIn(description: string): readonly string[] {
  const [, list = ''] = /(?::|\bsuch as|\bas in|\blike)\s([^;()]*?)(?:\.|$)/.exec(description) ?? []
  return list.split(/,\s|\sor\s|\sand\s/).filter((each) => /^[\w-]{2,12}$/.test(each))
}

describe.each(catalog.entries.map((entry) => [entry.id, entry] as const))('%s', (_id, entry) => {
  const { action } = entry
  const schema = inputSchemaOf(action)

  test('its example and its defaults fit the published schema', () => {
    expect(ajv.validate(schema, exampleBodyOf(action)), ajv.errorsText()).toBe(true)
    for (const [name, property] of propertiesOf(schema)) {
      if (property.default === undefined) continue
      expect(ajv.validate(property, property.default), `${name}: ${ajv.errorsText()}`).toBe(true)
    }
  })

  test('the published patterns admit the examples in their descriptions', () => {
    const refused = propertiesOf(schema).flatMap(([name, { pattern, description = '' }]) => {
      if (pattern === undefined) return []
      const published = new RegExp(pattern, 'u')
      const isTaken = (value: string) =>
        action.input.safeParse({ ...(action.example.input as object), [name]: value }).success
      const examples = [...examplesIn(description), exampleBodyOf(action)[name as never]]
      return examples
        .filter((value): value is string => typeof value === 'string')
        .filter((value) => isTaken(value) && !published.test(value))
        .map((value) => `${name}: ${value} does not fit ${pattern}`)
    })
    expect(refused).toEqual([])
  })
})
