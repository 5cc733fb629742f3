// A wallet pays for a tool call over MCP, by the clients of both protocols. A repeated payment is not taken twice.
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { McpClient } from 'mppx/mcp/client'
import { describe, expect, onTestFinished, test } from 'vitest'
import { connectMcp } from '#test/mcp/client.ts'
import { expectBooksRight } from '../../payments/books.ts'
import {
  payments,
  shareChains,
  sharePaidGateway,
  startPaidGateway,
} from '../../payments/paid-gateway.ts'
import { mppMethods, received, x402Payer } from '../../payments/payers.ts'

const call = (text: string) => ({
  name: 'run',
  arguments: { action: 'test/echo', params: { text } },
})

async function connectV1(url: string) {
  const client = new ClientV1({ name: 'tests', version: '1.0.0' })
  // The class has optional members that this compiler setting tells apart from undefined ones.
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', url)) as never)
  onTestFinished(() => client.close())
  return client
}

describe.skipIf(!payments.ok)(`paying over MCP ${payments.reason}`, () => {
  const chains = shareChains()
  const gateway = sharePaidGateway(chains)

  test('x402: the challenge is in the result, the payment in _meta, and repeating it charges once', async () => {
    const client = await connectMcp(gateway().url)
    const before = await received(gateway(), 'x402')
    const challenged = await client.callTool(call('by x402'))
    expect(challenged).toMatchObject({
      isError: true,
      structuredContent: { x402Version: 2, ok: false, error: 'payment_required' },
    })
    const [text] = challenged.content as { text: string }[]
    expect(JSON.parse(text?.text ?? '')).toEqual(challenged.structuredContent)
    const required = challenged.structuredContent as never
    const payment = await x402Payer(chains().wallets.payer).createPaymentPayload(required)
    const pay = () =>
      client.callTool({ ...call('by x402'), _meta: { 'x402/payment': { ...payment } } })
    const [paid, again] = [await pay(), await pay()]
    expect(paid).toMatchObject({
      structuredContent: { ok: true, data: { echo: 'by x402' }, charged_cents: 2 },
      _meta: { 'x402/payment-response': { success: true } },
    })
    expect(again.structuredContent).toEqual(paid.structuredContent)
    expect((await received(gateway(), 'x402')) - before).toBe(20_000n)
    const other = await client.callTool({
      ...call('another call'),
      _meta: { 'x402/payment': { ...payment } },
    })
    expect(other).toMatchObject({
      isError: true,
      structuredContent: { error: 'payment_already_used' },
    })
    await expectBooksRight(gateway())
  })

  test('MPP: its own client pays by the metadata of the result', async () => {
    const before = await received(gateway(), 'mpp')
    const client = McpClient.wrap(await connectV1(gateway().url), {
      methods: mppMethods(chains(), chains().wallets.payer),
    })
    const paid = await client.callTool(call('by MPP'))
    expect(paid).toMatchObject({
      structuredContent: { ok: true, data: { echo: 'by MPP' }, charged_cents: 2 },
      receipt: { status: 'success', method: 'tempo', challengeId: expect.any(String) },
    })
    expect((await received(gateway(), 'mpp')) - before).toBe(20_000n)
    await expectBooksRight(gateway())
  })

  test('MPP: its own client pays by the JSON-RPC error of a gateway that offers nothing else', async () => {
    const only = await startPaidGateway(chains(), { env: { X402_RPC_URL: '', X402_PAY_TO: '' } })
    const plain = await connectV1(only.url)
    await expect(plain.callTool(call('by MPP'))).rejects.toMatchObject({
      code: -32_042,
      data: { httpStatus: 402, challenges: [{ method: 'tempo', intent: 'charge' }] },
    })
    const client = McpClient.wrap(plain, {
      methods: mppMethods(chains(), chains().wallets.payer),
    })
    expect(await client.callTool(call('by MPP'))).toMatchObject({
      structuredContent: { ok: true, charged_cents: 2 },
    })
  })

  test('two payments, or a payment beside an API key, are refused', async () => {
    const account = await gateway().account(10)
    const client = await connectMcp(gateway().url, { key: account.key })
    const answer = await client.callTool({ ...call('both'), _meta: { 'x402/payment': {} } })
    expect(answer).toMatchObject({ isError: true, structuredContent: { error: 'bad_request' } })
    const keyless = await connectMcp(gateway().url)
    const _meta = { 'x402/payment': {}, 'org.paymentauth/credential': {} }
    expect(await keyless.callTool({ ...call('both'), _meta })).toMatchObject({
      isError: true,
      structuredContent: { error: 'bad_request' },
    })
  })
})
