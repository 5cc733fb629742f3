// Films of wallets: each call is paid by itself, jobs are paid first, and a film that fails is refunded on the chain.
import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { type CallAction, filmOf, importSample, saveFilm } from '#test/film-studio.ts'
import { probeFilm } from '#test/media-samples.ts'
import { expectBooksRight } from '../../payments/books.ts'
import {
  type ChainRail,
  payments,
  rails,
  shareChains,
  sharePaidGateway,
} from '../../payments/paid-gateway.ts'
import { buy, readReply } from '../../payments/payers.ts'

const pollIntervalMs = 100

describe.skipIf(!payments.ok)(`films of wallets ${payments.reason}`, () => {
  const chains = shareChains()
  const shared = sharePaidGateway(chains)

  const wallet =
    (rail: ChainRail): CallAction =>
    (action, body) =>
      buy(shared(), rail, action, body)

  async function until(
    status_url: string,
    done: (job: { status: string; refund?: { status: string } }) => boolean,
  ) {
    for (;;) {
      const { body } = await readReply(await fetch(status_url))
      if (done(body.data)) return body.data
      await delay(pollIntervalMs)
    }
  }

  test.each(rails)('%s: from a file to a film', async (rail) => {
    const call = wallet(rail)
    const mediaId = await importSample(call, 'image/png')
    expect((await call('ns_assembler/media_status', { media_id: mediaId })).body).toMatchObject({
      data: { status: 'ready' },
      charged_cents: 0,
    })
    const composition = filmOf({ kind: 'image', mediaId, seconds: 1 })
    expect((await call('ns_assembler/validate', composition)).body).toMatchObject({
      data: { valid: true },
      charged_cents: 1,
    })
    const project_id = await saveFilm(call, composition)
    const handle = await call('ns_assembler/render', { project_id, intent: 'preview' })
    expect(handle.body.data).toMatchObject({
      status: 'queued',
      status_url: expect.stringMatching(/^http/),
    })
    const job = await until(handle.body.data.status_url, ({ status }) => status !== 'running')
    expect(job).toMatchObject({ status: 'succeeded', charged_cents: 25 })
    expect((await probeFilm(job.result.output_url)).seconds).toBeCloseTo(1, 1)
    const listed = await call('ns_assembler/list_renders', { project_id })
    expect(listed.body.data.renders).toMatchObject([{ status: 'complete' }])
    await expectBooksRight(shared())
  })

  test.each(rails)('%s: a film without scenes is refunded', async (rail) => {
    const call = wallet(rail)
    const created = await call('ns_assembler/create_project', { name: 'n' })
    const project_id: string = created.body.data.id
    const handle = await call('ns_assembler/render', { project_id })
    const job = await until(
      handle.body.data.status_url,
      ({ refund }) => refund?.status === 'confirmed',
    )
    expect(job).toMatchObject({
      status: 'failed',
      error: 'no_scenes',
      charged_cents: 0,
      refund: { amount: '1.000000' },
    })
    await expectBooksRight(shared())
  })

  test('another wallet finds neither media nor project', async () => {
    const call = wallet('x402')
    const mediaId = await importSample(call, 'image/png')
    const project_id = await saveFilm(call, filmOf({ kind: 'image', mediaId, seconds: 1 }))
    const other = { wallet: await chains().createPayer() }
    for (const [action, body] of [
      ['get_project', { project_id }],
      ['list_renders', { project_id }],
      ['render', { project_id }],
      ['media_status', { media_id: mediaId }],
    ] as const) {
      const reply = await buy(shared(), 'x402', `ns_assembler/${action}`, body, other)
      expect([action, reply.status, reply.body.error]).toEqual([action, 404, 'not_found'])
    }
  })
})
