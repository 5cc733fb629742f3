// A wallet pays for a tool call over MCP, by the clients of both protocols. A repeated payment is not taken twice.

import { createSIWxPayload, encodeSIWxHeader } from '@x402/extensions/sign-in-with-x'
import { McpClient } from 'mppx/mcp/client'
import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { UntypedJson } from '#core/replies/untyped-json.ts'
import { Client as ClientV1, StreamableHTTPClientTransport } from '#oracles/mcp-sdk.ts'
import { connectMcp } from '#test/mcp/client.ts'
import { createSessionProvider, createTestMachine } from '#test/sessions/session-gateway.ts'
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

const accountCall = { name: 'account', arguments: {} }

interface SignInOffer {
  readonly 'sign-in-with-x': { readonly info: object; readonly supportedChains: readonly object[] }
}

const dataOf = (answer: object) => (answer as UntypedJson).structuredContent?.data

async function connectV1(url: string) {
  const client = new ClientV1({ name: 'tests', version: '1.0.0' })
  // The class has optional members that this compiler setting tells apart from undefined ones.
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', url)) as never)
  onTestFinished(() => client.close())
  return client
}

describe.skipIf(!payments.ok)(`paying over MCP ${payments.reason}`, () => {
  const chains = shareChains()
  const machine = createTestMachine()
  const gateway = sharePaidGateway(chains, { providers: [createSessionProvider(machine)] })

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

  test('a job of a wallet is waited for by run, and read again by its status_url', async () => {
    const client = McpClient.wrap(await connectV1(gateway().url), {
      methods: mppMethods(chains(), chains().wallets.payer),
    })
    const params = { steps: 2 }
    const begun = await client.callTool({ name: 'run', arguments: { action: 'test/job', params } })
    const { status_url } = dataOf(begun)
    const read = (sent: object) => client.callTool({ name: 'result', arguments: { ...sent } })
    const ended = await read({ status_url, wait_seconds: 50 })
    expect(dataOf(ended)).toMatchObject({ status: 'succeeded', result: { spent_cents: 1.5 } })
    const forged = new URL(status_url)
    forged.pathname = `/api/jobs/${crypto.randomUUID()}`
    expect(await read({ status_url: forged.href })).toMatchObject({
      isError: true,
      structuredContent: { error: 'not_found' },
    })
    const waited = await client.callTool({
      name: 'run',
      arguments: { action: 'test/job', params, wait_seconds: 50 },
    })
    expect(dataOf(waited)).toMatchObject({ status: 'succeeded', charged_cents: 2 })
    await expectBooksRight(gateway())
  })

  test('MPP: a wallet opens a session, uses it, sees it and closes it by proofs of its address', async () => {
    const client = McpClient.wrap(await connectV1(gateway().url), {
      methods: mppMethods(chains(), chains().wallets.payer),
    })
    const use = async (name: string, sent: object) =>
      dataOf(await client.callTool({ name, arguments: { ...sent } }))
    const { session_id } = await use('run', {
      action: 'boxes/create_session',
      params: { max_cost_cents: 20 },
    })
    expect(await use('session', { session_id, command: 'hostname' })).toMatchObject({
      stdout: session_id,
    })
    expect(await use('account', {})).toMatchObject({ open_sessions: [{ session_id }] })
    expect(await use('close', { session_id })).toMatchObject({ session_id, status: 'closed' })
  })

  test('x402: a wallet signs in by the header of its protocol, and each signature counts once', async () => {
    const challenged = await (await connectMcp(gateway().url)).callTool(accountCall)
    const { extensions } = challenged.structuredContent as { extensions: SignInOffer }
    const { info, supportedChains } = extensions['sign-in-with-x']
    const signer = privateKeyToAccount(chains().wallets.payer.privateKey)
    const [chain] = supportedChains
    const payload = await createSIWxPayload(
      { ...info, ...chain } as never,
      signer,
      `${gateway().url}/mcp`,
    )
    const client = await connectMcp(gateway().url, {
      headers: { 'sign-in-with-x': encodeSIWxHeader(payload) },
    })
    expect(dataOf(await client.callTool(accountCall))).toMatchObject({
      account_id: expect.any(String),
      open_sessions: [],
    })
    expect(await client.callTool(accountCall)).toMatchObject({
      isError: true,
      structuredContent: { error: 'payment_already_used' },
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
