import { type ChatFields, isObject } from '../../conversation/fields.ts'
import { readUsage } from '../../usage.ts'

/** The usage of a response, in the common format. */
export function readResponseUsage(usage: unknown) {
  const fields = isObject(usage) ? inCommonFormat(usage) : {}
  return { usage: readUsage(fields), usageFields: fields }
}

function inCommonFormat(usage: ChatFields): ChatFields {
  const { input_tokens_details: input, output_tokens_details: output } = usage
  return {
    prompt_tokens: usage.input_tokens,
    completion_tokens: usage.output_tokens,
    ...(isObject(input) ? { prompt_tokens_details: input } : {}),
    ...(isObject(output) ? { completion_tokens_details: output } : {}),
  }
}
