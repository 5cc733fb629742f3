// Finds the media in a vendor's reply. Models name them differently: `images`, `image`, `video`, `audio`, `audio_file`.
import { fail } from '#core/errors.ts'
import { membersOf } from '#core/input/members.ts'
import type { MediaType } from '#core/media-model.ts'

export type OutputKind = 'image' | 'audio' | 'video' | 'file'

export interface MediaOutput {
  readonly url: string
  readonly kind: OutputKind
  readonly media_type?: string
  readonly width?: number
  readonly height?: number
}

const depthMax = 4
const outputsMax = 50
const kinds: readonly OutputKind[] = ['image', 'audio', 'video']

/** What a model of each type is asked for. A reply may hold more, such as a last frame or a mask. */
const wanted: Readonly<Record<MediaType, OutputKind>> = {
  text_to_image: 'image',
  image_edit: 'image',
  text_to_video: 'video',
  image_to_video: 'video',
  reference_to_video: 'video',
  audio_to_video: 'video',
  video_edit: 'video',
  text_to_speech: 'audio',
  music: 'audio',
}

/**
 * What the model's type makes comes first, then the rest in the order of the reply. Throws `upstream_error` if there is
 * nothing of that kind. A `file` of unknown kind may be it.
 */
export function outputsOf(reply: unknown, type: MediaType): readonly MediaOutput[] {
  const kind = wanted[type]
  const found = [...find(reply, '', 0)]
  const rank = (output: MediaOutput) => (output.kind === kind ? 0 : output.kind === 'file' ? 1 : 2)
  const sorted = found.toSorted((one, other) => rank(one) - rank(other)).slice(0, outputsMax)
  const [first] = sorted
  if (first === undefined || rank(first) === 2)
    throw fail('upstream_error', {
      message: `The vendor answered without ${nouns[kind]}. Nothing was charged; try again.`,
    })
  return sorted
}

const nouns = { image: 'an image', video: 'a video', audio: 'audio', file: 'a file' } as const

function* find(value: unknown, name: string, depth: number): Generator<MediaOutput> {
  if (depth > depthMax || value === null) return
  if (Array.isArray(value)) {
    for (const item of value) yield* find(item, name, depth + 1)
    return
  }
  if (typeof value !== 'object') {
    if (name.endsWith('_url') && isAddress(value)) yield { url: value, kind: kindOf(name, '') }
    return
  }
  const { url, content_type, width, height } = membersOf(value)
  if (!isAddress(url)) {
    for (const [key, inner] of Object.entries(value)) yield* find(inner, key, depth + 1)
    return
  }
  const type = typeof content_type === 'string' ? content_type : undefined
  yield {
    url,
    kind: kindOf(name, type ?? ''),
    ...(type && { media_type: type }),
    ...(typeof width === 'number' && { width }),
    ...(typeof height === 'number' && { height }),
  }
}

const isAddress = (value: unknown): value is string =>
  typeof value === 'string' && /^https?:\/\//.test(value)

/** The name in the reply decides, because vendors declare wrong types. */
function kindOf(name: string, mediaType: string): OutputKind {
  return (
    kinds.find((kind) => name.startsWith(kind)) ??
    kinds.find((kind) => mediaType.startsWith(`${kind}/`)) ??
    'file'
  )
}
