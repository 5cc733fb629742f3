// Items come in pieces and then whole. The whole tells whether a piece was lost, repeated or came out of order.
import { type ChatFields, isObject } from '../../conversation/fields.ts'

/** What the model wrote, by the parts of an item. */
export function partsOf({ content, ...item }: ChatFields): { refused: boolean; text: string }[] {
  const parts: ChatFields[] = Array.isArray(content) ? content.filter(isObject) : []
  const written = item.type === 'message' ? parts : [{ text: item.arguments ?? item.input }]
  return written.flatMap(({ type, text, refusal }) => {
    const refused = type === 'refusal'
    const said: unknown = refused ? refusal : text
    return typeof said === 'string' && said !== '' ? [{ refused, text: said }] : []
  })
}

/** What the pieces have left out at the end of an item. Undefined: they say something else than the whole. */
export function restOf(item: ChatFields, told: string): string | undefined {
  const whole = partsOf(item)
    .map(({ text }) => text)
    .join('')
  if (whole.startsWith(told)) return whole.slice(told.length)
  const isSame = whole.trim() === '' || whole.trim() === told.trim() || isSameJson(whole, told)
  return isSame ? '' : undefined
}

/** Some upstreams write the arguments of a call anew. */
function isSameJson(one: string, other: string): boolean {
  try {
    return JSON.stringify(JSON.parse(one)) === JSON.stringify(JSON.parse(other))
  } catch {
    return false
  }
}
