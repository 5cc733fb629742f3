// As whom a browser asks for a page, and what it waits for.
import type { RequestListener } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Log } from '#core/ports.ts'
import { findChromium } from '#platform/chromium/chromium.ts'
import { systemClock } from '#platform/clock.ts'
import { createEgressGuard } from '#platform/egress/guard.ts'
import { type LoopbackServer, serve } from '#platform/egress/loopback.fixture.ts'
import type { VisitWish } from '../ladder/visit.ts'
import { createRenderers, type Renderers } from './renderers.ts'

const log: Log = { debug() {}, info() {}, warn() {}, error() {} }
const installed = (await findChromium()) !== undefined
let site: LoopbackServer
let renderers: Renderers

const asked: { readonly at: string; readonly host: string; readonly cookie: string | undefined }[] =
  []

const listener: RequestListener = ({ url: at = '', headers }, response) => {
  asked.push({ at, host: headers.host ?? '', cookie: headers.cookie })
  const page = (body: string) =>
    void response.writeHead(200, { 'content-type': 'text/html' }).end(body)
  const { cookie, 'accept-language': language, 'user-agent': agent } = headers
  if (at === '/away')
    response.writeHead(302, { location: `http://www.mill.example:${site.port}/who` }).end()
  else if (at === '/others')
    page(`<p>A page with a script of another host</p><script src="http://cdn.example:${site.port}/x.js"></script>
      <script src="http://www.mill.example:${site.port}/y.js"></script>`)
  else if (at === '/late')
    page(`<p>A page</p><script>setTimeout(() => {
      document.body.insertAdjacentHTML('beforeend', '<p id="late">It came late</p>')
    }, 2500)</script>`)
  else
    page(`<p id="told"></p><p>${JSON.stringify({ cookie, language, agent })}</p><script>
      document.getElementById('told').textContent =
        JSON.stringify({ languages: navigator.languages, width: innerWidth, touch: navigator.maxTouchPoints })
    </script>`)
}

beforeAll(async () => {
  site = await serve(listener)
  const hosts = ['mill.example', 'www.mill.example', 'cdn.example']
  const guard = createEgressGuard({
    allow: [site.host, ...hosts.map((host) => `${host}:${site.port}`)],
    lookup: async () => ['127.0.0.1'],
  })
  renderers = createRenderers({ guard, clock: systemClock, log })
})

afterAll(async () => {
  await renderers.close()
  await site.close()
})

async function render(at: string, visit: VisitWish) {
  asked.length = 0
  const signal = AbortSignal.timeout(60_000)
  const url = `http://mill.example:${site.port}${at}`
  const { html } = await renderers.shell.render(url, { owner: 'one', signal, visit })
  return html.replaceAll('&quot;', '"')
}

describe.skipIf(!installed)('a browser', () => {
  test('asks in the language, as a phone and with the cookies of the caller', async () => {
    const visit = { language: 'de', country: 'CH', isMobile: true, cookies: { session: 'mine' } }
    const html = await render('/who', visit)
    expect(html).toContain('"cookie":"session=mine"')
    expect(html).toMatch(/"language":"de-CH,de;q=0\.9,en;q=0\.8"/)
    expect(html).toMatch(/"agent":"[^"]*Android[^"]*Mobile Safari/)
    expect(html).toMatch(/"languages":\["de-CH","de","en"\],"width":\d{3},"touch":[1-9]/)
  })

  test('asks as a desktop in English without a wish', async () => {
    const html = await render('/who', {})
    expect(html).not.toMatch(/"cookie"|Mobile/)
    expect(html).toMatch(/"language":"en-US,en;q=0\.9"/)
    expect(html).toContain('"width":1366')
  })

  test('sends the cookies of the caller to no other host', async () => {
    const cookies = { session: 'mine' }
    await render('/away', { cookies })
    await render('/others', { cookies })
    const away = asked.filter(({ host }) => !host.startsWith('mill.example'))
    expect(away.map(({ at }) => at).sort()).toEqual(['/x.js', '/y.js'])
    expect(away.map(({ cookie }) => cookie)).toEqual([undefined, undefined])
    await render('/away', { cookies })
    expect(asked.map(({ at, cookie }) => [at, cookie])).toEqual([
      ['/away', 'session=mine'],
      ['/who', undefined],
    ])
  })

  test('waits for an element, or for a time', async () => {
    expect(await render('/late', { waitFor: '#late' })).toContain('It came late')
    expect(await render('/late', { waitFor: 3_000 })).toContain('It came late')
  })

  test('fails when the element does not come', async () => {
    await expect(render('/late', { waitFor: '#never' })).rejects.toMatchObject({
      message: expect.stringContaining('showed no element that fits wait_for'),
    })
  })
})
