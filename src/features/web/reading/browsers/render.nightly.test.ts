import { createSocket } from 'node:dgram'
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import type { RequestListener } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { anonymous } from '#core/caller.ts'
import type { Log } from '#core/ports.ts'
import { findChromium, findWholeChromium } from '#platform/chromium/chromium.ts'
import { systemClock } from '#platform/clock.ts'
import { createEgressGuard } from '#platform/egress/guard.ts'
import { type LoopbackServer, serve } from '#platform/egress/loopback.fixture.ts'
import { createProxiedDial } from '#platform/egress/operator-proxies.ts'
import { serveProxy } from '#platform/egress/operator-proxy.fixture.ts'
import { pageBytesMax } from '../ladder/fetch.ts'
import { createReading } from '../reading.ts'
import { hostilePage } from './hostile-page.fixture.ts'
import type { Renderer } from './render.ts'
import { createRenderers, type RenderersOptions } from './renderers.ts'

const log: Log = { debug() {}, info() {}, warn() {}, error() {} }
const installed = (await findChromium()) !== undefined
const kinds: readonly Kind[] = (await findWholeChromium())
  ? ['shell', 'whole', 'stealth']
  : ['shell']
if (!installed)
  process.stderr.write('Chromium is not installed: the tests of rung 2 are skipped.\n')

const sentence = 'The river ran past the old mill and the miller counted his sacks of flour.'
let site: LoopbackServer
let internal: LoopbackServer
let renderer: Renderer
const others: Renderer[] = []

const listener: RequestListener = (incoming, response) => {
  const { pathname, search } = new URL(incoming.url ?? '', 'http://x')
  const page = (body: string, status = 200) =>
    void response.writeHead(status, { 'content-type': 'text/html' }).end(body)
  const answers: Record<string, () => void> = {
    '/app': () =>
      page(`<title>App</title><div id="root"></div><script>
        setTimeout(() => { document.getElementById('root').innerHTML = '<h1>From a script</h1>' + '<p>${sentence}</p>'.repeat(10) }, 300)
      </script>`),
    '/loading': () =>
      page(`<title>L</title><h1>Shop</h1><p id="x">Loading the teapots</p><script>
        fetch('/teapots').then((reply) => reply.text()).then((text) => { document.getElementById('x').textContent = text })
        fetch('/never')</script>`),
    '/teapots': () => void setTimeout(() => response.end('Nine teapots of stoneware'), 1_500),
    '/never': () => {},
    '/components': () =>
      page(`<title>C</title><x-card></x-card><script>
        customElements.define('x-card', class extends HTMLElement {
          connectedCallback() { this.attachShadow({ mode: 'open' }).innerHTML = '<p>${sentence}</p>' }
        })</script>`),
    '/lies': () =>
      page(`<title>Lies</title><p>${sentence}</p><x-card></x-card><script>
        document.querySelector('x-card').attachShadow({ mode: 'open' }).innerHTML = '<p>In the shadow</p>'
        Element.prototype.getHTML = () => '<p>A lie</p>'
        Object.defineProperty(Element.prototype, 'outerHTML', { get: () => '<p>A lie</p>' })</script>`),
    '/long': () =>
      page(`<p>${sentence}</p><script>document.body.append('x'.repeat(${pageBytesMax}))</script>`),
    '/long-shadow': () =>
      page(`<p>${sentence}</p><x-card></x-card><script>
        document.querySelector('x-card').attachShadow({ mode: 'open' }).append('x'.repeat(${pageBytesMax}))</script>`),
    '/plain': () => page(`<title>Plain</title><p>${sentence}</p>`),
    '/missing': () => page(`<title>Gone</title><p>${sentence}</p>`, 404),
    '/moves-on': () => page('<script>location.replace("/plain")</script>'),
    '/frames': () =>
      page(`<p>${sentence}</p><script>
        setInterval(() => { for (let i = 0; i < 20; i += 1) document.body.append(document.createElement('iframe')) }, 5)
      </script>`),
    '/hangs': () => page(`<p>${sentence}</p><script>for (;;);</script>`),
    '/held': () => void held.push(() => page(`<p>${sentence}</p>`)),
    '/late': () => void setTimeout(() => page(`<p>${sentence}</p>`), 400),
    '/report': () =>
      void response.writeHead(200, { 'content-type': 'application/pdf' }).end('%PDF-1.7'),
    '/to': () =>
      void response.writeHead(302, { location: decodeURIComponent(search.slice(1)) }).end(),
    '/hostile': () =>
      page(
        hostilePage({ origin: internal.origin, port: internal.port, home: site.origin, udpPort }),
      ),
    '/refresh': () =>
      page(
        `<meta http-equiv="refresh" content="0; url=${internal.origin}/refresh"><p>${sentence}</p>`,
      ),
    '/leaves': () =>
      page(`<script>location = '${internal.origin}/leaves'</script><p>${sentence}</p>`),
    '/to-file': () =>
      page(
        `<p>${sentence}</p><a href="file:///etc/passwd">x</a><script>document.querySelector('a').click(); location = 'file:///etc/passwd'</script>`,
      ),
    '/shared-worker.js': () =>
      void response
        .writeHead(200, { 'content-type': 'text/javascript' })
        .end(`fetch('${internal.origin}/shared-worker-file', { mode: 'no-cors' })`),
    '/service-worker.js': () =>
      void response
        .writeHead(200, { 'content-type': 'text/javascript' })
        .end(`fetch('${internal.origin}/service-worker', { mode: 'no-cors' })`),
    '/signs': () =>
      page(`<p>${sentence}</p><p id="x"></p><script>
        const worker = new Worker(URL.createObjectURL(new Blob(['postMessage(navigator.userAgent)'])))
        worker.onmessage = ({ data }) => { document.getElementById('x').textContent = 'webdriver:' + navigator.webdriver +
          ' chrome:' + typeof window.chrome + ' plugins:' + navigator.plugins.length + ' agent:' + navigator.userAgent + ' worker:' + data }
        </script>`),
    '/challenge': () =>
      page(
        `<title>Just a moment...</title><p>Checking</p><script>setTimeout(() => location.replace('/plain'), 2500)</script>`,
      ),
    '/seen': () =>
      page(
        `<p>${sentence}</p><p>${JSON.stringify(incoming.headers)}</p><p id="x"></p><script>document.getElementById('x').textContent = navigator.userAgent + ' webrtc:' + typeof RTCPeerConnection</script>`,
      ),
  }
  if (answers[pathname]) answers[pathname]()
  else response.writeHead(404).end()
}

/** Answers that wait. */
const held: (() => void)[] = []
let udpPort = 0
const datagrams: string[] = []
const udp = createSocket('udp4', (message, from) =>
  datagrams.push(`${from.port}: ${message.length} bytes`),
)

beforeAll(async () => {
  udpPort = await new Promise((resolve) =>
    udp.bind(0, '127.0.0.1', () => resolve(udp.address().port)),
  )
  internal = await serve((_incoming, response) => {
    response
      .writeHead(200, { 'content-type': 'text/html', 'access-control-allow-origin': '*' })
      .end('<p>internal secret</p>')
  }, '::')
  site = await serve(listener)
  renderer = create({})
})

afterEach(async () => {
  await Promise.all(others.splice(0).map((other) => other.close()))
})

afterAll(async () => {
  await renderer?.close()
  await Promise.all([site?.close(), internal?.close()])
  udp.close()
})

type Kind = 'shell' | 'whole' | 'stealth'

function create(options: Partial<RenderersOptions> & { allow?: string[]; kind?: Kind }): Renderer {
  const { allow = [site.host], kind = 'shell', ...rest } = options
  const guard = createEgressGuard({ allow, lookup: async () => ['127.0.0.1'] })
  const { close, ...renderers } = createRenderers({ guard, log, clock: systemClock, ...rest })
  return { ...renderers[kind], close }
}

function createOther(options: Parameters<typeof create>[0]): Renderer {
  const other = create(options)
  others.push(other)
  return other
}

const render = (path: string, from = renderer, owner = 'one') =>
  from.render(path.startsWith('/') ? site.origin + path : path, {
    owner,
    signal: AbortSignal.timeout(20_000),
  })

/** The browsers that this process started: leaders of their own process groups. */
function browserPids(): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        const [, name = '', state, parent] =
          /^\d+ \((.*)\) (\S) (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? []
        return Number(parent) === process.pid && state !== 'Z' && /chrom/i.test(name)
      } catch {
        return false
      }
    })
    .map(Number)
}

describe.skipIf(!installed)('a browser', () => {
  test('shows what scripts wrote', async () => {
    const page = await render('/app')
    expect(page).toMatchObject({ status: 200, finalUrl: `${site.origin}/app` })
    expect(page.html).toContain('<h1>From a script</h1>')
  })

  test('waits for what the page is loading, though not for ever', async () => {
    expect((await render('/loading')).html).toContain('Nine teapots')
  })

  test('shows what components keep in their shadow', async () => {
    expect((await render('/components')).html).toContain(sentence)
  })

  test.each(kinds)('%s asks nothing of a page that could lie about itself', async (kind) => {
    const { html } = await render('/lies', createOther({ kind }))
    expect(html).toContain(sentence)
    expect(html).toContain('In the shadow')
  })

  test('a page that opens frames without end is given up', async () => {
    const refused = { reason: 'too_large', message: expect.stringContaining('200 frames') }
    await expect(render('/frames')).rejects.toMatchObject(refused)
    expect((await render('/plain')).html).toContain(sentence)
  })

  test.each(['/long', '/long-shadow'])('of %s the beginning is taken', async (path) => {
    const page = await render(path)
    expect(page).toMatchObject({ isCut: true })
    expect(page.html).toHaveLength(pageBytesMax)
  })

  test('keeps the status, and follows the page where it goes', async () => {
    expect(await render('/missing')).toMatchObject({ status: 404 })
    expect(await render('/moves-on')).toMatchObject({
      status: 200,
      finalUrl: `${site.origin}/plain`,
    })
    expect(await render(`/to?${encodeURIComponent(`${site.origin}/plain`)}`)).toMatchObject({
      finalUrl: `${site.origin}/plain`,
    })
  })

  test('looks like a browser of people, and has no WebRTC', async () => {
    const { html } = await render('/seen')
    expect(html).not.toContain('Headless')
    expect(html).toContain('webrtc:undefined')
    expect(html).not.toContain('proxy-authorization')
  })

  test('finds out that a page is a document', async () => {
    await expect(render('/report')).rejects.toMatchObject({ code: 'onescrape_document' })
  })

  test('reads through the ladder what no plain request can', async () => {
    const guard = createEgressGuard({ allow: [site.host] })
    const reading = createReading({
      guard,
      renderers: createRenderers({ guard, log, clock: systemClock }),
      clock: systemClock,
      log,
      ownNamespace: 'tollway',
      userAgent: 'Tollway',
    })
    const [onescrape] = reading.actions
    const input = onescrape?.input.parse({ urls: [`${site.origin}/app`, `${site.origin}/plain`] })
    const run = onescrape?.run as (context: object) => Promise<unknown>
    const output = await run({
      input,
      caller: anonymous,
      signal: AbortSignal.timeout(25_000),
      record() {},
      available: () => false,
    })
    await reading.close()
    expect(output).toMatchObject({
      read_count: 2,
      rows: [
        {
          provider: 'chromium',
          title: 'From a script',
          content: expect.stringContaining(sentence),
        },
        { provider: 'fetch', title: 'Plain' },
      ],
    })
  })

  test.skipIf(kinds.length === 1)(
    'of the stealthy kind cannot be told from a person’s by the usual signs, nor from a worker',
    async () => {
      const { html } = await render('/signs', createOther({ kind: 'stealth' }))
      expect(html).toContain('webdriver:false')
      expect(html).toContain('chrome:object')
      expect(html).toContain('plugins:5')
      expect(html).toMatch(/worker:[^<]*Chrome\/\d+/)
      expect(html).not.toContain('Headless')
    },
  )

  test.skipIf(kinds.length === 1)(
    'of the stealthy kind waits for a challenge that lets it in after a while',
    async () => {
      const { html } = await render('/challenge', createOther({ kind: 'stealth' }))
      expect(html).toContain(sentence)
    },
  )

  test.skipIf(kinds.length === 1)(
    'of the stealthy kind goes out through the proxies of the operator',
    async () => {
      const proxy = await serveProxy()
      const guard = createEgressGuard({ allow: [site.host] })
      const proxies = [proxy.proxy]
      const stealthDial = createProxiedDial({ guard, proxies, clock: systemClock })
      const other = createOther({ kind: 'stealth', stealthDial })
      expect((await render('/plain', other)).html).toContain(sentence)
      expect(proxy.asked).toContain(site.host)
      await proxy.close()
    },
  )

  test('leaves nothing in the temporary folder when it ends', async () => {
    // A folder of its own, because other processes of the machine start browsers too.
    const folder = mkdtempSync(path.join(tmpdir(), 'tollway-render-test-'))
    chmodSync(folder, 0o1777)
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    vi.stubEnv('TMPDIR', folder)
    onTestFinished(() => void vi.unstubAllEnvs())
    const other = createOther({})
    await render('/plain', other)
    expect(readdirSync(folder)).toContainEqual(expect.stringContaining(`-${process.pid}-`))
    await other.close()
    expect(readdirSync(folder)).toEqual([])
  })

  test('does not run as root, and runs in its sandbox', async () => {
    await render('/plain')
    const [pid] = browserPids()
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    const commandLine = readFileSync(`/proc/${pid}/cmdline`, 'utf8')
    expect(/^Uid:\s+(\d+)/m.exec(status)?.[1]).not.toBe('0')
    expect(/^CapEff:\s+(\w+)/m.exec(status)?.[1]).toBe('0000000000000000')
    expect(commandLine).not.toContain('--no-sandbox')
    const variables = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0')
    const names = variables
      .map((variable) => variable.split('=', 1)[0])
      .filter((name) => name !== '')
    expect(names.sort()).toEqual([
      'HOME',
      'LANG',
      'PATH',
      'PWD',
      'SHLVL',
      'XDG_CACHE_HOME',
      'XDG_CONFIG_HOME',
    ])
  })

  test('that dies takes no page with it', async () => {
    const pages = [render('/late'), render('/late'), render('/plain')]
    await expect.poll(() => site.hits.filter((hit) => hit === 'GET /late').length).toBe(2)
    for (const pid of browserPids()) process.kill(-pid, 'SIGKILL')
    const rendered = await Promise.all(pages)
    expect(rendered.map(({ html }) => html.includes(sentence))).toEqual([true, true, true])
  })

  test('is replaced after its number of pages, and ends when the renderer closes', async () => {
    const before = browserPids()
    const other = createOther({ pagesPerBrowserMax: 2 })
    const seen = new Set<number>()
    for (let count = 0; count < 3; count += 1) {
      await render('/plain', other)
      for (const pid of browserPids()) if (!before.includes(pid)) seen.add(pid)
    }
    expect(seen.size).toBe(2)
    await other.close()
    expect(browserPids().sort()).toEqual(before.sort())
    await expect(render('/plain', other)).rejects.toThrow()
  })

  test('with a page that hangs keeps reading other pages', async () => {
    const other = createOther({ renderTimeoutMs: 3_000, tabsMax: 2 })
    await other.availability()
    const [hung, plain] = await Promise.allSettled([
      render('/hangs', other),
      render('/plain', other),
    ])
    expect(hung).toMatchObject({ status: 'rejected', reason: { reason: 'timeout' } })
    expect(plain).toMatchObject({ status: 'fulfilled' })
    expect((await render('/plain', other)).html).toContain(sentence)
  })

  test('has a tab for another account, however many pages one asks for', async () => {
    const other = createOther({ tabsMax: 3 })
    let ended = 0
    const pages = Array.from({ length: 4 }, () =>
      render('/held', other).finally(() => {
        ended += 1
      }),
    )
    await expect.poll(() => held.length).toBe(2)
    expect((await render('/plain', other, 'another')).html).toContain(sentence)
    expect([held.length, ended]).toEqual([2, 0])
    for (let answered = 0; answered < 4; answered += 1) {
      await expect.poll(() => held.length).toBeGreaterThan(answered)
      held[answered]?.()
    }
    await Promise.all(pages)
  })

  test('stops for a caller who is gone', async () => {
    const controller = new AbortController()
    const pending = renderer.render(`${site.origin}/app`, {
      owner: 'one',
      signal: controller.signal,
    })
    controller.abort(new Error('gone'))
    await expect(pending).rejects.toThrow('gone')
  })
})

describe.skipIf(!installed)('egress of a browser', () => {
  test.each(kinds)(
    'a hostile page in the %s renderer reaches no server of this machine',
    async (kind) => {
      const { html } = await render('/hostile', createOther({ kind }))
      expect(html).toContain('tick 15')
      expect(html).not.toContain('internal secret')
      expect(internal.hits).toEqual([])
      expect(datagrams).toEqual([])
    },
  )

  test('the same page would reach it in many ways, were it allowed', async () => {
    const open = createOther({ allow: ['0.0.0.0/0', '::/0', 'localhost', 'internal.example'] })
    await render('/hostile', open)
    const paths = new Set(internal.hits.splice(0).map((hit) => hit.split(' ')[1]))
    expect([...paths]).toEqual(
      expect.arrayContaining([
        '/script',
        '/iframe',
        '/fetch',
        '/xhr',
        '/beacon',
        '/websocket',
        '/worker',
        '/form',
        '/import',
        '/host-localhost',
        '/host-internal.example',
        '/fetch-redirected',
        '/iframe-redirected',
      ]),
    )
    expect(paths.size).toBeGreaterThan(25)
  })

  test.each(['/refresh', '/leaves', '/to-file'])('%s leads nowhere', async (path) => {
    const page = await render(path).catch((thrown: Error) => ({ html: thrown.message }))
    expect(page.html).not.toMatch(/internal secret|root:/)
    expect(internal.hits).toEqual([])
  })

  test('a redirect to an internal server leads nowhere', async () => {
    const target = `/to?${encodeURIComponent(`${internal.origin}/x`)}`
    const page = await render(target).catch((thrown: Error) => ({ html: thrown.message }))
    expect(page.html).not.toContain('internal secret')
    expect(internal.hits).toEqual([])
  })

  test.each([
    'http://169.254.169.254/latest/meta-data/',
    'http://10.0.0.1/',
    'http://[fc00::1]/',
    'http://localhost:PORT/',
    'http://127.0.0.1:PORT/',
    'http://2130706433:PORT/',
    'http://0177.0.0.1:PORT/',
    'http://[::1]:PORT/',
    'http://[::ffff:127.0.0.1]:PORT/',
    'http://rebinding.example:PORT/',
    'file:///etc/passwd',
    'view-source:file:///etc/passwd',
    'chrome://version/',
  ])('%s is not opened', async (address) => {
    const url = address.replace('PORT', String(internal.port))
    const page = await render(url).catch((thrown: Error) => ({ html: thrown.message }))
    expect(page.html).not.toMatch(/internal secret|root:|Chromium\s*<\/title>/)
    expect(internal.hits).toEqual([])
  })
})

test('without Chromium the rung says how to get it', async () => {
  const none = createOther({ chromiumPath: '/nowhere/chromium' })
  expect(await none.availability()).toEqual({
    ok: false,
    reason: 'Chromium is not installed: there is no program at /nowhere/chromium.',
  })
})

test('a program other than Chromium makes the rung unavailable, and is not started again at once', async () => {
  const wrong = createOther({ chromiumPath: '/bin/false' })
  const first = await wrong.availability()
  expect(first).toMatchObject({
    ok: false,
    reason: expect.stringContaining('Chromium did not start'),
  })
  expect(await wrong.availability()).toEqual(first)
})
