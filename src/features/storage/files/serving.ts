// How a file is served over HTTP. Pure.
import type { ByteRange } from '#core/files.ts'
import { replaceHidden } from '#core/input/hidden-characters.ts'
import type { FileRow } from './file-rows.ts'

/** Browsers show these, and they hold no script. SVG may hold one. */
const shown = /^(?:image\/(?!svg)|audio\/|video\/)/
const pdf = 'application/pdf'
/** A page of a caller must not run scripts on the gateway's origin. A PDF viewer does not work in a sandbox. */
const noScripts = "script-src 'none'; object-src 'none'; base-uri 'none'; form-action 'none'"

/**
 * A page of this origin may load these as its own code or style, even against the policy of the file itself. Sources:
 * the JavaScript types of the WHATWG standard "MIME Sniffing", CSS, WebAssembly and XSLT.
 */
const loadable =
  /^(?:(?:text|application)\/(?:x-)?(?:java|ecma|j|live)script(?:1\.\d)?|text\/(?:css|xsl)|application\/(?:wasm|xslt\+xml))$/
const bytesOnly = 'application/octet-stream'

export type Serving =
  | { readonly status: 304 | 416; readonly headers: Readonly<Record<string, string>> }
  | {
      readonly status: 200 | 206
      readonly headers: Readonly<Record<string, string>>
      readonly range: ByteRange | undefined
    }

type ServedFile = Pick<FileRow, 'filename' | 'mediaType' | 'bytes'> & { readonly sha256: string }

/** Answers a request for a stored file. */
export function serve(
  file: ServedFile,
  conditions: {
    readonly range?: string | undefined
    readonly ifRange?: string | undefined
    readonly ifNoneMatch?: string | undefined
  },
): Serving {
  const etag = `"${file.sha256}"`
  // The signature is in the address, so caches between the caller and the gateway must not keep the answer.
  const headers = { etag, 'cache-control': 'private, no-cache', 'accept-ranges': 'bytes' }
  if (isMatch(conditions.ifNoneMatch, etag)) return { status: 304, headers }
  const isSame = conditions.ifRange === undefined || conditions.ifRange === etag
  const range = isSame ? readRange(conditions.range, file.bytes) : undefined
  if (range === 'outside')
    return { status: 416, headers: { ...headers, 'content-range': `bytes */${file.bytes}` } }
  const { start, end } = range ?? { start: 0, end: file.bytes - 1 }
  return {
    status: range === undefined ? 200 : 206,
    headers: {
      ...headers,
      ...describeContent(file),
      'content-length': String(end - start + 1),
      ...(range && { 'content-range': `bytes ${start}-${end}/${file.bytes}` }),
    },
    range,
  }
}

/** The headers that say what the content is, and keep it from running on the gateway's origin. */
function describeContent(file: ServedFile): Record<string, string> {
  const { mediaType } = file
  const isPdf = mediaType === pdf
  return {
    'content-type': loadable.test(mediaType) ? bytesOnly : mediaType,
    'content-disposition': dispositionOf(file),
    'x-content-type-options': 'nosniff',
    'content-security-policy': isPdf ? noScripts : `${noScripts}; sandbox`,
  }
}

/** Source: RFC 6266, with the fallback for clients that do not know `filename*`. */
export function dispositionOf({ filename, mediaType }: Pick<FileRow, 'filename' | 'mediaType'>) {
  const isInline = mediaType === pdf || shown.test(mediaType)
  const name = replaceHidden(filename.replaceAll(/[/\\]/g, '_'), '_')
  const fallback = name.replaceAll(/[^\x20-\x7e]|["%]/g, '_')
  const disposition = `${isInline ? 'inline' : 'attachment'}; filename="${fallback}"`
  if (fallback === name) return disposition
  const encoded = encodeURIComponent(name).replaceAll(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `${disposition}; filename*=UTF-8''${encoded}`
}

function isMatch(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false
  const tags = ifNoneMatch.split(',').map((tag) => tag.trim().replace(/^W\//, ''))
  return tags.includes('*') || tags.includes(etag)
}

/**
 * One range of bytes. Undefined for none, and for a header that RFC 9110 lets a server ignore: several ranges, or
 * another unit.
 */
function readRange(header: string | undefined, bytes: number): ByteRange | 'outside' | undefined {
  const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? '') ?? []
  if (first === '' && last === '') return undefined
  if (first === '') {
    const suffix = Math.min(Number(last), bytes)
    return suffix === 0 ? 'outside' : { start: bytes - suffix, end: bytes - 1 }
  }
  const start = Number(first)
  const end = last === '' ? bytes - 1 : Math.min(Number(last), bytes - 1)
  if (last !== '' && Number(last) < start) return undefined
  return start >= bytes ? 'outside' : { start, end }
}
