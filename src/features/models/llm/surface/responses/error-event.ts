import type { CallError } from '#core/errors.ts'
import { membersOf } from '#core/input/members.ts'
import type { ChatFields } from '../../conversation/fields.ts'

/**
 * The fields of the event `error`. Older clients of the vendor throw only if it holds an `error`, and would take what
 * has come before it for the whole answer.
 */
export function writeErrorEvent({ code, message, data }: CallError): ChatFields {
  const param = membersOf(data).param ?? null
  return { code, message, param, error: { code, message, param } }
}
