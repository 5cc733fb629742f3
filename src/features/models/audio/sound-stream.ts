// Sound on its way from an upstream to a caller: bytes as they are, or bytes in events that end with a count.
import type { SurfaceUsage } from '#core/models/surfaces.ts'
import { isObject } from '../llm/conversation/fields.ts'
import { createEventSplitter } from '../llm/exchange/sse.ts'
import { lastEvent, writeEvents } from '../surfaces/events.ts'
import { isCount } from '../surfaces/fields.ts'
import type { AnswerReader } from '../surfaces/request.ts'

export const readBytes = (usage: SurfaceUsage): AnswerReader => ({
  feed: (chunk) => chunk,
  end: () => ({ usage }),
})

/** Reads `speech.audio.delta` and `speech.audio.done`. Other events are skipped. */
export function readEvents(): AnswerReader {
  let pieces: Buffer[] = []
  let done = false
  let usage: SurfaceUsage | undefined
  const events = createEventSplitter((data) => {
    if (data === '[DONE]') return
    const event: unknown = JSON.parse(data)
    if (!isObject(event)) throw new Error('an event that is not an object')
    if (event.error != null || event.type === 'error') throw new Error('an error event')
    if (event.type === 'speech.audio.delta') pieces.push(Buffer.from(String(event.audio), 'base64'))
    if (event.type !== 'speech.audio.done') return
    done = true
    const { input_tokens, output_tokens } = isObject(event.usage) ? event.usage : {}
    if (isCount(input_tokens) && isCount(output_tokens))
      usage = { promptTokens: input_tokens, completionTokens: output_tokens }
  })
  return {
    feed(chunk) {
      events.feed(chunk)
      const sound = Buffer.concat(pieces)
      pieces = []
      return sound
    },
    end() {
      events.end()
      if (!done) throw new Error('sound without an end')
      return { usage }
    },
  }
}

/** The sound that a reader reads, in events for a caller. */
export function asEvents(sound: AnswerReader): AnswerReader {
  let isHeard = false
  return {
    feed(chunk) {
      const piece = sound.feed(chunk)
      if (piece.length === 0) return piece
      isHeard = true
      return writeEvents([{ type: 'speech.audio.delta', audio: piece.toString('base64') }])
    },
    end() {
      const { usage } = sound.end()
      if (!isHeard) throw new Error('no sound')
      return { usage, rest: lastEvent({ type: 'speech.audio.done', usage: describeUsage(usage) }) }
    },
  }
}

function describeUsage({ promptTokens, completionTokens, characters }: SurfaceUsage = {}) {
  if (promptTokens === undefined || completionTokens === undefined)
    return characters === undefined ? {} : { characters }
  return {
    input_tokens: promptTokens,
    output_tokens: completionTokens,
    total_tokens: promptTokens + completionTokens,
  }
}
