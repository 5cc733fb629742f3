// How long answers fit a small context: selected fields, and a file with a link in place of a long text.
import { expect, test } from 'vitest'
import { shareGatewayOfWorker } from '#test/harness.ts'
import { connectMcp } from '#test/mcp/client.ts'

const gateway = shareGatewayOfWorker({ env: { FILES_QUOTA_MB: '1' } })
const run = { action: 'test/document', max_cost_cents: 2 }

test('select keeps the named fields, and the charge is the same', async () => {
  const account = await gateway().account(10)
  const client = await connectMcp(gateway().url, { key: account.key })
  const answer = await client.callTool({
    name: 'run',
    arguments: { action: 'test/echo', params: { text: 'hi' }, select: ['/echo', '/nothing'] },
  })
  expect(answer.structuredContent).toMatchObject({
    data: { echo: 'hi' },
    missing: ['/nothing'],
    charged_cents: 2,
  })
  const refused = await client.callTool({
    name: 'run',
    arguments: { action: 'test/echo', select: ['echo'] },
  })
  expect(refused).toMatchObject({ isError: true, structuredContent: { error: 'bad_request' } })
  expect(await account.state()).toMatchObject({ availableCents: 8, transactions: 1 })
})

test('an answer above 20 kB is a file with its head and tail, stored once for a repeated call', async () => {
  const account = await gateway().account(10)
  const client = await connectMcp(gateway().url, { key: account.key })
  const document = `begin ${'😀'.repeat(6_000)} end`
  const call = () =>
    client.callTool({
      name: 'run',
      arguments: { ...run, params: { document }, idempotency_key: 'long-answer' },
    })
  const [first, again] = [await call(), await call()]
  const whole = JSON.stringify({ echo: document })
  expect(first.structuredContent).toMatchObject({
    ok: true,
    charged_cents: 2,
    stored_as_file: true,
    data: {
      bytes: Buffer.byteLength(whole),
      head: expect.stringMatching(/^\{"echo":"begin /),
      tail: expect.stringMatching(/ end"\}$/),
    },
  })
  const { data } = first.structuredContent as { data: { file_id: string; url: string } }
  expect(first.content[1]).toMatchObject({ type: 'resource_link', uri: data.url })
  expect(await (await fetch(data.url)).text()).toBe(whole)
  expect(again.structuredContent).toMatchObject({ data: { file_id: data.file_id } })
  const listed = await account.call('files/list', {})
  expect(listed.body.data.files).toHaveLength(1)
})

test('an answer that has no room in the quota is sent whole, because it is paid for', async () => {
  const account = await gateway().account(10)
  const client = await connectMcp(gateway().url, { key: account.key })
  const document = 'x'.repeat(600_000)
  const call = () => client.callTool({ name: 'run', arguments: { ...run, params: { document } } })
  expect((await call()).structuredContent).toMatchObject({ stored_as_file: true })
  expect((await call()).structuredContent).toMatchObject({ data: { echo: document } })
})
