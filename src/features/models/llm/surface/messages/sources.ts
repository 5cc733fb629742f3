// Pictures and documents: where their bytes come from, as parts of the common format.
import { isBase64 } from '#core/input/data-address.ts'
import { type ChatFields, invalid } from '../../conversation/fields.ts'
import { requirePicture, requirePublicAddress } from '../../conversation/web-source.ts'
import { readObject, readString, requireKnown } from './known-fields.ts'

const noFiles =
  'Files of the vendor are not kept here. Send the bytes as base64, or a public address.'
const titleCharactersMax = 500

/** The URL of a picture: its bytes as a data URL, or a public address. */
export function readPictureUrl(at: string, source: unknown): string {
  const given = readObject(at, source)
  const url = (() => {
    switch (given.type) {
      case 'base64':
        requireKnown(at, given, ['type', 'media_type', 'data'])
        return `data:${readString(`${at}.media_type`, given.media_type, 100)};base64,${readString(`${at}.data`, given.data)}`
      case 'url':
        requireKnown(at, given, ['type', 'url'])
        return readString(`${at}.url`, given.url)
      case 'file':
        throw invalid(at, `${at}.type file is not accepted here. ${noFiles}`)
      default:
        throw invalid(`${at}.type`, `${at}.type must be base64 or url.`)
    }
  })()
  requirePicture(url, at)
  return url
}

/** The parts of a document. `readParts` reads the blocks of a document that is made of blocks. */
export function readDocument(
  at: string,
  { source, title, context }: ChatFields,
  readParts: (at: string, content: unknown) => ChatFields[],
): ChatFields[] {
  const name = title == null ? undefined : readString(`${at}.title`, title, titleCharactersMax)
  const note = context == null ? undefined : readString(`${at}.context`, context)
  const within = `${at}.source`
  const given = readObject(within, source)
  const heading = [name, note].filter((text) => text !== undefined).join('\n')
  const headed = heading === '' ? [] : [{ type: 'text', text: heading }]
  switch (given.type) {
    case 'base64': {
      requireKnown(within, given, ['type', 'media_type', 'data'])
      if (given.media_type !== 'application/pdf')
        throw invalid(`${within}.media_type`, `${within}.media_type must be application/pdf.`)
      const data = readString(`${within}.data`, given.data)
      if (!isBase64(data)) throw invalid(`${within}.data`, `${within}.data must be base64.`)
      return [...headed, pdf(name, { file_data: `data:application/pdf;base64,${data}` })]
    }
    case 'url': {
      requireKnown(within, given, ['type', 'url'])
      const url = readString(`${within}.url`, given.url)
      requirePublicAddress(url, `${within}.url`)
      return [...headed, pdf(name, { file_url: url })]
    }
    case 'text':
      requireKnown(within, given, ['type', 'media_type', 'data'])
      if (given.media_type !== 'text/plain')
        throw invalid(`${within}.media_type`, `${within}.media_type must be text/plain.`)
      return [...headed, { type: 'text', text: readString(`${within}.data`, given.data) }]
    case 'content':
      requireKnown(within, given, ['type', 'content'])
      return [...headed, ...readParts(`${within}.content`, given.content)]
    case 'file':
      throw invalid(within, `${within}.type file is not accepted here. ${noFiles}`)
    default:
      throw invalid(`${within}.type`, `${within}.type must be base64, url, text or content.`)
  }
}

const pdf = (name: string | undefined, file: ChatFields): ChatFields => ({
  type: 'file',
  file: { filename: name ?? 'document.pdf', ...file },
})
