// Whether and how Claude is asked to think. Chats ask by fields that this wire leaves out, as docs/use/ says.
// Source: https://docs.claude.com/en/docs/build-with-claude/extended-thinking and .../effort
import type { ChatFields } from '../conversation/fields.ts'
import type { ModelRequest } from '../conversation/model-request.ts'
import { budgetOf, dropsThoughts, effortOf, ownThoughts } from '../conversation/thoughts.ts'
import type { WireOptions } from './wire.ts'

const budgetTokensMin = 1_024
/** Models since Claude Opus 4.6 decide by themselves how long they think, and are told an effort. */
const adaptive = /^claude-[a-z]+-(?:4-(?:[6-9]|\d\d)(?!\d)|[5-9]|\d\d)/
/** Models before Claude 3.7 do not think. */
const thoughtless = /claude-(?:2|3-(?!7)|instant)/
const efforts: Readonly<Record<string, string>> = { minimal: 'low', xhigh: 'high' }

type Addressed = Pick<WireOptions, 'slug'>

export function writeThinking(request: ModelRequest, options: WireOptions): ChatFields {
  const { reasoning } = request.fields
  if (!wantsThoughts(request) || cannotThink(request, options)) return {}
  if (adaptive.test(options.upstreamModel)) {
    const effort = reasoning.effort ?? (reasoning.max_tokens && effortOf(reasoning.max_tokens))
    const told = effort == null ? {} : { output_config: { effort: efforts[effort] ?? effort } }
    return { thinking: { type: 'adaptive' }, ...told }
  }
  const wanted = reasoning.max_tokens ?? budgetOf(reasoning.effort ?? 'medium')
  // The budget is part of the limit, and the answer needs some of it.
  const most = Math.max(budgetTokensMin, request.maxTokens - budgetTokensMin)
  const budget_tokens = Math.min(Math.max(wanted, budgetTokensMin), most)
  return { thinking: { type: 'enabled', budget_tokens } }
}

export function droppedFromMessage(request: ModelRequest, options: Addressed): string[] {
  return [
    ...(dropsThoughts(request, { wire: 'anthropic', slug: options.slug }) ? ['thoughts'] : []),
    ...(request.native?.wire !== 'anthropic' &&
    wantsThoughts(request) &&
    cannotThink(request, options)
      ? ['reasoning']
      : []),
    ...(request.extended && request.fields.verbosity !== undefined ? ['verbosity'] : []),
  ]
}

function wantsThoughts({ extended, fields: { reasoning } }: ModelRequest): boolean {
  if (!extended || reasoning === undefined) return false
  const { effort, max_tokens: budget, enabled } = reasoning
  if (enabled === false || effort === 'none') return false
  return enabled === true || effort != null || budget != null
}

/**
 * Thinking needs room, and a forced call leaves none for it. Within a turn of calls that began without a thought, the
 * vendor refuses to begin to think.
 */
function cannotThink(request: ModelRequest, { slug }: Addressed): boolean {
  const { tool_choice: choice, messages } = request.fields
  const isForced = choice === 'required' || typeof choice === 'object'
  const last = messages.findLast(({ role }: ChatFields) => role === 'assistant')
  const isWithinTurn = messages.at(-1)?.role === 'tool' && last?.tool_calls !== undefined
  const hasThought =
    last !== undefined && ownThoughts(last, request, { wire: 'anthropic', slug }).length > 0
  return (
    thoughtless.test(slug) ||
    isForced ||
    request.maxTokens <= 2 * budgetTokensMin ||
    (isWithinTurn && !hasThought)
  )
}
