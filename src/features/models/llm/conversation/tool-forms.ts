// Tools in the forms that a wire takes. Names that it does not allow are replaced for one call, and custom tools become
// functions with one text where the wire has no custom tools. In the answer both are what the caller sent.
import { createHash } from 'node:crypto'
import type { AnswerEvent } from './answer-event.ts'
import { isJsonObject } from './call-order.ts'
import type { ChatFields } from './fields.ts'
import type { ModelRequest } from './model-request.ts'

export interface ToolRule {
  /** Allows letters, digits, _ and - at least, and a letter or _ at the start. */
  readonly name: RegExp
  readonly nameLengthMax: number
  /** Whether the wire has custom tools, which take a text instead of JSON. */
  readonly custom: boolean
}

export interface ToolForms {
  /** The fields of the request with tools and calls in the forms of the wire. */
  readonly fields: ChatFields
  /** Reads one answer: gives calls back in the forms of the caller. */
  openReader(): (event: AnswerEvent) => AnswerEvent[]
}

const known = new WeakMap<ModelRequest, Map<ToolRule, ToolForms | undefined>>()

/** Undefined if the wire takes the tools as they are. */
export function toolFormsOf(request: ModelRequest, rule: ToolRule): ToolForms | undefined {
  const forms = known.get(request) ?? new Map<ToolRule, ToolForms | undefined>()
  known.set(request, forms)
  if (!forms.has(rule)) forms.set(rule, makeForms(request, rule))
  return forms.get(rule)
}

/** The fields of a request for a wire. */
export const fieldsFor = (request: ModelRequest, rule: ToolRule): ChatFields =>
  toolFormsOf(request, rule)?.fields ?? request.fields

function makeForms({ fields, extended }: ModelRequest, rule: ToolRule): ToolForms | undefined {
  // Only answers that are passed on unchanged have log probabilities.
  if (fields.logprobs === true && !extended) return undefined
  const tools: readonly ChatFields[] = fields.tools ?? []
  const calls: readonly ChatFields[] = fields.messages.flatMap(
    (message: ChatFields) => message.tool_calls ?? [],
  )
  const all = [...tools, ...calls]
  const customs = rule.custom ? [] : all.filter(isCustom).map(nameOf)
  const names = renameTools(new Set(all.map(nameOf)), rule)
  if (names.size === 0 && customs.length === 0) return undefined
  const originals = new Map([...names].map(([name, written]) => [written, name]))
  const write = (tool: ChatFields) => writeTool(tool, names, rule)
  return {
    fields: {
      ...fields,
      messages: fields.messages.map((message: ChatFields) =>
        message.tool_calls === undefined
          ? message
          : { ...message, tool_calls: message.tool_calls.map(write) },
      ),
      ...(fields.tools === undefined ? {} : { tools: tools.map(write) }),
      ...(typeof fields.tool_choice === 'object'
        ? { tool_choice: writeChoice(fields.tool_choice, names, rule) }
        : {}),
    },
    openReader: () => createReader(originals, new Set(customs)),
  }
}

const isCustom = ({ type }: ChatFields) => type === 'custom'
const nameOf = (tool: ChatFields): string => (isCustom(tool) ? tool.custom : tool.function).name

/** The names that are replaced. The same name is always replaced in the same way, as far as it is free. */
function renameTools(names: ReadonlySet<string>, rule: ToolRule): ReadonlyMap<string, string> {
  const taken = new Set([...names].filter((name) => rule.name.test(name)))
  const renamed = new Map<string, string>()
  for (const name of names) {
    if (taken.has(name)) continue
    const written = freeName(name, rule, taken)
    taken.add(written)
    renamed.set(name, written)
  }
  return renamed
}

const digestLength = 8

function freeName(name: string, { nameLengthMax }: ToolRule, taken: ReadonlySet<string>): string {
  const plain = name.replace(/[^A-Za-z0-9_-]/g, '_').replace(/^(?![A-Za-z_])/, '_')
  if (plain.length <= nameLengthMax && !taken.has(plain)) return plain
  for (let turn = 0; ; turn += 1) {
    const digest = createHash('sha256').update(`${turn}${name}`).digest('hex')
    const marked = `${plain.slice(0, nameLengthMax - digestLength - 1)}_${digest.slice(0, digestLength)}`
    if (!taken.has(marked)) return marked
  }
}

/** A tool or a call. */
function writeTool(tool: ChatFields, names: ReadonlyMap<string, string>, rule: ToolRule) {
  const name = names.get(nameOf(tool)) ?? nameOf(tool)
  if (!isCustom(tool)) return { ...tool, function: { ...tool.function, name } }
  if (rule.custom) return { ...tool, custom: { ...tool.custom, name } }
  return { ...tool, type: 'function', custom: undefined, function: asFunction(name, tool) }
}

function writeChoice(choice: ChatFields, names: ReadonlyMap<string, string>, rule: ToolRule) {
  const name = names.get(nameOf(choice)) ?? nameOf(choice)
  return isCustom(choice) && rule.custom
    ? { type: 'custom', custom: { name } }
    : { type: 'function', function: { name } }
}

/** A custom tool, or a call of one, as a function. */
function asFunction(name: string, { id, custom: { input, description, format } }: ChatFields) {
  if (id !== undefined) return { name, arguments: JSON.stringify({ input }) }
  const told = describe(description, format)
  return { name, ...(told === '' ? {} : { description: told }), parameters: textParameters }
}

const textParameters = {
  type: 'object',
  properties: { input: { type: 'string', description: 'The input as plain text.' } },
  required: ['input'],
  additionalProperties: false,
}

/** A grammar is told in words, because only custom tools can enforce it. */
function describe(description: string | undefined, format: ChatFields | undefined): string {
  const grammar =
    format?.type === 'grammar'
      ? `The input follows this ${format.syntax} grammar:\n${format.definition}`
      : undefined
  return [description, grammar].filter((text) => text !== undefined).join('\n\n')
}

/** Expects the arguments of a call directly after it. */
function createReader(
  originals: ReadonlyMap<string, string>,
  customs: ReadonlySet<string>,
): (event: AnswerEvent) => AnswerEvent[] {
  /** Arguments of open calls of custom tools, by choice. */
  const open = new Map<number, { readonly index: number; text: string }>()

  function close(choice: number): AnswerEvent[] {
    const call = open.get(choice)
    open.delete(choice)
    if (call === undefined) return []
    const text = readInput(call.text)
    return text === '' ? [] : [{ type: 'arguments', choice, index: call.index, text }]
  }

  return (event) => {
    if (event.type === 'start') return [event]
    const { choice } = event
    const call = open.get(choice)
    if (event.type === 'arguments' && call?.index === event.index) {
      call.text += event.text
      return []
    }
    const before = close(choice)
    if (event.type !== 'call') return [...before, event]
    const name = originals.get(event.name) ?? event.name
    if (!customs.has(name)) return [...before, { ...event, name }]
    open.set(choice, { index: event.index, text: '' })
    return [...before, { ...event, name, kind: 'custom' }]
  }
}

/** The text of a custom tool. A model that does not keep to the form means its arguments as the text. */
function readInput(text: string): string {
  if (!isJsonObject(text)) return text
  const { input } = JSON.parse(text)
  return typeof input === 'string' ? input : text
}
