// Rankings: in the form of Cohere and Jina, charged by the search or by tokens.
import { expect, test } from 'vitest'
import { lastTransaction } from '#test/llm-gateway.ts'
import { ask, expectPaid, heldOf, shareSurfaceGateway } from '#test/models/surface-gateway.ts'

const shared = shareSurfaceGateway()
const documents = ['short', 'a longer one', { text: 'the longest of the three' }]
const body = { model: 'lab/rank', query: 'which?', documents }

test('documents are ranked, and searches are charged', async () => {
  const account = await shared().account(100)
  const reply = await ask(shared(), account, '/rerank', {
    ...body,
    top_n: 2,
    return_documents: true,
    session: 'x',
  })
  expect(reply.body).toEqual({
    id: 'r1',
    model: 'lab/rank',
    results: [
      { index: 2, relevance_score: 0.24, document: { text: 'the longest of the three' } },
      { index: 1, relevance_score: 0.12, document: { text: 'a longer one' } },
    ],
    usage: { search_units: 1, cost: 0.002 },
  })
  expect(shared().upstream.asked[0]?.body).toEqual({
    model: 'rank',
    query: 'which?',
    documents: ['short', 'a longer one', 'the longest of the three'],
    top_n: 2,
  })
  await expectPaid(shared(), account, 2_000)
  expect(await lastTransaction(account)).toMatchObject({
    action: 'llm/rerank',
    inference: { used: { searches: 1 } },
  })
})

test('a vendor that counts tokens is paid by the token', async () => {
  const account = await shared().account(100)
  const reply = await ask(shared(), account, '/rerank', { ...body, model: 'lab/jina-rank' })
  expect(reply.body.results).toHaveLength(3)
  expect(reply.body.usage).toEqual({ total_tokens: 42, cost: 0.000126 })
  await expectPaid(shared(), account, 126)
})

test.each([
  [Array(201).fill('a'), 6_000],
  [Array(50).fill('a'.repeat(1_000)), 4_000],
])(
  'a search for each hundred documents is held, and long ones count as several (%#)',
  async (texts, micros) => {
    const account = await shared().account(100)
    let held = 0
    shared().upstream.behave('/rerank', async (it) => {
      held = await heldOf(shared(), account)
      it.answer()
    })
    await ask(shared(), account, '/rerank', { ...body, documents: texts })
    expect(held).toBe(micros)
  },
)

test.each([
  [{ query: '' }, 'query'],
  [{ documents: [] }, 'documents'],
  [{ documents: ['a', 7] }, 'documents'],
  [{ documents: Array(1_001).fill('a') }, 'documents'],
  [{ documents: Array(251).fill('a') }, 'documents'],
  [{ top_n: 0 }, 'top_n'],
  [{ return_documents: 'yes' }, 'return_documents'],
])('the wrong request %# is refused, and free', async (changes, param) => {
  const account = await shared().account(100)
  const reply = await ask(shared(), account, '/rerank', { ...body, ...changes })
  expect([reply.status, reply.body.error.param]).toEqual([400, param])
  expect(shared().upstream.asked).toHaveLength(0)
  await expectPaid(shared(), account, 0)
})

test.each([
  [{ results: [{ index: 3, relevance_score: 1 }] }],
  [
    {
      results: [
        { index: 0, relevance_score: 1 },
        { index: 0, relevance_score: 1 },
      ],
    },
  ],
  [{ results: [{ index: 0 }] }],
  [{ results: [] }],
  [{}],
])('the answer %# ranks nothing that was sent, and is free', async (answer) => {
  const account = await shared().account(100)
  shared().upstream.behave('/rerank', (it) => it.send(200, answer))
  const reply = await ask(shared(), account, '/rerank', body)
  expect(reply.body.error.code).toBe('upstream_error')
  await expectPaid(shared(), account, 0)
})

test('the best document comes first, in whichever order the vendor tells them', async () => {
  const account = await shared().account(100)
  const results = [0.1, 0.9, 0.5].map((score, index) => ({ index, relevance_score: score }))
  shared().upstream.behave('/rerank', (it) => it.send(200, { results }))
  const reply = await ask(shared(), account, '/rerank', body)
  expect(reply.body.results.map((row: { index: number }) => row.index)).toEqual([1, 2, 0])
})
