// OpenAI's Responses API as an upstream.

import { bytesOfEvents } from '../../conversation/event-counter.ts'
import { isObject } from '../../conversation/fields.ts'
import type { Wire } from '../wire.ts'
import { eventsOfResponse, failureOfResponse, openResponsesStream } from './events.ts'
import {
  cannotBeResponse,
  droppedFromResponse,
  responsesTools,
  writeResponsesRequest,
} from './request.ts'
import { readResponseUsage } from './usage.ts'

export const responsesWire: Wire = {
  name: 'responses',
  tools: responsesTools,
  path: () => '/responses',
  credentialHeaders: (key) => ({ authorization: `Bearer ${key}` }),
  cannot: cannotBeResponse,
  drops: droppedFromResponse,
  writeRequest: (request, options) => JSON.stringify(writeResponsesRequest(request, options)),
  readAnswer(json) {
    if (!isObject(json)) throw new TypeError('The answer is not an object.')
    const failure = failureOfResponse(json)
    if (failure !== undefined) return failure
    const isOver = json.status === 'completed' || json.status === 'incomplete'
    if (!isOver || !Array.isArray(json.output)) throw new TypeError('The answer is not a response.')
    return {
      native: json,
      events: () => eventsOfResponse(json),
      ...readResponseUsage(json.usage),
      costUsd: undefined,
      deliveredBytes: bytesOfEvents(eventsOfResponse(json)),
    }
  },
  readBill: (json) => ({ usage: readResponseUsage(isObject(json) ? json.usage : undefined).usage }),
  openStream: () => openResponsesStream(),
}
