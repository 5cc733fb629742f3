// A client whose id is the address of a document about it.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import type { RequestListener } from 'node:http'
import { createServer, type Server } from 'node:https'
import { tmpdir } from 'node:os'
import path from 'node:path'
import tls from 'node:tls'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { portOf } from '#platform/http/port.ts'
import { createCookieBrowser } from '#test/browsers/cookie-browser.ts'
import { type Gateway, startGateway } from '#test/harness.ts'
import { certificatesMissing, makeCertificate } from '#test/mail/certificate.ts'
import { createOAuthTestClient, openConsent, redirectUri } from '#test/oauth/client.ts'

let gateway: Gateway
let origin: string
let server: Server
let answer: RequestListener
const folder = mkdtempSync(path.join(tmpdir(), 'tollway-documents-'))
const trusted = tls.getCACertificates('default')
const endings: (() => Promise<void>)[] = []

beforeAll(async () => {
  if (certificatesMissing !== undefined) return
  const { cert, key } = makeCertificate(folder, 'localhost')
  tls.setDefaultCACertificates([...trusted, readFileSync(cert, 'utf8')])
  server = createServer({ cert: readFileSync(cert), key: readFileSync(key) }, (request, reply) =>
    answer(request, reply),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const port = portOf(server)
  origin = `https://localhost:${port}`
  gateway = await startGateway({ env: { EGRESS_ALLOW: `localhost:${port}` } }, (end) =>
    endings.unshift(end),
  )
})

afterAll(async () => {
  for (const end of endings) await end()
  server?.closeAllConnections()
  server?.close()
  tls.setDefaultCACertificates(trusted)
  rmSync(folder, { recursive: true })
})

const documentAt = (at: string, changes: object = {}) => ({
  client_id: at,
  client_name: 'Documented app',
  redirect_uris: [redirectUri],
  ...changes,
})

test.skipIf(certificatesMissing)(
  'it connects without registering, and the page shows its host',
  async () => {
    const account = await gateway.account(100)
    const clientId = `${origin}/client.json`
    answer = (_request, reply) => reply.end(JSON.stringify(documentAt(clientId)))
    const client = await createOAuthTestClient(gateway.url)
    const asked = client.authorizeUrl({ client_id: clientId })
    const { browser, page } = await openConsent(gateway.url, account.key, asked)
    expect(page.text).toContain('Documented app')
    expect(page.text).toContain(`<strong><bdi>${new URL(origin).host}</bdi></strong>`)
    const landed = await browser.submit(page, {}, 'allow')
    const code = new URL(landed.url).searchParams.get('code')
    const { body } = await client.exchange(code, { client_id: clientId })
    expect((await gateway.call('test/echo', {}, { key: body.access_token })).status).toBe(200)
    const stolen = await client.refresh(body.refresh_token)
    expect(stolen.body.error).toBe('invalid_grant')
  },
)

test.skipIf(certificatesMissing)(
  'a document that redirects, is too long, or is about another client is refused',
  async () => {
    const clientOf = await createOAuthTestClient(gateway.url)
    const refusals: Record<string, RequestListener> = {
      '/redirect.json': (_request, reply) =>
        reply.writeHead(302, { location: `${origin}/client.json` }).end(),
      '/long.json': (request, reply) =>
        reply.end(JSON.stringify(documentAt(origin + request.url, { note: 'x'.repeat(20_000) }))),
      '/other.json': (_request, reply) =>
        reply.end(JSON.stringify(documentAt(`${origin}/client.json`))),
      '/broken.json': (_request, reply) => reply.end('{'),
    }
    for (const [at, listener] of Object.entries(refusals)) {
      answer = listener
      const url = clientOf.authorizeUrl({ client_id: origin + at })
      const page = await createCookieBrowser(gateway.url).visit(url)
      expect([at, page.status, page.text.includes('method="post"')]).toEqual([at, 400, false])
    }
  },
)
