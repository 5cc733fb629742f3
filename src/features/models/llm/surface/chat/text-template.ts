// Most events of a stream differ only in their text. The JSON around the text is learnt from one event that was parsed
// and rewritten; later events with the same JSON around their text are rewritten without being parsed.
import type { ChatFields } from '../../conversation/fields.ts'

const marker = '"content":"'
/** Characters that are escaped or forbidden in a JSON string. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what a JSON string may not hold.
const notPlain = /["\\\x00-\x1f]/
/** The inside of a JSON string. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what a JSON string may not hold.
const jsonText = /^(?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*$/

/** The expression keeps a place for each character, so a long text is parsed. */
const escapedCharactersMax = 65_536

export interface TextTemplate {
  /** The event to send and the bytes of its text; undefined if the data must be parsed. */
  apply(data: string): { readonly event: string; readonly bytes: number } | undefined
  /** `written` is the JSON that is sent for `event`, which was read from `data`. */
  learn(data: string, event: ChatFields, written: string): void
}

export function createTextTemplate(): TextTemplate {
  let known: { before: string; after: string; outBefore: string; outAfter: string } | undefined
  return {
    apply(data) {
      if (known === undefined) return undefined
      const { before, after, outBefore, outAfter } = known
      if (data.length <= before.length + after.length) return undefined
      // Comparing slices is much faster than startsWith and endsWith.
      if (data.slice(0, before.length) !== before) return undefined
      if (data.slice(data.length - after.length) !== after) return undefined
      const text = data.slice(before.length, data.length - after.length)
      if (!notPlain.test(text))
        return { event: `${outBefore}${text}${outAfter}`, bytes: text.length }
      if (text.length > escapedCharactersMax || !jsonText.test(text)) return undefined
      const bytes = Buffer.byteLength(JSON.parse(`"${text}"`), 'latin1')
      return { event: `${outBefore}${text}${outAfter}`, bytes }
    },
    learn(data, event, written) {
      if (!isPlainText(event)) return
      const read = splitAtText(data)
      const out = splitAtText(written)
      if (read === undefined || out === undefined) return
      known = {
        before: read.before,
        after: read.after,
        outBefore: `data: ${out.before}`,
        outAfter: `${out.after}\n\n`,
      }
    },
  }
}

/** One choice that adds only text. */
function isPlainText({ choices }: ChatFields): boolean {
  if (choices.length !== 1) return false
  const [{ delta, finish_reason, logprobs }] = choices
  return (
    finish_reason == null &&
    logprobs == null &&
    typeof delta?.content === 'string' &&
    Object.keys(delta).every((name) => name === 'content' || delta[name] == null)
  )
}

/** Undefined unless the marker occurs exactly once, because another one would be ambiguous. */
function splitAtText(data: string): { before: string; after: string } | undefined {
  const start = data.indexOf(marker) + marker.length
  if (start < marker.length || data.indexOf(marker, start) !== -1) return undefined
  let end = start
  while (end < data.length && data.charCodeAt(end) !== 34)
    end += data.charCodeAt(end) === 92 ? 2 : 1
  if (end >= data.length) return undefined
  return { before: data.slice(0, start), after: data.slice(end) }
}
