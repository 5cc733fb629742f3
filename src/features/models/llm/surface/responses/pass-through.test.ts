import { expect, test } from 'vitest'
import { fail } from '#core/errors.ts'
import { formats, saidOf } from '#test/model-upstream.ts'
import { fromLatin1, toLatin1 } from '../../exchange/sse.ts'
import type { Told } from '../surface.ts'
import { passResponse, passWhole } from './pass-through.ts'

const hex = '0123456789abcdef0123456789abcdef'
const options = {
  facts: { id: `resp_${hex}`, createdAt: 7, model: 'openai/gpt-5', store: true, echo: {} },
  names: new Map(),
  include: new Set<string>(),
  hosted: [],
  isWithheld: () => false,
  now: () => 9_000,
}
const told: Told = {
  usage: { promptTokens: 10, completionTokens: 5, cacheReadTokens: 0, cacheWriteTokens: 0 },
  thoughtTokens: 2,
  usageFields: {},
  micros: 30,
  estimated: false,
}
const said = saidOf({
  tokens: ['Grüß ', '🦊 ', '"you"'],
  reasoning: 'hm',
  signature: 'sealed',
  toolCalls: [{ id: 'c', name: 'f', arguments: ['{"a"', ':1}'] }],
})
const dataOf = (text: string) =>
  text
    .split('\n\n')
    .filter((event) => event !== '')
    .map((event) => event.slice(event.indexOf('data: ') + 6))
const upstream = dataOf(formats.responses.events('gpt-5', said, {}).join(''))
const parsed = (written: string) => dataOf(fromLatin1(written)).map((data) => JSON.parse(data))

function pass(events: readonly string[]) {
  const stream = passResponse(options)
  return { stream, written: events.map((data) => stream.read(toLatin1(data))).join('') }
}

test('events pass as they came, with the gateway’s ids, model and charge', () => {
  const { stream, written } = pass(upstream)
  const read = parsed(written + stream.end(told))
  expect(read).toHaveLength(upstream.length)
  const own: Record<string, string> = {
    rs_1: `rs_${hex}_0`,
    msg_1: `msg_${hex}_1`,
    fc_c: `fc_${hex}_2`,
  }
  for (const [place, event] of read.entries()) {
    const came = JSON.parse(upstream[place] ?? '')
    if ('response' in came) {
      expect(event).toMatchObject({
        type: came.type,
        sequence_number: place,
        response: { id: `resp_${hex}`, model: 'openai/gpt-5', status: came.response.status },
      })
    } else if ('item' in came) {
      const { encrypted_content: _, ...item } = came.item
      expect(event).toEqual({ ...came, item: { ...item, id: own[came.item.id] } })
    } else expect(event).toEqual({ ...came, item_id: own[came.item_id] })
  }
  expect(read.at(-1)).toMatchObject({
    type: 'response.completed',
    response: { usage: { input_tokens: 10, cost: 0.000_03 }, output: [{}, {}, { name: 'f' }] },
  })
  // What is kept has the seal, which only `include` shows.
  expect(read.at(-1).response.output[0]).not.toHaveProperty('encrypted_content')
  expect(stream.kept()?.output[0].encrypted_content).toBe('sealed')
  const delivered = Buffer.byteLength(`${said.reasoning}${said.tokens.join('')}f{"a":1}`)
  expect(stream.state).toMatchObject({ begun: true, finished: true, deliveredBytes: delivered })
})

test('pieces of plain text pass byte for byte, with fields that are not known', () => {
  const opening = upstream.slice(
    0,
    upstream.findIndex((data) => data.includes('output_text.delta')) + 1,
  )
  const { stream } = pass(opening)
  const piece = (id: string) =>
    `{"type":"response.output_text.delta","sequence_number":40,"item_id":"${id}","output_index":1,"content_index":0,"delta":"naïve","logprobs":[],"obfuscation":"aB3"}`
  expect(stream.read(toLatin1(piece('msg_1')))).toBe(
    `event: response.output_text.delta\ndata: ${toLatin1(piece(`msg_${hex}_1`))}\n\n`,
  )
  const annotation = {
    type: 'response.output_text.annotation.added',
    sequence_number: 41,
    item_id: 'msg_1',
    annotation: { url: 'x' },
  }
  expect(parsed(stream.read(JSON.stringify(annotation)))).toEqual([
    { ...annotation, item_id: `msg_${hex}_1` },
  ])
  expect(stream.read(toLatin1(piece('msg_1').slice(0, -2)))).toBe('')
  expect(stream.state.failure?.kind).toBe('unreadable')
})

test('a stream that is cut has what it said, and says that it is incomplete', () => {
  const opening = upstream.slice(
    0,
    upstream.findIndex((data) => data.includes('output_text.done')),
  )
  const { stream } = pass(opening)
  const read = parsed(stream.cut() + stream.end(told))
  expect(read.map(({ type }) => type)).toEqual(['response.output_item.done', 'response.incomplete'])
  expect(read[0].sequence_number).toBe(opening.length)
  expect(read[0].item).toMatchObject({
    id: `msg_${hex}_1`,
    status: 'incomplete',
    content: [{ type: 'output_text', text: said.tokens.join('') }],
  })
  expect(read[1].response.incomplete_details).toEqual({ reason: 'max_output_tokens' })
  expect(stream.state.finished).toBe(true)
})

test('a failure is numbered on, and the failed event of the upstream is not passed', () => {
  const failed = {
    type: 'response.failed',
    sequence_number: 5,
    response: { status: 'failed', error: { code: 'server_error', message: 'secret' } },
  }
  const { stream, written } = pass([...upstream.slice(0, 5), JSON.stringify(failed)])
  expect(written).not.toContain('secret')
  expect(stream.state.failure?.kind).toBe('server')
  const read = parsed(stream.fail(fail('upstream_error')))
  expect(read.map(({ type, sequence_number }) => [type, sequence_number])).toEqual([
    ['error', 5],
    ['response.failed', 6],
  ])
})

test('a whole answer passes with its own fields, ids and charge', () => {
  const native = formats.responses.answer('gpt-5', said, {})
  native.output[1].content[0].annotations = [{ type: 'url_citation', url: 'https://example.org' }]
  const { shown, kept } = passWhole(native, options, told)
  expect(shown).toMatchObject({
    id: `resp_${hex}`,
    status: 'completed',
    model: 'openai/gpt-5',
    completed_at: 9,
    output: [
      { id: `rs_${hex}_0`, summary: [{ text: 'hm' }] },
      { id: `msg_${hex}_1`, content: native.output[1].content },
      { id: `fc_${hex}_2`, call_id: 'c', arguments: '{"a":1}' },
    ],
  })
  expect(shown.output[0]).not.toHaveProperty('encrypted_content')
  expect(kept.output[0].encrypted_content).toBe('sealed')
})

const isPiece = (data: string) => data.includes('"type":"response.output_text.delta"')

test.each([
  ['lost', (pieces: string[]) => pieces.slice(1)],
  ['lost at the end', (pieces: string[]) => pieces.slice(0, -1)],
  ['repeated', (pieces: string[]) => [...pieces.slice(0, 1), ...pieces]],
  ['in another order', (pieces: string[]) => pieces.toReversed()],
])('pieces of a text that are %s fail the answer', (_what, disturb) => {
  const at = upstream.findIndex(isPiece)
  const pieces = upstream.filter(isPiece)
  const events = [
    ...upstream.slice(0, at),
    ...disturb(pieces),
    ...upstream.slice(at + pieces.length),
  ]
  expect(pass(events).stream.state.failure?.kind).toBe('unreadable')
})

test('a text without pieces is whole', () => {
  expect(pass(upstream.filter((data) => !isPiece(data))).stream.state.failure).toBeUndefined()
})

test('nothing is passed after the end', () => {
  const { stream } = pass(upstream)
  expect(stream.read(toLatin1(upstream.find(isPiece) ?? ''))).toBe('')
  expect(stream.read('{"type":"response.new","sequence_number":99}')).toBe('')
})
