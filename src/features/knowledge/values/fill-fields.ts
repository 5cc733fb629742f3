// Fills the fields of an action from the values that a text says.
import {
  type FieldSchema,
  type Filled,
  type FillFields,
  fieldOf,
  type InputField,
} from './field.ts'
import { fillBounds } from './fields/bounds.ts'
import { fillCounts } from './fields/counts.ts'
import { fillDurations } from './fields/durations.ts'
import {
  fillAgents,
  fillChoices,
  fillFlags,
  fillForms,
  fillModels,
  fillNamed,
  fillNumbers,
  fillRounds,
} from './fields/named.ts'
import { fillPeriods } from './fields/periods.ts'
import {
  fillCountries,
  fillDomains,
  fillLanguages,
  fillPlaces,
  fillRoutes,
  fillStates,
} from './fields/places.ts'
import {
  fillAssignments,
  fillOrders,
  fillPages,
  fillRatios,
  fillResolution,
  fillSizes,
} from './fields/shapes.ts'
import type { ReadText } from './read-values.ts'
import { blank, type Said } from './said-value.ts'

/** Each fills fields and takes words that those before it have left. */
const inTurn: readonly FillFields[] = [
  fillAssignments,
  fillForms,
  fillRounds,
  fillPages,
  fillPeriods,
  fillLanguages,
  fillCountries,
  fillStates,
  fillPlaces,
  fillDomains,
  fillRoutes,
  fillBounds,
  fillDurations,
  fillSizes,
  fillRatios,
  fillResolution,
  fillOrders,
  fillNumbers,
  fillCounts,
  fillModels,
  fillChoices,
  fillFlags,
  fillAgents,
  fillNamed,
]

const overlaps = (one: Said, other: Said) => one.start < other.end && other.start < one.end

export interface FieldsToFill {
  readonly properties: Readonly<Record<string, FieldSchema>>
  /** Fields that are filled otherwise. */
  readonly except?: ReadonlySet<string>
  /** What callers say for values, by field and value. */
  readonly saidAs?: Readonly<Record<string, InputField['saidAs']>> | undefined
}

export function fillFields(
  { properties, except = new Set(), saidAs = {} }: FieldsToFill,
  said: ReadText,
): readonly Filled[] {
  const fields = Object.entries(properties)
    .filter(([name]) => !except.has(name))
    .map(([name, schema]) => fieldOf(name, schema, saidAs[name]))
  const filled: Filled[] = []
  for (const fill of inTurn) {
    const open = fields.filter(({ name }) => filled.every((one) => one.name !== name))
    filled.push(...fill(open, withoutTaken(said, filled)))
  }
  return [...filled, ...fillObjects(fields, filled, said)]
}

function withoutTaken(said: ReadText, filled: readonly Filled[]): ReadText {
  const used = filled.flatMap(({ from }) => from)
  return {
    text: blank(said.text, used),
    plain: blank(said.plain, used),
    values: said.values.filter((value) => !used.some((one) => overlaps(one, value))),
  }
}

/** Objects of settings: `{"aspectRatio": "9:16", "fps": 24}`. */
function fillObjects(
  fields: readonly InputField[],
  before: readonly Filled[],
  said: ReadText,
): readonly Filled[] {
  const filled: Filled[] = []
  for (const { name, schema } of fields) {
    const { properties = {}, required = [] } = schema
    if (schema.type !== 'object' || Object.keys(properties).length === 0) continue
    if (before.some((one) => one.name === name)) continue
    const left = withoutTaken(said, [...before, ...filled])
    const members = fillFields({ properties }, left)
    const has = new Set(members.map((member) => member.name))
    if (members.length === 0 || !required.every((each) => has.has(each))) continue
    filled.push({
      name,
      value: Object.fromEntries(members.map((member) => [member.name, member.value])),
      from: members.flatMap(({ from }) => from),
    })
  }
  return filled
}
