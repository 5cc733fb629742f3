// The parameters and the record that the actions of the file store share.
import { rightOf } from '#core/access/open-access.ts'
import { z } from '#core/action.ts'
import type { Caller } from '#core/caller.ts'
import type { FileAddresses } from '../addresses.ts'
import type { FileRow } from '../file-rows.ts'

/** Source: spec, "File record" and "Limits". */
const tagsMax = 10
const tagCharactersMax = 40
const noteCharactersMax = 500
const filenameCharactersMax = 500
const controlCharacter = /\p{Cc}/u

export const filename = z
  .string()
  .min(1)
  .max(filenameCharactersMax)
  .refine((text) => !controlCharacter.test(text) && text.isWellFormed(), {
    error: 'must not contain control characters',
  })
  .describe('The name that downloads are saved under.')
export const tags = z
  .array(z.string().min(1).max(tagCharactersMax))
  .max(tagsMax)
  .default([])
  .describe(
    `Words to find the file by: up to ${tagsMax}, each of at most ${tagCharactersMax} characters.`,
  )
export const note = z.string().max(noteCharactersMax).optional().describe('A text for yourself.')
export const fileId = z.uuid().describe('The file_id of files/upload or files/list.')

export const record = z.object({
  file_id: z.uuid(),
  filename: z.string(),
  tags: z.array(z.string()),
  note: z.string().nullable(),
  size: z.int().describe('In bytes.'),
  mime: z.string().describe('Read from the bytes where they show it, otherwise as declared.'),
  sha256: z
    .string()
    .nullable()
    .describe('Of the content, in hexadecimal. Null while the bytes are missing.'),
  source: z.enum(['upload', 'url', 'action']),
  status: z
    .enum(['pending', 'stored'])
    .describe(
      'Pending: the bytes have not arrived yet. They are expected for an hour after the upload call.',
    ),
  created_at: z.string(),
})

export const getUrl = z
  .string()
  .describe('Serves the content for about an hour, without a credential.')

export function toRecord({ fileId, bytes, mediaType, state, createdAt, ...file }: FileRow) {
  const { filename, tags, note, sha256, source } = file
  return {
    file_id: fileId,
    filename,
    tags,
    note,
    size: bytes,
    mime: mediaType,
    sha256,
    source,
    status: state,
    created_at: createdAt.toISOString(),
  }
}

/** The record with an address of the content. */
export const toLinkedRecord = async (
  file: FileRow,
  { addresses, caller }: { readonly addresses: FileAddresses; readonly caller: Caller },
) => ({
  ...toRecord(file),
  get_url: await addresses.address('download', file, rightOf(caller).keyId),
})
