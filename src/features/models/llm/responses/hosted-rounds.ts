// Runs the hosted tools that a model has called, tells the caller how they go on, and asks the model again.
import type { AccountCaller } from '#core/caller.ts'
import type { ChatFields } from '../conversation/fields.ts'
import { type ModelRequest, newModelRequest } from '../conversation/model-request.ts'
import type { CallTools, RanTools } from '../rounds.ts'
import { failedItem, type HostedCall, placeItem } from '../surface/responses/hosted-items.ts'
import type { ResponsesRequest } from '../surface/responses/request.ts'
import type { ResponsesSurface } from '../surface/responses/surface.ts'
import type { HostedTool } from '../surface/responses/tools.ts'
import type { ResponseWriter } from '../surface/responses/writer.ts'
import { type HostedTools, resultBytesMax, toolTimeoutMs } from './hosted-tools.ts'

/** Calls of hosted tools in one response, unless `max_tool_calls` says less. */
const callsMaxDefault = 8

/** Undefined for a request that offers none. */
export async function openCallTools(
  hosted: HostedTools,
  {
    asked,
    surface,
    caller,
  }: {
    readonly asked: ResponsesRequest
    readonly surface: ResponsesSurface
    readonly caller: AccountCaller
  },
): Promise<CallTools | undefined> {
  if (asked.hosted.length === 0) return undefined
  const prices = await Promise.all(asked.hosted.map(({ kind }) => hosted.priceOf(caller, kind)))
  const names = new Set(asked.hosted.map(({ name }) => name))
  return {
    priceMicros: Math.max(...prices),
    callsMax: Math.min(asked.toolCallsMax ?? callsMaxDefault, callsMaxDefault),
    resultBytesMax,
    timeoutMs: toolTimeoutMs,
    needsRow: asked.hosted.some(({ kind }) => kind === 'code_interpreter'),
    withoutTools: (chat) => ({
      ...without(chat, names),
      dropped: [...(chat.dropped ?? []), ...asked.hosted.map(({ kind }) => `tools.${kind}`)],
    }),
    async next({ callId, callsMax, gone, send }) {
      const writer = surface.writer()
      const calls = writer?.endRound() ?? []
      if (writer === undefined || calls.length === 0) return undefined
      surface.continueWith(writer)
      const ran: Ran = { calls: 0, chargedMicros: 0, costMicros: 0, hops: [] }
      for (const [place, call] of calls.entries()) {
        const tool = asked.hosted.find(({ name }) => name === call.name)
        if (tool === undefined) continue
        const run = place < callsMax ? { hosted, callId, caller, signal: gone } : undefined
        await runTool(writer, { tool, call }, { ran, run, send })
      }
      return { ...ran, chat: asked.continued(writer.items.all()) }
    },
  }
}

type Ran = { -readonly [Key in keyof Omit<RanTools, 'chat'>]: RanTools[Key] }

interface ToolRun {
  readonly hosted: HostedTools
  readonly callId: string
  readonly caller: AccountCaller
  readonly signal: AbortSignal
}

async function runTool(
  writer: ResponseWriter,
  { tool, call }: { readonly tool: HostedTool; readonly call: HostedCall },
  {
    ran,
    run,
    send,
  }: {
    readonly ran: Ran
    /** Absent: it cannot be paid for. */
    readonly run: ToolRun | undefined
    readonly send: (events: string) => void
  },
): Promise<void> {
  const { items, emit, take } = writer
  const { begun, index, at, events } = placeItem(writer, tool, call)
  if (tool.kind === 'code_interpreter') {
    emit(`${events}_code.delta`, { ...at, delta: begun.code })
    emit(`${events}_code.done`, { ...at, code: begun.code })
  }
  emit(`${events}.${tool.kind === 'web_search' ? 'searching' : 'interpreting'}`, at)
  send(take())
  if (run === undefined) items.replace(index, failedItem(begun, unpaidText))
  else {
    const { hosted, ...inside } = run
    const { item, outcomes } = await hosted.run(tool, begun, inside)
    for (const { chargedMicros, costMicros = 0, hops } of outcomes) {
      ran.chargedMicros += chargedMicros
      ran.costMicros += costMicros
      ran.hops = [...ran.hops, ...hops]
    }
    ran.calls += 1
    if (item.status === 'completed') emit(`${events}.completed`, at)
    items.replace(index, item)
  }
  send(take())
}

const unpaidText = 'What is held for this call does not pay for another tool. Answer without it.'

/** A history with calls needs their tools at some vendors, so the last ones stay and may not be called. */
function without(chat: ModelRequest, names: ReadonlySet<string>): ModelRequest {
  const {
    tools = [],
    tool_choice: choice,
    ...fields
  } = chat.fields as ChatFields & { messages: ChatFields[] }
  const nameOf = (tool: ChatFields): string => (tool.function ?? tool.custom).name
  const left = tools.filter((tool: ChatFields) => !names.has(nameOf(tool)))
  const hasCalls = fields.messages.some(({ role }: ChatFields) => role === 'tool')
  if (left.length === 0 && hasCalls)
    return newModelRequest({ ...chat, fields: { ...chat.fields, tool_choice: 'none' } })
  if (left.length === 0) {
    const { parallel_tool_calls: _parallel, ...plain } = fields
    return newModelRequest({ ...chat, fields: { ...plain, messages: fields.messages } })
  }
  const isGone = typeof choice === 'object' && names.has(nameOf(choice))
  const kept = isGone || choice === undefined ? {} : { tool_choice: choice }
  const messages = fields.messages
  return newModelRequest({ ...chat, fields: { ...fields, messages, tools: left, ...kept } })
}
