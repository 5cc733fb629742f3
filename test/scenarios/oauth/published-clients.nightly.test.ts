// Programs of others that go through OAuth: the official conformance suite, and mcp-remote, by which many MCP clients
// reach servers. A person decides in a real browser.
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Readable } from 'node:stream'
import { type Browser, chromium } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { mcpConformance, mcpRemote } from '#oracles/programs.ts'
import { findChromium } from '#platform/chromium/chromium.ts'
import { findFreePort } from '#test/gateways/free-port.ts'
import { shareGatewayOfWorker } from '#test/harness.ts'
import { registerClient } from '#test/oauth/client.ts'

const chromiumPath = await findChromium()
const gateway = shareGatewayOfWorker()
let browser: Browser

beforeAll(async () => {
  if (chromiumPath !== undefined) browser = await chromium.launch({ executablePath: chromiumPath })
})
afterAll(() => browser?.close())

/** A person opens the address that a program shows, signs in and lets it in. */
async function letIn(address: string, key: string) {
  const context = await browser.newContext()
  onTestFinished(() => context.close())
  const page = await context.newPage()
  await page.goto(address)
  await page.getByLabel('API key').fill(key)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByRole('button', { name: 'Allow', exact: true }).click()
  await page.waitForURL((url) => url.origin !== gateway().url)
}

function startProgram(file: string, words: readonly string[], env: Record<string, string> = {}) {
  const program = spawn(process.execPath, [file, ...words], { env: { ...process.env, ...env } })
  const exited = once(program, 'exit')
  onTestFinished(async () => {
    program.kill('SIGKILL')
    await exited
  })
  return { program, exited, errors: watch(program.stderr), output: watch(program.stdout) }
}

/** Collects what a program writes. */
function watch(stream: Readable) {
  let text = ''
  let more = Promise.withResolvers<void>()
  function tell() {
    more.resolve()
    more = Promise.withResolvers()
  }
  stream.once('end', tell)
  stream.setEncoding('utf8').on('data', (part: string) => {
    text += part
    tell()
  })
  return {
    text: () => text,
    /** Resolves to the first match, also of what is written later. */
    async find(pattern: RegExp): Promise<RegExpExecArray> {
      for (;;) {
        const found = pattern.exec(text)
        if (found !== null) return found
        if (stream.readableEnded) throw new Error(`${pattern} is not in: ${text}`)
        await more.promise
      }
    },
  }
}

function sendTo(program: ChildProcessWithoutNullStreams, message: object) {
  program.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
}

describe.skipIf(chromiumPath === undefined)('a person with a browser lets in', () => {
  test('the conformance suite, whose checks of the authorization server pass', async () => {
    const account = await gateway().account(0)
    const port = await findFreePort()
    const { body: client } = await registerClient(gateway().url, {
      redirect_uris: [`http://127.0.0.1:${port}/callback`],
    })
    const { url } = gateway()
    const { output, exited } = startProgram(mcpConformance, [
      ...['authorization', '--url', url, '--client-id', client.client_id],
      ...['--resource', `${url}/mcp`, '--port', String(port)],
    ])
    const [address] = await output.find(/^http\S+\/oauth\/authorize\?\S+$/m)
    await letIn(address, account.key)
    const [code] = await exited
    expect(output.text()).toMatch(/Total: 3 passed, 0 failed/)
    expect(code).toBe(0)
  })

  test('mcp-remote, which lists the tools and pays for a call', async () => {
    const account = await gateway().account(10)
    const folder = await mkdtemp(path.join(tmpdir(), 'tollway-mcp-remote-'))
    onTestFinished(() => rm(folder, { recursive: true, force: true }))
    const { program, errors, output } = startProgram(
      mcpRemote,
      [`${gateway().url}/mcp?login`, String(await findFreePort())],
      { MCP_REMOTE_CONFIG_DIR: folder, HOME: folder },
    )
    sendTo(program, {
      id: 1,
      method: 'initialize',
      params: {
        protocolVersion: '2025-11-25',
        capabilities: {},
        clientInfo: { name: 'test', version: '1.0.0' },
      },
    })
    const [address] = await errors.find(/http\S+\/oauth\/authorize\?\S+(?=\s)/)
    // It shows the address before it can be answered.
    await errors.find(/Waiting for authorization/)
    await letIn(address, account.key)
    await output.find(/"id":1\b/)
    sendTo(program, { method: 'notifications/initialized' })
    sendTo(program, { id: 2, method: 'tools/list' })
    const [tools] = await output.find(/^.*"id":2\b.*$/m)
    expect(tools).toContain('"discover"')
    sendTo(program, {
      id: 3,
      method: 'tools/call',
      params: { name: 'run', arguments: { action: 'test/echo', params: {}, max_cost_cents: 5 } },
    })
    const [answer] = await output.find(/^.*"id":3\b.*$/m)
    expect(JSON.parse(answer).result.structuredContent).toMatchObject({
      ok: true,
      charged_cents: 2,
    })
    expect((await account.state()).availableCents).toBe(8)
  })
})
