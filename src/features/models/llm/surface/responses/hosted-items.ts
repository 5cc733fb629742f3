// The items of calls that the gateway runs itself.
import type { ChatFields } from '../../conversation/fields.ts'
import { type HostedCall, type HostedTool, readArguments } from '../../conversation/hosted-calls.ts'
import type { OutputItems } from './output-items.ts'

interface Output {
  readonly items: OutputItems
  idOf(prefix: string): string
  emit(type: string, fields: ChatFields): void
}

/** Adds the item of a call that begins, and says so. `events` is the beginning of the names of its events. */
export function placeItem({ items, idOf, emit }: Output, { kind }: HostedTool, call: HostedCall) {
  const begun = beginItem(kind, idOf(kind === 'web_search' ? 'ws' : 'ci'), call.arguments)
  const index = items.place(begun)
  const at = { item_id: begun.id, output_index: index }
  const events = `response.${begun.type}`
  emit(`${events}.in_progress`, at)
  return { begun, index, at, events }
}

function beginItem(kind: HostedTool['kind'], id: string, args: string): ChatFields {
  const given = readArguments(args)
  if (kind === 'code_interpreter') {
    const code = typeof given.code === 'string' ? given.code : ''
    const rest = { container_id: 'auto', outputs: [] }
    return { id, type: 'code_interpreter_call', status: 'in_progress', code, ...rest }
  }
  const query = typeof given.query === 'string' ? given.query : ''
  const action = { type: 'search', query, queries: [query], sources: [] }
  return { id, type: 'web_search_call', status: 'in_progress', action, results: [] }
}

/** The model is told why, so that it can answer without the tool. */
export function failedItem(item: ChatFields, why: string): ChatFields {
  return item.type === 'code_interpreter_call'
    ? { ...item, status: 'failed', outputs: [{ type: 'logs', logs: why }] }
    : { ...item, status: 'failed', results: [{ text: why }] }
}

/** A model may call both in one turn, but the caller's functions come first. */
export const waitsText =
  'Not run, because functions of the caller were called in the same turn. Call it again after their results.'
export const unpaidText =
  'What is held for this call does not pay for another tool. Answer without it.'

export function refuseCalls(
  output: Output,
  hosted: readonly HostedTool[],
  { calls, why }: { readonly calls: readonly HostedCall[]; readonly why: string },
): void {
  for (const call of calls) {
    const tool = hosted.find(({ name }) => name === call.name)
    if (tool === undefined) continue
    const { begun, index } = placeItem(output, tool, call)
    output.items.replace(index, failedItem(begun, why))
  }
}
