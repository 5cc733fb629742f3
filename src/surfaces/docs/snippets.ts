// One call of an action, as each door takes it.
import { type CatalogEntry, exampleBodyOf } from '#core/catalog.ts'
import { ceilingField } from '#core/ceiling.ts'
import { codeBlock } from './markdown.ts'

export function snippetsOf({ id, action }: CatalogEntry, baseUrl: string): string {
  const body = exampleBodyOf(action) as Readonly<Record<string, unknown>>
  const { [ceilingField]: ceiling, ...input } = body
  const shown = JSON.stringify(input, null, 2)
  const options = ceiling === undefined ? '' : `, { maxCostCents: ${ceiling} }`
  const maxCost = ceiling === undefined ? '' : ` --max-cost ${ceiling}`
  const call = {
    name: 'run',
    arguments: {
      action: id,
      params: input,
      ...(ceiling === undefined ? {} : { max_cost_cents: ceiling }),
    },
  }
  return `### curl

${codeBlock('sh', `curl ${baseUrl}/api/run/${id} \\\n  -H "authorization: Bearer $TOLLWAY_KEY" \\\n  -d ${quote(JSON.stringify(body))}`)}

### TypeScript

${codeBlock('ts', `import { env } from 'node:process'\nimport { createTollway } from '@tollway/client'\n\nconst tollway = createTollway({ baseUrl: '${baseUrl}', key: env.TOLLWAY_KEY })\nconst { data } = await tollway.run('${id}', ${shown}${options})`)}

### Command

${codeBlock('sh', `npx tollway run ${id} --gateway ${baseUrl}${maxCost} \\\n  --body ${quote(JSON.stringify(input))}`)}

### MCP

Connect a client to \`${baseUrl}/mcp\`. This is the call of its tool \`run\`:

${codeBlock('json', JSON.stringify(call, null, 2))}`
}

/** One argument for a POSIX shell. */
const quote = (text: string) => `'${text.replaceAll("'", "'\\''")}'`
