// A whole answer as the events of a stream, for upstreams that do not stream when they are asked to.
import { writeEvent } from '../exchange/sse.ts'
import type { ChatFields } from '../request/fields.ts'
import type { StreamState, WholeAnswer } from './wire.ts'

/** Also writes the state of the stream, which is done. */
export function writeAnswerAsEvents(
  { completion, usage, usageFields, costUsd, deliveredBytes }: WholeAnswer,
  model: string,
  state: StreamState,
): string {
  state.id = completion.id ?? state.id
  state.created = completion.created ?? Math.floor(Date.now() / 1_000)
  Object.assign(state, { usage, usageFields, costUsd, deliveredBytes })
  state.begun = true
  state.finished = true
  state.done = true
  const { choices, usage: _usage, ...rest } = completion
  const head = { ...rest, id: state.id, object: 'chat.completion.chunk', created: state.created }
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
