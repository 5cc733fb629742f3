// How many: `limit`, `maxItems`, `per_page`.
import { type FillFields, type InputField, isNumeric } from '../field.ts'
import { isOf, type SaidOf } from '../said-value.ts'

const countName =
  /^(?:limit|n|count|quantity|per_?page|page_?size|max_?(?:items|results|records|pages|companies)|num_?results|first)$/i

export const isCount = ({ name, schema }: InputField): boolean =>
  countName.test(name) && (isNumeric(schema) || schema.anyOf?.some(isNumeric) === true)

export const fillCounts: FillFields = (fields, { values }) => {
  const counts = values.filter(isOf('count'))
  const open = fields.filter(isCount)
  const [first] = open
  if (first === undefined || counts.length === 0) return []
  // What a count counts may name the field: `20 pages`.
  for (const said of counts) {
    const named = open.find(
      ({ words, schema }) =>
        said.noun.length > 3 &&
        (words.includes(said.noun) || schema.description?.toLowerCase().includes(said.noun)),
    )
    if (named !== undefined) return [fill(named, said)]
  }
  const [said] = counts
  return said === undefined ? [] : [fill(first, said)]
}

function fill({ name, schema }: InputField, said: SaidOf<'count'>) {
  const { minimum = 1, maximum = Number.MAX_SAFE_INTEGER } = schema
  const steps = (schema.enum ?? []).filter((value) => typeof value === 'number')
  const fitting = steps.toSorted((one, other) => one - other)
  const value =
    fitting.length > 0
      ? (fitting.find((step) => step >= said.count) ?? fitting.at(-1))
      : Math.min(maximum, Math.max(minimum, said.count))
  const note =
    value === said.count
      ? {}
      : { note: `${name} is ${value}, and not ${said.count}: it takes no such number` }
  return { name, value, from: [said], ...note }
}
