// Price rules that count, or ask for, what the operations that they are for do not have: most likely typing mistakes.
import { fail } from '#core/errors.ts'
import { nearestName } from '#core/input/nearest-name.ts'
import { pathOf } from '#core/pricing/counted-price.ts'
import type { DescribedOperation, JsonSchema } from '../described-operation.ts'
import { dataSchemaOf } from '../operations/answer-schema.ts'
import { missingPlace } from './answer-places.ts'
import { countedFieldOf } from './price.ts'
import { type PriceRule, ruleFor } from './price-rules.ts'

type Definitions = Readonly<Record<string, JsonSchema>>

export interface RuleMisfit {
  readonly operation: DescribedOperation
  /** This sentence goes on from a colon. */
  readonly why: string
}

/**
 * Throws `bad_request`, which names the rule, where a rule fits none of its operations, or not one that is on sale: the
 * action would be gone by a typing mistake. Resolves to what cannot be sold by its rule otherwise.
 */
export function ruleMisfits(
  rules: readonly PriceRule[],
  {
    operations,
    definitions,
  }: { operations: readonly DescribedOperation[]; definitions: Definitions },
  isOnSale: (action: string) => boolean,
): readonly RuleMisfit[] {
  const byRule = Map.groupBy(operations, (operation) => ruleFor(rules, operation))
  return rules.flatMap((rule, index) => {
    const own = byRule.get(rule) ?? []
    const misfits = own.flatMap((operation): RuleMisfit[] => {
      const why = misfitOf(rule, operation, definitions)
      return why === undefined ? [] : [{ operation, why }]
    })
    const [first] = misfits
    const refused =
      misfits.find(({ operation }) => isOnSale(operation.name)) ??
      (misfits.length === own.length ? first : undefined)
    if (refused !== undefined)
      throw fail('bad_request', {
        message: `The price rules cannot be used. Rule ${index + 1}, which is for ${refused.operation.name}: ${refused.why} Nothing was changed.`,
      })
    return misfits
  })
}

function misfitOf(
  rule: PriceRule,
  { input, output, outputTypes }: DescribedOperation,
  definitions: Definitions,
): string | undefined {
  const { price, per, when } = rule
  if (price === 'not sold') return undefined
  try {
    countedFieldOf(rule, input, definitions)
  } catch (thrown) {
    if (!(thrown instanceof TypeError) || per === undefined || !('field' in per)) throw thrown
    const fields = Object.keys(input.properties ?? {})
    const isTop = !pathOf(per).slice(1).includes('/')
    const isKnown = fields.includes(pathOf(per).slice(1))
    return isTop && !isKnown
      ? `${thrown.message} ${knownText(per.field, fields, 'It has no fields.')}`
      : thrown.message
  }
  const data = dataSchemaOf(output, outputTypes, definitions)
  const pointers = [per !== undefined && 'answer' in per ? per.answer : undefined, when?.answer]
  for (const pointer of pointers) {
    if (pointer === undefined || data === undefined) continue
    const missing = missingPlace(data, pointer, definitions)
    if (missing !== undefined)
      return `its answer has no ${missing.place}. ${knownText(missing.place, missing.known, 'It has nothing there.')}`
  }
  return undefined
}

const namesShown = 12

function knownText(name: string, known: readonly string[], none: string): string {
  if (known.length === 0) return none
  const more = known.length - namesShown
  const shown = more > 0 ? [...known.slice(0, namesShown), `${more} more`] : known
  const listed = new Intl.ListFormat('en-GB', { type: 'conjunction' }).format(shown)
  const meant = nearestName(name, known, 1)
  return `It has ${listed}.${meant === undefined ? '' : ` Did you mean ${meant}?`}`
}
