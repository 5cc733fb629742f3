import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { readCookie, readOthers, setCookie, setOthers } from './cookie.ts'

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

test('the accounts that wait are in a cookie of the same kind, and only whole tokens count', async () => {
  const server = Fastify()
  server.decorate('siteOf', () => 'https://gateway.example')
  server.get('/', (request, reply) => {
    setOthers(reply, [token, token], new Date(0))
    return { read: readOthers(request) }
  })
  const read = async (value: string) =>
    await server.inject({ url: '/', headers: { cookie: `__Host-tollway-others=${value}` } })
  const { headers, json } = await read(`${token}.${token}`)
  expect(json().read).toEqual([token, token])
  expect(headers['set-cookie']).toBe(
    `__Host-tollway-others=${token}.${token}; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT; HttpOnly; SameSite=Lax; Secure`,
  )
  for (const value of ['', 'x', `${token}.x`, Array(5).fill(token).join('.')])
    expect((await read(value)).json().read).toEqual([])
})
