// The operator reaches the gateway while others flood it, and by a listener of its own where one is set.
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { createCookieBrowser } from '#test/browsers/cookie-browser.ts'
import { adminToken, shareGateway, startGateway } from '#test/harness.ts'

const health = '/api/v1/admin/health'

const withSecondListener = shareGateway({ env: { ADMIN_PORT: '0' } })

test('a crowd behind the operator’s own address does not lock the operator out', async () => {
  const gateway = await startGateway({ env: { RATE_LIMIT_PER_MINUTE: '60' } })
  const { body: made } = await gateway.request('POST', '/api/v1/admin/sign-in-links', {
    key: adminToken,
    body: {},
  })
  const browser = createCookieBrowser(gateway.url)
  await browser.submit(await browser.visit(made.url), {})
  const signIn = await browser.fetch('GET', '/api/v1/sign-in')
  const { csrf_token: csrf } = await signIn.json()
  const asOperator = () => browser.fetch('GET', health, { headers: { 'x-csrf-token': csrf } })
  expect((await asOperator()).status).toBe(200)

  let crowd = 200
  for (let sent = 0; sent < 100 && crowd !== 429; sent += 1)
    crowd = (await gateway.request('GET', '/api/run')).status
  expect(crowd).toBe(429)
  expect((await gateway.request('GET', health, { key: adminToken })).status).toBe(200)
  expect((await asOperator()).status).toBe(200)
  // Those who guess count for their address.
  expect((await gateway.request('GET', health, { key: 'a wrong token' })).status).toBe(429)
})

test('wrong tokens of the operator are limited by address, and cost the operator nothing', async () => {
  const gateway = await startGateway({ env: { RATE_LIMIT_PER_MINUTE: '50' } })
  const statuses: number[] = []
  for (let guess = 0; guess < 12; guess += 1)
    statuses.push((await gateway.request('GET', health, { key: `wrong ${guess}` })).status)
  expect(statuses).toEqual([...Array(10).fill(401), 429, 429])
  const right = await gateway.request('GET', health, { key: adminToken })
  expect([right.status, right.headers.get('ratelimit-remaining')]).toEqual([200, '49'])
})

test('with a second listener, the operator’s routes are answered there only', async () => {
  const gateway = withSecondListener()
  const operatorUrl = gateway.app.operatorUrl() ?? ''
  const ask = async (url: string, path: string, method = 'GET') => {
    const headers = { authorization: `Bearer ${adminToken}` }
    return (await fetch(url + path, { method, headers })).status
  }
  for (const { url, methods } of gateway.routes().filter(({ operator }) => operator))
    for (const method of methods.filter((name) => name !== 'TRACE'))
      expect([method, url, await ask(gateway.url, url, method)]).toEqual([method, url, 404])
  expect(await ask(operatorUrl, health)).toBe(200)
  expect((await fetch(`${operatorUrl}/healthz`)).status).toBe(200)
  const headers = { authorization: `Bearer ${adminToken}` }
  const made = await fetch(`${operatorUrl}/api/v1/admin/sign-in-links`, { method: 'POST', headers })
  expect((await made.json()).url).toMatch(operatorUrl)
})

test('with a second listener, the operator signs in there only, and PORT names its address', async () => {
  const gateway = withSecondListener()
  const operatorUrl = gateway.app.operatorUrl() ?? ''
  const signIn = (url: string) =>
    fetch(`${url}/api/v1/sign-in`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ secret: adminToken }),
    })
  const refused = await signIn(gateway.url)
  expect([refused.status, refused.headers.get('set-cookie')]).toEqual([403, null])
  expect((await refused.json()).message).toContain(`${operatorUrl}/sign-in`)
  const page = await fetch(`${gateway.url}/sign-in`, {
    method: 'POST',
    body: new URLSearchParams({ secret: adminToken }),
    redirect: 'manual',
  })
  expect([page.status, await page.text()]).toEqual([
    403,
    expect.stringContaining(`${operatorUrl}/sign-in`),
  ])

  const opened = await signIn(operatorUrl)
  expect([opened.status, (await opened.json()).operator]).toEqual([200, true])
  // A browser sends its cookie to all ports of a host.
  const cookie = opened.headers.get('set-cookie')?.split(';')[0] ?? ''
  const read = (url: string) => fetch(`${url}/api/v1/sign-in`, { headers: { cookie } })
  expect((await read(gateway.url)).status).toBe(401)
  const person = await read(operatorUrl)
  const { csrf_token: csrf } = await person.json()
  const asOperator = { headers: { cookie, 'x-csrf-token': csrf } }
  expect((await fetch(operatorUrl + health, asOperator)).status).toBe(200)

  const made = await fetch(`${operatorUrl}/api/v1/admin/accounts`, {
    method: 'POST',
    body: JSON.stringify({ name: 'Ada' }),
    headers: { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' },
  })
  const account = await fetch(`${gateway.url}/api/v1/sign-in`, {
    method: 'POST',
    headers: { cookie, 'content-type': 'application/json' },
    body: JSON.stringify({ secret: (await made.json()).api_key }),
  })
  expect(await account.json()).toMatchObject({
    operator: false,
    account_id: expect.any(String),
  })
})

test('a crowd behind the operator’s own address does not keep the operator from signing in at the second listener', async () => {
  const gateway = await startGateway({ env: { ADMIN_PORT: '0', RATE_LIMIT_PER_MINUTE: '60' } })
  const operatorUrl = gateway.app.operatorUrl() ?? ''
  let crowd = 200
  for (let sent = 0; sent < 100 && crowd !== 429; sent += 1)
    crowd = (await gateway.request('GET', '/api/run')).status
  expect(crowd).toBe(429)
  expect((await fetch(`${operatorUrl}/sign-in`)).status).toBe(200)
  const signIn = await fetch(`${operatorUrl}/api/v1/sign-in`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ secret: adminToken }),
  })
  const { csrf_token: csrf } = await signIn.json()
  const cookie = signIn.headers.get('set-cookie')?.split(';')[0] ?? ''
  const asOperator = { headers: { cookie, 'x-csrf-token': csrf } }
  expect((await fetch(operatorUrl + health, asOperator)).status).toBe(200)
  // Those who guess there are limited as well.
  const statuses: number[] = []
  for (let guess = 0; guess < 20; guess += 1) {
    const headers = { authorization: `Bearer wrong ${guess}` }
    statuses.push((await fetch(operatorUrl + health, { headers })).status)
  }
  expect(statuses.at(-1)).toBe(429)
})

test('with a second listener, a link of the operator is used there only', async () => {
  const gateway = withSecondListener()
  const operatorUrl = gateway.app.operatorUrl() ?? ''
  const headers = { authorization: `Bearer ${adminToken}` }
  const made = await fetch(`${operatorUrl}/api/v1/admin/sign-in-links`, { method: 'POST', headers })
  const link = new URL((await made.json()).url).pathname.split('/').at(-1)
  const open = async (url: string) => {
    const reply = await fetch(`${url}/api/v1/sign-in`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ link }),
    })
    return { status: reply.status, body: await reply.json() }
  }
  const page = await fetch(`${gateway.url}/sign-in/${link}`, { method: 'POST' })
  expect([page.status, await page.text()]).toEqual([403, expect.stringContaining(operatorUrl)])
  expect(await open(gateway.url)).toMatchObject({
    status: 403,
    body: { message: expect.stringContaining(operatorUrl) },
  })
  expect(await open(operatorUrl)).toMatchObject({ status: 200, body: { operator: true } })
})

test('behind TLS, the second listener keeps the operator signed in over plain http', async () => {
  const env = { ADMIN_PORT: '0', PUBLIC_BASE_URL: 'https://gateway.example' }
  const gateway = await startGateway({ env })
  const operatorUrl = gateway.app.operatorUrl() ?? ''
  const signIn = await fetch(`${operatorUrl}/api/v1/sign-in`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ secret: adminToken }),
  })
  const cookie = signIn.headers.get('set-cookie') ?? ''
  expect(cookie).toMatch(/^tollway=[^;]+; (?!.*Secure)/)
  const headers = { cookie: cookie.split(';')[0] ?? '' }
  expect((await fetch(`${operatorUrl}/api/v1/sign-in`, { headers })).status).toBe(200)
})

test('a request with an unknown Expect is answered at the second listener as at the first', async () => {
  const gateway = withSecondListener()
  for (const url of [gateway.url, gateway.app.operatorUrl() ?? '']) {
    const { hostname, port } = new URL(url)
    const socket = connect(Number(port), hostname)
    socket.write(
      `GET ${health} HTTP/1.1\r\nhost: gateway\r\nexpect: a-miracle\r\nconnection: close\r\n\r\n`,
    )
    const [head = '', body = ''] = (await text(socket)).split('\r\n\r\n')
    expect(head).toMatch(/^HTTP\/1.1 40[14] /)
    expect(JSON.parse(body)).toMatchObject({ ok: false, error: expect.any(String) })
  }
})

test('the operator reads what the operator’s routes do, and others do not', async () => {
  const gateway = withSecondListener()
  const at = `${gateway.app.operatorUrl()}/api/v1/admin/openapi.json`
  expect((await gateway.request('GET', at)).status).toBe(401)
  const { status, body } = await gateway.request('GET', at, { key: adminToken })
  expect(status).toBe(200)
  const described = Object.keys(body.paths).toSorted()
  const answered = gateway
    .routes()
    .filter(({ operator, url }) => operator && !/admin$|\*$/.test(url))
    .map(({ url }) => url.replaceAll(/:(\w+)/g, '{$1}'))
  expect(described).toEqual(answered.toSorted())
  const unsafe = Object.values<Record<string, { security: unknown }>>(body.paths)
    .flatMap((operations) => Object.values(operations))
    .filter(({ security }) => JSON.stringify(security) !== '[{"adminToken":[]}]')
  expect(unsafe).toEqual([])
})
