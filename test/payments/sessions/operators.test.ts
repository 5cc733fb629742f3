// The deposits of wallets, as the operator sees and closes them.
import { describe, expect, test } from 'vitest'
import { adminToken, verify } from '#test/harness.ts'
import { until } from '#test/until.ts'
import { payments, shareChains } from '../paid-gateway.ts'
import { converse, costMicros, createSessionPayer, shareSessionGateway } from './session-gateway.ts'
import { paidByEscrow } from './session-payers.ts'

const path = '/api/v1/admin/payment-sessions'
const usd = (micros: bigint) => (Number(micros) / 1e6).toFixed(6)

describe.skipIf(!payments.ok)(`operators of MPP sessions ${payments.reason}`, () => {
  const chains = shareChains()
  const gateway = shareSessionGateway(chains)
  const ask = async (method: string, at = path) =>
    await gateway().request(method, at, { key: adminToken })
  const find = async (id: string | undefined, status = 'open') => {
    const { body } = await ask('GET', `${path}?status=${status}`)
    return body.payment_sessions.find(
      (session: { payment_session_id: string }) => session.payment_session_id === id,
    )
  }

  test('the list has what each holds, and closing pays the operator and the wallet to the base unit', async () => {
    const wallet = await createSessionPayer(gateway())
    const { session, ask: chat, row } = converse(gateway(), wallet)
    await (await chat()).text()
    await (await chat()).text()
    const { id, deposit, accepted } = await row()
    const listed = await find(id)
    expect(listed).toMatchObject({
      rail: 'mpp',
      payer: wallet.address.toLowerCase(),
      state: 'open',
      is_closing: false,
      deposit_usd: usd(deposit),
      vouched_usd: usd(accepted),
      charged_usd: usd(2n * costMicros),
      held_usd: usd(0n),
      settled_usd: usd(0n),
      reason: null,
    })
    expect(Date.parse(listed.closes_at) - Date.parse(listed.used_at)).toBe(3_600_000)
    const before = await chains().mpp.balanceOf(gateway().till.payTo)
    const closing = await ask('DELETE', `${path}/${id}`)
    expect([closing.status, closing.body.is_closing]).toEqual([200, true])
    await until(async () => (await row()).state === 'closed')
    expect(await find(id)).toBeUndefined()
    expect(await find(id, 'closed')).toMatchObject({
      state: 'closed',
      settled_usd: usd(2n * costMicros),
      closes_at: null,
    })
    expect((await chains().mpp.balanceOf(gateway().till.payTo)) - before).toBe(2n * costMicros)
    expect(await paidByEscrow(chains(), wallet.address)).toBe(deposit - 2n * costMicros)
    const late = await chat()
    expect(late.status).toBe(402)
    expect(session.channelId).toBe(id)
    const { body } = await ask('GET', '/api/v1/admin/audit?action=payment_session.close&limit=1')
    expect(body.actions).toMatchObject([{ subject: id }])
    expect((await ask('DELETE', `${path}/0x12`)).status).toBe(404)
  })

  test('a call under way ends first, and is charged', async () => {
    const wallet = await createSessionPayer(gateway())
    const { ask: chat, row } = converse(gateway(), wallet)
    await (await chat()).text()
    const { promise: decided, resolve: answer } = Promise.withResolvers<void>()
    gateway().upstream.behave('one', async (exchange) => {
      await decided
      exchange.answer()
    })
    const asked = gateway().upstream.asked.length
    const under = chat()
    await until(async () => gateway().upstream.asked.length > asked)
    const { id } = await row()
    const closing = await ask('DELETE', `${path}/${id}`)
    expect(closing.body).toMatchObject({ state: 'open', is_closing: true })
    expect((await row()).held).toBeGreaterThan(0n)
    answer()
    expect((await under).status).toBe(200)
    await until(async () => (await row()).state === 'closed')
    expect(await row()).toMatchObject({ captured: 2n * costMicros })
  })

  test('a session that cannot be closed says why', async () => {
    const { session, ask: chat, row } = converse(gateway(), await createSessionPayer(gateway()))
    await (await chat()).text()
    const { mpp } = gateway().till.node
    mpp.down()
    await ask('DELETE', `${path}/${session.channelId}`)
    await until(async () => (await find(session.channelId))?.reason !== null)
    mpp.up()
    await until(async () => (await row()).state === 'closed')
    expect(await verify(gateway())).toMatchObject({ ok: true, problems: [] })
  })
})
