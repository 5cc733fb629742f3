// Chats with models behind other formats: tools keep the caller’s names, and thoughts go to the model that made them.
import { expect, test } from 'vitest'
import { chat, expectSettled, hello, shareLlmGateway } from '#test/llm-gateway.ts'

const shared = shareLlmGateway()
const tools = [
  { type: 'function', function: { name: 'mcp.files:read', parameters: { type: 'object' } } },
]

test.each(['lab/one', 'claude/one', 'answers/one', 'gemini/one'])(
  '%s calls a tool by a name that its format does not allow',
  async (model) => {
    const gateway = shared()
    const account = await gateway.account(100)
    const names: string[] = []
    gateway.upstream.behave('one', (it) => {
      const name: string = JSON.stringify(it.body.tools).match(/"name":"([^"]+)"/)?.[1] ?? ''
      names.push(name)
      it.answer({ toolCalls: [{ id: 'c1', name, arguments: ['{"path":', '"a"}'] }] })
    })
    const whole = await chat(gateway, account, { model, tools })
    expect(whole.body.choices[0]).toMatchObject({
      finish_reason: 'tool_calls',
      message: {
        tool_calls: [{ function: { name: 'mcp.files:read', arguments: '{"path":"a"}' } }],
      },
    })
    const { events, done } = await chat(gateway, account, { model, tools, stream: true })
    const pieces = events.flatMap(({ choices }) => choices[0]?.delta.tool_calls ?? [])
    expect(pieces[0]).toMatchObject({ index: 0, function: { name: 'mcp.files:read' } })
    const read = pieces.map(({ function: called }) => called.arguments).join('')
    expect([read, done]).toEqual(['{"path":"a"}', true])
    expect(names).toEqual(['mcp_files_read', 'mcp_files_read'])
    await expectSettled(gateway, account, 600)
  },
)

test.each(['claude/one', 'answers/one', 'gemini/one'])(
  'a thought of %s goes back to it alone, and another model’s caller is told',
  async (model) => {
    const gateway = shared()
    const account = await gateway.account(100)
    gateway.upstream.behave('one', (it) => it.answer({ reasoning: 'hm', signature: 'sealed' }))
    const { body } = await chat(gateway, account, { model })
    const { message } = body.choices[0]
    expect(message.reasoning_content).toBe('hm')
    const messages = [...hello, message, ...hello]
    const again = await chat(gateway, account, { model, messages })
    expect(again.headers.get('x-dropped')).toBeNull()
    expect(JSON.stringify(gateway.upstream.asked.at(-1)?.body)).toContain('"sealed"')
    const other = await chat(gateway, account, { model: 'lab/two', messages, stream: true })
    expect(other.headers.get('x-dropped')).toBe('thoughts')
    expect(JSON.stringify(gateway.upstream.asked.at(-1)?.body)).not.toMatch(/sealed|tollway\./)
    await expectSettled(gateway, account, 900)
  },
)

test('a model whose format lacks a field is left out of a tier, and refuses it by name alone', async () => {
  const gateway = shared()
  const account = await gateway.account(100)
  const tier = await chat(gateway, account, { model: 'tollway/best', n: 2 })
  expect(tier.headers.get('x-model')).toBe('lab/two')
  const { status, body } = await chat(gateway, account, { model: 'answers/one', n: 2, stop: 'x' })
  expect([status, body.error.message]).toEqual([400, 'answers/one gives only one choice: omit n.'])
  await expectSettled(gateway, account, 300)
})
