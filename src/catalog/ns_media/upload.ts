import { defineAction, z } from '#core/action.ts'
import { hosts } from './lib/queue.ts'

export const upload = defineAction('upload', {
  summary: 'Get an address to upload a photo, a video or audio to, for a model to work on.',
  notes:
    'PUT the raw bytes, uncompressed, to upload_url with the same Content-Type, and pass file_url to ns_media/generate. Outputs of earlier generations need no upload. To keep a file for yourself use files/upload.',
  synonyms: ['stage a file', 'upload a photo', 'upload audio', 'input image', 'upload a video'],
  questions: [
    'how do I give the model my own picture?',
    'where do I upload the photo to animate?',
    'upload a voice recording for a video',
  ],
  input: z.strictObject({
    file_name: z.string().min(1).max(255).describe('Such as photo.jpg.'),
    content_type: z.string().min(1).max(255).describe('Such as image/jpeg.'),
    size_bytes: z
      .int()
      .min(0)
      .optional()
      .describe(
        'The exact size. Where the gateway itself takes the upload, room for the largest file is reserved without it.',
      ),
  }),
  output: z.looseObject({
    upload_url: z.url().describe('For the PUT.'),
    file_url: z.url().describe('For the parameters of a generation.'),
  }),
  price: { cents: 1 },
  example: { input: { file_name: 'photo.jpg', content_type: 'image/jpeg' }, cents: 1 },
  run: ({ input: { file_name, content_type }, http }) =>
    http.post(
      '/storage/upload/initiate',
      { content_type, file_name },
      {
        host: { host: hosts.storage },
        query: { storage_type: 'fal-cdn-v3' },
      },
    ),
})
