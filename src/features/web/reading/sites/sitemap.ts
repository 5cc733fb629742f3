// Lists of a site's pages as sites publish them: sitemaps and their indexes, RSS and Atom feeds, plain lists, gzipped
// or not. Read piece by piece, and as far as they can be read.
import { setImmediate as turn } from 'node:timers/promises'
import { constants, createGunzip } from 'node:zlib'
import { createXmlScanner, readAttributes, type XmlHandler } from '@tollway/reader'
import { decodeXML } from 'entities'

export interface SitemapVisitor {
  /** The address of a page, as written. */
  page(address: string): void
  /** The address of another sitemap. */
  sitemap(address: string): void
  /** Asked after every piece: true ends the reading. */
  done(): boolean
}

export const inflatedBytesMax = 50_000_000
const pieceBytes = 65_536
/** A longer address is passed over; pages have shorter ones. */
const addressCharactersMax = 4_096

/** Never throws: what was read before a file turned out to be broken counts. Returns how many bytes it inflated. */
export async function readSitemap(
  body: Buffer,
  visitor: SitemapVisitor,
  bytesMax = inflatedBytesMax,
): Promise<number> {
  const decoder = new TextDecoder(isUtf16(body) ? 'utf-16' : 'utf-8')
  let read: ((piece: string) => void) | undefined
  let bytes = 0
  try {
    for await (const piece of isGzip(body) ? inflate(body) : cut(body)) {
      const room = bytesMax - bytes
      bytes += Math.min(piece.length, room)
      const text = decoder.decode(piece.subarray(0, room), { stream: true })
      // Blanks before the first mark say nothing of what is to come.
      const start = read === undefined ? text.trimStart() : text
      if (start === '') continue
      read ??= start.startsWith('<')
        ? createXmlScanner(collect(visitor))
        : createLineReader(visitor)
      read(start)
      if (bytes >= bytesMax || visitor.done()) return bytes
    }
  } catch {
    // A gzip stream that is broken in the middle.
  }
  read?.('\n')
  return bytes
}

function isGzip(body: Buffer): boolean {
  return body[0] === 0x1f && body[1] === 0x8b
}

function isUtf16(body: Buffer): boolean {
  return body[0] === 0xff && body[1] === 0xfe
}

async function* cut(body: Buffer): AsyncGenerator<Buffer> {
  for (let index = 0; index < body.length; index += pieceBytes) {
    yield body.subarray(index, index + pieceBytes)
    await turn()
  }
}

async function* inflate(body: Buffer): AsyncGenerator<Buffer> {
  const gunzip = createGunzip({ chunkSize: pieceBytes, finishFlush: constants.Z_SYNC_FLUSH })
  gunzip.end(body)
  yield* gunzip
}

function createLineReader(visitor: SitemapVisitor): (piece: string) => void {
  let rest = ''
  return (piece) => {
    const lines = (rest + piece).split(/[\r\n]+/)
    // The beginning of a line that is too long stays too long until it ends.
    rest = (lines.pop() ?? '').slice(0, addressCharactersMax + 1)
    for (const line of lines)
      if (line.length <= addressCharactersMax && /^\s*https?:\/\//i.test(line))
        visitor.page(line.trim())
  }
}

/** Elements that hold one address each, and what that is the address of. */
const containers: ReadonlyMap<string, 'page' | 'sitemap'> = new Map([
  ['url', 'page'],
  ['sitemap', 'sitemap'],
  ['item', 'page'],
  ['entry', 'page'],
])

function collect(visitor: SitemapVisitor): XmlHandler {
  /** The last one opened. Its prefix tells `loc` from `image:loc`, without a stack that broken files would confuse. */
  let container: { readonly prefix: string; readonly visit: (address: string) => void } | undefined
  let address: string | undefined

  function finish(): void {
    if (address === undefined) return
    const text = decodeXML(address).trim()
    if (text !== '' && address.length <= addressCharactersMax) container?.visit(text)
    address = undefined
  }

  function add(part: string): void {
    if (address !== undefined && address.length <= addressCharactersMax) address += part
  }

  return {
    open(name, attributes) {
      finish()
      const [prefix, local] = splitName(name)
      const kind = containers.get(local)
      if (kind !== undefined) {
        container = { prefix, visit: (found) => visitor[kind](found) }
      } else if (prefix === container?.prefix && (local === 'loc' || local === 'link')) {
        address = local === 'link' ? linkOf(attributes) : ''
      }
    },
    close(name) {
      finish()
      if (containers.has(splitName(name)[1])) container = undefined
    },
    text: add,
    literal: (part) => add(part.replaceAll('&', '&amp;')),
  }
}

/** Where an Atom link leads, if to the page itself. In RSS the address is the element's text. */
function linkOf(attributes: string): string | undefined {
  const values = readAttributes(attributes)
  return (values.get('rel') ?? 'alternate') === 'alternate' ? (values.get('href') ?? '') : undefined
}

function splitName(name: string): readonly [prefix: string, local: string] {
  const lower = name.toLowerCase()
  const colon = lower.indexOf(':')
  return colon === -1 ? ['', lower] : [lower.slice(0, colon), lower.slice(colon + 1)]
}
