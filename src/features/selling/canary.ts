// What is known of the operations of an import, so that one of them can be called to see whether the API still answers.
import type { ProbeTerms } from '#core/canaries/probe.ts'
import { endpointOperation } from './endpoint.ts'
import { readOnlyTag } from './mcp/described-tools.ts'
import { ruleFor } from './rules/price-rules.ts'
import type { SoldApi } from './sold-api.ts'

/**
 * Only what asks by GET, or says that it reads only, is harmless; and of that, what needs no value, because an example
 * may name a thing that does not exist.
 */
export function probeTermsOf({ kind, api, rules }: SoldApi): ProbeTerms {
  if (kind === 'endpoint')
    return {
      isHarmless: () => true,
      rank: () => 0,
      costCents: () => ruleFor(rules, endpointOperation)?.cost ?? 0,
    }
  const operations = new Map(api.operations.map((each) => [each.name, each]))
  return {
    isHarmless({ name }) {
      const operation = operations.get(name)
      return kind === 'mcp'
        ? operation?.tags.includes(readOnlyTag) === true
        : operation?.method === 'GET'
    },
    rank({ name }) {
      const { required = [] } = operations.get(name)?.input ?? {}
      return (required as readonly unknown[]).length
    },
    costCents({ name }) {
      const operation = operations.get(name)
      return (operation && ruleFor(rules, operation)?.cost) ?? 0
    },
  }
}
