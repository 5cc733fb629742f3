// Parts of content: texts, pictures and files, into the common format.
import { readDataAddress } from '#core/input/data-address.ts'
import { type ChatFields, entryOf, invalid, isObject, readText } from '../../conversation/fields.ts'
import { requirePicture, requirePublicAddress } from '../../conversation/web-source.ts'
import { requireKnown } from './known-fields.ts'

const partsMax = 1_024
const nameCharactersMax = 512
const details = ['auto', 'low', 'high', 'original']

/** What a message or a tool result may hold: `input` from callers and tools, `output` from models. */
export type ContentKind = 'input' | 'output'

const fieldsOfParts: Readonly<Record<string, readonly string[]>> = {
  input_text: ['text', 'prompt_cache_breakpoint'],
  output_text: ['text', 'annotations', 'logprobs'],
  text: ['text'],
  summary_text: ['text'],
  refusal: ['refusal'],
  input_image: ['image_url', 'file_id', 'detail', 'prompt_cache_breakpoint'],
  input_file: ['file_data', 'file_id', 'file_url', 'filename', 'detail', 'prompt_cache_breakpoint'],
}
const typesOfKind: Readonly<Record<ContentKind, readonly string[]>> = {
  input: ['input_text', 'output_text', 'text', 'input_image', 'input_file'],
  output: ['output_text', 'refusal', 'input_text', 'text'],
}

export function readContent(
  content: unknown,
  at: string,
  kind: ContentKind,
): string | ChatFields[] {
  if (typeof content === 'string') return content
  if (!Array.isArray(content) || content.length > partsMax)
    throw invalid(at, `${at} must be a string or a list of at most ${partsMax} parts.`)
  return content.map((part, place) => readPart(part, `${at}[${place}]`, kind))
}

function readPart(part: unknown, at: string, kind: ContentKind): ChatFields {
  if (!isObject(part)) throw invalid(at, `${at} must be an object with a type.`)
  const known = entryOf(fieldsOfParts, part.type)
  if (known === undefined || !typesOfKind[kind].includes(part.type))
    throw invalid(`${at}.type`, `${at}.type must be one of ${typesOfKind[kind].join(', ')}.`)
  requireKnown(part, ['type', ...known], at)
  switch (part.type) {
    case 'input_image':
      return readPicture(part, at)
    case 'input_file':
      return readFile(part, at)
    case 'refusal':
      return { type: 'refusal', refusal: readText(part.refusal, `${at}.refusal`) }
    default:
      return { type: 'text', text: readText(part.text, `${at}.text`), ...readMark(part) }
  }
}

function readPicture(part: ChatFields, at: string): ChatFields {
  refuseFileId(part, at, 'image_url')
  const url = readText(part.image_url, `${at}.image_url`)
  requirePicture(url, `${at}.image_url`)
  if (part.detail != null && !details.includes(part.detail))
    throw invalid(`${at}.detail`, `${at}.detail must be one of ${details.join(', ')}.`)
  const detail = part.detail === 'original' ? 'high' : part.detail
  return {
    type: 'image_url',
    image_url: detail == null ? { url } : { url, detail },
    ...readMark(part),
  }
}

function readFile(part: ChatFields, at: string): ChatFields {
  refuseFileId(part, at, 'file_data or file_url')
  const filename =
    part.filename == null
      ? {}
      : { filename: readText(part.filename, `${at}.filename`, nameCharactersMax) }
  if (part.file_url != null) {
    const url = readText(part.file_url, `${at}.file_url`)
    requirePublicAddress(url, `${at}.file_url`)
    return { type: 'file', file: { ...filename, file_url: url }, ...readMark(part) }
  }
  const data = readText(part.file_data, `${at}.file_data`)
  if (readDataAddress(data) === undefined)
    throw invalid(`${at}.file_data`, `${at}.file_data must be a base64 data URL, as of a PDF.`)
  return { type: 'file', file: { ...filename, file_data: data }, ...readMark(part) }
}

function refuseFileId({ file_id: id }: ChatFields, at: string, instead: string) {
  if (id != null)
    throw invalid(
      `${at}.file_id`,
      `${at}.file_id names a file that is not stored here. Send ${instead}.`,
    )
}

/** A place up to which the vendor should keep the prompt in its cache. */
function readMark({ prompt_cache_breakpoint: mark }: ChatFields): ChatFields {
  return isObject(mark) ? { cache_control: { type: 'ephemeral' } } : {}
}
