// A wallet owns files as an account does. It pays for uploads and proves itself, for free, to read, list and delete
// them.
import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { payments, rails, shareChains, sharePaidGateway } from '../../payments/paid-gateway.ts'
import { buy, challenge, received } from '../../payments/payers.ts'

describe.skipIf(!payments.ok)(`files of wallets ${payments.reason}`, () => {
  const chains = shareChains()
  const gateway = sharePaidGateway(chains)

  test.each(rails)('%s: a wallet stores a file, and only this wallet finds it', async (rail) => {
    const bytes = randomBytes(1_000)
    const before = await received(gateway(), rail)
    const [wallet, other] = await Promise.all([chains().createPayer(), chains().createPayer(0n)])
    const ask = (action: string, body: object, by = wallet) =>
      buy(gateway(), rail, `files/${action}`, body, { wallet: by })

    const uploaded = await ask('upload', { filename: 'a.bin', size_bytes: bytes.length })
    const { put_url, file_id } = uploaded.body.data
    expect((await fetch(put_url, { method: 'PUT', body: bytes })).status).toBe(200)
    const got = (await ask('get', { file_id })).body
    expect(got).toMatchObject({ charged_cents: 0, data: { file_id, status: 'stored' } })
    const served = await fetch(got.data.get_url)
    expect(Buffer.from(await served.arrayBuffer())).toEqual(bytes)

    for (const action of ['get', 'delete'])
      expect((await ask(action, { file_id }, other)).status).toBe(404)
    expect((await ask('list', {}, other)).body.data.files).toEqual([])
    expect((await ask('list', {})).body.data.files).toMatchObject([{ file_id }])
    expect((await ask('delete', { file_id })).body.data.freed_bytes).toBe(bytes.length)
    expect((await ask('get', { file_id })).status).toBe(404)
    // One upload was paid for; the rest was free.
    expect((await received(gateway(), rail)) - before).toBe(10_000n)
  })

  test('a caller without an account or a proof reads no file', async () => {
    for (const action of ['get', 'list', 'delete']) {
      const body = action === 'list' ? {} : { file_id: crypto.randomUUID() }
      expect((await challenge(gateway(), `files/${action}`, body)).status).toBe(402)
    }
  })
})
