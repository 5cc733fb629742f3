// Sound on its way from an upstream to a caller: bytes as they are, or bytes in events that end with a count.

import type { SurfaceUsage } from '#core/models/surfaces.ts'
import { isObject } from '../llm/conversation/fields.ts'
import { createEventSplitter } from '../llm/exchange/sse.ts'
import { isCount } from '../surfaces/fields.ts'

export interface SoundReader {
  /** Returns the sound that has arrived. Throws for what is not sound. */
  feed(chunk: Buffer): Buffer
  /** The count of tokens; undefined where the sound is not counted. Throws if the sound has no end. */
  end(): SurfaceUsage | undefined
}

export const readBytes = (usage: SurfaceUsage): SoundReader => ({
  feed: (chunk) => chunk,
  end: () => usage,
})

/** Reads `speech.audio.delta` and `speech.audio.done`. Other events are skipped. */
export function readEvents(): SoundReader {
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
      return usage
    },
  }
}
