// The price of an operation, and what its rule says besides, as the source of an action.
import { centsToMicros } from '#core/money.ts'
import { quotePrice } from '#core/price.ts'
import { type CountedField, isFree, type WrittenPrice } from '#core/pricing/counted-price.ts'
import type { DescribedOperation } from '#features/selling/described-operation.ts'
import { pricedExample } from '#features/selling/rules/example.ts'
import { countedFieldOf, priceOf } from '#features/selling/rules/price.ts'
import { type PriceRule, ruleFor } from '#features/selling/rules/price-rules.ts'
import type { SoldApi } from '#features/selling/sold-api.ts'
import { quote } from './zod-text.ts'

export interface TermsText {
  /** Names that the file imports, by the file that exports them. */
  readonly imports: string
  /** What stands before the action. */
  readonly before: string
  /** Properties of the action, each with a comma behind it. */
  readonly properties: string
  readonly example: DescribedOperation['example']
  /** Of the example. */
  readonly cents: number
  readonly timeoutMs: number | undefined
}

/** Where the rule asks for what source cannot say, why. `answersList`: the data has the answer in `items`. */
export function termsOfOperation(
  sold: SoldApi,
  operation: DescribedOperation,
  answersList: boolean,
): TermsText | { readonly why: string } {
  const rule = ruleFor(sold.rules, operation)
  if (rule === undefined || rule.price === 'not sold') return { why: 'It is not sold.' }
  const why = whyNot(rule)
  if (why !== undefined) return { why }
  const { definitions } = sold.api
  try {
    const field = countedFieldOf(rule, operation.input, definitions)
    const example = pricedExample(operation, { rule, field, definitions })
    const { micros } = quotePrice(priceOf(rule, field), example)
    const timeoutMs = rule.timeout_seconds && rule.timeout_seconds * 1_000
    const { price, ...code } = codeOf(rule, field, answersList)
    const properties = [
      ...(timeoutMs === undefined ? [] : [`timeoutMs: ${timeoutMs}`]),
      ...(mayBeCached(operation, rule, answersList) ? [`cacheSeconds: ${rule.cache_seconds}`] : []),
      ...(rule.free_per_day !== undefined && !isFree(rule)
        ? [`freeCallsPerDay: ${rule.free_per_day}`]
        : []),
      ...(rule.canary === false ? ['canary: false'] : []),
      ...(code.check === undefined ? [] : [`check: ${code.check}`]),
      `price: ${price}`,
      ...(rule.cost === undefined ? [] : [`declaredCostUsd: ${usdOf(rule.cost)}`]),
    ]
    return {
      ...code,
      properties: properties.map((each) => `${each},`).join('\n  '),
      example,
      cents: micros / centsToMicros(1),
      timeoutMs,
    }
  } catch (thrown) {
    if (!(thrown instanceof TypeError)) throw thrown
    return { why: `It has no price: ${thrown.message}` }
  }
}

/** The catalog's client gives an action the body of an answer only. */
function whyNot({ per, when }: PriceRule): string | undefined {
  if (when?.status !== undefined)
    return 'Its price depends on the status of the answer, which an action of the catalog does not have.'
  return per !== undefined && 'of' in per
    ? `Its price counts the ${per.of} of the answer, which an action of the catalog does not have.`
    : undefined
}

/** Cents have at most four places, so dollars have six. */
const usdOf = (cents: number) => centsToMicros(cents) / 1_000_000

const mayBeCached = (
  { method, output }: DescribedOperation,
  { cache_seconds: seconds }: PriceRule,
  answersList: boolean,
) => method === 'GET' && seconds !== undefined && output?.type === 'object' && !answersList

function codeOf(rule: PriceRule, field: CountedField, answersList: boolean) {
  const { price, per, when, minimum } = rule
  const plain = { imports: '', before: '', check: undefined }
  if (price === 'not sold' || isFree({ price, minimum })) return { ...plain, price: `'free'` }
  if (per === undefined && when === undefined) return { ...plain, price: `{ cents: ${price} }` }
  const inData = (pointer: string) => (answersList ? `/items${pointer}` : pointer)
  const written: WrittenPrice = {
    price,
    ...(per && { per: 'answer' in per ? { ...per, answer: inData(per.answer) } : per }),
    ...(minimum !== undefined && { minimum }),
    ...(when && {
      when: { ...when, ...(when.answer !== undefined && { answer: inData(when.answer) }) },
    }),
  }
  const counts = per !== undefined && 'field' in per
  const names = ['countedPrice', ...(counts ? ['checkCounted'] : [])]
  return {
    imports: `import { ${names.toSorted().join(', ')} } from '#core/pricing/counted-price.ts'\n`,
    before: `const written = ${quote(written)} as const\n${counts ? `/** What is known of the field that the price counts. */\nconst counted = ${fieldText(field)}\n` : ''}\n`,
    check: counts ? 'checkCounted(written.per, counted)' : undefined,
    price: counts ? 'countedPrice(written, counted)' : 'countedPrice(written)',
  }
}

/** As source and not as JSON, which cannot hold `undefined` for a step without a default. */
function fieldText({ least, defaults }: CountedField): string {
  if (defaults === undefined) return quote({ least })
  const all = defaults.map((value) => (value === undefined ? 'undefined' : quote(value)))
  return `{ least: ${least}, defaults: [${all.join(', ')}] }`
}
