// Moderations, in the common format: whether texts and pictures break rules.
import { invalid, isObject } from '../llm/conversation/fields.ts'
import { estimateTokens, isCount, readCommon } from '../surfaces/fields.ts'
import { finishJson, replayJson, type WholeRequest } from '../surfaces/request.ts'

const modelDefault = 'openai/omni-moderation-latest'
const inputsMax = 2_048
const textCharactersMax = 1_000_000
const addressCharactersMax = 20_000_000
const answerBytesMax = 30_000_000

/** Throws `bad_request` for the first invalid field; `param` names the field. */
export function readModerationRequest(body: unknown): WholeRequest {
  const { sent, model, maxCostMicros } = readCommon(body, modelDefault)
  const input = readInput(sent.input)
  const bytes = Buffer.byteLength(JSON.stringify(input))
  const results = typeof input === 'string' || !input.every(isText) ? 1 : input.length
  return {
    surface: 'moderations',
    model,
    maxCostMicros,
    meaning: { input },
    answerBytesMax,
    worst: () => ({ promptTokens: bytes }),
    estimate: () => ({ promptTokens: estimateTokens(bytes) }),
    write: ({ upstreamModel }) => ({
      path: '/moderations',
      type: 'application/json',
      body: JSON.stringify({ model: upstreamModel, input }),
    }),
    read(reply) {
      const json: unknown = JSON.parse(reply.toString())
      if (!isObject(json) || !Array.isArray(json.results) || json.results.length !== results)
        throw new Error('an answer without a result for each input')
      const { usage: told, ...answer } = json
      const counted = isObject(told) ? (told.prompt_tokens ?? told.total_tokens) : undefined
      return {
        // The vendors that moderate for free count nothing.
        usage: { promptTokens: isCount(counted) ? counted : estimateTokens(bytes) },
        finish: (charge) =>
          finishJson({ ...answer, model: charge.slug }, isObject(told) ? told : {}, charge),
      }
    },
    replay: replayJson,
  }
}

const isText = (value: unknown): value is string => typeof value === 'string'

/** A text, a list of texts, or the parts of one message. */
function readInput(input: unknown): string | readonly unknown[] {
  if (isText(input)) return requireText('input', input)
  if (!Array.isArray(input) || input.length === 0 || input.length > inputsMax)
    throw invalid('input', `input must be a text, or a list of 1 to ${inputsMax} texts or parts.`)
  if (input.every(isText)) return input.map((text, place) => requireText(`input[${place}]`, text))
  return input.map((part, place) => readPart(`input[${place}]`, part))
}

function requireText(name: string, text: unknown): string {
  if (!isText(text) || text === '' || text.length > textCharactersMax)
    throw invalid('input', `${name} must be a text of 1 to ${textCharactersMax} characters.`)
  return text
}

/** As in chats, pictures are data addresses or public ones, which the vendor fetches. */
function readPart(name: string, part: unknown): object {
  const { type, text, image_url: image } = isObject(part) ? part : {}
  if (type === 'text') return { type, text: requireText(`${name}.text`, text) }
  const url = isObject(image) ? image.url : undefined
  const isAddress =
    isText(url) && url.length <= addressCharactersMax && /^(https?:\/\/|data:image\/)/.test(url)
  if (type !== 'image_url' || !isAddress)
    throw invalid('input', `${name} must be a part of type text, or image_url with a url.`)
  return { type, image_url: { url } }
}
