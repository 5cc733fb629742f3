// Transcriptions, in the common format. The upstream is always asked for JSON, because only that tells its count; the
// other forms are written here.
import type { ModelPrice } from '#core/model-price.ts'
import type { SurfaceUsage } from '#core/models/surfaces.ts'
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
import { definedOnly, isCount, readCommon, readCount, readText } from '../surfaces/fields.ts'
import {
  digestFile,
  type FormFile,
  fieldsOfForm,
  isForm,
  plainType,
  type SentForm,
  writeForm,
} from '../surfaces/form.ts'
import {
  finishJson,
  jsonType,
  type ReplyBody,
  type StreamedRequest,
  type SurfaceAnswer,
  type WholeRequest,
} from '../surfaces/request.ts'
import { boundSeconds, estimateSeconds } from './sound-length.ts'
import { type HeardSegment, writeSrt, writeVtt } from './subtitles.ts'

const formats = ['json', 'text', 'srt', 'verbose_json', 'vtt'] as const
type TranscriptFormat = (typeof formats)[number]

const soundBytesMax = 25_000_000
const promptCharactersMax = 10_000
const languageCharactersMax = 20
const answerBytesMax = 30_000_000
const contextDefault = 16_000
const outputDefault = 2_000
const audioTokensPerSecond = 10
const textTokensPerSecond = 3

/** Throws `bad_request` for the first invalid field; `param` names the field. */
export function readTranscriptionRequest(form: unknown): WholeRequest | StreamedRequest {
  if (!isForm(form)) throw invalid('file', 'Send a form (multipart/form-data) with model and file.')
  const { sent, model, maxCostMicros } = readCommon(
    fieldsOfForm(form, {
      lists: ['timestamp_granularities', 'include'],
      numbers: ['temperature', 'max_cost_cents'],
    }),
  )
  const stream = readBoolean('stream', sent.stream) ?? false
  const sound = readSound(form)
  const format = readWord('response_format', sent.response_format, formats) ?? 'json'
  const fields = definedOnly({
    language: readText('language', sent.language, { most: languageCharactersMax }),
    prompt: readText('prompt', sent.prompt, { most: promptCharactersMax }),
    temperature: readNumber('temperature', sent.temperature, [0, 1]),
    timestamp_granularities: readList('timestamp_granularities', sent, ['word', 'segment']),
    include: readList('include', sent, ['logprobs']),
    // Only the long form has the times of segments.
    response_format: format === 'json' || format === 'text' ? 'json' : 'verbose_json',
  })
  if (fields.timestamp_granularities !== undefined && format !== 'verbose_json')
    throw invalid(
      'timestamp_granularities',
      'timestamp_granularities needs response_format verbose_json.',
    )
  if (stream && format !== 'json' && format !== 'text')
    throw invalid('stream', 'Only response_format json and text are streamed.')
  const common = {
    surface: 'transcriptions' as const,
    model,
    maxCostMicros,
    meaning: { ...fields, format, ...(stream ? { stream } : {}), sound: digestFile(sound) },
    worst: (price: ModelPrice) => worstOf(price, sound),
    estimate: (price: ModelPrice) => estimateOf(price, sound),
    write: ({ upstreamModel, price }: Route) => ({
      path: '/audio/transcriptions',
      ...writeForm(
        {
          model: upstreamModel,
          ...fields,
          // Models with a price for each minute do not stream.
          ...(stream && price.minute === undefined ? { stream } : {}),
        },
        [['file', sound]],
      ),
    }),
  }
  if (stream)
    return {
      ...common,
      ...eventAnswer,
      openReader: ({ price }) => openEventReader(rulesOf(price)),
    }
  return {
    ...common,
    answerBytesMax,
    read: (reply, { price }) =>
      readAnswer(JSON.parse(reply.toString()), format as TranscriptFormat, price),
    replay: (stored) => written(stored, format as TranscriptFormat),
  }
}

/** A whole answer becomes one piece and the last event. */
function rulesOf(price: ModelPrice): EventRules {
  const lastType = 'transcript.text.done'
  return {
    passed: ['transcript.text.delta', 'transcript.text.segment'],
    lastType,
    eventBytesMax: answerBytesMax,
    eventsOf(whole) {
      if (!isObject(whole)) throw new Error('an answer without a text')
      return [
        { type: 'transcript.text.delta', delta: whole.text },
        { ...whole, type: lastType },
      ]
    },
    usageOf(last) {
      if (typeof last.text !== 'string') throw new Error('an answer without a text')
      return readUsage(last, price)
    },
  }
}

function readSound({ files }: SentForm): FormFile {
  const [sound, ...others] = files.get('file') ?? []
  if (sound === undefined || others.length > 0 || sound.bytes.length === 0)
    throw invalid('file', 'file must be one file of sound.')
  if (sound.bytes.length > soundBytesMax)
    throw invalid('file', `file is larger than ${soundBytesMax} bytes. Send a shorter part.`)
  return { ...sound, type: plainType(sound.type) }
}

function readList(name: string, sent: ChatFields, known: readonly string[]): unknown {
  const value: unknown = sent[name]
  if (value == null) return undefined
  if (!Array.isArray(value) || !value.every((each) => known.includes(each)))
    throw invalid(name, `${name} must be a list of ${known.join(', ')}.`)
  return value
}

function worstOf(price: ModelPrice, { bytes }: FormFile): SurfaceUsage {
  if (price.minute !== undefined) return { seconds: boundSeconds(bytes) }
  return {
    audioTokens: price.context ?? contextDefault,
    completionTokens: price.output ?? outputDefault,
  }
}

function estimateOf(price: ModelPrice, { bytes }: FormFile): SurfaceUsage {
  const seconds = estimateSeconds(bytes)
  if (price.minute !== undefined) return { seconds }
  return {
    audioTokens: seconds * audioTokensPerSecond,
    completionTokens: seconds * textTokensPerSecond,
  }
}

/** Throws if it is not a transcript. */
function readAnswer(json: unknown, format: TranscriptFormat, price: ModelPrice): SurfaceAnswer {
  if (!isObject(json) || typeof json.text !== 'string') throw new Error('an answer without a text')
  const { usage: told, ...answer } = json
  if (format === 'srt' || format === 'vtt') segmentsOf(answer)
  return {
    usage: readUsage(json, price),
    finish: (charge) => {
      const { stored } = finishJson(answer, isObject(told) ? told : {}, charge)
      return { ...written(JSON.parse(stored), format), stored }
    },
  }
}

function readUsage(answer: ChatFields, price: ModelPrice): SurfaceUsage | undefined {
  const told: ChatFields = isObject(answer.usage) ? answer.usage : {}
  if (price.minute !== undefined) {
    const seconds = readCount(told.seconds) ?? readCount(answer.duration)
    return seconds === undefined ? undefined : { seconds: Math.ceil(seconds) }
  }
  const { input_tokens, output_tokens, input_token_details: details } = told
  if (!isCount(input_tokens) || !isCount(output_tokens)) return undefined
  const heard =
    isObject(details) && isCount(details.audio_tokens) ? details.audio_tokens : input_tokens
  const audioTokens = Math.min(heard, input_tokens)
  return { audioTokens, promptTokens: input_tokens - audioTokens, completionTokens: output_tokens }
}

const plain = 'text/plain; charset=utf-8'

/** The transcript in the form that was asked for. */
function written(transcript: unknown, format: TranscriptFormat): ReplyBody {
  const answer: ChatFields = isObject(transcript) ? transcript : {}
  switch (format) {
    case 'text':
      return { type: plain, body: `${answer.text}\n` }
    case 'srt':
      return { type: plain, body: writeSrt(segmentsOf(answer)) }
    case 'vtt':
      return { type: 'text/vtt; charset=utf-8', body: writeVtt(segmentsOf(answer)) }
    default:
      return { type: jsonType, body: JSON.stringify(answer) }
  }
}

function segmentsOf({ segments }: ChatFields): readonly HeardSegment[] {
  if (!Array.isArray(segments)) throw new Error('a transcript without segments')
  return segments.map((segment) => {
    const { start, end, text } = isObject(segment) ? segment : {}
    if (readCount(start) === undefined || readCount(end) === undefined || typeof text !== 'string')
      throw new Error('a segment without its times')
    return { start, end, text }
  })
}
