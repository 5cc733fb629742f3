// What all answers share: which origins read them, how large ones are sent, and where errors are explained.
import { request as send } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { gunzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { errorTable } from '#core/errors.ts'
import { shareGateway } from '#test/harness.ts'

const shop = 'https://shop.example'
const gateway = shareGateway({ env: { CORS_ORIGINS: `${shop}, http://localhost:5173` } })

describe('CORS_ORIGINS', () => {
  const ask = async (method: string, origin: string) => {
    const { headers } = await gateway().request(method, '/api/run', {
      headers: { origin, 'access-control-request-method': 'GET' },
    })
    expect(headers.get('vary')?.split(', ')).toContain('Origin')
    return headers.get('access-control-allow-origin')
  }

  test('lets the listed origins read answers, and no others', async () => {
    for (const method of ['GET', 'OPTIONS']) {
      expect(await ask(method, shop)).toBe(shop)
      expect(await ask(method, 'http://localhost:5173')).toBe('http://localhost:5173')
      for (const other of ['https://shop.example.evil', 'http://shop.example', 'null'])
        expect([other, await ask(method, other)]).toEqual([other, null])
    }
  })

  test('counts for refusals too', async () => {
    const refused = await gateway().request('GET', '/%E0%A4%A', { headers: { origin: shop } })
    expect(refused.status).toBe(400)
    expect(refused.headers.get('access-control-allow-origin')).toBe(shop)
  })
})

/** The bytes as they are sent, which `fetch` would decode. */
async function receive(path: string, acceptEncoding?: string, method = 'GET') {
  const response = await new Promise<import('node:http').IncomingMessage>((resolve, reject) => {
    const headers = acceptEncoding === undefined ? {} : { 'accept-encoding': acceptEncoding }
    send(new URL(path, gateway().url), { method, headers }, resolve).on('error', reject).end()
  })
  return { headers: response.headers, bytes: await buffer(response) }
}

describe('compression', () => {
  test('large answers are sent by gzip to callers that accept it', async () => {
    for (const path of ['/docs/use', '/docs/use.md', '/api/run', '/api/catalog']) {
      const plain = await receive(path)
      const packed = await receive(path, 'br;q=1, gzip;q=0.5')
      expect([path, packed.headers['content-encoding']]).toEqual([path, 'gzip'])
      expect(gunzipSync(packed.bytes).equals(plain.bytes)).toBe(true)
      expect(packed.bytes.length).toBeLessThan(plain.bytes.length / 2)
      for (const { headers } of [plain, packed])
        expect(headers.vary?.toLowerCase().split(', ')).toContain('accept-encoding')
    }
  })

  test('callers that do not accept it, and small answers, receive plain bytes', async () => {
    for (const accepted of [undefined, 'identity', 'gzip;q=0', 'br']) {
      const { headers } = await receive('/docs/use', accepted)
      expect([accepted, headers['content-encoding']]).toEqual([accepted, undefined])
    }
    const { headers } = await receive('/healthz', 'gzip')
    expect(headers['content-encoding']).toBeUndefined()
  })

  test('HEAD names the length of the bytes that GET sends', async () => {
    for (const accepted of ['identity', 'gzip']) {
      const got = await receive('/docs/use', accepted)
      const head = await receive('/docs/use', accepted, 'HEAD')
      expect(head.bytes.length).toBe(0)
      expect(head.headers['content-length']).toBe(String(got.bytes.length))
    }
  })
})

describe('errors', () => {
  test('name a page that explains their code', async () => {
    for (const at of ['/nothing', '/%E0%A4%A', '/api/v1/account']) {
      const { body } = await gateway().request('GET', at)
      expect(body.docs).toBe(`/docs/errors/${body.error}`)
      const page = await gateway().request('GET', body.docs)
      expect([page.status, page.headers.get('content-type')]).toEqual([
        200,
        'text/html; charset=utf-8',
      ])
      expect(page.body).toContain(`<h1>${body.error}</h1>`)
    }
  })

  test('each code has a page, as a text too', async () => {
    for (const [code, { status, message }] of Object.entries(errorTable)) {
      expect((await gateway().request('GET', `/docs/errors/${code}`)).status).toBe(200)
      const { body } = await gateway().request('GET', `/docs/errors/${code}.md`)
      expect(body).toContain(`# ${code}`)
      expect(body).toContain(String(status))
      expect(body.replaceAll('\\', '')).toContain(message)
    }
    expect((await gateway().request('GET', '/docs/errors/none')).status).toBe(404)
  })
})

test('a name that every object of JavaScript has is not a document', async () => {
  for (const name of ['constructor', 'toString', '__proto__'])
    for (const folder of ['site', 'errors', 'actions', 'api']) {
      const { status, body } = await gateway().request('GET', `/docs/${folder}/${name}`)
      expect([folder, name, status, body.error]).toEqual([folder, name, 404, 'not_found'])
    }
})

test('documents name the address of this gateway', async () => {
  for (const path of ['/docs/use', '/docs/use.md', '/docs/use/mcp', '/docs/use/mcp.md']) {
    const text = await (await fetch(`${gateway().url}${path}`)).text()
    expect([path, text.includes('127.0.0.1:4020')]).toEqual([path, false])
    expect(text).toContain(gateway().url)
  }
})
