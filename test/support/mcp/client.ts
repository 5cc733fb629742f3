// MCP clients of the official SDK, connected to a gateway of the tests.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { onTestFinished } from 'vitest'

export type Revision = '2026-07-28' | '2025-11-25'

export const revisions: readonly Revision[] = ['2026-07-28', '2025-11-25']

export async function connectMcp(
  url: string,
  {
    key,
    revision = '2026-07-28',
    tools = [],
    headers: more = {},
  }: {
    key?: string
    revision?: Revision
    tools?: readonly string[]
    headers?: Readonly<Record<string, string>>
  } = {},
): Promise<Client> {
  const mode = revision === '2025-11-25' ? 'legacy' : { pin: revision }
  const client = new Client({ name: 'tests', version: '1.0.0' }, { versionNegotiation: { mode } })
  const headers = { ...more, ...(key !== undefined && { authorization: `Bearer ${key}` }) }
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`/mcp?tools=${tools.join()}`, url), {
      requestInit: { headers },
    }),
  )
  onTestFinished(() => client.close())
  return client
}
