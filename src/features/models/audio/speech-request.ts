// Speech, in the common format: a text becomes sound, which is sent on as it arrives.
import type { ModelPrice } from '#core/model-price.ts'
import type { SurfaceUsage } from '#core/models/surfaces.ts'
import { invalid, isObject, readNumber, readWord } from '../llm/conversation/fields.ts'
import type { Route } from '../llm/routing/models.ts'
import { eventAnswer } from '../surfaces/events.ts'
import {
  definedOnly,
  estimateTokens,
  readCommon,
  readText,
  requireText,
} from '../surfaces/fields.ts'
import { localVoice } from '../surfaces/local-models.ts'
import type { StreamedRequest } from '../surfaces/request.ts'
import { asEvents, readBytes, readEvents } from './sound-stream.ts'

const inputCharactersMax = 4_096
const instructionsCharactersMax = 4_096
const voiceCharactersMax = 100
const speedMin = 0.25
const speedMax = 4
/** Of this machine’s voice at speed 1, in words per minute. */
const wordsPerMinute = 175
/** Templates and roles add at most so many tokens. */
const overheadTokens = 64
const outputTokensDefault = 16_384
/** Sound has at least so many tokens for each byte of its text, on average. */
const soundTokensPerByte = 1

const types = {
  mp3: 'audio/mpeg',
  opus: 'audio/ogg',
  aac: 'audio/aac',
  flac: 'audio/flac',
  wav: 'audio/wav',
  pcm: 'audio/pcm',
} as const
type SoundFormat = keyof typeof types

/** Errors of vendors, and pages of proxies before them. */
const notSound = /^(?:application\/(?:problem\+)?json|text\/html)\b/i

/** Whether the upstream counts tokens, which it only tells in events. */
const countsTokens = ({ character }: ModelPrice) => character === undefined

interface Asked {
  readonly text: string
  readonly voice: unknown
  readonly format: SoundFormat
  readonly speed: number | undefined
}

/** Throws `bad_request` for the first invalid field; `param` names the field. */
export function readSpeechRequest(body: unknown): StreamedRequest {
  const { sent, model, maxCostMicros } = readCommon(body)
  const inEvents = readWord('stream_format', sent.stream_format, ['audio', 'sse']) === 'sse'
  const text = requireText('input', sent.input, inputCharactersMax)
  const instructions = readText('instructions', sent.instructions, {
    most: instructionsCharactersMax,
  })
  const formats = Object.keys(types)
  const asked: Asked = {
    text,
    voice: readVoice(sent.voice),
    format: (readWord('response_format', sent.response_format, formats) ?? 'mp3') as SoundFormat,
    speed: readNumber('speed', sent.speed, [speedMin, speedMax]),
  }
  const { format } = asked
  const fields = definedOnly({
    input: text,
    voice: asked.voice,
    instructions,
    response_format: format,
    speed: asked.speed,
  })
  const characters = [...text].length
  const bytes = Buffer.byteLength(text) + Buffer.byteLength(instructions ?? '')
  const estimate = (price: ModelPrice): SurfaceUsage =>
    countsTokens(price)
      ? { promptTokens: estimateTokens(bytes), completionTokens: bytes * soundTokensPerByte }
      : { characters }
  const soundOf = ({ price }: Route) =>
    countsTokens(price) ? readEvents() : readBytes(estimate(price))
  return {
    surface: 'speech',
    model,
    maxCostMicros,
    meaning: { ...fields, ...(inEvents ? { stream_format: 'sse' } : {}) },
    ...(inEvents ? eventAnswer : soundAnswer(format)),
    takes: (mediaType) => !notSound.test(mediaType),
    openReader: (route) => (inEvents ? asEvents(soundOf(route)) : soundOf(route)),
    worst: (price) =>
      countsTokens(price)
        ? {
            promptTokens: bytes + overheadTokens,
            completionTokens: price.output ?? outputTokensDefault,
          }
        : { characters },
    estimate,
    write: ({ upstreamModel, price }) => ({
      path: '/audio/speech',
      type: 'application/json',
      accept: '*/*',
      body: JSON.stringify({
        model: upstreamModel,
        ...fields,
        ...(countsTokens(price) ? { stream_format: 'sse' } : {}),
      }),
    }),
    answerHere: ({ speech }, { caller, gone }) =>
      speech.speak(localRequest(asked), { owner: caller.accountId, signal: gone }),
  }
}

const soundAnswer = (format: SoundFormat) => ({
  type: types[format],
  store: (sound: Buffer) => JSON.stringify({ audio: sound.toString('base64') }),
  replay: (stored: unknown) => ({ type: types[format], body: readStored(stored) }),
})

const readStored = (stored: unknown): Buffer =>
  Buffer.from(isObject(stored) ? String(stored.audio) : '', 'base64')

/** A name, or the id of a voice that its owner has made. */
function readVoice(voice: unknown): unknown {
  if (isObject(voice)) return { id: requireText('voice.id', voice.id, voiceCharactersMax) }
  return requireText('voice', voice, voiceCharactersMax)
}

const localVoices = /^([a-z]{2,3}(?:-[a-z0-9]{2,10}){0,3})(?:\+(m[1-7]|f[1-5]))?$/

/** What this machine's synthesizer takes. Throws `bad_request`. */
function localRequest({ text, voice, format, speed = 1 }: Asked) {
  if (format !== 'mp3' && format !== 'wav')
    throw invalid(
      'response_format',
      `The model ${localVoice} speaks mp3 and wav. Send one of them.`,
    )
  const [, language, variant] = localVoices.exec(String(voice)) ?? []
  if (language === undefined)
    throw invalid(
      'voice',
      `The voices of the model ${localVoice} are languages such as en, en-us, de or fr, alone or with one of m1 to m7 and f1 to f5: de+f3.`,
    )
  return {
    text,
    language,
    voice: variant ?? 'default',
    speed: Math.round(Math.min(450, Math.max(80, wordsPerMinute * speed))),
    format,
  }
}
