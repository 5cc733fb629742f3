// What is known of the operations of an import, so that one of them can be called to see whether the API still answers.
import type { ProbeTerms } from '#core/canaries/probe.ts'
import type { DescribedOperation } from './described-operation.ts'
import { endpointOperation } from './endpoint.ts'
import { readOnlyTag } from './mcp/described-tools.ts'
import { ruleFor } from './rules/price-rules.ts'
import type { SoldApi } from './sold-api.ts'

/**
 * What the operator has marked by a price rule. Else only what asks by GET, or says that it reads only, is harmless;
 * and of that, what needs no value, because an example may name a thing that does not exist.
 */
export function probeTermsOf({ kind, api, rules }: SoldApi): ProbeTerms {
  if (kind === 'endpoint') {
    const rule = ruleFor(rules, endpointOperation)
    return {
      isHarmless: () => rule?.canary !== false,
      rank: () => 0,
      costCents: () => rule?.cost ?? 0,
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
      return (required as readonly unknown[]).length
    },
    costCents: ({ name }) => operations.get(name)?.rule?.cost ?? 0,
  }
}
