// The models that the gateway sells: the table that ships with it, and what the operator's file changes in it.
import { z } from '#core/action.ts'
import { type MediaModel, type MediaModels, type MediaType, mediaTypes } from '#core/media-model.ts'
import audioToVideo from '../models/audio-to-video.json' with { type: 'json' }
import imageEdit from '../models/image-edit.json' with { type: 'json' }
import imageToVideo from '../models/image-to-video.json' with { type: 'json' }
import music from '../models/music.json' with { type: 'json' }
import referenceToVideo from '../models/reference-to-video.json' with { type: 'json' }
import textToImage from '../models/text-to-image.json' with { type: 'json' }
import textToSpeech from '../models/text-to-speech.json' with { type: 'json' }
import textToVideo from '../models/text-to-video.json' with { type: 'json' }
import videoEdit from '../models/video-edit.json' with { type: 'json' }
import { localSpeech } from './local-speech.ts'
import { type ModelRow, modelRow } from './model-row.ts'

/** Rows by type and key. `models.test.ts` reads each with the schema of a row. */
export const shippedRows: Readonly<Record<MediaType, object>> = {
  text_to_image: textToImage,
  image_edit: imageEdit,
  text_to_video: textToVideo,
  image_to_video: imageToVideo,
  reference_to_video: referenceToVideo,
  audio_to_video: audioToVideo,
  video_edit: videoEdit,
  text_to_speech: textToSpeech,
  music,
}

const addedRow = modelRow.safeExtend({ type: z.enum(mediaTypes) })
const key = z
  .string()
  .regex(/^[a-z0-9][a-z0-9._/-]{0,99}$/, 'must be lower-case letters, digits and . _ / -')

/** What the operator's file says of models: by key, a row to add or replace one, or null to stop selling it. */
export const mediaModelChanges = z.record(key, addedRow.nullable())
export type MediaModelChanges = z.output<typeof mediaModelChanges>

/** `only`: those of the operator alone, and none of the table that ships with the gateway. */
export function listMediaModels(changes: MediaModelChanges = {}, only = false): MediaModels {
  const shipped = mediaTypes.flatMap((type) =>
    Object.entries(shippedRows[type] as Record<string, ModelRow>).map(
      ([key, row]): MediaModel => ({ ...row, key, type, provider: 'vendor' }),
    ),
  )
  const models = new Map([...(only ? [] : shipped), localSpeech].map((model) => [model.key, model]))
  for (const [key, row] of Object.entries(changes))
    if (row === null) models.delete(key)
    else models.set(key, { ...row, key, provider: 'vendor' })
  return new Map([...models].toSorted(([one], [other]) => (one < other ? -1 : 1)))
}
