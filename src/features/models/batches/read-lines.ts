// The input file of a batch: one request in each line. A file with a mistake is refused as a whole, before anything
// runs.
import { isObject } from '../llm/conversation/fields.ts'
import type { BatchLine } from './batch-rows.ts'

const linesMax = 10_000
const errorsMax = 20
const customIdCharactersMax = 512
const lineBytesMax = 10_000_000

export interface LineError {
  readonly code: string
  readonly message: string
  readonly param: string | null
  readonly line: number | null
}

export type ReadLines =
  | { readonly lines: readonly BatchLine[]; readonly errors?: undefined }
  | { readonly errors: readonly LineError[] }

/** `endpoint` is the address that each line must name, such as `/v1/embeddings`. */
export async function readLines(
  content: AsyncIterable<Uint8Array>,
  endpoint: string,
): Promise<ReadLines> {
  const lines: BatchLine[] = []
  const errors: LineError[] = []
  const seen = new Set<string>()
  let number = 0
  for await (const text of linesOf(content)) {
    number += 1
    if (errors.length >= errorsMax) break
    if (text.trim() === '') continue
    const read = readLine(text, endpoint)
    const problem =
      lines.length >= linesMax
        ? wrong('too_many_requests', `A batch has at most ${linesMax} requests. Split the file.`)
        : 'message' in read
          ? read
          : seen.has(read.customId)
            ? wrong('duplicate_custom_id', 'Another line has this custom_id.', 'custom_id')
            : undefined
    if (problem !== undefined) {
      errors.push({ ...problem, line: number })
      if (lines.length >= linesMax) break
    } else if ('customId' in read) {
      seen.add(read.customId)
      lines.push({ place: number, ...read })
    }
  }
  if (errors.length > 0) return { errors }
  if (lines.length > 0) return { lines }
  return { errors: [{ ...wrong('empty_file', 'The file has no requests.'), line: null }] }
}

const wrong = (code: string, message: string, param: string | null = null) => ({
  code,
  message,
  param,
})

function readLine(
  text: string,
  endpoint: string,
): Pick<BatchLine, 'customId' | 'body'> | ReturnType<typeof wrong> {
  const line = parse(text)
  if (!isObject(line)) return wrong('invalid_json_line', 'This line is not a JSON object.')
  const { custom_id: customId, method, url, body } = line
  if (typeof customId !== 'string' || customId === '' || customId.length > customIdCharactersMax)
    return wrong(
      'invalid_custom_id',
      `custom_id must be a text of 1 to ${customIdCharactersMax} characters.`,
      'custom_id',
    )
  if (method !== 'POST') return wrong('invalid_method', 'method must be POST.', 'method')
  if (url !== endpoint)
    return wrong('invalid_url', `url must be that of the batch, ${endpoint}.`, 'url')
  if (!isObject(body)) return wrong('invalid_body', 'body must be a JSON object.', 'body')
  return { customId, body: JSON.stringify(body) }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** A line that is too long is cut, so that it is not JSON. */
async function* linesOf(content: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of content) {
    rest += decoder.decode(chunk, { stream: true })
    const parts = rest.split('\n')
    rest = (parts.pop() ?? '').slice(0, lineBytesMax)
    yield* parts
  }
  rest += decoder.decode()
  if (rest !== '') yield rest
}
