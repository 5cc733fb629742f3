// Edits of the conversation that the vendor would make. Coding agents ask for one that keeps everything.
import { type ChatFields, isObject } from '../../conversation/fields.ts'

/** Whether `context_management` leaves the conversation as it is. */
export function isNoContextEdit(management: unknown): boolean {
  if (management == null) return true
  if (!isObject(management) || Object.keys(management).some((name) => name !== 'edits'))
    return false
  const edits = management.edits ?? []
  return Array.isArray(edits) && edits.every(keepsAll)
}

const keepsAll = (edit: unknown) =>
  isObject(edit) && /^clear_thinking_\d{8}$/.test(edit.type) && saysAll(edit)

const saysAll = ({ keep }: ChatFields) => keep === 'all' || (isObject(keep) && keep.type === 'all')
