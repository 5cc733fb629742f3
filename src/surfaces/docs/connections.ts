// How each client is connected to this gateway: once, for the page at /docs/connect, the console and `tollway connect`.
import { codeBlock } from './markdown.ts'

/** Stands for the caller's API key in each block. */
export const keyPlaceholder = 'YOUR_API_KEY'

/** A file of the client in which its servers are listed. */
export interface ClientFile {
  /** By `process.platform`. `~` is the home folder, and `%APPDATA%` that of Windows. */
  readonly paths: Readonly<Partial<Record<'linux' | 'darwin' | 'win32', string>>>
  readonly format: 'json' | 'toml'
  /** The names under which the entry is stored, from the outermost. */
  readonly at: readonly string[]
  readonly entry: Readonly<Record<string, unknown>>
}

export interface ClientConnection {
  /** As in `tollway connect cursor`. */
  readonly id: string
  readonly title: string
  /** What to do with the block, in a sentence or two. */
  readonly does: string
  readonly language: 'sh' | 'json' | 'toml' | 'ts' | 'python' | 'text'
  readonly text: string
  readonly file?: ClientFile
}

const name = 'tollway'

/** The gateway to connect to. */
export interface ConnectedGateway {
  readonly baseUrl: string
  /** The action that finds actions: `tollway/discover`. */
  readonly discover: string
}

export function describeConnections({
  baseUrl,
  discover,
}: ConnectedGateway): readonly ClientConnection[] {
  const url = `${baseUrl}/mcp`
  const authorization = `Bearer ${keyPlaceholder}`
  const headers = { Authorization: authorization }
  return [
    {
      id: 'claude-code',
      title: 'Claude Code',
      does: 'Run this command once. Without the header, Claude Code asks you to sign in.',
      language: 'sh',
      text: `claude mcp add --scope user --transport http ${name} ${url} \\\n  --header "Authorization: ${authorization}"`,
      file: inMcpServers(everywhere('~/.claude.json'), { type: 'http', url, headers }),
    },
    inFile({
      id: 'claude',
      title: 'Claude (desktop app)',
      does: `Add this to the configuration of the app, and start the app again. In the browser, add ${url} as a custom connector under Settings, Connectors.`,
      file: inMcpServers(
        {
          darwin: '~/Library/Application Support/Claude/claude_desktop_config.json',
          win32: '%APPDATA%\\Claude\\claude_desktop_config.json',
          linux: '~/.config/Claude/claude_desktop_config.json',
        },
        {
          command: 'npx',
          args: ['-y', '@tollway/command', 'mcp'],
          env: { TOLLWAY_URL: baseUrl, TOLLWAY_KEY: keyPlaceholder },
        },
      ),
    }),
    inFile({
      id: 'cursor',
      title: 'Cursor',
      does: 'Add this to ~/.cursor/mcp.json.',
      file: inMcpServers(everywhere('~/.cursor/mcp.json'), { url, headers }),
    }),
    inFile({
      id: 'vs-code',
      title: 'VS Code',
      does: 'Add this with the command “MCP: Open User Configuration”.',
      file: {
        paths: {
          darwin: '~/Library/Application Support/Code/User/mcp.json',
          win32: '%APPDATA%\\Code\\User\\mcp.json',
          linux: '~/.config/Code/User/mcp.json',
        },
        format: 'json',
        at: ['servers', name],
        entry: { type: 'http', url, headers },
      },
    }),
    inFile({
      id: 'codex',
      title: 'Codex',
      does: 'Add this to ~/.codex/config.toml.',
      file: {
        paths: everywhere('~/.codex/config.toml'),
        format: 'toml',
        at: ['mcp_servers', name],
        entry: { url, http_headers: headers },
      },
    }),
    {
      id: 'chatgpt',
      title: 'ChatGPT',
      does: 'Under Settings, Connectors, switch on the developer mode and create a connector with this address. ChatGPT asks you to sign in. The gateway must be on the public internet.',
      language: 'text',
      text: `${url}?login`,
    },
    {
      id: 'langchain',
      title: 'LangChain',
      does: 'The adapter gives the tools of the gateway to an agent.',
      language: 'python',
      text: `from langchain_mcp_adapters.client import MultiServerMCPClient

client = MultiServerMCPClient({
    "${name}": {
        "transport": "streamable_http",
        "url": "${url}",
        "headers": {"Authorization": "${authorization}"},
    }
})
tools = await client.get_tools()`,
    },
    {
      id: 'ai-sdk',
      title: 'AI SDK',
      does: 'The client gives the tools of the gateway to generateText and streamText.',
      language: 'ts',
      text: `import { createMCPClient } from '@ai-sdk/mcp'

const client = await createMCPClient({
  transport: {
    type: 'http',
    url: '${url}',
    headers: { Authorization: '${authorization}' },
  },
})
const tools = await client.tools()`,
    },
    {
      id: 'curl',
      title: 'curl',
      does: 'Finds the action for a question. This call is free.',
      language: 'sh',
      text: `curl ${baseUrl}/api/run/${discover} \\
  -H "authorization: ${authorization}" \\
  -d '{"query":"who raised money last week?"}'`,
    },
    {
      id: 'typescript',
      title: 'TypeScript',
      does: 'The typed client: npm install @tollway/client',
      language: 'ts',
      text: `import { createTollway } from '@tollway/client'

const tollway = createTollway({ baseUrl: '${baseUrl}', key: '${keyPlaceholder}' })
const { data } = await tollway.run('${discover}', { query: 'who raised money last week?' })`,
    },
    {
      id: 'python',
      title: 'Python',
      does: 'The typed client: pip install tollway-client',
      language: 'python',
      text: `from tollway_client import Tollway

with Tollway("${baseUrl}", "${keyPlaceholder}") as tollway:
    answer = tollway.run("${discover}", {"query": "who raised money last week?"})`,
    },
  ]
}

const everywhere = (path: string) => ({ linux: path, darwin: path, win32: path })

const inMcpServers = (paths: ClientFile['paths'], entry: ClientFile['entry']): ClientFile => ({
  paths,
  format: 'json',
  at: ['mcpServers', name],
  entry,
})

/** A client that is connected by its file alone: the block is what the file then contains. */
function inFile(
  connection: Omit<ClientConnection, 'language' | 'text'> & { readonly file: ClientFile },
): ClientConnection {
  const { format, at, entry } = connection.file
  return {
    ...connection,
    language: format,
    text: format === 'json' ? writeJson(at, entry) : writeToml(at, entry),
  }
}

const writeJson = (at: readonly string[], entry: unknown) =>
  JSON.stringify(
    at.toReversed().reduce((inner, key) => ({ [key]: inner }), entry),
    null,
    2,
  )

/** Texts, and tables of texts. TOML quotes them as JSON does. */
function writeToml(at: readonly string[], entry: ClientFile['entry']): string {
  const lines = Object.entries(entry).map(([key, value]) => `${key} = ${tomlValue(value)}`)
  return [`[${at.join('.')}]`, ...lines].join('\n')
}

function tomlValue(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const pairs = Object.entries(value).map(([key, inner]) => `${key} = ${tomlValue(inner)}`)
  return `{ ${pairs.join(', ')} }`
}

/** The page at /docs/connect, as Markdown. */
export function connectPage(gateway: ConnectedGateway): string {
  const { baseUrl } = gateway
  const sections = describeConnections(gateway).map(
    ({ id, title, does, language, text, file }) =>
      `## ${title}\n\n${does}\n\n${codeBlock(language, text)}${
        file === undefined
          ? ''
          : `\n\nOr let the command write it:\n\n${codeBlock('sh', connectCommand(id, baseUrl))}`
      }`,
  )
  return `# Connect

Every client connects to \`${baseUrl}/mcp\`, the server of the Model Context Protocol. Put your API key in the place of
\`${keyPlaceholder}\`. An account with a key is opened like this:

${codeBlock('sh', `curl -X POST ${baseUrl}/api/v1/agents`)}

A client that can sign in needs no key: leave the header out.

${sections.join('\n\n')}
`
}

const connectCommand = (id: string, baseUrl: string) =>
  `npx @tollway/command connect ${id} --gateway ${baseUrl}`
