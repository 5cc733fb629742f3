// What the client of an MPP session learns of its channel, so that it neither deposits twice nor loses what is open.
import { Challenge } from 'mppx'
import { Session } from 'mppx/tempo'
import { describe, expect, test } from 'vitest'
import type { Json } from '#test/model-upstream.ts'
import { countRows } from '../books.ts'
import { payments, shareChains } from '../paid-gateway.ts'
import { post } from '../payers.ts'
import {
  chatBody,
  chatPath,
  converse,
  costMicros,
  createSessionPayer,
  shareSessionGateway,
} from './session-gateway.ts'

describe.skipIf(!payments.ok)(`the memory of MPP sessions ${payments.reason}`, () => {
  const chains = shareChains()
  const gateway = shareSessionGateway(chains)

  const channels = () => countRows(gateway(), 'channel')
  const head = (headers: Record<string, string> = {}, path = chatPath) =>
    fetch(gateway().url + path, { method: 'HEAD', headers })

  test('a client whose first call fails keeps the channel that the call opened, and deposits once', async () => {
    const { session, ask, row } = converse(gateway(), await createSessionPayer(gateway()))
    const before = await channels()
    gateway().upstream.behave('one', ({ refuse }) => refuse(500))
    const failed = await ask()
    expect(failed.status).toBe(500)
    expect(failed.receipt).toMatchObject({ channelId: session.channelId, spent: '0' })
    gateway().upstream.reset()
    expect((await ask()).status).toBe(200)
    expect((await channels()) - before).toBe(1)
    expect(await row()).toMatchObject({ state: 'open', spent: costMicros, held: 0n })
    await session.close()
  })

  test('a client without memory goes on with the channel of its wallet, and closes it', async () => {
    const wallet = await createSessionPayer(gateway())
    const first = converse(gateway(), wallet)
    await (await first.ask()).text()
    await (await first.ask()).text()
    const before = await channels()
    const { session, ask, row } = converse(gateway(), wallet, { bootstrap: true })
    expect((await ask()).status).toBe(200)
    expect(session.channelId).toBe(first.session.channelId)
    expect(await channels()).toBe(before)
    expect(await row()).toMatchObject({ spent: 3n * costMicros, held: 0n })
    expect(await session.close()).toMatchObject({ spent: String(3n * costMicros) })
    expect(await row()).toMatchObject({ state: 'closed', captured: 3n * costMicros })
  })

  test('HEAD asks a wallet who it is, and tells a stranger nothing', async () => {
    const { session, ask } = converse(gateway(), await createSessionPayer(gateway()))
    await (await ask()).text()
    for (const path of [chatPath, '/api/llm/v1/messages', '/api/llm/v1/responses']) {
      const asked = await head({ 'payment-session': session.channelId ?? '' }, path)
      expect(asked.status).toBe(402)
      const [charge, opening] = Challenge.fromResponseList(asked)
      expect(charge).toMatchObject({ intent: 'charge', request: { amount: '0' } })
      expect(opening).toMatchObject({ intent: 'session' })
      expect(asked.headers.get('payment-session-snapshot')).toBeNull()
    }
    const stranger = converse(gateway(), await createSessionPayer(gateway()), { bootstrap: true })
    expect((await stranger.ask()).status).toBe(200)
    expect(stranger.session.channelId).not.toBe(session.channelId)
    await session.close()
    await stranger.session.close()
  })

  test('a challenge for a named channel says what it has, but not the voucher that could pay', async () => {
    const { session, ask, row } = converse(gateway(), await createSessionPayer(gateway()))
    await (await ask()).text()
    const unpaid = await fetch(gateway().url + chatPath, {
      ...post(chatBody),
      headers: {
        'content-type': 'application/json',
        'payment-session': session.channelId ?? '',
      },
    })
    const found = Challenge.fromResponseList(unpaid).find(({ intent }) => intent === 'session')
    const { sessionSnapshot } = ((found?.request ?? {}) as Json).methodDetails
    const { deposit, accepted, spent } = await row()
    expect(sessionSnapshot).toMatchObject({
      channelId: session.channelId,
      deposit: String(deposit),
      acceptedCumulative: String(accepted),
      spent: String(spent),
    })
    expect(sessionSnapshot).not.toHaveProperty('highestVoucher')
    const { request } = found as { request: Json }
    expect(BigInt(sessionSnapshot.requiredCumulative) - accepted).toBe(BigInt(request.amount))
    await session.close()
  })

  test('a payer vouches for more without a call, and the calls after it are held against that', async () => {
    const wallet = await createSessionPayer(gateway())
    const { session, sent, ask, row } = converse(gateway(), wallet)
    await (await ask()).text()
    const { accepted } = await row()
    const posted = await fetch(gateway().url + chatPath, {
      method: 'POST',
      headers: { authorization: sent.at(-1)?.authorization ?? '' },
    })
    expect(posted.status).toBe(200)
    const receipt = Session.Precompile.Protocol.deserializeSessionReceipt(
      posted.headers.get('payment-receipt') ?? '',
    )
    expect(receipt).toMatchObject({
      channelId: session.channelId,
      acceptedCumulative: String(accepted),
      spent: String(costMicros),
    })
    expect(await row()).toMatchObject({ accepted, spent: costMicros, held: 0n })
    await session.close()
    const late = await fetch(gateway().url + chatPath, {
      method: 'POST',
      headers: { authorization: sent[0]?.authorization ?? '' },
    })
    expect(late.status).toBe(402)
  })

  test('a top-up that is sent again counts once, and is answered like the first time', async () => {
    const { session, sent, ask, row } = converse(gateway(), await createSessionPayer(gateway()))
    await (await ask()).text()
    const { deposit } = await row()
    await session.topUp('0.25')
    const again = await fetch(gateway().url + chatPath, {
      method: 'POST',
      headers: { authorization: sent.at(-1)?.authorization ?? '' },
    })
    const { session: told } = (await again.json()) as Json
    expect([again.status, told.deposit_usd]).toEqual([200, '1.250000'])
    expect((await row()).deposit).toBe(deposit + 250_000n)
    await session.close()
  })
})
