// The size of a film.
import type { Format } from '../composition/schema.ts'

export interface Canvas {
  readonly width: number
  readonly height: number
  readonly fps: number
}

const shortSides = { hd: 720, fhd: 1080, '4k': 2160 } as const
/** Of a preview, for any resolution. */
const previewShortSide = 360
const ratios = { '16:9': [16, 9], '9:16': [9, 16], '1:1': [1, 1], '4:5': [4, 5] } as const

/** H.264 with subsampled colours needs even sizes. */
export const even = (number: number) => Math.max(2, Math.round(number / 2) * 2)

export function canvasOf(format: Format, intent: 'preview' | 'final', shortSide?: number): Canvas {
  const [across, down] = ratios[format.aspectRatio]
  const side =
    shortSide ?? (intent === 'preview' ? previewShortSide : shortSides[format.resolution])
  const unit = side / Math.min(across, down)
  return { width: even(across * unit), height: even(down * unit), fps: format.fps }
}
