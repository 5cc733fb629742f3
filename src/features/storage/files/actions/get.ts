import { type Action, defineAction, z } from '#core/action.ts'
import { ownerOf } from '#core/caller.ts'
import type { FileAddresses } from '../addresses.ts'
import type { FileStore } from '../file-store.ts'
import { fileId, getUrl, record, toLinkedRecord } from './fields.ts'

export function createGet({
  store,
  addresses,
}: {
  store: Pick<FileStore, 'find'>
  addresses: FileAddresses
}): Action {
  return defineAction('get', {
    summary: 'Give a fresh download address and the record of a file of yours.',
    notes:
      'The address serves the content for about an hour, with ranges and an ETag. files/list finds files by name or tag. A file of another caller is not found.',
    synonyms: [
      'download file',
      'file link',
      'file metadata',
      'presigned download',
      'share link',
      'file info',
    ],
    questions: [
      'how do I download my file again?',
      'has my upload arrived?',
      'what is the link of my file?',
    ],
    errors: ['not_found'],
    input: z.strictObject({ file_id: fileId }),
    output: z.object({ ...record.shape, get_url: getUrl }),
    price: 'free',
    example: { input: { file_id: '01970000-0000-7000-8000-000000000000' }, cents: 0 },
    run: async ({ input, caller }) =>
      await toLinkedRecord(await store.find(ownerOf(caller), input.file_id), { addresses, caller }),
  })
}
