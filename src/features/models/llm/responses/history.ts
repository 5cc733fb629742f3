// What came before a request: the responses that it continues, and the items that it refers to.
import type { Owner } from '#core/caller.ts'
import { fail } from '#core/errors.ts'
import type { ChatFields } from '../conversation/fields.ts'
import { invalid, shown } from '../conversation/fields.ts'
import { callIdOf } from '../surface/responses/response-object.ts'
import type { KeptResponse, KeptResponses } from './kept-responses.ts'

/** The items of a response that its caller has sent, as they are listed. */
export function inputItemsOf({ id, items }: KeptResponse): ChatFields[] {
  const hex = id.replaceAll('-', '')
  return items.map((item, place) => ({
    ...item,
    type: item.type ?? 'message',
    id: item.id ?? `in_${hex}_${place}`,
  }))
}

const outputOf = ({ response }: KeptResponse): ChatFields[] => response?.output ?? []

/** Throws `not_found` for a response that the caller does not have, or of which an earlier one is gone. */
export async function readHistory(
  kept: KeptResponses,
  owner: Owner | undefined,
  previousResponseId: string,
): Promise<ChatFields[]> {
  const callId = callIdOf(previousResponseId)
  const chain =
    callId === undefined || owner === undefined ? undefined : await kept.chain(owner, callId)
  const last = chain?.at(-1)
  if (chain === undefined || last === undefined)
    throw fail('not_found', {
      message: `There is no response ${previousResponseId.slice(0, 100)} to continue, or one before it was deleted. Send the whole input instead.`,
      data: { param: 'previous_response_id' },
    })
  if (last.response === undefined)
    throw invalid(
      'previous_response_id',
      `The response ${previousResponseId} has no answer to continue: it has not ended, has failed or was cancelled. GET it for its status. Nothing was charged.`,
    )
  return chain.flatMap((each) => [...each.items, ...outputOf(each)])
}

/** Replaces references by the items that they name. */
export async function resolveReferences(
  kept: KeptResponses,
  owner: Owner | undefined,
  items: readonly ChatFields[],
): Promise<ChatFields[]> {
  const known = new Map<string, KeptResponse | undefined>()
  const resolved: ChatFields[] = []
  for (const [place, item] of items.entries()) {
    if (!isReference(item)) {
      resolved.push(item)
      continue
    }
    const callId = typeof item.id === 'string' ? callIdOf(item.id) : undefined
    if (owner !== undefined && callId !== undefined && !known.has(callId))
      known.set(callId, await kept.find(owner, callId))
    const response = callId === undefined ? undefined : known.get(callId)
    const found =
      response &&
      [...outputOf(response), ...inputItemsOf(response)].find(({ id }) => id === item.id)
    if (found === undefined)
      throw fail('not_found', {
        message: `There is no item ${shown(item.id)} here. Send the item itself.`,
        data: { param: `input[${place}].id` },
      })
    resolved.push(found)
  }
  return resolved
}

const isReference = ({ type, role, content, id }: ChatFields) =>
  type === 'item_reference' ||
  (type == null && role === undefined && content === undefined && id !== undefined)
