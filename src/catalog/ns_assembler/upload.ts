import { defineAction, z } from '#core/action.ts'
import { requireUnfailed } from '../lib/failed-work.ts'
import { issue } from '../lib/issued-id.ts'
import { mediaId, mediaObject, mediaTypes, readMedia } from './lib/media.ts'

export const upload = defineAction('upload', {
  summary: 'Import a stored file as media for a film.',
  notes:
    'Store the bytes first with files/upload or files/upload_from_url. Poll ns_assembler/media_status until the media is ready, then name its media_id in a composition. Media is forgotten 30 days after its upload.',
  synonyms: ['import video', 'add footage', 'media library', 'ingest clip', 'cueframe upload'],
  questions: [
    'how do I get my photos into a film?',
    'add this song to the video project',
    'use my clip as footage in the edit',
  ],
  makes: ['film_media'],
  input: z.looseObject({
    file_id: z.string().min(1).max(100).describe('The file, from files/upload.'),
    filename: z.string().min(1).max(500).optional().describe('Default: the name of the file.'),
    contentType: z.enum(mediaTypes).optional().describe('Default: the type of the file.'),
  }),
  output: mediaObject,
  async admits({ file_id: fileId }, _caller, files) {
    await files.find(fileId)
  },
  price: { cents: 1 },
  example: {
    input: { file_id: '01970000-0000-7000-8000-000000000000', contentType: 'image/jpeg' },
    cents: 1,
  },
  issues: ({ media_id: id }) => issue('media', mediaId, id),
  async run({ input, http, files }) {
    const { filename, mediaType } = await files.find(input.file_id)
    const { id, status } = await http.post('/media/import', {
      url: await files.address(input.file_id),
      filename: input.filename ?? filename,
      contentType: input.contentType ?? mediaType,
    })
    requireUnfailed(status)
    return readMedia({ id, status: 'importing' })
  },
})
