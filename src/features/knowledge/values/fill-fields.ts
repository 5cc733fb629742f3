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
  fillNamed,
  fillRounds,
} from './fields/named.ts'
import { fillPeriods } from './fields/periods.ts'
import { fillCountries, fillLanguages, fillPlaces } from './fields/places.ts'
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
  fillCountries,
  fillPlaces,
  fillLanguages,
  fillBounds,
  fillDurations,
  fillSizes,
  fillRatios,
  fillResolution,
  fillOrders,
  fillCounts,
  fillChoices,
  fillFlags,
  fillAgents,
  fillNamed,
]

const overlaps = (one: Said, other: Said) => one.start < other.end && other.start < one.end

/** `except`: fields that the caller has filled. */
export function fillFields(
  properties: Readonly<Record<string, FieldSchema>>,
  required: readonly string[],
  said: ReadText,
  except: ReadonlySet<string> = new Set(),
): readonly Filled[] {
  const fields = Object.entries(properties)
    .filter(([name]) => !except.has(name))
    .map(([name, schema]) => fieldOf(name, schema, required.includes(name)))
  const filled: Filled[] = []
  for (const fill of inTurn) {
    const open: readonly InputField[] = fields.filter(({ name }) =>
      filled.every((one) => one.name !== name),
    )
    const used = filled.flatMap(({ from }) => from)
    const left: ReadText = {
      text: blank(said.text, used),
      plain: blank(said.plain, used),
      values: said.values.filter((value) => !used.some((one) => overlaps(one, value))),
    }
    filled.push(...fill(open, left))
  }
  return filled
}
