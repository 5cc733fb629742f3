// The same call from elsewhere. No snippet holds a key.

export interface SnippetCall {
  readonly baseUrl: string
  /** `service/action` */
  readonly action: string
  readonly input: Readonly<Record<string, unknown>>
}

/** The variable of the environment from which snippets take the key. */
export const keyVariable = 'TOLLWAY_KEY'

/** A text as one word of a POSIX shell. */
const quote = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`

export const snippets: readonly { name: string; write: (call: SnippetCall) => string }[] = [
  {
    name: 'curl',
    write: ({ baseUrl, action, input }) =>
      [
        `curl ${quote(`${baseUrl}/api/run/${action}`)}`,
        `-H "authorization: Bearer $${keyVariable}"`,
        `-d ${quote(JSON.stringify(input))}`,
      ].join(' \\\n  '),
  },
  {
    name: 'Client',
    write: ({ baseUrl, action, input }) =>
      `import { createTollway } from '@tollway/client'

const tollway = createTollway({ baseUrl: '${baseUrl}', key: process.env.${keyVariable} })
const { data } = await tollway.run('${action}', ${JSON.stringify(input, null, 2)})`,
  },
  {
    name: 'Command',
    write: ({ action, input }) => `tollway run ${action} --body ${quote(JSON.stringify(input))}`,
  },
  {
    name: 'MCP',
    write: ({ action, input }) =>
      JSON.stringify({ name: 'run', arguments: { action, params: input } }, null, 2),
  },
]
