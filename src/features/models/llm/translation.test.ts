// Every surface with every wire: a request keeps what was said, and so does an answer, however its bytes are cut.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { depth } from '#test/depth.ts'
import { formats, saidOf } from '#test/model-upstream.ts'
import { conversations, linesOfBody, linesOfConversation } from '#test/models/conversations.ts'
import type { Said, UpstreamFormat } from '#test/models/format.ts'
import { messagesClient } from '#test/models/messages-client.ts'
import { createResponsesSurface, responsesClient } from '#test/models/responses-client.ts'
import { chatClient, type SurfaceClient, type Understood } from '#test/models/surface-client.ts'
import type { WireName } from './conversation/answer-event.ts'
import { sealToText } from './conversation/seal.ts'
import { toolFormsOf } from './conversation/tool-forms.ts'
import { createEventSplitter, fromLatin1 } from './exchange/sse.ts'
import { openAnswerStream, readWholeAnswer } from './surface/answer-stream.ts'
import { chatSurface } from './surface/chat/chat.ts'
import { messagesSurface } from './surface/messages/messages.ts'
import type { Surface, Told } from './surface/surface.ts'
import { anthropicWire } from './wire/anthropic.ts'
import { geminiWire } from './wire/gemini/gemini.ts'
import { openAiWire } from './wire/openai.ts'
import { responsesWire } from './wire/responses/responses.ts'
import type { Wire } from './wire/wire.ts'

/** Of each surface with each wire. */
const conversationsEach = depth(60, 300)
const slug = 'lab/one'
const wires: readonly (readonly [UpstreamFormat, Wire])[] = [
  ['openai', openAiWire],
  ['anthropic', anthropicWire],
  ['responses', responsesWire],
  ['gemini', geminiWire],
]
const surfaces: readonly (readonly [string, Surface, SurfaceClient])[] = [
  ['chat', chatSurface, chatClient],
  ['responses', createResponsesSurface(), responsesClient],
  ['messages', messagesSurface, messagesClient],
]
const pairs = surfaces.flatMap(([surfaceName, surface, client]) =>
  wires.map(([wireName, wire]) => ({
    name: `${surfaceName} over ${wireName}`,
    surfaceName,
    surface,
    client,
    wireName,
    wire,
  })),
)

const options = {
  slug,
  upstreamModel: 'one',
  mayThink: true,
  maxTokensField: 'max_tokens',
  cacheKey: undefined,
  extraFields: {},
}
const told: Told = {
  usage: { promptTokens: 10, completionTokens: 5, cacheReadTokens: 0, cacheWriteTokens: 0 },
  thoughtTokens: 0,
  usageFields: {},
  micros: 30,
  estimated: false,
}

/** What each vendor wants back with a thought, so that the fake vendor takes it for its own. */
const seals: Readonly<Record<WireName, string>> = {
  chat: JSON.stringify({ field: 'reasoning_content' }),
  anthropic: 'sig',
  responses: 'enc',
  gemini: 'gem',
}
const idOf = (maker: WireName) => (maker === 'gemini' ? 'thought' : undefined)
const sealOf = (maker: WireName, model: string) =>
  sealToText({ maker, model, id: idOf(maker), data: seals[maker] })

describe('a request keeps what was said', () => {
  test.each(pairs)('$name', ({ surface, client, wireName, wire }) => {
    fc.assert(
      fc.property(
        conversations,
        fc.constantFrom('same', 'another model', 'another maker'),
        (conversation, by) => {
          const maker: WireName =
            by === 'another maker' ? (wire.name === 'chat' ? 'gemini' : 'chat') : wire.name
          const seal = sealOf(maker, by === 'another model' ? 'lab/two' : slug)
          const request = surface.readRequest({ model: slug, ...client.write(conversation, seal) })
          const body = JSON.parse(wire.writeRequest(request, options))
          const reader = toolFormsOf(request, wire.tools)?.openReader()
          const restored = (name: string) => {
            const call = {
              type: 'call',
              choice: 0,
              index: 0,
              id: 'x',
              name,
              kind: 'function',
            } as const
            const [read = call] = reader?.(call) ?? []
            return read.type === 'call' ? read.name : name
          }
          expect(linesOfBody[wireName](body, restored)).toEqual(
            linesOfConversation(conversation, by === 'same'),
          )
          const hasThoughts = conversation.steps.some(
            (step) => step.role === 'assistant' && step.thought !== undefined,
          )
          expect(wire.drops(request, options).includes('thoughts')).toBe(
            hasThoughts && by !== 'same',
          )
          const names = (body.tools ?? [])
            .flatMap(
              (tool: { functionDeclarations?: object[] }) => tool.functionDeclarations ?? [tool],
            )
            .map(
              (tool: { name?: string; function?: { name: string } }) =>
                tool.name ?? tool.function?.name,
            )
          for (const name of names) expect(name).toMatch(wire.tools.name)
        },
      ),
      { numRuns: conversationsEach },
    )
  })
})

const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 30 })
const cutText = fc.array(
  fc.oneof(text, fc.constantFrom('👩‍💻', '"content":"', '\n\n', '\\', '\u2028')),
  {
    maxLength: 6,
  },
)
const call = fc
  .dictionary(text, fc.oneof(text, fc.integer(), fc.array(text, { maxLength: 40 })), { maxKeys: 4 })
  .chain((args) => {
    const json = JSON.stringify(args)
    return fc
      .array(fc.nat({ max: json.length }), { maxLength: 6 })
      .map((cuts) => [0, ...cuts.toSorted((a, b) => a - b), json.length])
      .map((ends) => ends.slice(1).map((end, at) => json.slice(ends[at], end)))
  })
const answers: fc.Arbitrary<Said> = fc
  .record({
    tokens: cutText,
    reasoning: fc.oneof(fc.constant(''), text),
    calls: fc.array(call, { maxLength: 3 }),
    refusal: fc.oneof({ weight: 4, arbitrary: fc.constant('') }, { weight: 1, arbitrary: text }),
    finish: fc.constantFrom('stop', 'length', 'content_filter'),
  })
  .map(({ calls, ...said }) =>
    saidOf({
      ...said,
      signature: said.reasoning === '' ? '' : 'signature',
      toolCalls: calls.map((pieces, place) => ({
        id: `c${place}`,
        name: `f${place}`,
        arguments: pieces,
      })),
      finish: calls.length > 0 ? 'stop' : said.finish,
    } as Partial<Said>),
  )

/** What a client must understand. Vendors without refusals refuse in words, and so does the messages surface. */
function understood(said: Said, wire: UpstreamFormat, surface: string): Omit<Understood, 'seal'> {
  const wireRefuses = wire === 'openai' || wire === 'responses'
  const refuses = wireRefuses && surface !== 'messages'
  const calls = said.toolCalls.map(({ name, arguments: pieces }) => ({
    name,
    arguments: JSON.parse(pieces.join('')),
  }))
  const reasons = { refused: 'content_filter', called: 'tool_calls', other: said.finish } as const
  return {
    thought: said.reasoning,
    text: `${said.tokens.join('')}${refuses ? '' : said.refusal}`,
    refusal: refuses ? said.refusal : '',
    calls,
    finish:
      reasons[refusedBy(said, wire, surface) ? 'refused' : calls.length > 0 ? 'called' : 'other'],
  }
}

/** Whether the reason for the end says that the model refused. */
function refusedBy(said: Said, wire: UpstreamFormat, surface: string): boolean {
  if (said.refusal === '') return false
  if (wire === 'anthropic') return said.toolCalls.length === 0
  return surface === 'messages' && wire !== 'gemini' && said.finish !== 'length'
}

const context = (surface: Surface, client: SurfaceClient, stream: boolean) => ({
  request: surface.readRequest({
    model: slug,
    stream,
    ...client.write(
      { system: undefined, tools: [], steps: [{ role: 'user', texts: ['x'], picture: undefined }] },
      '',
    ),
  }),
  callId: 'call-1',
  slug,
  createdAt: 1_700_000_000,
})

describe('an answer keeps what was said', () => {
  test.each(pairs)('$name, as a stream', ({ surfaceName, surface, client, wireName, wire }) => {
    const asked = context(surface, client, true)
    fc.assert(
      fc.property(answers, fc.array(fc.nat({ max: 5_000 }), { maxLength: 8 }), (said, cuts) => {
        const bytes = Buffer.from(formats[wireName].events('one', said, { model: 'one' }).join(''))
        const stream = openAnswerStream(surface, wire, asked)
        let written = ''
        const splitter = createEventSplitter((data) => {
          written += stream.read(data)
        })
        const ends = [
          ...cuts.filter((cut) => cut < bytes.length).toSorted((a, b) => a - b),
          bytes.length,
        ]
        ends.reduce((from, to) => {
          splitter.feed(bytes.subarray(from, to))
          return to
        }, 0)
        splitter.end()
        expect(stream.state).toMatchObject({ begun: true, finished: true, failure: undefined })
        const { seal, ...read } = client.readStream(fromLatin1(written + stream.end(told)))
        expect(read).toEqual(understood(said, wireName, surfaceName))
        if (said.reasoning !== '' && surface.passThrough?.wire !== wire)
          expect(seal).toMatch(/^tollway\./)
      }),
      { numRuns: conversationsEach },
    )
  })

  test.each(pairs)('$name, as a whole', ({ surfaceName, surface, client, wireName, wire }) => {
    const asked = context(surface, client, false)
    fc.assert(
      fc.property(answers, (said) => {
        const read = wire.readAnswer(
          formats[wireName].answer('one', said, { model: 'one', max_tokens: 9 }),
        )
        const whole = readWholeAnswer(surface, wire, asked, read)
        if ('kind' in whole) throw new Error(whole.reason)
        expect(client.readWhole(JSON.parse(whole.write(told)))).toMatchObject(
          understood(said, wireName, surfaceName),
        )
      }),
      { numRuns: conversationsEach },
    )
  })
})
