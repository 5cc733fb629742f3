// The common chat-completions format.
import { isObject } from '../conversation/fields.ts'
import type { ModelRequest } from '../conversation/model-request.ts'
import { toolFormsOf } from '../conversation/tool-forms.ts'
import { readFailureReply, statusOfError } from '../exchange/failure.ts'
import { readUsage } from '../usage.ts'
import { brokeOff, bytesOf, failureOfFinish, readCost } from './openai-chunks.ts'
import { eventsOfCompletion, openOpenAiStream } from './openai-events.ts'
import { droppedFromCommon, openAiTools, writeCommonFields } from './openai-request.ts'
import type { Wire, WireOptions } from './wire.ts'

export const openAiWire: Wire = {
  name: 'chat',
  tools: openAiTools,
  path: () => '/chat/completions',
  credentialHeaders: (key) => ({ authorization: `Bearer ${key}` }),
  cannot: () => undefined,
  drops: droppedFromCommon,
  writeRequest(request, options) {
    const { upstreamModel, maxTokensField, cacheKey, extraFields } = options
    const own = JSON.stringify({
      ...extraFields,
      model: upstreamModel,
      [maxTokensField]: request.maxTokens,
      prompt_cache_key: cacheKey,
      ...(request.stream ? { stream: true, stream_options: { include_usage: true } } : {}),
    })
    const fields = fieldsOf(request, options)
    return `${own.slice(0, -1)},${fields.slice(1)}`
  },
  readAnswer(json) {
    if (!isObject(json)) throw new TypeError('The answer is not an object.')
    if (json.error != null) return readFailureReply(statusOfError(json.error), json)
    const { choices } = json
    if (!Array.isArray(choices) || choices.length === 0 || !choices.every(isChoice))
      throw new TypeError('The answer has no choices.')
    const broken = choices.map((choice) => choice.finish_reason).find(brokeOff)
    if (broken !== undefined) return failureOfFinish(broken)
    let deliveredBytes = 0
    for (const choice of choices) {
      deliveredBytes += bytesOf(choice.message)
      if (choice.finish_reason === 'stop' && choice.message.tool_calls?.length > 0)
        choice.finish_reason = 'tool_calls'
    }
    return {
      native: json,
      events: () => eventsOfCompletion(json),
      usage: readUsage(json.usage),
      usageFields: isObject(json.usage) ? json.usage : {},
      costUsd: readCost(json.usage),
      deliveredBytes,
    }
  },
  readBill(json) {
    const usage = isObject(json) ? json.usage : undefined
    return { usage: readUsage(usage), costUsd: readCost(usage) }
  },
  openStream: openOpenAiStream,
}

function fieldsOf(request: ModelRequest, options: WireOptions): string {
  if (request.extended || request.holdsThoughts)
    return JSON.stringify(writeCommonFields(request, options))
  const forms = toolFormsOf(request, openAiTools)
  return forms === undefined ? request.json : JSON.stringify(forms.fields)
}

const isChoice = (choice: unknown) => isObject(choice) && isObject(choice.message)
