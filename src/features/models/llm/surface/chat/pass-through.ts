// Answers of upstreams that speak the common format. Most of their events are passed on without being parsed.
import { toolFormsOf } from '../../conversation/tool-forms.ts'
import { toLatin1 } from '../../exchange/sse.ts'
import { openAiWire } from '../../wire/openai.ts'
import { createChunkReader } from '../../wire/openai-chunks.ts'
import { newStreamState, type WholeAnswer } from '../../wire/wire.ts'
import type { AnswerContext, AnswerStream, PassThrough } from '../surface.ts'
import { choiceOf, writeChunk } from './chunk.ts'
import { usageOf, writeFailure, writeTail } from './tail.ts'
import { createTextTemplate } from './text-template.ts'
import { writeAnswerAsEvents } from './whole-as-events.ts'

export const chatPassThrough: PassThrough = {
  wire: openAiWire,
  fits: ({ request }) => toolFormsOf(request, openAiWire.tools) === undefined,
  openStream,
  writeWhole(native, { callId, createdAt, slug }, told) {
    native.id ??= `chatcmpl-${callId}`
    native.object ??= 'chat.completion'
    native.created ??= createdAt
    native.model = slug
    native.usage = usageOf(told)
    return JSON.stringify(native)
  },
}

function openStream(context: AnswerContext): AnswerStream {
  const state = newStreamState()
  const head = { id: 'chatcmpl-gateway', created: 0, model: context.slug }
  const template = createTextTemplate()
  const chunks = createChunkReader(state)

  return {
    state,
    answerId: () => head.id,
    read(data) {
      if (state.done) return ''
      if (data === '[DONE]') {
        state.done = true
        return ''
      }
      if (data.trim() === '') return ''
      const quick = template.apply(data)
      if (quick !== undefined) {
        state.deliveredBytes += quick.bytes
        if (quick.bytes > 0) state.begun = true
        return quick.event
      }
      const chunk = chunks.read(data)
      if (chunk === undefined) return ''
      chunk.model = head.model
      chunk.object ??= 'chat.completion.chunk'
      head.id = chunk.id ??= head.id
      head.created = chunk.created ??= head.created
      const written = toLatin1(JSON.stringify(chunk))
      template.learn(data, chunk, written)
      return `data: ${written}\n\n`
    },
    readWhole({ native, usage, usageFields, costUsd, deliveredBytes }: WholeAnswer) {
      head.id = native.id ?? head.id
      head.created = native.created ?? context.createdAt
      Object.assign(state, { usage, usageFields, costUsd, deliveredBytes })
      Object.assign(state, { begun: true, finished: true, done: true })
      return writeAnswerAsEvents(native, head)
    },
    cut() {
      state.finished = true
      const ends = chunks.endOpen().map((index) => choiceOf(index, {}, 'length'))
      return writeChunk(head, ends)
    },
    end: (told) => writeTail(context, head, told),
    fail: writeFailure,
  }
}
