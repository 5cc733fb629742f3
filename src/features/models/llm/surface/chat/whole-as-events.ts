// A whole answer as the events of a stream, for upstreams that do not stream when they are asked to.
import type { ChatFields } from '../../conversation/fields.ts'
import { writeEvent } from '../../exchange/sse.ts'
import type { ChunkHead } from './chunk.ts'

export function writeAnswerAsEvents(completion: ChatFields, { id, created, model }: ChunkHead) {
  const { choices, usage: _usage, ...rest } = completion
  const head = { ...rest, id, object: 'chat.completion.chunk', created }
  const event = (index: number, choice: object) =>
    writeEvent({ ...head, model, choices: [{ index, ...choice }] })
  return choices
    .map(({ message, logprobs = null, finish_reason, ...choice }: ChatFields, place: number) => {
      const index = choice.index ?? place
      const calls = message.tool_calls?.map((call: ChatFields, at: number) => ({
        ...call,
        index: at,
      }))
      const delta = calls === undefined ? message : { ...message, tool_calls: calls }
      return (
        event(index, { delta, logprobs, finish_reason: null }) +
        event(index, { delta: {}, logprobs: null, finish_reason: finish_reason ?? 'stop' })
      )
    })
    .join('')
}
