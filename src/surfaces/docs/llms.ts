// llms.txt: the documents of the gateway for language models, in the form of llmstxt.org.
import type { Catalog } from '#core/catalog.ts'
import { describePrice } from '#core/pricing/describe-price.ts'
import { discoverOf } from './reference-pages.ts'

export function llmsText(catalog: Catalog, baseUrl: string): string {
  const lines = catalog.entries
    .filter(({ mode }) => mode !== 'unavailable')
    .map(
      ({ id, action }) =>
        `- [${id}](${baseUrl}/docs/actions/${id}.md): ${action.summary} ${describePrice(action).text}.`,
    )
  return `# Tollway

> A paid action gateway. Each action is POST ${baseUrl}/api/run/{service}/{action} with JSON. A failed call is never charged.

Find the action for a question with POST ${baseUrl}/api/run/${discoverOf(catalog)} {"query": "…"}, which is free. POST ${baseUrl}/api/v1/agents opens an account and answers with its API key. Send max_cost_cents, the most that you agree to pay, and an Idempotency-Key, with which a repeated call is charged once. MCP clients connect to ${baseUrl}/mcp.

## Documents

- [Calling a gateway](${baseUrl}/docs/use.md): accounts, calls, prices, jobs, errors
- [Connect](${baseUrl}/docs/connect.md): one block for each client, with this address
- [Errors](${baseUrl}/docs/reference/errors.md): all codes
- [OpenAPI](${baseUrl}/openapi.json): every address with its schemas

## Actions

${lines.join('\n')}

## Optional

- [Operating a gateway](${baseUrl}/docs/operate.md): settings, providers, payments
- [Extending a gateway](${baseUrl}/docs/extend.md): actions and providers of your own
- [Changelog](${baseUrl}/changelog.md): what has changed from version to version
`
}
