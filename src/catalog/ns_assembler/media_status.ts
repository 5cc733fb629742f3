import { defineAction, z } from '#core/action.ts'
import { path } from '#core/path.ts'
import { mediaId, mediaObject, readMedia } from './lib/media.ts'

export const mediaStatus = defineAction('media_status', {
  summary: 'Tell whether imported media is ready, with its length and size.',
  notes:
    'Free. A composition may use media from ns_assembler/upload once its status is ready; failed media says why in error.',
  synonyms: [
    'import status',
    'is my footage ready',
    'media info',
    'clip length',
    'processing status',
  ],
  questions: [
    'is the uploaded clip ready to use?',
    'how long is the video I imported?',
    'why did the import of my song fail?',
  ],
  input: z.strictObject({
    media_id: mediaId.describe('From ns_assembler/upload.'),
  }),
  output: mediaObject,
  price: 'free',
  example: { input: { media_id: 'med_1' }, cents: 0 },
  owned: ({ media_id: id }) => ({ kind: 'media', id }),
  async run({ input, http }) {
    return readMedia(await http.get(path`/media/${input.media_id}`))
  },
})
