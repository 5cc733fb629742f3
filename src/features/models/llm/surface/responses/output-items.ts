// The items of an answer as they grow, and the events that say so. An item is announced before its parts, and closed
// after all of them.
import type { AnswerEvent, ThoughtSeal } from '../../conversation/answer-event.ts'
import type { ChatFields } from '../../conversation/fields.ts'
import { sealToText } from '../../conversation/seal.ts'
import { citationsIn, pagesFound } from './citations.ts'
import type { CallerName } from './tools.ts'

export interface OutputItems {
  /** Adds what came, and emits its events. */
  add(event: AnswerEvent): void
  /** Adds an item that is complete from the start, such as that of a hosted tool. Its index. */
  place(item: ChatFields): number
  replace(index: number, item: ChatFields): void
  /** Closes what is open. Incomplete: the answer was cut. */
  close(status: ItemStatus): void
  /** The items so far, with the seals of reasoning. */
  all(): readonly ChatFields[]
}

interface GrowingItem {
  readonly index: number
  readonly item: ChatFields
  /** Emits the events that complete the item, and returns it. */
  readonly finish: (status: ItemStatus) => ChatFields
}

type OpenItem = MessageItem | ReasoningItem | CallItem

interface Dependencies {
  /** 32 hexadecimal digits of the call. */
  readonly hex: string
  readonly names: ReadonlyMap<string, CallerName>
  /** An item as the caller gets it. */
  readonly show: (item: ChatFields) => ChatFields
  readonly emit: (type: string, fields: ChatFields) => void
}

export function createOutputItems({ hex, names, show, emit }: Dependencies): OutputItems {
  const items: ChatFields[] = []
  /** At most one item is open. An event of another item closes it. */
  let current: OpenItem | undefined

  const idOf = (prefix: string, index: number) => `${prefix}_${hex}_${index}`
  function announce(item: ChatFields): number {
    const index = items.push(item) - 1
    emit('response.output_item.added', { output_index: index, item: show(item) })
    return index
  }
  function done(index: number, item: ChatFields) {
    items[index] = item
    emit('response.output_item.done', { output_index: index, item: show(item) })
  }
  function close(status: ItemStatus = 'completed') {
    if (current !== undefined) done(current.index, current.finish(status))
    current = undefined
  }
  function open<Item extends OpenItem>(make: (index: number) => Item): Item {
    close()
    const opened = make(items.length)
    announce(opened.item)
    current = opened
    return opened
  }
  const message = () =>
    current?.type === 'message'
      ? current
      : open((index) => messageItem(idOf('msg', index), index, { emit, cite }))
  const cite = (text: string) => citationsIn(text, pagesFound(items))
  const reasoning = (block: number) =>
    current?.type === 'reasoning' && current.block === block
      ? current
      : open((index) => reasoningItem({ id: idOf('rs', index), index, block }, emit))

  return {
    add(event) {
      switch (event.type) {
        case 'text':
        case 'refusal':
          if (event.text !== '') message().add(event.type, event.text)
          return
        case 'thought':
          if (event.text !== '') reasoning(event.index).add(event.text)
          return
        case 'thought_end': {
          const isOpen = current?.type === 'reasoning' && current.block === event.index
          if (event.seal === undefined && !isOpen) return
          reasoning(event.index).seal(event.seal)
          return close()
        }
        case 'call': {
          const { id, name, kind } = event
          const called = names.get(name) ?? { name, kind }
          const prefix = called.kind === 'custom' ? 'ctc' : 'fc'
          open((index) => callItem(idOf(prefix, index), index, { id, called }, emit))
          return
        }
        case 'arguments':
          if (current?.type === 'call') current.add(event.text)
          return
        default:
      }
    },
    place(item) {
      close()
      return announce(item)
    },
    replace: done,
    close,
    all: () => items,
  }
}

type ItemStatus = 'completed' | 'incomplete'

type Emit = Dependencies['emit']

interface MessageItem extends GrowingItem {
  readonly type: 'message'
  readonly add: (type: 'text' | 'refusal', text: string) => void
}

function messageItem(
  id: string,
  index: number,
  {
    emit,
    cite,
  }: {
    readonly emit: Emit
    /** What of a text cites a page that was found. */
    readonly cite: (text: string) => readonly ChatFields[]
  },
): MessageItem {
  const content: ChatFields[] = []
  let current: { readonly type: 'text' | 'refusal'; readonly texts: string[] } | undefined
  const item = { id, type: 'message', status: 'in_progress', role: 'assistant', content: [] }

  const place = () => ({ item_id: id, output_index: index, content_index: content.length })
  const partOf = (type: 'text' | 'refusal', text: string): ChatFields =>
    type === 'text'
      ? { type: 'output_text', annotations: [], logprobs: [], text }
      : { type: 'refusal', refusal: text }
  function closePart() {
    if (current === undefined) return
    const { type } = current
    const text = current.texts.join('')
    content.push(type === 'text' ? endText(text) : endRefusal(text))
    current = undefined
  }
  function endText(text: string): ChatFields {
    const annotations = cite(text)
    for (const [annotation_index, annotation] of annotations.entries())
      emit('response.output_text.annotation.added', { ...place(), annotation_index, annotation })
    emit('response.output_text.done', { ...place(), logprobs: [], text })
    return endPart({ ...partOf('text', text), annotations })
  }
  function endRefusal(refusal: string): ChatFields {
    emit('response.refusal.done', { ...place(), refusal })
    return endPart(partOf('refusal', refusal))
  }
  function endPart(part: ChatFields): ChatFields {
    emit('response.content_part.done', { ...place(), part })
    return part
  }

  return {
    type: 'message',
    index,
    item,
    add(type, text) {
      if (current?.type !== type) {
        closePart()
        current = { type, texts: [] }
        emit('response.content_part.added', { ...place(), part: partOf(type, '') })
      }
      current.texts.push(text)
      if (type === 'text')
        emit('response.output_text.delta', { ...place(), delta: text, logprobs: [] })
      else emit('response.refusal.delta', { ...place(), delta: text })
    },
    finish(status) {
      closePart()
      return { ...item, status, content }
    },
  }
}

interface ReasoningItem extends GrowingItem {
  readonly type: 'reasoning'
  /** The index of the block among those of the answer. */
  readonly block: number
  readonly add: (text: string) => void
  readonly seal: (seal: ThoughtSeal | undefined) => void
}

function reasoningItem(
  { id, index, block }: { id: string; index: number; block: number },
  emit: Emit,
): ReasoningItem {
  const texts: string[] = []
  let sealed: string | null = null
  const place = { item_id: id, output_index: index, summary_index: 0 }
  const item = { id, type: 'reasoning', summary: [] }
  return {
    type: 'reasoning',
    index,
    item,
    block,
    add(text) {
      if (texts.length === 0)
        emit('response.reasoning_summary_part.added', {
          ...place,
          part: { type: 'summary_text', text: '' },
        })
      texts.push(text)
      emit('response.reasoning_summary_text.delta', { ...place, delta: text })
    },
    seal(seal) {
      if (seal !== undefined) sealed = sealToText(seal)
    },
    finish() {
      const text = texts.join('')
      const part = { type: 'summary_text', text }
      if (texts.length > 0) {
        emit('response.reasoning_summary_text.done', { ...place, text })
        emit('response.reasoning_summary_part.done', { ...place, part })
      }
      const summary = texts.length === 0 ? [] : [part]
      return { ...item, summary, encrypted_content: sealed }
    },
  }
}

interface CallItem extends GrowingItem {
  readonly type: 'call'
  readonly add: (text: string) => void
}

function callItem(
  id: string,
  index: number,
  { id: callId, called }: { readonly id: string; readonly called: CallerName },
  emit: Emit,
): CallItem {
  const { name, namespace, kind } = called
  const texts: string[] = []
  const isCustom = kind === 'custom'
  const field = isCustom ? 'input' : 'arguments'
  const events = isCustom ? 'response.custom_tool_call_input' : 'response.function_call_arguments'
  const place = { item_id: id, output_index: index }
  const item = {
    id,
    type: isCustom ? 'custom_tool_call' : 'function_call',
    status: 'in_progress',
    call_id: callId,
    name,
    ...(namespace === undefined ? {} : { namespace }),
    [field]: '',
  }
  return {
    type: 'call',
    index,
    item,
    add(text) {
      if (text === '') return
      texts.push(text)
      emit(`${events}.delta`, { ...place, delta: text })
    },
    finish(status) {
      const text = texts.join('')
      emit(`${events}.done`, { ...place, [field]: text })
      return { ...item, status, [field]: text }
    },
  }
}
