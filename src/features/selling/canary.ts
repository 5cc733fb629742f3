// What is known of the operations of an import, so that one of them can be called to see whether the API still answers.
import type { ProbeTerms } from '#core/canaries/probe.ts'
import { centsToMicros, type Micros } from '#core/money.ts'
import type { DescribedOperation } from './described-operation.ts'
import { endpointOperation } from './endpoint.ts'
import { readOnlyTag } from './mcp/described-tools.ts'
import { type PriceRule, ruleFor } from './rules/price-rules.ts'
import type { SoldApi } from './sold-api.ts'

/**
 * What the operator has marked by a price rule. Else only what asks by GET, or says that it reads only, is harmless;
 * and of that, what needs no value, because an example may name a thing that does not exist.
 */
export function probeTermsOf(
  { name: service, kind, api, rules }: SoldApi,
  declaredFor: (id: string) => DeclaredForCall | undefined,
): ProbeTerms {
  const costCents = (action: string, rule: PriceRule | undefined) => {
    const declared = declaredFor(`${service}/${action}`)
    return declared ? centsAtMost(declared, rule) : rule?.cost
  }
  if (kind === 'endpoint') {
    const rule = ruleFor(rules, endpointOperation)
    return {
      isHarmless: () => rule?.canary !== false,
      rank: () => 0,
      costCents: ({ name }) => costCents(name, rule),
    }
  }
  const operations = new Map(
    api.operations.map((operation) => {
      const rule = ruleFor(rules, operation)
      return [operation.name, { operation, rule }]
    }),
  )
  const isMarked = [...operations.values()].some(({ rule }) => rule?.canary === true)
  const readsOnly = ({ method, tags }: DescribedOperation) =>
    kind === 'mcp' ? tags.includes(readOnlyTag) : method === 'GET'
  return {
    isHarmless({ name }) {
      const { operation, rule } = operations.get(name) ?? {}
      if (operation === undefined || rule?.canary === false) return false
      return isMarked ? rule?.canary === true : readsOnly(operation)
    },
    rank({ name }) {
      const { required = [] } = operations.get(name)?.operation.input ?? {}
      return required.length
    },
    costCents: ({ name }) => costCents(name, operations.get(name)?.rule),
  }
}

/** What the operator has declared that a call of an action costs. */
interface DeclaredForCall {
  readonly perCall: Micros
  readonly perUnit: Micros
}

/** A call with as many units as its price allows. */
function centsAtMost({ perCall, perUnit }: DeclaredForCall, rule: PriceRule | undefined): number {
  const { at_most: most = 0, each = 1 } = rule?.per ?? {}
  return (perCall + perUnit * Math.ceil(most / each)) / centsToMicros(1)
}
