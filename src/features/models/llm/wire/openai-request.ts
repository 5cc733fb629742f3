// Requests that hold more than the common format, written in it.
import { type ChatFields, isObject } from '../conversation/fields.ts'
import type { ModelRequest } from '../conversation/model-request.ts'
import { dropsThoughts, effortOf, ownThoughts } from '../conversation/thoughts.ts'
import { fieldsFor, type ToolRule } from '../conversation/tool-forms.ts'
import type { WireOptions } from './wire.ts'

/** OpenAI's rule for names. Custom tools are known to few upstreams of this format. */
export const openAiTools: ToolRule = {
  name: /^[A-Za-z0-9_-]{1,64}$/,
  nameLengthMax: 64,
  custom: false,
}

type Addressed = Pick<WireOptions, 'slug' | 'mayThink'>

export function writeCommonFields(
  request: ModelRequest,
  to: Addressed & Pick<WireOptions, 'takesCacheMarks'>,
): ChatFields {
  const { reasoning, tools, ...fields } = fieldsFor(request, openAiTools)
  const messages = writeMessages(fields.messages, request, to.slug)
  return {
    ...fields,
    ...(tools === undefined ? {} : { tools: request.extended ? tools.map(withoutMark) : tools }),
    messages: request.extended
      ? messages.map((message) => writeMarks(message, to.takesCacheMarks === true))
      : messages,
    ...(request.extended ? {} : { reasoning }),
    ...(request.extended && to.mayThink ? writeReasoning(reasoning) : {}),
  }
}

/**
 * Only the parts of a message have marks in this format, and many upstreams refuse them. What is kept for an hour has a
 * price of its own, which upstreams of this format do not report.
 */
function writeMarks({ cache_control: _, ...message }: ChatFields, takesMarks: boolean): ChatFields {
  const { content, tool_calls: calls } = message
  return {
    ...message,
    ...(Array.isArray(content) ? { content: content.map(writePartMark(takesMarks)) } : {}),
    ...(calls === undefined ? {} : { tool_calls: calls.map(withoutMark) }),
  }
}

const writePartMark = (takesMarks: boolean) => (part: ChatFields) =>
  takesMarks && part.cache_control !== undefined
    ? { ...part, cache_control: { type: 'ephemeral' } }
    : withoutMark(part)

const withoutMark = ({ cache_control: _, ...unmarked }: ChatFields) => unmarked

export function droppedFromCommon(request: ModelRequest, to: Addressed): string[] {
  const asked =
    request.extended === true &&
    writeReasoning(request.fields.reasoning).reasoning_effort !== undefined
  return [
    ...(dropsThoughts(request, { wire: 'chat', slug: to.slug }) ? ['thoughts'] : []),
    ...(asked && !to.mayThink ? ['reasoning'] : []),
  ]
}

/** All upstreams of this format that think know an effort. A budget of tokens is the effort nearest to it. */
function writeReasoning(reasoning: ChatFields | undefined): ChatFields {
  if (reasoning === undefined) return {}
  const { effort, max_tokens: budget, enabled } = reasoning
  if (effort != null) return { reasoning_effort: effort }
  if (enabled === false) return { reasoning_effort: 'none' }
  return budget == null ? {} : { reasoning_effort: effortOf(budget) }
}

function writeMessages(
  messages: readonly ChatFields[],
  request: ModelRequest,
  slug: string,
): ChatFields[] {
  const written: ChatFields[] = []
  /** Pictures of tool results. The results of parallel calls must not be separated. */
  let pictures: ChatFields[] = []
  const writePictures = () => {
    if (pictures.length > 0) written.push({ role: 'user', content: pictures })
    pictures = []
  }
  for (const { thoughts, is_error: isError, ...message } of messages) {
    if (message.role !== 'tool') writePictures()
    if (message.role === 'tool') {
      const result = splitResult(message.content, isError === true)
      written.push({ ...message, content: result.text })
      if (result.others.length > 0)
        pictures.push(
          { type: 'text', text: `The result of the call ${message.tool_call_id}:` },
          ...result.others,
        )
    } else written.push({ ...message, ...restoreThoughts({ thoughts }, request, slug) })
  }
  writePictures()
  return written
}

/** A tool result is text in the common format. */
function splitResult(
  content: string | readonly ChatFields[],
  isError: boolean,
): { text: string; others: ChatFields[] } {
  const parts = typeof content === 'string' ? [{ type: 'text', text: content }] : content
  const texts = parts.filter(({ type }) => type === 'text').map(({ text }) => text)
  return {
    text: `${isError ? 'Error: ' : ''}${texts.join('\n')}`,
    others: parts.filter(({ type }) => type !== 'text'),
  }
}

/** Thoughts go back in the fields in which this model gave them. */
function restoreThoughts(message: ChatFields, request: ModelRequest, slug: string): ChatFields {
  const restored: ChatFields = {}
  for (const { text, seal } of ownThoughts(message, request, { wire: 'chat', slug })) {
    const { field, details } = readSeal(seal.data)
    if (field !== undefined && text !== '')
      restored[field] = restored[field] === undefined ? text : `${restored[field]}\n${text}`
    if (details !== undefined)
      restored.reasoning_details = [...(restored.reasoning_details ?? []), ...details]
  }
  return restored
}

function readSeal(data: string): { field?: string; details?: ChatFields[] } {
  try {
    const read: unknown = JSON.parse(data)
    if (!isObject(read)) return {}
    const { field, details } = read
    return {
      ...(field === 'reasoning' || field === 'reasoning_content' ? { field } : {}),
      ...(Array.isArray(details) ? { details } : {}),
    }
  } catch {
    return {}
  }
}
