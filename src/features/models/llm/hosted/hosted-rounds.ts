// Runs the hosted tools that a model has called, tells the caller how they go on, and asks the model again.
import type { AccountCaller } from '#core/caller.ts'
import type { CallError } from '#core/errors.ts'
import type { ChatFields } from '../conversation/fields.ts'
import type { HostedCall, HostedTool } from '../conversation/hosted-calls.ts'
import { type ModelRequest, newModelRequest } from '../conversation/model-request.ts'
import type { CallTools, RanTools } from '../rounds.ts'
import { failedItem, unpaidText } from '../surface/responses/hosted-items.ts'
import { type HostedTools, resultBytesMax, toolTimeoutMs } from './hosted-tools.ts'

/** Calls of hosted tools in one call of the model's caller, unless the caller asks for less. */
const callsMaxDefault = 8

/** How a surface tells its caller about hosted tools, and the model about their results. */
export interface HostedRounds {
  readonly hosted: readonly HostedTool[]
  readonly callsMax: number | undefined
  /** From now on the model may call none of them. */
  withhold(): void
  /** Ends a round. Returns the calls that the gateway should run before the next one. */
  endRound(): readonly HostedCall[]
  /** Tells that a call begins. */
  begin(tool: HostedTool, call: HostedCall): BegunCall
  /** What there is to send since the last time (latin1). */
  take(): string
  /** What the model is asked next. */
  continued(): ModelRequest
}

export interface BegunCall {
  /** The item of the Responses API for it. */
  readonly item: ChatFields
  end(result: HostedEnd): void
}

export interface HostedEnd {
  /** It has what the model is told. */
  readonly item: ChatFields
  /** Why the tool has failed. */
  readonly error?: CallError | undefined
  /** It was not run, because it is not paid for. */
  readonly isUnpaid?: boolean
}

/** Undefined for a request that offers none. */
export async function openCallTools(
  tools: HostedTools,
  rounds: HostedRounds,
  caller: AccountCaller,
): Promise<CallTools | undefined> {
  const { hosted } = rounds
  if (hosted.length === 0) return undefined
  const prices = await Promise.all(hosted.map(({ kind }) => tools.priceOf(caller, kind)))
  const names = new Set(hosted.map(({ name }) => name))
  return {
    priceMicros: Math.max(...prices),
    callsMax: Math.min(rounds.callsMax ?? callsMaxDefault, callsMaxDefault),
    resultBytesMax,
    timeoutMs: toolTimeoutMs,
    needsRow: hosted.some(({ kind }) => kind === 'code_interpreter'),
    withoutTools(chat) {
      rounds.withhold()
      return {
        ...without(chat, names),
        dropped: [...(chat.dropped ?? []), ...hosted.map(({ kind }) => `tools.${kind}`)],
      }
    },
    async next({ callId, callsMax, gone, send }) {
      const calls = rounds.endRound()
      if (calls.length === 0) return undefined
      const ran: Ran = { calls: 0, chargedMicros: 0, costMicros: 0, hops: [] }
      for (const [place, call] of calls.entries()) {
        const tool = hosted.find(({ name }) => name === call.name)
        if (tool === undefined) continue
        const begun = rounds.begin(tool, call)
        send(rounds.take())
        begun.end(
          place < callsMax
            ? await runTool(tools, { tool, item: begun.item, ran, callId, caller, signal: gone })
            : { item: failedItem(begun.item, unpaidText), isUnpaid: true },
        )
        send(rounds.take())
      }
      return { ...ran, chat: rounds.continued() }
    },
  }
}

type Ran = { -readonly [Key in keyof Omit<RanTools, 'chat'>]: RanTools[Key] }

async function runTool(
  tools: HostedTools,
  {
    tool,
    item,
    ran,
    ...inside
  }: {
    readonly tool: HostedTool
    readonly item: ChatFields
    readonly ran: Ran
    readonly callId: string
    readonly caller: AccountCaller
    readonly signal: AbortSignal
  },
): Promise<HostedEnd> {
  const { outcomes, ...ended } = await tools.run(tool, item, inside)
  for (const { chargedMicros, costMicros = 0, hops } of outcomes) {
    ran.chargedMicros += chargedMicros
    ran.costMicros += costMicros
    ran.hops = [...ran.hops, ...hops]
  }
  ran.calls += 1
  return ended
}

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
