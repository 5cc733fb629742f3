// One call of an action, as each door takes it.
import { type CatalogEntry, exampleBodyOf } from '#core/catalog.ts'
import { ceilingField } from '#core/ceiling.ts'
import { membersOf } from '#core/input/members.ts'
import { codeBlock } from './markdown.ts'

export function snippetsOf({ id, action }: CatalogEntry, baseUrl: string): string {
  const body = membersOf(exampleBodyOf(action))
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

### Python

${codeBlock('python', `import os\nfrom tollway_client import Tollway\n\nwith Tollway("${baseUrl}", os.environ["TOLLWAY_KEY"]) as tollway:\n    answer = tollway.run("${id}", ${pythonOf(input)}${ceiling === undefined ? '' : `, max_cost_cents=${ceiling}`})\n    print(answer.data)`)}

### Command

${codeBlock('sh', `npx tollway run ${id} --gateway ${baseUrl}${maxCost} \\\n  --body ${quote(JSON.stringify(input))}`)}

### MCP

Connect a client to \`${baseUrl}/mcp\`. This is the call of its tool \`run\`:

${codeBlock('json', JSON.stringify(call, null, 2))}`
}

/** One argument for a POSIX shell. */
const quote = (text: string) => `'${text.replaceAll("'", "'\\''")}'`

/** Writes a value of JSON on one line, as Python does. */
function pythonOf(value: unknown): string {
  if (value === null) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (Array.isArray(value)) return `[${value.map(pythonOf).join(', ')}]`
  if (typeof value !== 'object') return JSON.stringify(value)
  const pairs = Object.entries(value).map(
    ([name, inner]) => `${JSON.stringify(name)}: ${pythonOf(inner)}`,
  )
  return `{${pairs.join(', ')}}`
}
