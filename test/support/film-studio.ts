// The steps from a file to a film, as callers take them.
import { expect } from 'vitest'
import type { Reply } from './harness.ts'
import { type MediaSample, mediaSample, mediaSamples } from './media-samples.ts'

/** Calls an action: for an account with its key, for a wallet with its payment. */
export type CallAction = (action: string, body: object) => Promise<Reply>

/** Stores bytes as a file and answers with its id. */
export async function storeFile(call: CallAction, filename: string, bytes: Uint8Array) {
  const { body } = await call('files/upload', { filename, size_bytes: bytes.length })
  expect(body).toMatchObject({ ok: true })
  const { put_url, file_id } = body.data
  expect((await fetch(put_url, { method: 'PUT', body: new Uint8Array(bytes) })).status).toBe(200)
  return file_id as string
}

export async function storeSample(call: CallAction, type: MediaSample): Promise<string> {
  return await storeFile(call, `sample.${mediaSamples[type][0]}`, await mediaSample(type))
}

/** Imports a sample and answers with its media id. */
export async function importSample(call: CallAction, type: MediaSample): Promise<string> {
  const { body } = await call('ns_assembler/upload', { file_id: await storeSample(call, type) })
  expect(body).toMatchObject({ ok: true, data: { status: 'ready' } })
  return body.data.media_id
}

/** A project with this composition, and its id. */
export async function saveFilm(call: CallAction, composition: object): Promise<string> {
  const created = await call('ns_assembler/create_project', { name: 'Harbour / 100 %' })
  const project_id: string = created.body.data.id
  const { body } = await call('ns_assembler/put_composition', { project_id, composition })
  expect(body).toMatchObject({ ok: true })
  return project_id
}

export interface FilmClip {
  readonly mediaId: string
  readonly kind: 'video' | 'audio' | 'image'
  readonly seconds: number
  readonly source?: object
}

/** One track for each clip. */
export const filmOf = (...clips: readonly FilmClip[]) => ({
  v: 1,
  format: { aspectRatio: '16:9', fps: 24, resolution: 'hd' },
  tracks: clips.map(({ kind, mediaId, seconds: duration, source }, place) => ({
    id: `track-${place}`,
    kind,
    contents: [
      {
        id: `clip-${place}`,
        startTime: 0,
        duration,
        source: { kind: 'media', mediaId, ...source },
      },
    ],
  })),
})
