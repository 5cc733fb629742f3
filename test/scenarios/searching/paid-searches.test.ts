// A wallet pays for a search on the chain before its sources are asked, and is refunded when they have nothing.
import { once } from 'node:events'
import { createServer } from 'node:http'
import { afterAll, describe, expect, test } from 'vitest'
import { portOf } from '#platform/http/port.ts'
import { until } from '#test/until.ts'
import { expectBooksRight } from '../../payments/books.ts'
import { payments, rails, shareChains, sharePaidGateway } from '../../payments/paid-gateway.ts'
import { buy, present, received, sign } from '../../payments/payers.ts'

const price = 50_000n
const work = {
  id: 'https://openalex.org/W1',
  doi: 'https://doi.org/10.1000/cross',
  title: 'The Red Cross',
  publication_date: '2020-01-01',
  abstract_inverted_index: { History: [0] },
}

/** The index of scholarly works. It has one work, and nothing about `nothing`. */
const works = createServer((request, response) => {
  const results = request.url?.includes('nothing') ? [] : [work]
  const meta = { count: results.length, page: 1, per_page: 15 }
  response.writeHead(200, { 'content-type': 'application/json' })
  response.end(JSON.stringify({ meta, results }))
})
works.listen(0, '127.0.0.1')
await once(works, 'listening')
afterAll(() => {
  works.closeAllConnections()
  works.close()
})

describe.skipIf(!payments.ok)(`a search that a wallet pays for ${payments.reason}`, () => {
  const chains = shareChains()
  const port = portOf(works)
  const shared = sharePaidGateway(chains, {
    env: { SETTLE_BEFORE_CENTS: '0', NS_SCHOLAR_BASE_URL: `http://127.0.0.1:${port}` },
  })

  test.each(rails)(
    '%s: evidence is paid for, and a search without any is refunded',
    async (rail) => {
      const gateway = shared()
      const before = await received(gateway, rail)
      const search = (query: string) => ({ query: `${query} by ${rail}`, facets: ['academic'] })
      const found = await buy(gateway, rail, 'tollway/onesearch', search('the Red Cross'))
      expect(found.body).toMatchObject({
        ok: true,
        charged_cents: 5,
        data: { count: 1, evidence: [{ source: 'ns_scholar/works', primary: false }] },
      })
      // The answer of each source has an id of its own.
      const { transaction_id: ofSource } = found.body.data.evidence[0]
      expect(ofSource).toMatch(/^[0-9a-f-]{36}$/)
      expect(ofSource).not.toBe(found.body.transaction_id)
      expect((await received(gateway, rail)) - before).toBe(price)

      const payment = await sign(gateway, rail, 'tollway/onesearch', search('nothing'))
      const failed = await present(gateway, 'tollway/onesearch', search('nothing'), payment)
      expect([failed.status, failed.body]).toMatchObject([
        404,
        {
          error: 'not_found',
          data: { refund: { amount: '0.050000' }, details: { routing: { decided_by: 'caller' } } },
        },
      ])
      await until(async () => {
        const again = await present(gateway, 'tollway/onesearch', search('nothing'), payment)
        return again.body.data.refund.status === 'confirmed'
      })
      const refunds = await gateway.database.query(
        'select payee, micros from refund where rail = $1',
        [rail],
      )
      expect(refunds).toEqual([{ payee: chains().wallets.payer.address, micros: 50_000 }])
      await expectBooksRight(gateway)
    },
  )
})
