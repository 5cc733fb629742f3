// kill -9 in an MPP session: while a model answers, in the middle of a stream, and while the close is on its way to the
// chain. No voucher is lost or counted twice, and the payer has paid exactly for the answers.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { channelEscrow, dust, plantChannelEscrow } from '#test/chains/channel-escrow.ts'
import { llmConfig } from '#test/llm-gateway.ts'
import { pieces, silence, startModelUpstream } from '#test/model-upstream.ts'
import { until } from '#test/until.ts'
import { openOuterDatabase, startMortalGateway } from '../../simulation/mortal-gateway.ts'
import { openTill, payments, shareChains } from '../paid-gateway.ts'
import { post } from '../payers.ts'
import { openConversation, paidByEscrow, sessionSettings } from './session-payers.ts'

/** 100 tokens of prompt and 50 of completion. */
const costMicros = 300n
const chatPath = '/api/llm/v1/chat/completions'
const chatBody = {
  model: 'lab/one',
  messages: [{ role: 'user', content: 'Hello' }],
  max_tokens: 100,
}
const forLongMs = 120_000
const broadcast = 'eth_sendRawTransaction'

describe.skipIf(!payments.ok)(`kill -9 in an MPP session ${payments.reason}`, () => {
  const chains = shareChains()

  async function startScene() {
    const upstream = await startModelUpstream(onTestFinished)
    const folder = await mkdtemp(path.join(tmpdir(), 'tollway-llm-'))
    onTestFinished(() => rm(folder, { recursive: true, force: true }))
    const configPath = path.join(folder, 'llm.json')
    await writeFile(configPath, JSON.stringify(llmConfig(upstream.url)))
    const till = await openTill(chains())
    const escrow = await plantChannelEscrow(chains().mpp, till.payTo)
    const outer = await openOuterDatabase()
    const gateway = await startMortalGateway({
      ...till.env,
      ...outer.env,
      ...(await sessionSettings(chains())),
      LLM_CONFIG: configPath,
      LAB_API_KEY: 'upstream-key',
    })
    const wallet = await chains().createPayer()
    await escrow.admit(wallet)
    let last: { authorization: string; body: string } | undefined
    const open = (bootstrap: boolean) =>
      openConversation(chains(), escrow, wallet, {
        bootstrap,
        fetch(input, init) {
          const authorization = new Headers(init?.headers).get('authorization')
          if (authorization !== null) last = { authorization, body: String(init?.body ?? '') }
          return escrow.fetch(input, init)
        },
      })
    const session = open(false)
    return {
      upstream,
      till,
      gateway,
      wallet,
      session,
      /** A client of the same wallet that remembers nothing. */
      forgetful: () => open(true),
      ask: async (body: object = chatBody) =>
        await session.fetch((await gateway.url()) + chatPath, post(body)),
      /** Sends the last credential again until it is answered. */
      async answerToTheLast(): Promise<string> {
        const { authorization, body } = last ?? { authorization: '', body: '' }
        let text = ''
        await until(async () => {
          const reply = await fetch((await gateway.url()) + chatPath, {
            method: 'POST',
            headers: { authorization, 'content-type': 'application/json' },
            body,
          })
          text = await reply.text()
          // A wallet that is challenged would pay again.
          expect([200, 409, 500, 502, 503]).toContain(reply.status)
          return reply.status === 200
        })
        return text
      },
      async channel() {
        const [row] = await outer.database.query<Record<string, string>>(
          'select state, deposit::text, spent::text, held::text, captured::text from channel',
        )
        return row ?? {}
      },
    }
  }

  test.each(['before it is sent', 'after it is sent'])(
    'no voucher is lost or counted twice, and the close that was killed %s takes what was spent',
    { timeout: 600_000 },
    async (when) => {
      const scene = await startScene()
      const { upstream, gateway, session, till } = scene
      const before = await chains().mpp.balanceOf(till.payTo)
      await (await scene.ask()).text()

      // The voucher is stored, and the model has not answered.
      upstream.behave('one', silence)
      const asked = upstream.asked.length
      const lost = scene.ask().catch(() => undefined)
      await until(async () => upstream.asked.length > asked)
      expect(await scene.channel()).toMatchObject({ spent: String(costMicros) })
      await gateway.kill()
      await lost
      upstream.reset()
      await gateway.start()
      const answered = await scene.answerToTheLast()
      expect(answered).toContain('quick brown fox')
      expect(await scene.answerToTheLast()).toBe(answered)
      expect(await scene.channel()).toMatchObject({ spent: String(2n * costMicros), held: '0' })

      // In the middle of a stream.
      upstream.behave('one', (exchange) => pieces(exchange, 3))
      const streamed = await scene.ask({ ...chatBody, stream: true })
      const reading = streamed.text().catch(() => undefined)
      await gateway.kill()
      await reading
      upstream.reset()
      await gateway.start()
      expect(await scene.answerToTheLast()).toContain('[DONE]')
      expect(await scene.channel()).toMatchObject({ spent: String(3n * costMicros), held: '0' })

      // The client does not know of the answers that were sent again. Its next voucher is still enough.
      expect((await scene.ask()).status).toBe(200)

      // While the close moves money.
      const sent = till.node.mpp.seen.filter((method) => method === broadcast).length
      if (when === 'before it is sent') till.node.mpp.delay(broadcast, forLongMs)
      else till.node.mpp.dropReply(broadcast)
      const closing = session.close().catch(() => undefined)
      await until(
        async () => till.node.mpp.seen.filter((method) => method === broadcast).length > sent,
      )
      await gateway.kill()
      await closing
      till.node.mpp.up()
      await gateway.start()
      await until(async () => (await scene.channel()).state === 'closed')
      const spent = 4n * costMicros
      const { captured, deposit } = await scene.channel()
      expect(captured).toBe(String(spent))
      expect((await chains().mpp.balanceOf(till.payTo)) - before).toBe(spent)
      expect(await paidByEscrow(chains(), scene.wallet.address)).toBe(BigInt(deposit ?? 0) - spent)
      expect(await chains().mpp.balanceOf(channelEscrow)).toBe(dust)
      await gateway.expectBooksRight()
    },
  )

  test.each(['before it is sent', 'after it is sent'])(
    'a deposit and a top-up that were killed %s are neither lost nor made twice, and the rest goes back',
    { timeout: 600_000 },
    async (when) => {
      const scene = await startScene()
      const { gateway, till, wallet } = scene
      const before = await chains().mpp.balanceOf(till.payTo)
      const fault = () =>
        when === 'before it is sent'
          ? till.node.mpp.delay(broadcast, forLongMs)
          : till.node.mpp.dropReply(broadcast)
      const broadcasts = () => till.node.mpp.seen.filter((method) => method === broadcast).length
      async function killWhileSending(work: () => Promise<unknown>) {
        const sent = broadcasts()
        fault()
        const lost = work().catch(() => undefined)
        await until(async () => broadcasts() > sent)
        await gateway.kill()
        await lost
        till.node.mpp.up()
        await gateway.start()
      }

      await killWhileSending(() => scene.ask())
      await until(async () => (await scene.channel()).state === 'open')
      const { deposit } = await scene.channel()
      // The client has lost its memory with the answer.
      const session = scene.forgetful()
      const ask = async () => await session.fetch((await gateway.url()) + chatPath, post(chatBody))
      expect((await ask()).status).toBe(200)
      expect(await scene.channel()).toMatchObject({ deposit, spent: String(costMicros) })

      const addedMicros = 250_000n
      await killWhileSending(() => session.topUp(addedMicros))
      const sentAgain = await scene.answerToTheLast()
      expect(JSON.parse(sentAgain).session).toMatchObject({ deposit_usd: '1.250000' })
      expect((await ask()).status).toBe(200)
      const sum = BigInt(deposit ?? 0) + addedMicros
      expect(await scene.channel()).toMatchObject({
        deposit: String(sum),
        spent: String(2n * costMicros),
        held: '0',
      })
      await session.close()
      await until(async () => (await scene.channel()).state === 'closed')
      expect((await chains().mpp.balanceOf(till.payTo)) - before).toBe(2n * costMicros)
      expect(await paidByEscrow(chains(), wallet.address)).toBe(sum - 2n * costMicros)
      expect(await chains().mpp.balanceOf(channelEscrow)).toBe(dust)
      await gateway.expectBooksRight()
    },
  )
})
