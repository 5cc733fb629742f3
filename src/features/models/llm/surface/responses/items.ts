// The items of `input`, into the messages of the common format. Calls and reasoning of one turn become one message of
// the assistant, as the other formats want them.
import type { Thought } from '../../conversation/answer-event.ts'
import { type ChatFields, entryOf, invalid, isObject, readText } from '../../conversation/fields.ts'
import type { HostedTool } from '../../conversation/hosted-calls.ts'
import { sealFromText } from '../../conversation/seal.ts'
import { requireKnown } from './known-fields.ts'
import { readContent } from './parts.ts'
import type { ReadTools } from './tools.ts'
import { flatName } from './tools.ts'

const itemsMax = 16_384
const idCharactersMax = 256
const nameCharactersMax = 256
const roles = ['user', 'system', 'developer', 'assistant']

/** Fields that say nothing to a model. */
const common = ['type', 'id', 'status', 'created_by']
const fieldsOfItems: Readonly<Record<string, readonly string[]>> = {
  message: ['role', 'content', 'phase'],
  function_call: ['call_id', 'name', 'namespace', 'arguments', 'caller', 'async'],
  function_call_output: ['call_id', 'output', 'name', 'namespace', 'caller'],
  custom_tool_call: ['call_id', 'name', 'namespace', 'input', 'caller', 'async'],
  custom_tool_call_output: ['call_id', 'output', 'name', 'namespace', 'caller'],
  reasoning: ['summary', 'content', 'encrypted_content'],
  web_search_call: ['action', 'results'],
  code_interpreter_call: ['code', 'container_id', 'outputs'],
}

export interface ReadItems {
  readonly messages: ChatFields[]
  /** Items that no model can be told of. */
  readonly dropped: readonly string[]
}

/** Reads items that were written by a caller, or stored of an earlier response. Item references must be resolved. */
export function readItems(
  items: readonly unknown[],
  tools: Pick<ReadTools, 'names' | 'hosted'>,
): ReadItems {
  if (items.length > itemsMax)
    throw invalid(
      'input',
      `input must have at most ${itemsMax} items, those of earlier responses included.`,
    )
  const history = createHistory(tools)
  for (const [place, item] of items.entries()) history.add(item, `input[${place}]`)
  return history.finish()
}

/** The messages so far. What the assistant says and calls in one turn joins one message. */
function createTurns() {
  const messages: ChatFields[] = []
  const unanswered = new Map<string, string>()
  let thoughts: Thought[] = []
  /** The message of the assistant that further calls of the same turn join. */
  let turn: ChatFields | undefined

  function addAssistant(message: ChatFields): ChatFields {
    const added = thoughts.length === 0 ? message : { ...message, thoughts }
    thoughts = []
    messages.push(added)
    turn = added
    return added
  }

  return {
    addAssistant,
    addThoughts(read: readonly Thought[]) {
      thoughts.push(...read)
    },
    addOther(message: ChatFields) {
      turn = undefined
      messages.push(message)
    },
    addCall(call: ChatFields, at: string) {
      if (unanswered.has(call.id))
        throw invalid(
          `${at}.call_id`,
          `${at}.call_id is the call_id of an earlier call that has no output.`,
        )
      unanswered.set(call.id, at)
      const joined =
        turn === undefined || thoughts.length > 0
          ? addAssistant({ role: 'assistant', content: null })
          : turn
      joined.tool_calls = [...(joined.tool_calls ?? []), call]
    },
    addOutput(id: string, content: unknown, at: string) {
      if (!unanswered.delete(id))
        throw invalid(
          `${at}.call_id`,
          `${at}.call_id names no call before it. Send the call as well, or previous_response_id.`,
        )
      turn = undefined
      messages.push({ role: 'tool', tool_call_id: id, content })
    },
    /** Whether no thought is left over. Throws for a call without an output. */
    finish(): boolean {
      const [open] = unanswered
      if (open !== undefined)
        throw invalid(
          open[1],
          `The call ${open[0].slice(0, 100)} has no output. Add an item of type function_call_output with its call_id.`,
        )
      return thoughts.length === 0
    },
    messages,
  }
}

type Turns = ReturnType<typeof createTurns>

function createHistory({ names, hosted }: Pick<ReadTools, 'names' | 'hosted'>) {
  const turns = createTurns()
  const dropped = new Set<string>()

  function addOutput(item: ChatFields, at: string) {
    const id = readText(item.call_id, `${at}.call_id`, idCharactersMax)
    const content = readContent(item.output, `${at}.output`, 'input')
    turns.addOutput(id, content.length === 0 ? '' : content, at)
  }
  function addHosted(kind: HostedTool['kind'], item: ChatFields, at: string) {
    const tool = hosted.find((each) => each.kind === kind)
    const said = kind === 'web_search' ? searchOf(item) : runOf(item)
    if (tool === undefined || said === undefined) return void dropped.add(String(item.type))
    const id = readText(item.id, `${at}.id`, idCharactersMax)
    turns.addCall(functionCall(id, tool.name, JSON.stringify(said.input)), at)
    turns.addOutput(id, said.output, at)
  }
  /** The name that the model sees, also of a tool that is no longer offered. */
  function readCalled({ name, namespace }: ChatFields, at: string): string {
    const called = readText(name, `${at}.name`, nameCharactersMax)
    const space =
      namespace == null ? undefined : readText(namespace, `${at}.namespace`, nameCharactersMax)
    for (const [flat, known] of names)
      if (known.name === called && known.namespace === space) return flat
    return flatName(called, space)
  }
  const readers: Readonly<Record<string, (item: ChatFields, at: string) => void>> = {
    message: (item, at) => addMessage(turns, item, at),
    function_call(item, at) {
      const args = readText(item.arguments, `${at}.arguments`)
      turns.addCall(functionCall(readCallId(item, at), readCalled(item, at), args), at)
    },
    custom_tool_call(item, at) {
      const custom = { name: readCalled(item, at), input: readText(item.input, `${at}.input`) }
      turns.addCall({ id: readCallId(item, at), type: 'custom', custom }, at)
    },
    function_call_output: addOutput,
    custom_tool_call_output: addOutput,
    reasoning: (item, at) => turns.addThoughts(readReasoning(item, at)),
    web_search_call: (item, at) => addHosted('web_search', item, at),
    code_interpreter_call: (item, at) => addHosted('code_interpreter', item, at),
  }

  return {
    add(item: unknown, at: string) {
      if (!isObject(item)) throw invalid(at, `${at} must be an object with a type.`)
      const type = item.type ?? (item.role === undefined ? undefined : 'message')
      const known = entryOf(fieldsOfItems, type)
      const read = entryOf(readers, type)
      if (known === undefined || read === undefined)
        throw invalid(
          `${at}.type`,
          `${at}.type must be one of ${Object.keys(readers).join(', ')} or item_reference.`,
        )
      requireKnown(item, [...common, ...known], at)
      read(item, at)
    },
    finish(): ReadItems {
      if (!turns.finish()) dropped.add('reasoning')
      return { messages: turns.messages, dropped: [...dropped] }
    },
  }
}

function addMessage(turns: Turns, item: ChatFields, at: string) {
  const { role } = item
  if (!roles.includes(role))
    throw invalid(`${at}.role`, `${at}.role must be one of ${roles.join(', ')}.`)
  const isAnswer = role === 'assistant'
  const content = readContent(item.content, `${at}.content`, isAnswer ? 'output' : 'input')
  if (content.length === 0) return
  if (isAnswer) turns.addAssistant({ role, content })
  // The vendors of this format take both words for the same; others know only `system`.
  else turns.addOther({ role: role === 'developer' ? 'system' : role, content })
}

const functionCall = (id: string, name: string, args: string): ChatFields => ({
  id,
  type: 'function',
  function: { name, arguments: args },
})

const readCallId = ({ call_id: id }: ChatFields, at: string) =>
  readText(id, `${at}.call_id`, idCharactersMax)

/** The visible text of a reasoning item, and what its maker needs to accept it again. */
function readReasoning(item: ChatFields, at: string): Thought[] {
  const texts = (field: 'summary' | 'content') => {
    if (item[field] == null) return []
    if (!Array.isArray(item[field]))
      throw invalid(`${at}.${field}`, `${at}.${field} must be a list.`)
    return item[field].map((part: unknown, place: number) =>
      readText(isObject(part) ? part.text : undefined, `${at}.${field}[${place}].text`),
    )
  }
  const text = [...texts('content'), ...texts('summary')].join('\n\n')
  if (item.encrypted_content == null) return text === '' ? [] : [{ text }]
  const sealed = readText(item.encrypted_content, `${at}.encrypted_content`)
  const seal = sealFromText(sealed, 'responses')
  const id = typeof item.id === 'string' ? item.id : undefined
  return [{ text, seal: seal.maker === 'responses' ? { id, ...seal } : seal }]
}

interface HostedExchange {
  readonly input: object
  readonly output: string
}

/** A search with its results. Without them the model learns nothing from it. */
function searchOf({ action, results }: ChatFields): HostedExchange | undefined {
  if (!isObject(action) || !Array.isArray(results)) return undefined
  const query = action.query ?? action.queries?.[0]
  return typeof query === 'string'
    ? { input: { query }, output: JSON.stringify(results) }
    : undefined
}

function runOf({ code, outputs }: ChatFields): HostedExchange | undefined {
  if (typeof code !== 'string' || !Array.isArray(outputs)) return undefined
  const logs = outputs.flatMap((output) => (isObject(output) ? [output.logs] : []))
  return { input: { code }, output: logs.filter((log) => typeof log === 'string').join('\n') }
}
