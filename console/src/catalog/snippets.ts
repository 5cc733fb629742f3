// The same call from elsewhere. No snippet holds a key.

export interface SnippetCall {
  readonly baseUrl: string
  /** `service/action` */
  readonly action: string
  readonly input: Readonly<Record<string, unknown>>
  readonly maxCostCents: number | undefined
}

/** A text as one word of a POSIX shell. */
const quote = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`

export const snippets: readonly { name: string; write: (call: SnippetCall) => string }[] = [
  {
    name: 'curl',
    write: ({ baseUrl, action, input, maxCostCents }) => {
      const body = maxCostCents === undefined ? input : { ...input, max_cost_cents: maxCostCents }
      return [
        `curl ${quote(`${baseUrl}/api/run/${action}`)}`,
        '-H "authorization: Bearer $TOLLWAY_KEY"',
        `-d ${quote(JSON.stringify(body))}`,
      ].join(' \\\n  ')
    },
  },
  {
    name: 'Client',
    write: ({ baseUrl, action, input, maxCostCents }) =>
      `import { createTollway } from '@tollway/client'

const tollway = createTollway({ baseUrl: '${baseUrl}', key: process.env.TOLLWAY_KEY })
const { data } = await tollway.run('${action}', ${JSON.stringify(input, null, 2)}${
        maxCostCents === undefined ? '' : `, { maxCostCents: ${maxCostCents} }`
      })`,
  },
  {
    name: 'Command',
    write: ({ action, input, maxCostCents }) =>
      `tollway run ${action} --body ${quote(JSON.stringify(input))}${
        maxCostCents === undefined ? '' : ` --max-cost ${maxCostCents}`
      }`,
  },
  {
    name: 'MCP',
    write: ({ action, input, maxCostCents }) => {
      const call = { action, params: input }
      const capped = maxCostCents === undefined ? call : { ...call, max_cost_cents: maxCostCents }
      return JSON.stringify({ name: 'run', arguments: capped }, null, 2)
    },
  },
]
