// Uses the configurations that pages show for MCP clients, as the clients use them.
import path from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { expect, onTestFinished } from 'vitest'
import { connectMcp } from '#test/mcp/client.ts'
import type { Reader } from './needs.ts'

const command = path.join(import.meta.dirname, '../../../clients/command/main.ts')

function entryOf(text: string) {
  const { mcpServers, servers = mcpServers } = JSON.parse(text)
  return servers.tollway
}

async function expectAccount(client: Client): Promise<void> {
  const { structuredContent } = await client.callTool({ name: 'account', arguments: {} })
  expect(structuredContent).toMatchObject({ ok: true })
}

export async function connectByAddress(text: string): Promise<void> {
  const { url, headers } = entryOf(text)
  expect(new URL(url).pathname).toBe('/mcp')
  await expectAccount(await connectMcp(new URL(url).origin, { headers }))
}

/** The package of the command is not installed here; its program is. */
export async function connectByProgram(text: string): Promise<void> {
  const { command: program, args, env } = entryOf(text)
  const words = args.filter((word: string) => word !== '-y')
  expect([program, ...words]).toEqual(['npx', '@tollway/command', 'mcp'])
  const client = new Client({ name: 'tests', version: '1.0.0' })
  onTestFinished(() => client.close())
  const relay = { command: process.execPath, args: [command, ...words.slice(1)], env }
  await client.connect(new StdioClientTransport(relay))
  await expectAccount(client)
}

export async function callInBlock(text: string, { gateway, account }: Reader): Promise<void> {
  const client = await connectMcp(gateway.url, { key: account.key })
  expect((await client.callTool(JSON.parse(text))).structuredContent).toMatchObject({ ok: true })
}
