// Calls of tools that the gateway runs itself while a model answers. A model sees a function; no surface's caller runs
// it.
import type { AnswerEvent } from './answer-event.ts'
import type { ChatFields } from './fields.ts'

/** The tools that the gateway runs inside the call. */
export type HostedKind = 'web_search' | 'code_interpreter'

export interface HostedTool {
  readonly kind: HostedKind
  /** The function that the model calls for it. */
  readonly name: string
  /** The caller's settings of it. */
  readonly settings: ChatFields
}

/** A call of a function that the gateway runs itself. */
export interface HostedCall {
  readonly name: string
  readonly arguments: string
}

/** Describes the function by which a model uses a hosted tool. Undefined: it is not sold here. */
export type DescribeHosted = (kind: HostedKind) => ChatFields | undefined

export function unusedName(
  name: string,
  taken: { readonly has: (name: string) => boolean },
): string {
  for (let number = 1; ; number += 1) {
    const tried = number === 1 ? name : `${name}_${number}`
    if (!taken.has(tried)) return tried
  }
}

/** What a model has written as arguments. Empty for what is not a JSON object. */
export function readArguments(text: string): ChatFields {
  try {
    const read: unknown = JSON.parse(text)
    return typeof read === 'object' && read !== null && !Array.isArray(read) ? read : {}
  } catch {
    return {}
  }
}

/**
 * The calls of one round that the gateway runs itself. `isWithheld`: the model was told not to call any in this round,
 * so none will be run.
 */
export function createHostedCalls(hosted: readonly HostedTool[], isWithheld: () => boolean) {
  const names = new Set(hosted.map(({ name }) => name))
  let calls: { name: string; arguments: string }[] = []
  let isOpen = false
  let hasOthers = false
  function take(): readonly HostedCall[] {
    const taken = calls
    calls = []
    hasOthers = false
    return taken
  }
  return {
    take,
    /** The calls of this round that will not be run: they wait for the caller's own functions, or are withheld. */
    takeRefused: () => (hasOthers || isWithheld() ? take() : []),
    /** Whether the event is part of such a call. */
    add(event: AnswerEvent): boolean {
      if (event.type === 'call') {
        isOpen = names.has(event.name)
        if (isOpen) calls.push({ name: event.name, arguments: '' })
        else hasOthers = true
        return isOpen
      }
      const last = calls.at(-1)
      if (event.type !== 'arguments' || !isOpen || last === undefined) return false
      last.arguments += event.text
      return true
    },
  }
}
