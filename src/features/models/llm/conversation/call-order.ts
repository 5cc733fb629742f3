// Puts the events of an answer into an order that every surface can write: the arguments of a call follow it before
// anything else of its choice. Some upstreams send parallel calls in turns.
import type { UpstreamFailure } from '../exchange/failure.ts'
import type { AnswerEvent } from './answer-event.ts'

export const badArguments: UpstreamFailure = {
  kind: 'unreadable',
  reason: 'arguments of a call that are not JSON',
}

export interface CallOrder {
  /** The events that may be written now. */
  add(event: AnswerEvent): AnswerEvent[]
  /** Whether a call that is complete has arguments that are not JSON. */
  hasBadArguments(): boolean
}

type OfChoice = Exclude<AnswerEvent, { type: 'start' }>

export function createCallOrder(): CallOrder {
  const choices = new Map<number, ReturnType<typeof orderChoice>>()
  let bad = false
  const noteBad = () => {
    bad = true
  }
  return {
    add(event) {
      if (event.type === 'start') return [event]
      const order = choices.get(event.choice) ?? orderChoice(noteBad)
      choices.set(event.choice, order)
      return order(event)
    },
    hasBadArguments: () => bad,
  }
}

function orderChoice(noteBad: () => void) {
  let open: { index: number; isJson: boolean; text: string } | undefined
  const waiting: OfChoice[] = []

  function isOfOpen(event: OfChoice): boolean {
    return event.type === 'arguments' && event.index === open?.index
  }
  function isComplete(): boolean {
    return open === undefined || !open.isJson || isJsonObject(open.text)
  }
  /** An answer that reached its limit of tokens may end within the arguments. */
  function close(next: OfChoice | undefined) {
    const isCut = next?.type === 'end' && next.reason === 'length'
    if (open?.isJson && open.text !== '' && !isCut && !isJsonObject(open.text)) noteBad()
    open = undefined
  }
  function write(event: OfChoice): OfChoice {
    if (event.type === 'call')
      open = { index: event.index, isJson: event.kind === 'function', text: '' }
    else if (open !== undefined && event.type === 'arguments') open.text += event.text
    return event
  }
  /** Writes what waited, as far as the next call that is not complete. */
  function release(all: boolean): OfChoice[] {
    const written: OfChoice[] = []
    while (waiting.length > 0) {
      const own = waiting.findIndex(isOfOpen)
      const [next] = own >= 0 ? waiting.splice(own, 1) : []
      if (next !== undefined) written.push(write(next))
      else if (all || isComplete()) {
        const [first] = waiting.splice(0, 1)
        close(first)
        if (first !== undefined) written.push(write(first))
      } else break
    }
    return written
  }

  return (event: OfChoice): OfChoice[] => {
    if (isOfOpen(event)) {
      const written = write(event)
      return waiting.length > 0 && event.type === 'arguments' && event.text.endsWith('}')
        ? [written, ...release(false)]
        : [written]
    }
    waiting.push(event)
    return release(event.type === 'end')
  }
}

export function isJsonObject(text: string): boolean {
  try {
    const read: unknown = JSON.parse(text)
    return typeof read === 'object' && read !== null && !Array.isArray(read)
  } catch {
    return false
  }
}
