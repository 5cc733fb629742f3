// The example of an operation whose price counts a field.
import { ownValue } from '#core/input/own-value.ts'
import { pointerParts } from '#core/input/pointer.ts'
import { type CountedField, checkCounted, pathOf } from '#core/pricing/counted-price.ts'
import type { DescribedOperation, Json, JsonSchema } from '../described-operation.ts'
import { exampleInput } from '../openapi/example.ts'
import { fieldIn } from './price.ts'
import type { PriceRule } from './price-rules.ts'

type Example = DescribedOperation['example']

/** With a value of the field that the price counts, where the example has none that can be counted and one is known. */
export function pricedExample(
  { input, example }: Pick<DescribedOperation, 'input' | 'example'>,
  {
    rule: { per },
    field,
    definitions,
  }: {
    readonly rule: PriceRule
    readonly field: CountedField
    readonly definitions: Readonly<Record<string, JsonSchema>>
  },
): Example {
  if (per === undefined || !('field' in per)) return example
  const hasPrice = (candidate: Example) => isAccepted(checkCounted(per, field), candidate)
  if (hasPrice(example)) return example
  const { schema } = fieldIn(per, input, definitions)
  const resolve = (reference: string) => ownValue(definitions, reference.slice('#/$defs/'.length))
  const only = { properties: { value: schema }, required: ['value'] }
  const { type } = schema
  const values = [
    exampleInput(only, resolve, false).value,
    exampleInput(only, resolve, true).value,
    ...(type === 'integer' || type === 'number' ? [Math.max(1, field.least), field.least] : []),
  ]
  const parts = pointerParts(pathOf(per))
  const candidates = values.flatMap((value) =>
    value === undefined ? [] : [withValue(example, parts, value) as Example],
  )
  return candidates.find(hasPrice) ?? example
}

function isAccepted(check: (input: unknown) => void, input: unknown): boolean {
  try {
    check(input)
    return true
  } catch {
    return false
  }
}

function withValue(into: Json | undefined, [part, ...more]: readonly string[], value: Json): Json {
  if (part === undefined) return value
  const known = typeof into === 'object' && into !== null && !Array.isArray(into) ? into : {}
  const inner = Object.entries(known).find(([name]) => name === part)?.[1]
  return Object.fromEntries([
    ...Object.entries(known).filter(([name]) => name !== part),
    [part, withValue(inner, more, value)],
  ])
}
