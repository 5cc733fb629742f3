import { z } from '#core/action.ts'

/** Source: spec, "Video assembler actions". */
export const mediaTypes = [
  'video/mp4',
  'video/quicktime',
  'video/x-matroska',
  'video/webm',
  'audio/mpeg',
  'audio/wav',
  'audio/x-wav',
  'audio/mp4',
  'audio/aac',
  'image/png',
  'image/jpeg',
  'image/webp',
] as const

export const mediaId = z.string().min(1).max(100)

const statuses = ['processing', 'ready', 'failed'] as const

export const mediaObject = z.looseObject({
  media_id: z.string(),
  status: z.enum(statuses).describe('A composition can use it once it is ready.'),
  filename: z.string().nullish(),
  content_type: z.string().nullish(),
  duration_sec: z.number().nullish(),
  width: z.int().nullish(),
  height: z.int().nullish(),
  frame_rate: z.number().nullish(),
  percent: z.number().nullish(),
  error: z.string().nullish().describe('Why the import failed.'),
})

const states: Readonly<Record<string, (typeof statuses)[number]>> = {
  complete: 'ready',
  ready: 'ready',
  error: 'failed',
  failed: 'failed',
}

interface VendorMedia {
  readonly id?: unknown
  readonly status?: unknown
  readonly name?: string | null
  readonly mimeType?: string | null
  readonly duration?: number | null
  readonly width?: number | null
  readonly height?: number | null
  readonly frameRate?: number | null
  readonly processingStatus?: { readonly percent?: number; readonly error?: string | null } | null
}

/** The vendor's record of a media item. */
export function readMedia(media: VendorMedia) {
  return {
    media_id: media.id,
    status:
      states[String(media.status)] ?? (typeof media.status === 'string' ? 'processing' : undefined),
    filename: media.name,
    content_type: media.mimeType,
    duration_sec: media.duration,
    width: media.width,
    height: media.height,
    frame_rate: media.frameRate,
    percent: media.processingStatus?.percent,
    error: media.processingStatus?.error,
  }
}
