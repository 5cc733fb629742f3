// How long: `duration`, `timeout`, `wait_seconds`, `max_age`, `estimatedMinutes`.
import { type Filled, type FillFields, type InputField, isNumeric, schemaOfOne } from '../field.ts'
import { isOf } from '../said-value.ts'

const durationName =
  /^(?:duration|timeout(?:_ms)?|wait_?(?:for|seconds)|max_age|estimated_?minutes|expires_in_seconds)$/i

/** What a caller says beside a duration of this field. Others take any that is left. */
const cues: readonly (readonly [name: RegExp, cue: RegExp])[] = [
  [/^max_age$/, /\b(?:cached?|older|old|fresh|age)\b/i],
  [/^wait_seconds$/, /\bwait|\bwarte|\battend/i],
  [/^wait_?for$/i, /\bwait|\bwarte|\battend|\bafter\b|\bdelay/i],
  [
    /^timeout(?:_ms)?$/i,
    /\btime[- ]?out|\bgive up|\bat most|\bmax(?:imum)?\b|\bwithin|\bends?\b|\bkill|\blimit|\bfor\b|\bup to\b|\bsandbox\b|\bopen\b|\blast|\blife/i,
  ],
  [/^expires_in_seconds$/, /\bvalid|\bexpir|\bworks?\b|\bfor\b|\blast|\blive/i],
]
const reach = 40

const unitSeconds = ({ name, schema }: InputField): number => {
  if (/_ms$|^wait_?for$/i.test(name)) return 0.001
  return /minutes/i.test(`${name} ${schema.description}`) && !/second/i.test(name) ? 60 : 1
}

export const fillDurations: FillFields = (fields, { text, values }) => {
  const open = fields.filter(({ name }) => durationName.test(name))
  const filled: Filled[] = []
  for (const said of values.filter(isOf('duration'))) {
    const near = text.slice(Math.max(0, said.start - reach), said.end + reach)
    const left = open.filter(({ name }) => filled.every((one) => one.name !== name))
    const fits = ({ name }: InputField) => {
      const cue = cues.find(([each]) => each.test(name))?.[1]
      return cue === undefined || cue.test(near)
    }
    const field = left.find(fits)
    if (field === undefined) continue
    const value = Math.round((said.seconds / unitSeconds(field)) * 1000) / 1000
    const schema = isNumeric(field.schema) ? field.schema : schemaOfOne(field.schema)
    const { maximum = value, minimum = value } = schema
    const kept = Math.min(maximum, Math.max(minimum, value))
    const note =
      kept === value ? {} : { note: `${field.name} is ${kept}, the nearest that it takes` }
    filled.push({ name: field.name, value: kept, from: [said], ...note })
  }
  return filled
}
