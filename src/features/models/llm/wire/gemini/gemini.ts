// Google's own Gemini API as an upstream.

import { bytesOfEvents } from '../../conversation/event-counter.ts'
import { isObject } from '../../conversation/fields.ts'
import type { Wire } from '../wire.ts'
import {
  candidatesOf,
  eventsOfReply,
  failureOfReply,
  openGeminiStream,
  readGeminiUsage,
} from './events.ts'
import {
  cannotBeContents,
  droppedFromContents,
  geminiTools,
  writeGeminiRequest,
} from './request.ts'

export const geminiWire: Wire = {
  name: 'gemini',
  tools: geminiTools,
  path: ({ stream }, model) =>
    `/models/${encodeURIComponent(model)}:${stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
  credentialHeaders: (key) => ({ 'x-goog-api-key': key }),
  cannot: cannotBeContents,
  drops: droppedFromContents,
  writeRequest: (request, options) => JSON.stringify(writeGeminiRequest(request, options)),
  readAnswer(json) {
    if (!isObject(json)) throw new TypeError('The answer is not an object.')
    const failure = failureOfReply(json)
    if (failure !== undefined) return failure
    const candidates = candidatesOf(json)
    if (candidates.length === 0 || candidates.some(({ finishReason }) => finishReason == null))
      throw new TypeError('The answer has no candidate that has ended.')
    const events = eventsOfReply(json)
    return {
      native: json,
      events: () => events,
      ...readGeminiUsage(json.usageMetadata),
      costUsd: undefined,
      deliveredBytes: bytesOfEvents(events),
    }
  },
  readBill: (json) => ({
    usage: readGeminiUsage(isObject(json) ? json.usageMetadata : undefined).usage,
  }),
  openStream: openGeminiStream,
}
