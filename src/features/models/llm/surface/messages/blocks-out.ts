// The content blocks of one answer in strict order: one block is open at a time, and a block that was closed is never
// continued. The arguments of a call come right after it.
import type { AnswerEvent, ThoughtSeal } from '../../conversation/answer-event.ts'
import type { ChatFields } from '../../conversation/fields.ts'
import type { AnswerContext } from '../surface.ts'
import { signatureOf } from './signature.ts'

/** An event of the Messages API. */
export type MessageEvent = ChatFields & { readonly type: string }

export interface ContentBlocks {
  read(event: AnswerEvent): MessageEvent[]
  /** A block that is complete at once, while no other is open. `change` is its only piece. */
  addWhole(block: ChatFields, change?: ChatFields): MessageEvent[]
  /** How many blocks there are. */
  count(): number
  hasCalls(): boolean
  hasRefused(): boolean
}

interface OpenBlock {
  readonly kind: 'text' | 'thinking' | 'tool_use'
  /** The index of its thought or call in the events. */
  readonly source: number
}

export function createContentBlocks({ request, slug, callId }: AnswerContext): ContentBlocks {
  let count = 0
  let open: OpenBlock | undefined
  let called = false
  let refused = false
  /** Seals that came after their thought was closed. */
  let lateSeals: ThoughtSeal[] = []

  const sign = (seal: ThoughtSeal) =>
    delta({ type: 'signature_delta', signature: signatureOf(seal, { request, slug }) })
  const isOpen = (kind: OpenBlock['kind'], source: number) =>
    open?.kind === kind && open.source === source
  const delta = (change: ChatFields): MessageEvent => ({
    type: 'content_block_delta',
    index: count - 1,
    delta: change,
  })
  const closing = (): MessageEvent => ({ type: 'content_block_stop', index: count - 1 })
  function start(block: ChatFields): MessageEvent {
    count += 1
    return { type: 'content_block_start', index: count - 1, content_block: block }
  }
  function stop(): MessageEvent[] {
    const wasOpen = open !== undefined
    open = undefined
    return wasOpen ? [closing()] : []
  }
  /** Closes the open block. A thought without a seal gets one, since clients drop thoughts that have none. */
  function close(): MessageEvent[] {
    const isThought = open?.kind === 'thinking'
    const seal = isThought ? [sign({ maker: 'chat', model: slug, data: '' })] : []
    return [...seal, ...stop()]
  }
  function begin(kind: OpenBlock['kind'], source: number, block: ChatFields): MessageEvent[] {
    const before = [...close(), ...writeSeals()]
    const first = start(block)
    open = { kind, source }
    return [...before, first]
  }
  /** Seals without text are blocks of their own. */
  function writeSeals(): MessageEvent[] {
    const seals = lateSeals
    lateSeals = []
    return seals.flatMap((seal) =>
      seal.hidden
        ? [
            start({ type: 'redacted_thinking', data: signatureOf(seal, { request, slug }) }),
            closing(),
          ]
        : [start(emptyThought), sign(seal), closing()],
    )
  }

  function addText(text: string): MessageEvent[] {
    if (text === '') return []
    const before = isOpen('text', 0) ? [] : begin('text', 0, emptyText)
    return [...before, delta({ type: 'text_delta', text })]
  }
  function addThought(index: number, text: string): MessageEvent[] {
    const before = isOpen('thinking', index) ? [] : begin('thinking', index, emptyThought)
    return [...before, delta({ type: 'thinking_delta', thinking: text })]
  }
  function endThought(index: number, seal: ThoughtSeal | undefined): MessageEvent[] {
    if (isOpen('thinking', index)) return seal === undefined ? close() : [sign(seal), ...stop()]
    if (seal === undefined) return []
    // A block that is open may still be continued, so this seal waits for its end.
    lateSeals.push(seal)
    return open === undefined ? writeSeals() : []
  }

  return {
    addWhole: (block, change) => [
      start(block),
      ...(change === undefined ? [] : [delta(change)]),
      closing(),
    ],
    count: () => count,
    hasCalls: () => called,
    hasRefused: () => refused,
    read(event) {
      if (event.type === 'start' || event.choice !== 0) return []
      switch (event.type) {
        case 'refusal':
          refused = true
          return addText(event.text)
        case 'text':
          return addText(event.text)
        case 'thought':
          return addThought(event.index, event.text)
        case 'thought_end':
          return endThought(event.index, event.seal)
        case 'call': {
          called = true
          const id = event.id === '' ? `toolu_${callId}_${event.index}` : event.id
          const block = { type: 'tool_use', id, name: event.name, input: {} }
          return begin('tool_use', event.index, block)
        }
        case 'arguments':
          return event.text === ''
            ? []
            : [delta({ type: 'input_json_delta', partial_json: event.text })]
        case 'end':
          return [...close(), ...writeSeals()]
      }
    },
  }
}

const emptyText = { type: 'text', text: '', citations: null }
const emptyThought = { type: 'thinking', thinking: '', signature: '' }
