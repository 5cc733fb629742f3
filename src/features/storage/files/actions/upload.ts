import { rightOf } from '#core/access/open-access.ts'
import { type Action, defineAction, z } from '#core/action.ts'
import type { FileAddresses } from '../addresses.ts'
import { type FileStore, fileBytesMax } from '../file-store.ts'
import { filename, getUrl, note, record, tags, toLinkedRecord } from './fields.ts'

export function createUpload({
  store,
  addresses,
}: {
  store: Pick<FileStore, 'reserve'>
  addresses: FileAddresses
}): Action {
  return defineAction('upload', {
    summary:
      'Store a file of your own: reserves room for it and gives an address to send its bytes to.',
    notes:
      'PUT the raw bytes to put_url within an hour, exactly size_bytes of them; until then the file is pending. Further PUTs are refused once the bytes have arrived. For a file at a public address use files/upload_from_url. Quota that is reserved and not used is free again after the hour.',
    synonyms: [
      'upload file',
      'file storage',
      'store a file',
      'save attachment',
      'presigned upload',
      'put object',
    ],
    questions: [
      'where can I upload a file?',
      'how do I store a photo for later calls?',
      'can I keep a video on this gateway?',
    ],
    errors: ['file_quota_exceeded'],
    input: z.strictObject({
      filename,
      size_bytes: z
        .int()
        .min(0)
        .max(fileBytesMax)
        .describe(`The exact size of the file, at most ${fileBytesMax} bytes.`),
      mime: z
        .string()
        .max(200)
        .optional()
        .describe('The media type, such as text/csv. Used where the bytes do not show their type.'),
      tags,
      note,
    }),
    output: z.object({
      put_url: z
        .string()
        .describe('PUT the raw bytes here within an hour. No credential is needed.'),
      ...record.shape,
      get_url: getUrl,
    }),
    price: { cents: 1 },
    example: {
      input: { filename: 'report.pdf', size_bytes: 52_431, mime: 'application/pdf' },
      cents: 1,
    },
    makes: ['file'],
    async run({ input, caller, effect }) {
      const { size_bytes: bytes, mime: mediaType = '', ...description } = input
      const file = await store.reserve(caller, { ...description, bytes, mediaType }, effect)
      return {
        put_url: await addresses.address('upload', file, rightOf(caller).keyId),
        ...(await toLinkedRecord(file, { addresses, caller })),
      }
    },
  })
}
