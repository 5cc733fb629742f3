import { expect, test } from 'vitest'
import { placeItem } from '../surface/responses/hosted-items.ts'
import { createOutputItems } from '../surface/responses/output-items.ts'
import { createHostedTools } from './hosted-tools.ts'

const emit = () => {}
const output = () => ({
  items: createOutputItems({ hex: 'a', names: new Map(), show: (item) => item, emit }),
  idOf: (prefix: string) => `${prefix}_a_0`,
  emit,
})

test.each([
  ['web_search', '{"query":'],
  ['web_search', '{"q":"Red Cross"}'],
  ['code_interpreter', 'print(1)'],
  ['code_interpreter', '[]'],
] as const)('%s with the arguments %s runs nothing, and the model is told', async (kind, args) => {
  const ran: string[] = []
  const tools = createHostedTools({
    ownNamespace: 'tollway',
    inner: {
      quote: async () => 50_000,
      async run({ action }) {
        ran.push(action)
        return { data: {}, chargedMicros: 50_000, costMicros: undefined, hops: [] }
      },
    },
  })
  const tool = { kind, name: kind, settings: {} }
  const { begun } = placeItem(output(), tool, { name: kind, arguments: args })
  const call = {
    caller: { kind: 'account', accountId: 'a', keyId: 'k', isLimited: false },
    callId: 'c',
    signal: new AbortController().signal,
  } as const
  const { item, error, outcomes } = await tools.run(tool, begun, call)
  expect(ran).toEqual([])
  expect(outcomes).toEqual([])
  expect(error?.code).toBe('bad_request')
  expect(item.status).toBe('failed')
  expect(JSON.stringify(item)).toContain('The tool failed: The arguments must be a JSON object')
})
