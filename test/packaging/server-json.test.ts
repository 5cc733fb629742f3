// server.json is what a registry of MCP servers requires, and a client that follows it reaches a gateway.
import path from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { shareGatewayOfWorker } from '#test/harness.ts'
import commandJson from '../../clients/command/package.json' with { type: 'json' }
import server from '../../server.json' with { type: 'json' }

const gateway = shareGatewayOfWorker()
const root = path.join(import.meta.dirname, '../..')

const exactVersion = z.string().regex(/^\d+\.\d+\.\d+$/)
/** What the schema of 2025-12-11 and the registry's own checks require of an npm package. */
const required = z.object({
  name: z.string().regex(/^[a-z0-9-]+(\.[a-z0-9-]+)+\/[a-zA-Z0-9._-]+$/),
  title: z.string().min(1).max(100),
  description: z.string().min(1).max(100),
  version: exactVersion,
  packages: z.array(
    z.strictObject({
      registryType: z.literal('npm'),
      identifier: z.literal(commandJson.name),
      version: exactVersion,
      runtimeHint: z.literal('npx'),
      transport: z.strictObject({ type: z.literal('stdio') }),
      packageArguments: z.array(
        z.strictObject({ type: z.literal('positional'), value: z.string() }),
      ),
      environmentVariables: z.array(
        z.strictObject({
          name: z.string(),
          description: z.string(),
          format: z.literal('string'),
          default: z.string().optional(),
          isSecret: z.boolean().optional(),
        }),
      ),
    }),
  ),
})

test('a registry accepts server.json, and finds its name in the package', () => {
  expect(required.parse(server)).toBeDefined()
  expect(server.name).toBe(commandJson.mcpName)
  expect(server.version).toBe(commandJson.version)
})

test('a client that follows server.json lists the tools of a gateway and pays a call', async () => {
  const account = await gateway().account(10)
  const [published] = required.parse(server).packages
  const values: Record<string, string> = { TOLLWAY_URL: gateway().url, TOLLWAY_KEY: account.key }
  const names = published?.environmentVariables.map(({ name }) => name) ?? []
  const client = new Client({ name: 'tests', version: '1.0.0' })
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [
        path.join(root, 'clients/command/main.ts'),
        ...(published?.packageArguments.map(({ value }) => value) ?? []),
      ],
      env: Object.fromEntries(names.map((name) => [name, values[name] ?? ''])),
    }),
  )
  onTestFinished(() => client.close())
  expect((await client.listTools()).tools.map(({ name }) => name)).toContain('run')
  const { structuredContent } = await client.callTool({
    name: 'run',
    arguments: { action: 'test/echo', params: { text: 'a' } },
  })
  expect(structuredContent).toMatchObject({ ok: true, charged_cents: 2 })
})
