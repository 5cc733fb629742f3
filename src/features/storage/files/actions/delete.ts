import { type Action, defineAction, z } from '#core/action.ts'
import { ownerOf } from '#core/caller.ts'
import { fail } from '#core/errors.ts'
import type { FileStore } from '../file-store.ts'
import { fileId } from './fields.ts'

export function createDelete({ store }: { store: Pick<FileStore, 'find' | 'remove'> }): Action {
  return defineAction('delete', {
    summary: 'Delete a file of yours and free the room that it takes.',
    notes:
      'The bytes are gone at once, and addresses of the file answer 404. A pending upload is deleted in the same way. files/list finds the id.',
    synonyms: [
      'delete file',
      'remove upload',
      'free storage',
      'erase file',
      'free quota',
      'discard file',
    ],
    questions: [
      'how do I delete a file?',
      'how do I make room in my storage?',
      'remove the photo that I uploaded',
    ],
    errors: ['not_found', 'file_pending'],
    removes: [
      'file',
      'upload',
      'stored',
      'storage',
      'saved',
      'document',
      'attachment',
      'gateway',
      'download link',
    ],
    input: z.strictObject({ file_id: fileId }),
    output: z.object({
      file_id: z.uuid(),
      deleted: z.literal(true),
      freed_bytes: z.int(),
    }),
    price: 'free',
    example: { input: { file_id: '01970000-0000-7000-8000-000000000000' }, cents: 0 },
    async run({ input, caller }) {
      const { source, state } = await store.find(ownerOf(caller), input.file_id)
      if (source === 'action' && state === 'pending')
        throw fail('file_pending', {
          message:
            'An action that is still running will store its output in this file. Delete it once the action has ended.',
        })
      const { fileId, bytes } = await store.remove(caller, input.file_id)
      return { file_id: fileId, deleted: true, freed_bytes: bytes }
    },
  })
}
