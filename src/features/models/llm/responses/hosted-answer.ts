// Hosted tools in an answer of the Responses API.
import type { HostedRounds } from '../hosted/hosted-rounds.ts'
import { placeItem } from '../surface/responses/hosted-items.ts'
import type { ResponsesRequest } from '../surface/responses/request.ts'
import type { ResponsesSurface } from '../surface/responses/surface.ts'
import type { ResponseWriter } from '../surface/responses/writer.ts'

export function roundsOf(asked: ResponsesRequest, surface: ResponsesSurface): HostedRounds {
  const writer = (): ResponseWriter => {
    const open = surface.writer()
    if (open === undefined) throw new TypeError('A hosted tool runs before there is an answer.')
    return open
  }
  return {
    hosted: asked.hosted,
    callsMax: asked.toolCallsMax,
    withhold: surface.withhold,
    endRound() {
      const calls = surface.writer()?.endRound() ?? []
      if (calls.length > 0) surface.continueWith(writer())
      return calls
    },
    begin(tool, call) {
      const { items, emit } = writer()
      const { begun, index, at, events } = placeItem(writer(), tool, call)
      if (tool.kind === 'code_interpreter') {
        emit(`${events}_code.delta`, { ...at, delta: begun.code })
        emit(`${events}_code.done`, { ...at, code: begun.code })
      }
      emit(`${events}.${tool.kind === 'web_search' ? 'searching' : 'interpreting'}`, at)
      return {
        item: begun,
        end({ item }) {
          if (item.status === 'completed') emit(`${events}.completed`, at)
          items.replace(index, item)
        },
      }
    },
    take: () => writer().take(),
    continued: () => asked.continued(writer().items.all()),
  }
}
