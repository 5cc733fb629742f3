// What pictures, documents and recordings of a request count for. Their bytes are not text.
import type { ChatFields } from './fields.ts'

export interface Attachments {
  readonly pictures: number
  /** Pictures in low detail. */
  readonly smallPictures: number
  /** The most tokens that documents and recordings count for. */
  readonly tokensMax: number
  /** Bytes of inline data in the JSON of the messages. */
  readonly dataBytes: number
}

/** Anthropic counts a page as a picture and as its text, and takes a hundred of them. */
const pageTokensMax = 4_600
const pagesMax = 100
/** No codec makes fewer bytes of the sound that one token stands for. */
const bytesPerSoundToken = 16

export function countAttachments(messages: readonly ChatFields[]): Attachments {
  let pictures = 0
  let smallPictures = 0
  let tokensMax = 0
  let dataBytes = 0
  for (const { content } of messages) {
    if (!Array.isArray(content)) continue
    for (const { type, image_url: image, file, input_audio: audio } of content) {
      if (type === 'image_url') {
        pictures += 1
        if (image.detail === 'low') smallPictures += 1
        dataBytes += inlineBytes(image.url)
      } else if (type === 'file') {
        tokensMax += documentTokensMax(file)
        dataBytes += inlineBytes(file.file_data ?? '')
      } else if (type === 'input_audio') {
        tokensMax += Math.ceil(audio.data.length / bytesPerSoundToken)
        dataBytes += audio.data.length
      }
    }
  }
  return { pictures, smallPictures, tokensMax, dataBytes }
}

const inlineBytes = (url: string) => (url.startsWith('data:') ? url.length : 0)

function documentTokensMax({ file_data: url = '' }: ChatFields): number {
  const start = url.indexOf(',') + 1
  if (!url.startsWith('data:application/pdf') || start === 0)
    return url === '' ? pageTokensMax * pagesMax : url.length
  const text = Buffer.from(url.slice(start), 'base64').toString('latin1')
  // The pages of newer files may be compressed, so they cannot be counted.
  const pages = text.includes('/ObjStm')
    ? 0
    : (text.match(/\/Type\s*\/Page(?![A-Za-z])/g) ?? []).length
  return pageTokensMax * (pages === 0 ? pagesMax : pages)
}
