// Whether a file is what its caller says. Containers hold sound or pictures, so only the kind of container is compared.
import type { ProbedMedia } from '../composition/media.ts'

type Kind = ProbedMedia['kind']

const containers: Readonly<Record<string, string>> = {
  'video/mp4': 'MP4',
  'video/quicktime': 'MP4',
  'audio/mp4': 'MP4',
  'video/x-matroska': 'Matroska',
  'video/webm': 'Matroska',
  'audio/mpeg': 'MPEG audio',
  'audio/aac': 'AAC',
  'audio/wav': 'WAV',
  'audio/x-wav': 'WAV',
  'image/png': 'PNG',
  'image/jpeg': 'JPEG',
  'image/webp': 'WebP',
}

/** Why the file is not of the declared type, as a sentence. Undefined: it is. */
export function typeProblem(declared: string, found: string): string | undefined {
  const [told, seen] = [containers[declared], containers[found]]
  if (seen === undefined)
    return `The file is ${found}, which films cannot use. Convert it to MP4, QuickTime, Matroska, WebM, MP3, WAV, AAC, PNG, JPEG or WebP.`
  if (told === seen) return undefined
  return `The file is ${found} and not ${declared}. Leave contentType out, or send the type of the file.`
}

/** Why the file does not hold what its declared type promises. Undefined: it does. */
export function kindProblem(declared: string, { kind }: { readonly kind: Kind }) {
  const told = declared.split('/')[0]
  if (told === kind) return undefined
  return `The file holds ${nouns[kind]} and not ${nouns[told as Kind]}. Send a contentType that begins with ${kind}/.`
}

const nouns = { video: 'moving pictures', audio: 'sound alone', image: 'a picture' } as const
