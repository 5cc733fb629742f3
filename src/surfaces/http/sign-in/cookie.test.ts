import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { readCookie, setCookie } from './cookie.ts'

const token = 'a'.repeat(43)

async function cookieAt(baseUrl: string) {
  const server = Fastify()
  server.decorate('siteOf', () => baseUrl)
  server.get('/', (request, reply) => {
    setCookie(reply, { token, expiresAt: new Date(0) })
    return { read: readCookie(request) }
  })
  const { headers } = await server.inject('/')
  const [cookie = ''] = String(headers['set-cookie']).split(';')
  const next = await server.inject({ url: '/', headers: { cookie: `other=1; ${cookie}` } })
  return { header: headers['set-cookie'], read: next.json().read }
}

test('behind TLS the cookie is sent over TLS only, and no other host can set it', async () => {
  expect(await cookieAt('https://gateway.example')).toEqual({
    header: `__Host-tollway=${token}; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT; HttpOnly; SameSite=Lax; Secure`,
    read: token,
  })
})

test('without TLS the cookie has a plain name', async () => {
  expect(await cookieAt('http://127.0.0.1:4020')).toMatchObject({
    header: expect.stringMatching(/^tollway=.*SameSite=Lax$/),
    read: token,
  })
})

test('behind TLS a cookie that another host of the domain can set does not count', async () => {
  const server = Fastify()
  server.decorate('siteOf', () => 'https://gateway.example')
  server.get('/', (request) => ({ read: readCookie(request) ?? null }))
  for (const cookie of [`tollway=${token}`, `tollway=${token}; __Host-other=1`]) {
    const { headers, json } = await server.inject({ url: '/', headers: { cookie } })
    expect([headers['set-cookie'], json().read]).toEqual([undefined, null])
  }
})
