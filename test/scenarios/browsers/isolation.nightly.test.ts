// What a rented browser cannot reach. Its renter has all of DevTools, which can pass by any proxy and open any file.
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { type LoopbackServer, serve } from '#platform/egress/loopback.fixture.ts'
import { openPuppeteer } from '#test/browsers/puppeteer.ts'
import { canRent, openPlaywright, rentBrowser, statusOf } from '#test/browsers/rented-browser.ts'
import { shareGateway, startGateway } from '#test/harness.ts'

const openServer = (listenOn: '127.0.0.1' | '::') =>
  serve((_incoming, response) => void response.end('secret'), listenOn)

/** A page of a context that passes by the proxy of the gateway. */
async function openDirectly(connectUrl: string) {
  const browser = await openPuppeteer(connectUrl)
  const context = await browser.createBrowserContext({ proxyServer: 'direct://' })
  return await context.newPage()
}

interface Opener {
  goto(address: string, options: object): Promise<{ status(): number } | null>
  content(): Promise<string>
}

const textOf = (page: Opener, address: string) =>
  page.goto(address, { timeout: 10_000 }).then(
    async (reply) => `${reply?.status()} ${await page.content()}`,
    (error: Error) => error.message,
  )

describe.skipIf(!canRent)('a rented browser', () => {
  let allowed: LoopbackServer
  beforeAll(async () => {
    allowed = await openServer('127.0.0.1')
  })
  afterAll(() => allowed.close())
  const shared = shareGateway(() => ({ env: { EGRESS_ALLOW: allowed.host } }))

  test('reaches what the guard allows, and neither the gateway nor this machine nor private addresses', async () => {
    const everywhere = await openServer('::')
    onTestFinished(everywhere.close)
    const gateway = shared()
    const account = await gateway.account(100)
    const { connectUrl } = await rentBrowser(account)
    const browser = await openPlaywright(connectUrl)
    const proxied = await (await browser.newContext()).newPage()
    expect(await textOf(proxied, allowed.origin)).toContain('secret')
    const direct = await openDirectly(connectUrl)
    const port = new URL(gateway.url).port
    for (const address of [
      `http://127.0.0.1:${port}/healthz`,
      `http://localhost:${port}/healthz`,
      `http://[::1]:${everywhere.port}/`,
      `http://127.0.0.2:${everywhere.port}/`,
      `http://0.0.0.0:${everywhere.port}/`,
      `http://[::ffff:127.0.0.1]:${everywhere.port}/`,
      // The range of link-local addresses, at a place where no machine has its metadata.
      `http://169.254.7.7:${everywhere.port}/`,
      'http://10.0.0.1/',
    ]) {
      expect(await textOf(proxied, address), address).toMatch(/^403 |ERR_/)
      expect(await textOf(direct, address), address).toMatch(/ERR_/)
    }
    expect(await textOf(direct, allowed.origin)).toMatch(/ERR_/)
    expect(everywhere.hits).toEqual([])
  })

  test('sees neither the files nor the processes of this machine', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'tollway-renter-'))
    onTestFinished(() => rm(folder, { recursive: true, force: true }))
    const secret = path.join(folder, 'secret.txt')
    await writeFile(secret, 'of the host', { mode: 0o644 })
    process.env.TOLLWAY_TEST_SECRET = 'hunter2'
    onTestFinished(() => void delete process.env.TOLLWAY_TEST_SECRET)
    const { connectUrl } = await rentBrowser(await shared().account(100))
    const browser = await openPlaywright(connectUrl)
    const context = await browser.newContext()
    const page = await context.newPage()
    for (const file of [secret, '/etc/passwd', '/root', '/home', '/var/lib', process.cwd()])
      expect(await textOf(page, `file://${file}`), file).toMatch(/ERR_FILE_NOT_FOUND/)
    for (const pid of [1, 2, 3])
      expect(await textOf(page, `file:///proc/${pid}/environ`)).not.toContain('hunter2')
    expect(await textOf(page, 'file:///proc/1/cmdline')).not.toContain(tmpdir())

    const devtools = await browser.newBrowserCDPSession()
    await devtools.send('Browser.setDownloadBehavior', {
      behavior: 'allow',
      downloadPath: folder,
      eventsEnabled: true,
    })
    const ended = new Promise<string>((resolve) =>
      devtools.on('Browser.downloadProgress', ({ state }) => {
        if (state !== 'inProgress') resolve(state)
      }),
    )
    // A new page, since a navigation to a file may end later than its answer.
    const empty = await context.newPage()
    await empty.setContent('<a download="planted.txt" href="data:text/plain,x">x</a>')
    await empty.click('a')
    await ended
    expect(await readdir(folder)).toEqual(['secret.txt'])

    await empty.setContent('<input type="file">')
    const session = await empty.context().newCDPSession(empty)
    const { root } = await session.send('DOM.getDocument')
    const { nodeId } = await session.send('DOM.querySelector', {
      nodeId: root.nodeId,
      selector: 'input',
    })
    await session.send('DOM.setFileInputFiles', { nodeId, files: [secret] }).catch(() => {})
    const read = await empty.evaluate(async () => {
      const file = document.querySelector('input')?.files?.[0]
      return await (file?.text() ?? Promise.resolve('')).catch((error) => String(error))
    })
    expect(read).not.toContain('of the host')
  })

  test('shares neither DevTools nor cookies with another, and its sandbox is on', async () => {
    const account = await shared().account(100)
    const [one, other] = [await rentBrowser(account), await rentBrowser(account)]
    const [browser, neighbour] = [
      await openPlaywright(one.connectUrl),
      await openPlaywright(other.connectUrl),
    ]
    const direct = await openDirectly(one.connectUrl)
    const own = await textOf(direct, 'http://127.0.0.1:9222/json/list')
    const marked = await (neighbour.contexts()[0] ?? (await neighbour.newContext())).newPage()
    await marked.setContent('<title>neighbour</title>')
    expect(await textOf(direct, 'http://127.0.0.1:9222/json/list')).not.toContain('neighbour')
    expect(own).toMatch(/^200 |ERR_/)
    const proxied = await (await browser.newContext()).newPage()
    expect(await textOf(proxied, 'http://127.0.0.1:9222/json/list')).toMatch(/^403 |ERR_/)

    const jar = browser.contexts()[0]
    await jar?.addCookies([{ name: 'a', value: 'b', url: 'http://shop.test' }])
    expect(await jar?.cookies('http://shop.test')).toHaveLength(1)
    expect(await neighbour.contexts()[0]?.cookies('http://shop.test')).toEqual([])

    const sandbox = await (browser.contexts()[0] ?? (await browser.newContext())).newPage()
    expect(await textOf(sandbox, 'chrome://sandbox')).toMatch(/adequately sandboxed/)
  })

  test('that uses too much memory is ended, and others go on', async () => {
    const gateway = await startGateway({ env: { BROWSER_MEMORY_MB: '700' } })
    const account = await gateway.account(100)
    const [greedy, modest] = [await rentBrowser(account), await rentBrowser(account)]
    const calm = await openPuppeteer(modest.connectUrl)
    const browser = await openPlaywright(greedy.connectUrl)
    const gone = new Promise<void>((resolve) => browser.once('disconnected', () => resolve()))
    const page = await (await browser.newContext()).newPage()
    page
      .evaluate(() => {
        const kept: Uint8Array[] = []
        const grow = () => {
          kept.push(new Uint8Array(50_000_000).fill(1))
          if (kept.length < 40) setTimeout(grow, 50)
        }
        grow()
      })
      .catch(() => {})
    await gone
    expect(await calm.version()).toContain('Chrome')
    expect(await statusOf(account, greedy.sessionId)).toMatchObject({ alive: true })
  })
})
