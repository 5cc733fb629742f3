// A question whose wording is unclear, on a gateway with a language model: the model chooses the sources, and the
// search counts with the account's language models of the day.
import { once } from 'node:events'
import { createServer } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { portOf } from '#platform/http/port.ts'
import { startLlmGateway } from '#test/llm-gateway.ts'

async function startLibrary() {
  const work = { id: 'https://openalex.org/W1', title: 'Mercury', abstract_inverted_index: null }
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ meta: { count: 1, page: 1, per_page: 15 }, results: [work] }))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${portOf(server)}`
}

const unclear = { query: 'tell me about mercury' }

test('only a search that may ask a model counts with the models of the day, and is refused beyond them', async () => {
  const gateway = await startLlmGateway({
    config: {
      tiers: { cheap: ['lab/one'] },
      prices: { 'lab/one': { prompt: 0.05, completion: 0.4 } },
    },
    env: { NS_SCHOLAR_BASE_URL: await startLibrary() },
  })
  gateway.upstream.behave('one', (exchange) => exchange.answer({ tokens: ['["academic"]'] }))
  const account = await gateway.account(100)
  const spent = async () => {
    const [day] = await gateway.database.query('select spent, held from inference_day')
    return day ?? { spent: 0, held: 0 }
  }

  const framed = await account.call('tollway/onesearch', { ...unclear, facets: ['academic'] })
  expect(framed.body).toMatchObject({ ok: true, data: { routing: { decided_by: 'caller' } } })
  expect([await spent(), gateway.upstream.asked]).toEqual([{ spent: 0, held: 0 }, []])

  const { body } = await account.call('tollway/onesearch', unclear)
  expect(body).toMatchObject({
    charged_cents: 5,
    data: { routing: { decided_by: 'model', facets: [{ facet: 'academic' }] } },
  })
  expect(gateway.upstream.asked).toHaveLength(1)
  expect(await spent()).toEqual({ spent: 50_000, held: 0 })
  const { timeline } = (await account.get(`/api/v1/transactions/${body.transaction_id}`)).body
  expect(timeline).toContainEqual(
    expect.objectContaining({ event: 'hop', provider: 'lab', ok: true }),
  )

  await gateway.database.query('update inference_cap set micros_max = 60000')
  const refused = await account.call('tollway/onesearch', { query: 'tell me about jaguar' })
  expect(refused.body).toMatchObject({ error: 'rate_limited', data: { reason: 'inference_cap' } })
  const named = { query: 'tell me about jaguar', facets: ['academic'] }
  expect((await account.call('tollway/onesearch', named)).body.ok).toBe(true)
})
