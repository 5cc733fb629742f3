// A server of tools over HTTP while it is sold: what it lists, what it answers, and what its callers cancel.
import { createServer, type ServerResponse } from 'node:http'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { portOf } from '#platform/http/port.ts'
import { adminToken, shareGatewayOfWorker, verify } from '#test/harness.ts'
import { connectMcp, revisions } from '#test/mcp/client.ts'
import { previewSale, sell } from '#test/selling/sell.ts'
import { until } from '#test/until.ts'

const gateway = shareGatewayOfWorker({ changes: 'offers' })

interface Message {
  readonly id?: number
  readonly method: string
  readonly params?: { readonly name: string; readonly protocolVersion: string }
}

const tool = (name: string, description = name) => ({
  name,
  description,
  inputSchema: { type: 'object' },
})
const listeners = new Set<ServerResponse>()
let tools: object[] = []
let result: object = {}
let received: unknown
let readings = 0
let waiting = 0
let cancelled = 0
let broken = 0

function resultOf({ method, params }: Message): object {
  if (method === 'initialize')
    return {
      protocolVersion: params?.protocolVersion,
      capabilities: { tools: { listChanged: true } },
      serverInfo: { name: 'changing', version: '1' },
    }
  if (method !== 'tools/list') return result
  readings += 1
  return { tools }
}

function sayChanged(times: number) {
  const text = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' })
  for (const listener of listeners) listener.write(`data: ${text}\n\n`.repeat(times))
}

const server = createServer(async (request, reply) => {
  if (request.method === 'GET') {
    reply.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders()
    listeners.add(reply)
    return
  }
  const message: Message = JSON.parse(Buffer.concat(await request.toArray()).toString() || '{}')
  if (message.method === 'notifications/cancelled') cancelled += 1
  if (message.id === undefined) {
    reply.writeHead(202).end()
    return
  }
  if (message.params?.name === 'break') {
    broken += 1
    reply.destroy()
    return
  }
  if (message.method === 'tools/call') received = message.params
  if (message.params?.name === 'wait') {
    waiting += 1
    return
  }
  reply.writeHead(200, { 'content-type': 'application/json' })
  reply.end(JSON.stringify({ jsonrpc: '2.0', id: message.id, result: resultOf(message) }))
})
beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)))
afterAll(() => {
  server.closeAllConnections()
  server.close()
})
beforeEach(() => {
  listeners.clear()
  result = { content: [{ type: 'text', text: 'done' }] }
})

function saleOf(name: string) {
  const port = portOf(server)
  const address = `http://127.0.0.1:${port}/mcp`
  return { address, name, rules: [{ match: '*', price: 2 }], private: true }
}

async function sellTools(name: string) {
  await sell(gateway(), saleOf(name))
  const account = await gateway().account(100)
  const summaryOf = async (action: string) =>
    (await account.get(`/api/run/${name}/${action}`)).body.summary
  return { account, summaryOf }
}

const soldAs = async (name: string) =>
  (await gateway().request('GET', `/api/v1/admin/sold-apis/${name}`, { key: adminToken })).body

test('of two tools with one name the first is sold, and what changes later is followed', async () => {
  tools = [tool('twice', 'The first.'), tool('twice', 'The second.')]
  const { account, summaryOf } = await sellTools('doubled')
  expect((await account.call('doubled/twice', {})).body).toMatchObject({ charged_cents: 2 })
  const { api } = await soldAs('doubled')
  expect(api.operations.map(({ name }: { name: string }) => name)).toEqual(['twice'])
  expect(api.leftOut).toMatchObject([{ where: 'twice' }])
  await until(async () => listeners.size > 0)
  tools = [tool('twice', 'Another one.'), tool('twice', 'The second.')]
  sayChanged(1)
  await until(async () => (await summaryOf('twice')) === 'Another one.')
  expect(await summaryOf('twice-2')).toBeUndefined()
})

test.each(['llm', 'own_0123456789abcdef'])(
  'nothing is sold as %s, which names something else',
  async (name) => {
    tools = [tool('chat')]
    const { status, body } = await previewSale(gateway(), saleOf(name))
    expect([status, body.message]).toEqual([
      400,
      expect.stringContaining('is a service of this gateway already'),
    ])
  },
)

test('a flood of notices causes few readings, and the last list is what is sold', async () => {
  tools = [tool('flooded', 'Before.')]
  const { account, summaryOf } = await sellTools('flooding')
  await account.call('flooding/flooded', {})
  await until(async () => listeners.size > 0)
  const readBefore = readings
  sayChanged(2_000)
  await until(async () => readings > readBefore)
  tools = [tool('flooded', 'After.')]
  sayChanged(2_000)
  await until(async () => (await summaryOf('flooded')) === 'After.')
  expect(readings - readBefore).toBeLessThan(10)
})

test('a tool with a field __proto__ is left out with the reason', async () => {
  const properties = JSON.parse('{"__proto__":{"type":"string"}}')
  tools = [tool('plain'), { ...tool('own'), inputSchema: { type: 'object', properties } }]
  const { body } = await previewSale(gateway(), saleOf('inheriting'))
  expect(body.actions.map(({ action }: { action: string }) => action)).toEqual(['inheriting/plain'])
  expect(body.left_out).toEqual([
    {
      where: 'own',
      why: 'The tool has a field __proto__, which is lost where the input of a call is checked. Rename it.',
    },
  ])
})

test('a tool that can only be called as a task is left out with the reason', async () => {
  tools = [
    { ...tool('may'), execution: { taskSupport: 'optional' } },
    { ...tool('must'), execution: { taskSupport: 'required' } },
  ]
  const { body } = await previewSale(gateway(), saleOf('tasks'))
  expect(body.actions.map(({ action }: { action: string }) => action)).toEqual(['tasks/may'])
  expect(body.left_out).toMatchObject([
    { where: 'must', why: expect.stringContaining('only be called as a task') },
  ])
})

test('clients that pin a tool read the title and the annotations that its server gives it', async () => {
  const annotations = {
    title: 'Another Title',
    readOnlyHint: true,
    destructiveHint: false,
    idempotentHint: true,
    openWorldHint: false,
    other: 'left out',
  }
  tools = [
    { ...tool('told', 'Echoes what it is sent.'), title: 'Echo <b>Tool</b>', annotations },
    tool('untold'),
  ]
  const { account, summaryOf } = await sellTools('described')
  expect(await summaryOf('told')).toBe('Echoes what it is sent.')
  const client = await connectMcp(gateway().url, {
    key: account.key,
    tools: ['described/told', 'described/untold'],
  })
  const { tools: listed } = await client.listTools()
  const find = (name: string) => listed.find((each) => each.name === `described__${name}`)
  const { other: _other, title: _title, ...hints } = annotations
  expect(find('told')).toMatchObject({ title: 'Echo Tool', annotations: hints })
  expect(find('told')?.annotations).toEqual(hints)
  expect(find('untold')?.annotations).toMatchObject({ readOnlyHint: false, destructiveHint: true })
})

test.each(['__proto__', 'constructor', 'toString'])(
  'values below %s reach the server and the caller as they were sent, and no prototype',
  async (name) => {
    const named = (value: unknown) => JSON.parse(`{"${name}":${JSON.stringify(value)}}`)
    const schema = (value: object) => ({
      type: 'object',
      properties: { within: { type: 'object', properties: named(value), required: [name] } },
    })
    const inputSchema = schema({ type: 'string', minLength: 2 })
    tools = [{ ...tool('own'), inputSchema, outputSchema: schema({ type: 'object' }) }]
    const service = `inherited_${name.replaceAll('_', '').toLowerCase()}`
    const { account } = await sellTools(service)
    const structuredContent = { ...named({ polluted: true }), within: named({ polluted: true }) }
    result = { content: [], structuredContent }
    const sent = { within: named('Ferrari') }
    const { status, body } = await account.call(`${service}/own`, sent)
    expect([status, JSON.stringify(body.data?.structuredContent)]).toEqual([
      200,
      JSON.stringify(structuredContent),
    ])
    expect(JSON.stringify(received)).toContain(`"arguments":${JSON.stringify(sent)}`)
    expect((await account.call(`${service}/own`, { within: {} })).status).toBe(400)
    expect(({} as { polluted?: true }).polluted).toBeUndefined()
    const client = await connectMcp(gateway().url, { key: account.key, tools: [`${service}/own`] })
    received = undefined
    const told = await client.callTool({ name: `${service}__own`, arguments: sent })
    expect(JSON.stringify(received)).toContain(`"arguments":${JSON.stringify(sent)}`)
    expect(JSON.stringify(told.structuredContent)).toContain(
      JSON.stringify({ within: named({ polluted: true }) }).slice(1, -1),
    )
  },
)

test.each([
  ['has no content', {}],
  ['asks for input', { resultType: 'input_required', inputRequests: {} }],
  ['names a task', { task: { taskId: '1', status: 'working' } }],
])('a result that %s fails its call, which is not charged', async (what, sent) => {
  tools = [tool('empty')]
  const { account } = await sellTools(`empty_${what.split(' ')[0]}`)
  result = sent
  const { status, body } = await account.call(`empty_${what.split(' ')[0]}/empty`, {})
  expect([status, body.error]).toEqual([500, 'upstream_error'])
  expect(await account.state()).toMatchObject({ availableCents: 100, heldCents: 0 })
  expect(await verify(gateway())).toMatchObject({ ok: true })
})

test.each(revisions)(
  'a client of revision %s cancels its call, and no call of another client',
  async (revision) => {
    tools = [tool('wait')]
    const name = `waiting_${revision.slice(0, 4)}`
    const { account } = await sellTools(name)
    const connect = () =>
      connectMcp(gateway().url, { key: account.key, revision, tools: [`${name}/wait`] })
    const [one, other] = [await connect(), await connect()]
    ;[waiting, cancelled] = [0, 0]
    const cancelling = new AbortController()
    const call = (client: typeof one, options: object) =>
      client.callTool({ name: `${name}__wait`, arguments: {} }, options)
    const stops = [{ onprogress: () => {} }, {}].map((options) =>
      call(one, { ...options, signal: cancelling.signal }).catch((thrown) => String(thrown)),
    )
    const going = new AbortController()
    const goes = [{ onprogress: () => {} }, {}].map((options) =>
      call(other, { ...options, signal: going.signal }).catch((thrown) => String(thrown)),
    )
    await until(async () => waiting === 4)
    expect((await account.state()).heldCents).toBe(8)
    cancelling.abort(new Error('Not needed.'))
    for (const stopped of await Promise.all(stops)) expect(stopped).toContain('Not needed.')
    await until(async () => (await account.state()).heldCents === 4)
    await until(async () => cancelled === 2)
    going.abort(new Error('Not needed.'))
    await Promise.all(goes)
    await until(async () => (await account.state()).heldCents === 0)
    expect(await account.state()).toMatchObject({ availableCents: 100 })
  },
)

test('calls to a server that breaks off five times are paused, and those that it refuses are not', async () => {
  tools = [tool('break'), tool('refuse')]
  const { account } = await sellTools('breaking')
  result = { isError: true, content: [] }
  for (let times = 0; times < 6; times++) {
    const { body } = await account.call('breaking/refuse', {})
    expect(body.message).toContain('The tool has failed')
  }
  for (let times = 0; times < 5; times++) await account.call('breaking/break', {})
  const { body, headers } = await account.call('breaking/break', {})
  expect(body.message).toContain('calls to it are paused')
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
  expect(broken).toBe(5)
  expect(await account.state()).toMatchObject({ availableCents: 100, heldCents: 0 })
})
