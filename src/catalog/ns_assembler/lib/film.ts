import { z } from '#core/action.ts'
import { finding } from './finding.ts'

export const intents = ['preview', 'final', 'still'] as const

export const film = z.looseObject({
  render_id: z.string(),
  project_id: z.string(),
  intent: z.enum(intents).nullish(),
  status: z.enum(['rendering', 'complete', 'failed']),
  percent: z.number().nullish(),
  file_id: z.string().nullish().describe('The film in your files: files/get gives a new link.'),
  output_url: z.string().nullish().describe('A link to the film, for about an hour.'),
  output_expires_at: z.string().nullish(),
  duration_sec: z.number().nullish(),
  at_sec: z.number().nullish().describe('Of a still: the time of the frame that it shows.'),
  width: z.int().nullish(),
  height: z.int().nullish(),
  size_bytes: z.int().nullish(),
  dropped: z.array(finding).nullish().describe('Why clips were left out.'),
  error: z.string().nullish().describe('Why the render failed.'),
  created_at: z.string().nullish(),
})

interface VendorRender {
  readonly id?: unknown
  readonly status?: unknown
  readonly progress?: number | null
  readonly outputUrl?: string | null
  readonly outputExpiresAt?: string | null
  readonly outputDurationSec?: number | null
  readonly error?: unknown
  readonly createdAt?: string | null
}

const states: Readonly<Record<string, 'complete' | 'failed'>> = {
  complete: 'complete',
  error: 'failed',
}

/** The vendor's record of a render. */
export function readFilm(render: VendorRender, project_id: string) {
  return {
    render_id: render.id,
    project_id,
    status: states[String(render.status)] ?? ('rendering' as const),
    percent: render.progress,
    output_url: render.outputUrl,
    output_expires_at: render.outputExpiresAt,
    duration_sec: render.outputDurationSec,
    error: typeof render.error === 'string' ? render.error : undefined,
    created_at: render.createdAt,
  }
}
