// A field that an action does not know is refused before it costs anything, so that a misspelt one is noticed. Open are
// only inputs that the specification shows as open, and those that another party defines.
import { afterAll, expect, test } from 'vitest'
import { inputSchemaOf } from '#core/catalog.ts'
import { validateCall } from '#core/input/validate.ts'
import { openWholeCatalog } from '../../training/discover-catalog.ts'

const { catalog, close } = openWholeCatalog()
afterAll(close)

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>
  readonly additionalProperties?: unknown
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly $defs?: Readonly<Record<string, Schema>>
}

const assembler = 'spec, "Video assembler actions": additional body properties are allowed'
const composition = `${assembler}, and a composition is judged clip by clip`
const deals = 'spec, "Lead and company intelligence": further parameters are not shown'

/** Each place that takes fields without naming them, and why. A map of names that the caller chooses is not listed. */
const openPlaces: Readonly<Record<string, string>> = {
  'ns_assembler/upload': assembler,
  'ns_assembler/create_project': assembler,
  'ns_assembler/put_composition': composition,
  'ns_assembler/put_composition composition': composition,
  'ns_assembler/validate': composition,
  'ns_assembler/validate composition': composition,
  'ns_captcha/solve task': 'spec, "Scraping": an object in the provider’s createTask shape',
  'ns_funding/deals company': deals,
  'ns_funding/deals deal': deals,
  'ns_funding/deals investors': deals,
  'ns_media/generate': 'each model has its own parameters, and refuses others',
  'tollway/extract schema': 'a JSON Schema has further keywords',
  'tollway/onefind-deep rows[]': 'rows of tollway/onefind are sent back as they are',
}

function openPlacesOf(schema: Schema, place: string): readonly string[] {
  const {
    properties = {},
    additionalProperties,
    items,
    anyOf = [],
    oneOf = [],
    $defs = {},
  } = schema
  const isOpen = Object.keys(properties).length > 0 && additionalProperties !== false
  return [
    ...(isOpen ? [place] : []),
    ...Object.entries(properties).flatMap(([name, each]) => openPlacesOf(each, `${place} ${name}`)),
    ...(items === undefined ? [] : openPlacesOf(items, `${place}[]`)),
    ...[...anyOf, ...oneOf].flatMap((each) => openPlacesOf(each, place)),
    ...Object.entries($defs).flatMap(([name, each]) => openPlacesOf(each, `${place} $${name}`)),
  ]
}

test('every action refuses fields that it does not know, but for the listed places', () => {
  const open = catalog.entries.flatMap(({ id, action }) => openPlacesOf(inputSchemaOf(action), id))
  expect([...new Set(open)].toSorted()).toEqual(Object.keys(openPlaces).toSorted())
})

const closed = catalog.entries.filter(({ id }) => openPlaces[id] === undefined)

test.each(closed.map(({ id, action }) => [id, action] as const))(
  '%s refuses an unknown field by its name',
  (_id, action) => {
    const body = { ...(action.example.input as object), preview_of_nothing: true }
    expect(() => validateCall(action, body)).toThrow(/Unknown parameter "preview_of_nothing"/)
  },
)
