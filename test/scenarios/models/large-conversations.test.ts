// Agents send the whole history with each request, and its pictures.
import { expect, test } from 'vitest'
import { shareLlmGateway } from '#test/llm-gateway.ts'

const shared = shareLlmGateway()
const data = 'A'.repeat(15_000_000)
const source = { type: 'base64', media_type: 'image/png', data }
const bodies = {
  messages: {
    max_tokens: 100,
    messages: [{ role: 'user', content: [{ type: 'image', source }] }],
  },
  responses: {
    input: [
      {
        role: 'user',
        content: [{ type: 'input_image', image_url: `data:image/png;base64,${data}` }],
      },
    ],
  },
}

test.each(['messages', 'responses'] as const)(
  'fifteen megabytes of pictures reach the model on %s, and more than twenty are refused',
  async (surface) => {
    const gateway = shared()
    const { key } = await gateway.account(1_000)
    const send = (more: object) =>
      gateway.request('POST', `/api/llm/v1/${surface}`, {
        key,
        raw: JSON.stringify({ model: 'lab/one', store: false, ...bodies[surface], ...more }),
      })
    const kept = surface === 'messages' ? { store: undefined } : {}
    expect((await send(kept)).status).toBe(200)
    expect(JSON.stringify(gateway.upstream.asked[0]?.body.messages).length).toBeGreaterThan(15e6)
    expect((await send({ ...kept, padding: 'x'.repeat(5_000_000) })).status).toBe(413)
  },
)
