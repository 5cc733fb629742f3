// Wallets pay a conversation by an MPP session: they deposit once and sign a voucher for each call, and the close takes
// what the calls have cost and returns the rest.
import { Challenge, Credential } from 'mppx'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  type ChannelEscrow,
  channelEscrow,
  dust,
  plantChannelEscrow,
} from '#test/chains/channel-escrow.ts'
import { verify } from '#test/harness.ts'
import { startLlmGateway } from '#test/llm-gateway.ts'
import { createLogCapture } from '#test/log-capture.ts'
import type { Json } from '#test/model-upstream.ts'
import { until } from '#test/until.ts'
import { countRows } from '../books.ts'
import { openTill, type PaidGateway, payments, shareChains } from '../paid-gateway.ts'
import { post } from '../payers.ts'
import {
  channelRow,
  openConversation,
  paidByEscrow,
  requestClose,
  sessionSettings,
} from './session-payers.ts'

/** 100 tokens of prompt and 50 of completion. */
const costMicros = 300n
const path = '/api/llm/v1'
const chatUrl = `${path}/chat/completions`
const chatBody = {
  model: 'lab/one',
  messages: [{ role: 'user', content: 'Hello' }],
  max_tokens: 100,
}
const surfaces = {
  chat: { url: chatUrl, body: chatBody, end: '[DONE]' },
  messages: { url: `${path}/messages`, body: chatBody, end: 'message_stop' },
  responses: {
    url: `${path}/responses`,
    body: { model: 'lab/one', input: 'Hello', max_output_tokens: 100 },
    end: 'response.completed',
  },
} as const

type LlmTill = PaidGateway & Pick<Awaited<ReturnType<typeof startLlmGateway>>, 'upstream'>

describe.skipIf(!payments.ok)(`MPP sessions ${payments.reason}`, () => {
  const chains = shareChains()
  const endings: (() => Promise<void>)[] = []
  let gateway: LlmTill
  let escrow: ChannelEscrow
  beforeAll(async () => {
    if (!payments.ok) return
    const till = await openTill(chains())
    escrow = await plantChannelEscrow(chains().mpp, till.payTo)
    const log = createLogCapture()
    const env = { ...till.env, ...(await sessionSettings(chains())) }
    const started = await startLlmGateway({ log, env }, (work) => endings.unshift(work))
    gateway = { ...started, chains: chains(), till, log, earlier: { x402: 0n, mpp: 0n } }
  })
  beforeEach(() => gateway.upstream.reset())
  afterAll(async () => {
    for (const end of endings) await end()
  })

  async function newPayer() {
    const wallet = await chains().createPayer()
    await escrow.admit(wallet)
    return wallet
  }
  /** A conversation, and the credentials that it sends. */
  async function converse(maxDeposit = '1') {
    const wallet = await newPayer()
    const sent: { authorization: string; body: string }[] = []
    const session = openConversation(chains(), escrow, wallet, {
      maxDeposit,
      fetch(input, init) {
        const authorization = new Headers(init?.headers).get('authorization')
        if (authorization !== null) sent.push({ authorization, body: String(init?.body ?? '') })
        return escrow.fetch(input, init)
      },
    })
    const ask = (body: Json = chatBody, url: string = chatUrl) =>
      session.fetch(gateway.url + url, post(body))
    const row = () => channelRow(gateway.database, session.channelId ?? '')
    return { wallet, session, sent, ask, row }
  }
  const received = () => chains().mpp.balanceOf(gateway.till.payTo)
  const resend = ({ authorization, body }: { authorization: string; body: string }) =>
    fetch(gateway.url + chatUrl, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body,
    })

  test('one deposit covers whole and streamed answers of every surface, and the close takes exactly what they cost', async () => {
    const before = await received()
    const { wallet, session, ask, row } = await converse()
    const transactions = await countRows(gateway, 'payment')
    const transactionsSent = () =>
      gateway.till.node.mpp.seen.filter((name) => name === 'eth_sendRawTransaction').length
    let sentToOpen: number | undefined
    for (const { url, body } of Object.values(surfaces)) {
      const reply = await ask(body, url)
      sentToOpen ??= transactionsSent()
      expect([reply.status, await reply.text()]).toEqual([
        200,
        expect.stringContaining('quick brown fox'),
      ])
      expect(reply.receipt).toMatchObject({ channelId: session.channelId })
    }
    // Only the deposit is on the chain, which may be told of it again until it is mined.
    expect(transactionsSent()).toBe(sentToOpen)
    let calls = 3n
    for (const { url, body, end } of Object.values(surfaces)) {
      let told: string | undefined
      const events = await session.sse(gateway.url + url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ ...body, stream: true }),
        onReceipt: ({ spent }) => {
          told = spent
        },
      })
      let text = ''
      for await (const data of events) text += data
      calls += 1n
      expect(text).toContain(end)
      expect(text).not.toContain('payment-receipt')
      expect(told).toBe(String(calls * costMicros))
    }
    expect(await row()).toMatchObject({ state: 'open', spent: calls * costMicros, held: 0n })
    expect((await countRows(gateway, 'payment')) - transactions).toBe(Number(calls))
    const { deposit } = await row()
    const receipt = await session.close()
    expect(receipt).toMatchObject({ spent: String(calls * costMicros) })
    expect((await received()) - before).toBe(calls * costMicros)
    expect(await paidByEscrow(chains(), wallet.address)).toBe(deposit - calls * costMicros)
    expect(await chains().mpp.balanceOf(channelEscrow)).toBe(dust)
    expect(gateway.upstream.problems).toEqual([])
  })

  test('a failed answer costs nothing, and the same voucher pays for the next try', async () => {
    const { sent, ask, row } = await converse()
    await ask()
    gateway.upstream.behave('one', ({ refuse }) => refuse(500))
    expect((await ask()).status).toBe(500)
    const failed = sent.at(-1)
    expect(await row()).toMatchObject({ spent: costMicros, held: 0n })
    gateway.upstream.reset()
    expect(failed && (await resend(failed)).status).toBe(200)
    expect(await row()).toMatchObject({ spent: 2n * costMicros, held: 0n })
    expect((await ask()).status).toBe(200)
    expect(await row()).toMatchObject({ spent: 3n * costMicros, held: 0n })
  })

  test('a voucher counts once: sent again it gets the same answer, and pays for nothing else', async () => {
    const { session, sent, ask, row } = await converse()
    await (await ask()).text()
    const first = await (await ask()).text()
    const voucher = sent.at(-1)
    if (voucher === undefined) throw new Error('No voucher was sent.')
    const asked = gateway.upstream.asked.length
    const again = await Promise.all([resend(voucher), resend(voucher)])
    expect(await Promise.all(again.map((reply) => reply.text()))).toEqual([first, first])
    const other = await resend({
      ...voucher,
      body: JSON.stringify({ ...chatBody, max_tokens: 99 }),
    })
    expect(other.status).toBe(402)
    expect(gateway.upstream.asked.length).toBe(asked)
    expect(await row()).toMatchObject({ spent: 2n * costMicros, held: 0n })
    await session.close()
    expect((await resend(sent[0] ?? voucher)).status).toBe(200)
  })

  test('a voucher that is forged, short, above the deposit or for another challenge is refused, and nothing runs', async () => {
    const { session, sent, ask, row } = await converse()
    await (await ask()).text()
    await (await ask()).text()
    const voucher = Credential.deserialize<Json>(sent.at(-1)?.authorization ?? '')
    const unpaid = await fetch(gateway.url + chatUrl, post(chatBody))
    const challenge = Challenge.fromResponseList(unpaid).find(({ intent }) => intent === 'session')
    if (challenge === undefined) throw new Error('No session was offered.')
    const asked = gateway.upstream.asked.length
    const present = async (payload: Json, answered: Challenge.Challenge = challenge) => {
      const authorization = Credential.serialize({ challenge: answered, payload } as never)
      const reply = await resend({ authorization, body: JSON.stringify(chatBody) })
      const { error } = (await reply.json()) as Json
      expect([reply.status, error.code]).toEqual([402, 'payment_invalid'])
      expect(reply.headers.get('www-authenticate')).toContain('intent="session"')
      return error.message as string
    }
    const { payload } = voucher
    const more = String(Number(payload.cumulativeAmount) + 1_000)
    expect(await present({ ...payload, cumulativeAmount: more })).toContain('not signed')
    expect(
      await present({
        ...payload,
        descriptor: { ...payload.descriptor, payee: gateway.till.gasWallet.address },
      }),
    ).toContain('not one')
    expect(await present(payload, { ...challenge, id: 'forged' })).toContain('not issued')
    // The first voucher of the session leaves too little once two calls are paid.
    const opening = Credential.deserialize<Json>(sent[0]?.authorization ?? '')
    const { signature, cumulativeAmount } = opening.payload as Json
    const lower = { ...payload, signature, cumulativeAmount }
    const reply = await resend({
      authorization: Credential.serialize({ challenge, payload: lower } as never),
      body: JSON.stringify({ ...chatBody, max_tokens: 98 }),
    })
    expect(reply.status).toBe(402)
    expect(gateway.upstream.asked.length).toBe(asked)
    const { state, held, spent } = await row()
    expect({ state, held, spent }).toEqual({ state: 'open', held: 0n, spent: 2n * costMicros })
    await session.close()
  })

  test('a deposit that runs out is topped up by the client, and the books follow the chain', async () => {
    const { wallet, session, ask, row } = await converse()
    await (await ask()).text()
    const { deposit } = await row()
    await session.topUp('0.25')
    expect((await row()).deposit).toBe(deposit + 250_000n)
    await (await ask()).text()
    await session.close()
    expect(await row()).toMatchObject({ state: 'closed', captured: 2n * costMicros })
    expect(await paidByEscrow(chains(), wallet.address)).toBe(deposit + 250_000n - 2n * costMicros)
  })

  test('a session that its payer leaves is closed by the gateway, and the rest goes back', async () => {
    const { wallet, ask, row } = await converse()
    await (await ask()).text()
    const { id, deposit } = await row()
    await gateway.database.query(
      `update channel set used_at = now() - interval '1 hour', next_check_at = now() where id = $1`,
      [id],
    )
    await until(async () => (await row()).state === 'closed')
    expect(await row()).toMatchObject({ spent: costMicros, captured: costMicros })
    expect(await paidByEscrow(chains(), wallet.address)).toBe(deposit - costMicros)
    // The client does not know that it is closed.
    const late = await ask()
    expect([late.status, ((await late.json()) as Json).error.message]).toEqual([
      402,
      expect.stringContaining('closed'),
    ])
    expect(await row()).toMatchObject({ spent: costMicros, held: 0n })
  })

  test('a payer who asks the escrow for the deposit gets the rest from the gateway, which loses nothing', async () => {
    const { wallet, session, ask, row } = await converse()
    await (await ask()).text()
    const { id, deposit } = await row()
    await requestClose(gateway.database, chains(), wallet, session.channelId ?? '')
    await gateway.database.query('update channel set next_check_at = now() where id = $1', [id])
    await until(async () => (await row()).state === 'closed')
    expect(await row()).toMatchObject({ spent: costMicros, captured: costMicros })
    expect(await paidByEscrow(chains(), wallet.address)).toBe(deposit - costMicros)
  })

  test('a client that pays single calls still pays them one by one, and actions offer no session', async () => {
    const unpaid = await fetch(gateway.url + chatUrl, post(chatBody))
    expect(Challenge.fromResponseList(unpaid).map(({ intent }) => intent)).toEqual([
      'charge',
      'session',
    ])
    const action = await fetch(`${gateway.url}/api/run/test/echo`, post({ text: 'a' }))
    expect(action.headers.get('www-authenticate')).not.toContain('intent="session"')
  })

  test('no session is offered where the chain has no escrow, and the log says so', async () => {
    const log = createLogCapture()
    const empty = { MPP_ESCROW: channelEscrow.replace(/0$/, '1') }
    const env = { ...gateway.till.env, ...(await sessionSettings(chains())), ...empty }
    const { url } = await startLlmGateway({ log, env }, (work) => endings.unshift(work))
    const unpaid = await fetch(url + chatUrl, post(chatBody))
    expect(Challenge.fromResponseList(unpaid).map(({ intent }) => intent)).toEqual(['charge'])
    expect(log.text()).toContain('there is no channel escrow at MPP_ESCROW')
  })

  test('the books equal the chain, to the base unit', async () => {
    await gateway.database.query(
      `update channel set used_at = now() - interval '1 hour', next_check_at = now() where state = 'open'`,
    )
    await until(async () => {
      const [open] = await gateway.database.query<{ count: number }>(
        `select count(*)::integer as count from channel where state <> 'closed'`,
      )
      return open?.count === 0
    })
    expect(await verify(gateway)).toMatchObject({ ok: true, problems: [] })
    const [spent] = await gateway.database.query<{ sum: string }>(
      'select sum(spent)::text as sum from channel',
    )
    expect(await received()).toBe(dust + BigInt(spent?.sum ?? 0))
    expect(await chains().mpp.balanceOf(channelEscrow)).toBe(dust)
  })
})
