// Pictures from a description, or from other pictures and a description, in the common format.
import type { ModelPrice } from '#core/model-price.ts'
import type { PictureCount, SurfaceUsage } from '#core/models/surfaces.ts'
import {
  type ChatFields,
  invalid,
  isObject,
  readBoolean,
  readNumber,
  readWord,
} from '../llm/conversation/fields.ts'
import type { Route } from '../llm/routing/models.ts'
import { type EventRules, eventAnswer, openEventReader } from '../surfaces/events.ts'
import {
  definedOnly,
  estimateTokens,
  isCount,
  readCommon,
  readText,
  requireText,
} from '../surfaces/fields.ts'
import { digestFile, type FormFile, isForm, writeForm } from '../surfaces/form.ts'
import {
  finishJson,
  replayJson,
  type StreamedRequest,
  type SurfaceAnswer,
  type WholeRequest,
} from '../surfaces/request.ts'
import { readPictureForm, readPicturesInJson, type SentPictures } from './sent-pictures.ts'

const promptCharactersMax = 32_000
const picturesMax = 10
const partialsMax = 3
/** What a picture costs that a stream shows before the picture is done. */
const partialTokens = 100
const sizeCharactersMax = 20
const answerBytesMax = 100_000_000
/** Of one picture. */
const eventBytesMax = 30_000_000
/** What the vendor adds to a prompt. */
const promptOverheadTokens = 100
/** The most tokens of a picture that is read, where its price does not say. */
const pictureTokensMax = 8_000

const words: Readonly<Record<string, readonly string[]>> = {
  background: ['transparent', 'opaque', 'auto'],
  moderation: ['low', 'auto'],
  output_format: ['png', 'jpeg', 'webp'],
  response_format: ['url', 'b64_json'],
  style: ['vivid', 'natural'],
  input_fidelity: ['low', 'high'],
}

interface Asked {
  readonly prompt: string
  readonly n: number
  /** How many pictures a stream may show before the picture is done. */
  readonly partials: number
  readonly size: string | undefined
  readonly quality: string | undefined
}

/** Throws `bad_request` for the first invalid field; `param` names the field. */
export function readImagesRequest(
  body: unknown,
  edited?: SentPictures,
): WholeRequest | StreamedRequest {
  const { sent, model, maxCostMicros, user } = readCommon(body)
  const stream = readBoolean('stream', sent.stream) ?? false
  const partials = readNumber('partial_images', sent.partial_images, [0, partialsMax], true)
  if (!stream && (partials ?? 0) > 0)
    throw invalid('partial_images', 'partial_images needs stream: true.')
  const asked: Asked = {
    prompt: requireText('prompt', sent.prompt, promptCharactersMax),
    n: readNumber('n', sent.n, [1, picturesMax], true) ?? 1,
    size: readChoice('size', sent.size),
    quality: readChoice('quality', sent.quality),
    partials: partials ?? 0,
  }
  if (stream && asked.n > 1)
    throw invalid('n', 'A stream has one picture. Leave out n, or leave out stream.')
  const fields = definedOnly({
    prompt: asked.prompt,
    n: sent.n ?? undefined,
    size: sent.size ?? undefined,
    quality: sent.quality ?? undefined,
    output_compression: readNumber('output_compression', sent.output_compression, [0, 100], true),
    ...readWords(sent),
    user,
  })
  const read = edited?.images.length ?? 0
  // Models whose pictures have a price each do not stream.
  const streamed = ({ pictures }: ModelPrice): ChatFields =>
    stream && pictures === undefined ? definedOnly({ stream, partial_images: partials }) : {}
  const meant = stream ? definedOnly({ stream, partial_images: partials }) : {}
  const common = {
    surface: 'images' as const,
    model,
    maxCostMicros,
    meaning: { ...fields, ...meant, ...(edited && digestsOf(edited)) },
    worst: (price: ModelPrice) => worstOf(asked, price, read),
    estimate: (price: ModelPrice) => estimateOf(asked, price),
    write: ({ upstreamModel, price }: Route) => {
      const named = { model: upstreamModel, ...fields, ...streamed(price) }
      if (edited === undefined)
        return {
          path: '/images/generations',
          type: 'application/json',
          body: JSON.stringify(named),
        }
      return { path: '/images/edits', ...writeForm(named, filesOf(edited)) }
    },
  }
  if (stream)
    return {
      ...common,
      ...eventAnswer,
      openReader: ({ price }) => openEventReader(rulesOf(asked, price, edited !== undefined)),
    }
  return {
    ...common,
    answerBytesMax,
    read: (reply, { price }) => readAnswer(JSON.parse(reply.toString()), asked, price),
    replay: replayJson,
  }
}

/** A whole answer becomes the last event. */
function rulesOf(asked: Asked, price: ModelPrice, isEdit: boolean): EventRules {
  const name = isEdit ? 'image_edit' : 'image_generation'
  const lastType = `${name}.completed`
  return {
    passed: [`${name}.partial_image`],
    lastType,
    eventBytesMax,
    eventsOf(whole) {
      const { created, data, ...made } = requirePictures(whole, asked)
      return [{ ...made, ...data[0], type: lastType, created_at: created }]
    },
    usageOf(last) {
      requirePictures({ data: [last] }, asked)
      return usageOf({ ...last, data: [last] }, asked, price)
    },
  }
}

/** An edit: a form, or JSON with its pictures as data addresses. */
export function readEditsRequest(sent: unknown): WholeRequest | StreamedRequest {
  if (!isForm(sent)) return readImagesRequest(sent, readPicturesInJson(sent))
  const { body, pictures } = readPictureForm(sent)
  return readImagesRequest(body, pictures)
}

/** `auto` and an absent field leave the choice to the model. */
function readChoice(name: string, value: unknown): string | undefined {
  const choice = readText(name, value, { least: 1, most: sizeCharactersMax })
  return choice === 'auto' ? undefined : choice
}

const readWords = (sent: ChatFields): ChatFields =>
  Object.fromEntries(
    Object.entries(words).map(([name, known]) => [name, readWord(name, sent[name], known)]),
  )

const digestsOf = ({ images, mask }: SentPictures) => ({
  images: images.map(digestFile),
  mask: mask && digestFile(mask),
})

function filesOf({ images, mask }: SentPictures): (readonly [string, FormFile])[] {
  const name = images.length === 1 ? 'image' : 'image[]'
  return [
    ...images.map((image) => [name, image] as const),
    ...(mask === undefined ? [] : [['mask', mask] as const]),
  ]
}

interface Choice {
  readonly quality: string
  readonly size: string
  /** Picodollars of a picture, or its tokens. */
  readonly amount: number
}

/** The pictures that a request may mean. Throws `bad_request` for what has no price. */
function choicesOf({ quality, size }: Asked, price: ModelPrice): readonly Choice[] {
  const table = price.pictures ?? price.picture_tokens ?? {}
  const qualities = Object.keys(table)
  if (quality !== undefined && !qualities.includes(quality))
    throw invalid('quality', `quality must be one of ${['auto', ...qualities].join(', ')}.`)
  const priced = Object.entries(table)
    .filter(([name]) => quality === undefined || name === quality)
    .flatMap(([name, sizes]) =>
      Object.entries(sizes).map(([of, amount]) => ({ quality: name, size: of, amount })),
    )
  const found = priced.filter((choice) => size === undefined || choice.size === size)
  if (found.length > 0) return found
  const sizes = new Set(priced.map((choice) => choice.size))
  throw invalid('size', `size must be one of ${['auto', ...sizes].join(', ')}.`)
}

function worstOf(asked: Asked, price: ModelPrice, read: number): SurfaceUsage {
  const choices = choicesOf(asked, price)
  const dearest = choices.reduce((one, other) => (other.amount > one.amount ? other : one))
  if (price.pictures !== undefined) return { pictures: { ...dearest, count: asked.n } }
  return {
    promptTokens: Buffer.byteLength(asked.prompt) + promptOverheadTokens,
    imageTokens: read * (price.image_tokens ?? pictureTokensMax),
    completionTokens: asked.n * dearest.amount + asked.partials * partialTokens,
  }
}

function estimateOf(asked: Asked, price: ModelPrice): SurfaceUsage {
  const choices = choicesOf(asked, price)
  const cheapest = choices.reduce((one, other) => (other.amount < one.amount ? other : one))
  if (price.pictures !== undefined) return { pictures: { ...cheapest, count: asked.n } }
  return {
    promptTokens: estimateTokens(Buffer.byteLength(asked.prompt)),
    completionTokens: asked.n * cheapest.amount,
  }
}

/** Throws if it is not an answer with pictures. */
function readAnswer(json: unknown, asked: Asked, price: ModelPrice): SurfaceAnswer {
  const read = requirePictures(json, asked)
  const { usage: told, ...answer } = read
  return {
    usage: usageOf(read, asked, price),
    finish: (charge) => finishJson(answer, isObject(told) ? told : {}, charge),
  }
}

function requirePictures(json: unknown, asked: Asked): ChatFields {
  if (!isObject(json) || !Array.isArray(json.data)) throw new Error('an answer without pictures')
  const { data } = json
  const isPicture = (row: unknown) =>
    isObject(row) && [row.b64_json, row.url].some((value) => typeof value === 'string')
  if (data.length === 0 || data.length > asked.n || !data.every(isPicture))
    throw new Error('an answer with other pictures than were asked for')
  return json
}

function usageOf(answer: ChatFields, asked: Asked, price: ModelPrice): SurfaceUsage | undefined {
  return price.pictures === undefined
    ? readTokens(answer.usage)
    : { pictures: countPictures(answer, asked, price) }
}

/** The pictures as they were made: the answer says it, or the request, or else the first of the price list. */
function countPictures(answer: ChatFields, asked: Asked, price: ModelPrice): PictureCount {
  const choices = choicesOf(asked, price)
  const made =
    choices.find(({ quality, size }) => quality === answer.quality && size === answer.size) ??
    choices.find(({ size }) => size === answer.size) ??
    choices[0]
  return {
    quality: made?.quality ?? '',
    size: made?.size ?? '',
    count: answer.data.length,
  }
}

function readTokens(told: unknown): SurfaceUsage | undefined {
  if (!isObject(told)) return undefined
  const { input_tokens, output_tokens, input_tokens_details: details = {} } = told
  if (!isCount(input_tokens) || !isCount(output_tokens)) return undefined
  const read = isObject(details) && isCount(details.image_tokens) ? details.image_tokens : 0
  const cached = isObject(details) && isCount(details.cached_tokens) ? details.cached_tokens : 0
  const imageTokens = Math.min(read, input_tokens)
  return {
    promptTokens: input_tokens - imageTokens,
    cachedTokens: Math.min(cached, input_tokens - imageTokens),
    imageTokens,
    completionTokens: output_tokens,
  }
}
