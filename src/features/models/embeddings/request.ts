// Embeddings, in the common format.
import { fail } from '#core/errors.ts'
import type { ModelPrice } from '#core/model-price.ts'
import type { SentenceEncoder } from '#core/models/surfaces.ts'
import { invalid, isObject, readNumber, readWord } from '../llm/conversation/fields.ts'
import { definedOnly, estimateTokens, isCount, readCommon } from '../surfaces/fields.ts'
import {
  finishJson,
  replayJson,
  type SurfaceAnswer,
  type WholeRequest,
} from '../surfaces/request.ts'
import { countAtLeast } from './count-tokens.ts'

type EncodingFormat = 'float' | 'base64'
type Text = string | readonly number[]

const inputsMax = 2_048
const dimensionsMax = 16_384
const tokenMax = 1_000_000
/** 2,048 vectors of 3,072 numbers, as decimals. */
const answerBytesMax = 120_000_000
const numberBytes = 4

interface Embeddings {
  readonly texts: readonly Text[]
  readonly bytes: number
  readonly dimensions: number | undefined
  readonly format: EncodingFormat
}

/** Throws `bad_request` for the first invalid field; `param` names the field. */
export function readEmbeddingsRequest(body: unknown): WholeRequest {
  const { sent, model, maxCostMicros, user } = readCommon(body)
  const texts = readInput(sent.input)
  const dimensions = readNumber('dimensions', sent.dimensions, [1, dimensionsMax], true)
  const format = readFormat(sent.encoding_format)
  const asked: Embeddings = {
    texts,
    bytes: texts.reduce((sum, text) => sum + boundOf(text), 0),
    dimensions,
    format,
  }
  const fields = definedOnly({
    input: sent.input,
    dimensions,
    encoding_format: format,
    user,
  })
  return {
    surface: 'embeddings',
    model,
    maxCostMicros,
    meaning: fields,
    answerBytesMax,
    worst: async (price, slug) => {
      await refuseTooLong(asked, price, slug)
      const { context = Infinity, input_tokens = Infinity } = price
      const tokens = texts.reduce((sum, text) => sum + Math.min(boundOf(text), context), 0)
      return { promptTokens: Math.min(tokens, input_tokens) }
    },
    estimate: () => ({ promptTokens: estimateTokens(asked.bytes) }),
    write: ({ upstreamModel }) => ({
      path: '/embeddings',
      type: 'application/json',
      body: JSON.stringify({ model: upstreamModel, ...fields }),
    }),
    read: (reply) => readAnswer(JSON.parse(reply.toString()), asked),
    replay: replayJson,
    answerHere: ({ encoder }, { gone }) => encodeHere(encoder(), asked, gone),
  }
}

async function encodeHere(
  encoder: SentenceEncoder,
  { texts, dimensions, format }: Embeddings,
  signal: AbortSignal,
): Promise<SurfaceAnswer> {
  if (dimensions !== undefined && dimensions !== encoder.dimensions)
    throw invalid('dimensions', `This model has ${encoder.dimensions} dimensions, and no others.`)
  let promptTokens = 0
  const vectors: unknown[] = []
  for (const [index, text] of texts.entries()) {
    if (typeof text !== 'string')
      throw invalid('input', 'This model reads texts, not tokens. Send texts.')
    const { vector, tokens } = await encoder.encode(text, signal)
    if (vector === undefined)
      throw invalid('input', `This model knows no word of input[${index}]. Leave it out.`)
    promptTokens += tokens
    vectors.push(write(vector, format))
  }
  return { usage: { promptTokens }, finish: finishWith(vectors) }
}

function readFormat(value: unknown): EncodingFormat {
  const word = readWord('encoding_format', value, ['float', 'base64'])
  return word === 'base64' ? 'base64' : 'float'
}

/** A text, tokens, or a list of either. */
function readInput(input: unknown): readonly Text[] {
  if (typeof input === 'string') return [requireSomething(input, 'input')]
  if (!Array.isArray(input) || input.length === 0)
    throw invalid('input', 'input must be a text, a list of texts, or tokens.')
  if (isTokens(input)) return [input]
  const list: readonly unknown[] = input
  if (list.length > inputsMax)
    throw invalid('input', `input has ${list.length} texts. Send at most ${inputsMax} at once.`)
  return list.map((text, index) => {
    if (typeof text === 'string') return requireSomething(text, `input[${index}]`)
    if (isTokens(text)) return text
    throw invalid('input', `input[${index}] must be a text, or a list of tokens.`)
  })
}

function requireSomething(text: string, name: string): string {
  if (text === '') throw invalid('input', `${name} is empty. Leave it out.`)
  return text
}

const isTokens = (value: unknown): value is readonly number[] =>
  Array.isArray(value) &&
  value.length > 0 &&
  value.every((token) => Number.isInteger(token) && token >= 0 && token <= tokenMax)

/** No tokenizer makes more tokens of a text than it has bytes. */
const boundOf = (text: Text) => (typeof text === 'string' ? Buffer.byteLength(text) : text.length)

/** Throws `bad_request` for what certainly exceeds the limits of the model. */
async function refuseTooLong({ texts, bytes }: Embeddings, price: ModelPrice, slug: string) {
  const { context, inputs, input_tokens } = price
  if (inputs !== undefined && texts.length > inputs)
    throw tooLong(`${slug} takes at most ${inputs} texts at once. Send fewer.`)
  if (context !== undefined)
    for (const [index, text] of texts.entries())
      if (boundOf(text) > context && (await tokensOf(text, slug, context)) > context)
        throw tooLong(`input[${index}] has more than the ${context} tokens of ${slug}. Send less.`)
  if (input_tokens === undefined || bytes <= input_tokens) return
  let tokens = 0
  for (const text of texts) {
    tokens += await tokensOf(text, slug, input_tokens)
    if (tokens > input_tokens)
      throw tooLong(
        `The texts have more than the ${input_tokens} tokens that ${slug} takes at once. Send fewer.`,
      )
  }
}

async function tokensOf(text: Text, slug: string, enough: number): Promise<number> {
  return typeof text === 'string' ? await countAtLeast(text, slug, enough) : text.length
}

const tooLong = (message: string) =>
  fail('bad_request', { message, data: { param: 'input', reason: 'context_length_exceeded' } })

/** Throws if it is not an answer to what was asked. */
function readAnswer(json: unknown, { texts, format }: Embeddings): SurfaceAnswer {
  if (!isObject(json) || !Array.isArray(json.data) || json.data.length !== texts.length)
    throw new Error('an answer without a vector for each text')
  const vectors: (string | number[])[] = []
  for (const [place, row] of json.data.entries()) {
    const { index = place, embedding } = row
    const isPlace = Number.isInteger(index) && index >= 0 && index < texts.length
    if (vectors[index] !== undefined || !isPlace) throw new Error('vectors without their places')
    vectors[index] = write(embedding, format)
  }
  if (vectors.some((vector) => vector.length !== vectors[0]?.length))
    throw new Error('vectors of several lengths')
  const counted = json.usage?.prompt_tokens ?? json.usage?.total_tokens
  return {
    usage: isCount(counted) ? { promptTokens: counted } : undefined,
    finish: finishWith(vectors),
  }
}

const finishWith =
  (vectors: readonly unknown[]): SurfaceAnswer['finish'] =>
  (charge) => {
    const { slug, usage } = charge
    const tokens = usage.promptTokens ?? 0
    return finishJson(
      {
        object: 'list',
        data: vectors.map((embedding, index) => ({ object: 'embedding', index, embedding })),
        model: slug,
      },
      { prompt_tokens: tokens, total_tokens: tokens },
      charge,
    )
  }

/** A vector in the format that was asked for. Some servers only know the other one. */
function write(embedding: unknown, format: EncodingFormat): string | number[] {
  if (typeof embedding === 'string' && embedding !== '')
    return format === 'base64' ? embedding : readBase64(embedding)
  if (!Array.isArray(embedding) || !embedding.every(Number.isFinite) || embedding.length === 0)
    throw new Error('a vector that is not numbers')
  return format === 'float' ? embedding : writeBase64(embedding)
}

function writeBase64(numbers: readonly number[]): string {
  const bytes = Buffer.alloc(numbers.length * numberBytes)
  for (const [place, number] of numbers.entries()) bytes.writeFloatLE(number, place * numberBytes)
  return bytes.toString('base64')
}

function readBase64(text: string): number[] {
  const bytes = Buffer.from(text, 'base64')
  if (bytes.length === 0 || bytes.length % numberBytes !== 0)
    throw new Error('a vector that is not numbers')
  return Array.from({ length: bytes.length / numberBytes }, (_, place) =>
    bytes.readFloatLE(place * numberBytes),
  )
}
