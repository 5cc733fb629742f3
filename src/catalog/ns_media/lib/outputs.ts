// Finds the media in a vendor's reply. Models name them differently: `images`, `image`, `video`, `audio`, `audio_file`.
import { fail } from '#core/errors.ts'

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

/** In the order of the reply. Throws `upstream_error` if there are none. */
export function outputsOf(reply: unknown): readonly MediaOutput[] {
  const found = [...find(reply, '', 0)].slice(0, outputsMax)
  if (found.length === 0)
    throw fail('upstream_error', {
      message: 'The vendor answered without any media. Nothing was charged; try again.',
    })
  return found
}

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
  const { url, content_type, width, height } = value as Record<string, unknown>
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
