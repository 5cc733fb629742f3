// A person and the client of the official MCP SDK meet on the consent page, in a real browser.
import { createServer } from 'node:http'
import { type Browser, chromium } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import {
  Client,
  type OAuthClientProvider,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '#oracles/mcp-sdk.ts'
import { findChromium } from '#platform/chromium/chromium.ts'
import { portOf } from '#platform/http/port.ts'
import { shareGatewayOfWorker } from '#test/harness.ts'
import { createOAuthTestClient } from '#test/oauth/client.ts'
import { expectAccessible, themes } from '../../console/accessible.ts'

const chromiumPath = await findChromium()
const gateway = shareGatewayOfWorker()
let browser: Browser

beforeAll(async () => {
  if (chromiumPath !== undefined) browser = await chromium.launch({ executablePath: chromiumPath })
})
afterAll(() => browser?.close())

/** A page of a new person, who has no cookies. */
async function openPage(options: Parameters<Browser['newContext']>[0] = {}) {
  const context = await browser.newContext(options)
  onTestFinished(() => context.close())
  return await context.newPage()
}

/** The address on this machine to which a client is sent back. Resolves to its query. */
async function listenForCallback() {
  const arrived = Promise.withResolvers<URLSearchParams>()
  const server = createServer(({ url = '' }, reply) => {
    const { pathname, searchParams } = new URL(url, 'http://localhost')
    if (pathname === '/callback') arrived.resolve(searchParams)
    reply.end('You may close this page.')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const port = portOf(server)
  return { redirectUrl: `http://127.0.0.1:${port}/callback`, arrived: arrived.promise }
}

/** What the SDK asks a program to keep. */
function createMemoryProvider(redirectUrl: string) {
  const kept: { client?: unknown; tokens?: unknown; verifier?: string; asked?: URL } = {}
  const provider: OAuthClientProvider = {
    redirectUrl,
    clientMetadata: { client_name: 'SDK client', redirect_uris: [redirectUrl] },
    clientInformation: () => kept.client as never,
    saveClientInformation: (client) => void Object.assign(kept, { client }),
    tokens: () => kept.tokens as never,
    saveTokens: (tokens) => void Object.assign(kept, { tokens }),
    redirectToAuthorization: (url) => void Object.assign(kept, { asked: url }),
    saveCodeVerifier: (verifier) => void Object.assign(kept, { verifier }),
    codeVerifier: () => kept.verifier ?? '',
  }
  return { provider, kept }
}

describe.skipIf(chromiumPath === undefined)('a person with a browser', () => {
  test('is asked to sign in by the first paid call of a client that knows only /mcp', async () => {
    const { redirectUrl } = await listenForCallback()
    const { provider, kept } = createMemoryProvider(redirectUrl)
    const address = new URL(`${gateway().url}/mcp`)
    const transport = new StreamableHTTPClientTransport(address, { authProvider: provider })
    const client = new Client({ name: 'test', version: '1.0.0' })
    onTestFinished(() => client.close())
    await client.connect(transport as never)
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain('run')
    expect(kept.asked).toBeUndefined()
    const call = client.callTool({ name: 'run', arguments: { action: 'test/echo' } })
    await expect(call).rejects.toBeInstanceOf(UnauthorizedError)
    expect(kept.asked?.pathname).toBe('/oauth/authorize')
    expect(kept.asked?.searchParams.get('resource')).toBe(address.href)
  })

  test('lets the client of the MCP SDK in, which then runs a paid action', async () => {
    const account = await gateway().account(100)
    const { redirectUrl, arrived } = await listenForCallback()
    const { provider, kept } = createMemoryProvider(redirectUrl)
    const address = new URL(`${gateway().url}/mcp?login`)
    const connect = async () => {
      const transport = new StreamableHTTPClientTransport(address, { authProvider: provider })
      const client = new Client({ name: 'test', version: '1.0.0' })
      onTestFinished(() => client.close())
      return { transport, client, connected: client.connect(transport as never) }
    }
    const first = await connect()
    await expect(first.connected).rejects.toBeInstanceOf(UnauthorizedError)

    const page = await openPage()
    await page.goto(String(kept.asked))
    await page.getByLabel('API key').fill(account.key)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('heading', { name: 'SDK client' }).waitFor()
    await page.getByLabel('In a day').fill('0.02')
    await page.getByRole('button', { name: 'Allow', exact: true }).click()
    await page.waitForURL('http://127.0.0.1:*/callback?**')
    await first.transport.finishAuth((await arrived).get('code') ?? '')

    const { client, connected } = await connect()
    await connected
    const call = () =>
      client.callTool({
        name: 'run',
        arguments: { action: 'test/echo', params: {}, max_cost_cents: 5 },
      })
    expect(await call()).toMatchObject({ structuredContent: { ok: true, charged_cents: 2 } })
    expect(await call()).toMatchObject({ isError: true })
    expect((await account.state()).availableCents).toBe(98)
  })

  test('reads the pages on a phone and on a desk, in both themes', async () => {
    const account = await gateway().account(0)
    const client = await createOAuthTestClient(gateway().url)
    for (const colorScheme of themes)
      for (const width of [360, 1440]) {
        const page = await openPage({ colorScheme, viewport: { width, height: 900 } })
        const fitsIn = () =>
          page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)
        await page.goto(client.authorizeUrl())
        await expectAccessible(page, `sign-in at ${width}, ${colorScheme}`)
        expect(await fitsIn()).toBe(true)
        await page.getByLabel('API key').fill(account.key)
        await page.keyboard.press('Enter')
        await page.waitForURL('**/oauth/consent/*')
        await expectAccessible(page, `consent at ${width}, ${colorScheme}`)
        expect(await fitsIn()).toBe(true)
        await page.getByLabel('In a day').fill('much')
        await page.getByRole('button', { name: 'Allow', exact: true }).click()
        await page.getByRole('alert').waitFor()
        await expectAccessible(page, `a mistake at ${width}, ${colorScheme}`)
      }
  })
})
