// The tools of a request. Functions of a namespace are flattened, because no other format has namespaces, and their
// names are restored in the answer. Hosted tools that the gateway sells become functions that it calls itself.
import {
  type ChatFields,
  entryOf,
  invalid,
  isObject,
  readBoolean,
  readText,
  requireShallow,
  shown,
} from '../../conversation/fields.ts'
import {
  type DescribeHosted,
  type HostedKind,
  type HostedTool,
  unusedName,
} from '../../conversation/hosted-calls.ts'
import { requireKnown } from './known-fields.ts'

const toolsMax = 512
const nameCharactersMax = 128
const toolName = /^[A-Za-z0-9_.:-]{1,128}$/
const choiceWords = ['none', 'auto', 'required'] as const
const functionFields = [
  'type',
  'name',
  'description',
  'parameters',
  'strict',
  'allowed_callers',
  'async',
  'defer_loading',
  'output_schema',
]
const customFields = [
  'type',
  'name',
  'description',
  'format',
  'allowed_callers',
  'async',
  'defer_loading',
]

/** What a tool is called by the caller. */
export interface CallerName {
  readonly name: string
  readonly namespace?: string | undefined
  readonly kind: 'function' | 'custom'
}

export interface ReadTools {
  /** `tools`, `tool_choice` in the common format. Empty without tools. */
  readonly fields: ChatFields
  /** By the name that the model sees. */
  readonly names: ReadonlyMap<string, CallerName>
  readonly hosted: readonly HostedTool[]
  /** Tools that were left out: `tools.image_generation`. */
  readonly dropped: readonly string[]
  /** The hosted tool that the model must call first. */
  readonly forced: HostedTool | undefined
}

const hostedKinds: Readonly<Record<string, HostedKind>> = {
  web_search: 'web_search',
  web_search_2025_08_26: 'web_search',
  web_search_preview: 'web_search',
  web_search_preview_2025_03_11: 'web_search',
  code_interpreter: 'code_interpreter',
}

/** Whether a request offers a tool that the gateway may sell. */
export const offersHosted = ({ tools }: ChatFields): boolean =>
  Array.isArray(tools) &&
  tools.some((tool) => isObject(tool) && entryOf(hostedKinds, tool.type) !== undefined)

export function readTools(
  { tools, tool_choice: choice }: ChatFields,
  describeHosted: DescribeHosted,
): ReadTools {
  if (tools != null && !Array.isArray(tools))
    throw invalid('tools', 'tools must be a list of tools.')
  const given = createToolList(describeHosted)
  for (const [place, tool] of (tools ?? []).entries()) given.add(tool, `tools[${place}]`)
  return chooseAmong(given.finish(), choice)
}

type GivenTools = Omit<ReadTools, 'fields' | 'forced'> & { readonly list: readonly ChatFields[] }

function createToolList(describeHosted: DescribeHosted) {
  const list: ChatFields[] = []
  const names = new Map<string, CallerName>()
  const wanted: { kind: HostedKind; settings: ChatFields; described: ChatFields }[] = []
  const dropped = new Set<string>()

  function put(name: string, called: CallerName, write: (name: string) => ChatFields, at: string) {
    if (names.has(name) && called.namespace === undefined)
      throw invalid(`${at}.name`, `${at}.name is the name of two tools. Give each tool its own.`)
    const own = unusedName(name, names)
    names.set(own, called)
    list.push(write(own))
    if (list.length > toolsMax)
      throw invalid('tools', `tools must have at most ${toolsMax} functions.`)
  }
  function addCallable(tool: ChatFields, at: string, namespace?: string) {
    const isFunction = tool.type === 'function'
    requireKnown(tool, isFunction ? functionFields : customFields, at)
    const name = readName(tool.name, `${at}.name`)
    const kind = isFunction ? 'function' : 'custom'
    const write = (own: string) => (isFunction ? writeFunction : writeCustom)(tool, own, at)
    put(flatName(name, namespace), { name, namespace, kind }, write, at)
  }
  function addNamespace(tool: ChatFields, at: string) {
    requireKnown(tool, ['type', 'name', 'description', 'tools'], at)
    const namespace = readName(tool.name, `${at}.name`)
    if (!Array.isArray(tool.tools)) throw invalid(`${at}.tools`, `${at}.tools must be a list.`)
    for (const [place, inner] of tool.tools.entries()) {
      const within = `${at}.tools[${place}]`
      if (!isObject(inner) || (inner.type !== 'function' && inner.type !== 'custom'))
        throw invalid(within, `${within} must be of type function or custom.`)
      addCallable(inner, within, namespace)
    }
  }
  function addHosted(type: string, settings: ChatFields) {
    const kind = entryOf(hostedKinds, type)
    const described = kind === undefined ? undefined : describeHosted(kind)
    if (kind === undefined || described === undefined) dropped.add(`tools.${type}`)
    else if (!wanted.some((other) => other.kind === kind))
      wanted.push({ kind, settings, described })
  }

  return {
    add(tool: unknown, at: string) {
      if (!isObject(tool) || typeof tool.type !== 'string' || tool.type.length > nameCharactersMax)
        throw invalid(at, `${at} must be an object with a type.`)
      if (tool.type === 'function' || tool.type === 'custom') addCallable(tool, at)
      else if (tool.type === 'namespace') addNamespace(tool, at)
      else addHosted(tool.type, tool)
    },
    finish(): GivenTools {
      const hosted = wanted.map(({ kind, settings, described }) => {
        const name = unusedName(kind, names)
        names.set(name, { name: kind, kind: 'function' })
        list.push({ type: 'function', function: { ...described, name } })
        return { kind, name, settings }
      })
      return { list, names, hosted, dropped: [...dropped] }
    },
  }
}

/** The name that the model sees for a function of a namespace. */
export function flatName(name: string, namespace: string | undefined): string {
  return namespace === undefined ? name : `${namespace}__${name}`
}

function readName(name: unknown, at: string): string {
  if (typeof name !== 'string' || !toolName.test(name))
    throw invalid(at, `${at} must be 1 to ${nameCharactersMax} letters, digits, _ or -.`)
  return name
}

function writeFunction(tool: ChatFields, name: string, at: string): ChatFields {
  const { description, parameters, strict } = tool
  if (parameters != null && !isObject(parameters))
    throw invalid(`${at}.parameters`, `${at}.parameters must be a JSON schema.`)
  requireShallow(`${at}.parameters`, parameters)
  return {
    type: 'function',
    function: {
      name,
      description: readDescription(description, at),
      parameters: parameters ?? undefined,
      strict: readBoolean(`${at}.strict`, strict),
    },
  }
}

function writeCustom({ description, format }: ChatFields, name: string, at: string): ChatFields {
  const custom = { name, description: readDescription(description, at) }
  if (format == null) return { type: 'custom', custom }
  if (!isObject(format) || !['text', 'grammar'].includes(format.type))
    throw invalid(`${at}.format`, `${at}.format must be of type text or grammar.`)
  if (format.type === 'text')
    return { type: 'custom', custom: { ...custom, format: { type: 'text' } } }
  const { syntax, definition } = format
  if (syntax !== 'lark' && syntax !== 'regex')
    throw invalid(`${at}.format.syntax`, `${at}.format.syntax must be lark or regex.`)
  const grammar = { syntax, definition: readText(definition, `${at}.format.definition`) }
  return { type: 'custom', custom: { ...custom, format: { type: 'grammar', grammar } } }
}

function readDescription(description: unknown, at: string): string | undefined {
  return description == null ? undefined : readText(description, `${at}.description`)
}

function chooseAmong(given: GivenTools, choice: unknown): ReadTools {
  const { list, ...rest } = given
  const chosen = readChoice(choice, given)
  const tools = chosen.tools ?? list
  if (tools.length === 0) {
    if (chosen.choice === 'required' || typeof chosen.choice === 'object')
      throw invalid(
        'tool_choice',
        'tool_choice asks for a tool, and tools has none that can be called.',
      )
    return { ...rest, fields: {}, forced: undefined }
  }
  const fields = chosen.choice === undefined ? { tools } : { tools, tool_choice: chosen.choice }
  return { ...rest, fields, forced: chosen.forced }
}

interface Chosen {
  readonly choice?: unknown
  readonly tools?: readonly ChatFields[]
  readonly forced?: HostedTool | undefined
}

function readChoice(choice: unknown, given: GivenTools): Chosen {
  if (choice == null) return {}
  if (typeof choice === 'string') {
    if (choiceWords.some((word) => word === choice)) return { choice }
    throw invalid('tool_choice', `tool_choice must be ${choiceWords.join(', ')} or an object.`)
  }
  if (!isObject(choice)) throw invalid('tool_choice', 'tool_choice must be a word or an object.')
  if (choice.type === 'allowed_tools') return readAllowed(choice, given)
  const name = findChosen(choice, given)
  if (name === undefined) throw invalid('tool_choice', unknownChoice(choice))
  const forced = given.hosted.find((tool) => tool.name === name)
  const isCustom = given.names.get(name)?.kind === 'custom'
  return {
    choice: isCustom
      ? { type: 'custom', custom: { name } }
      : { type: 'function', function: { name } },
    forced,
  }
}

/** Only some of the tools may be called. The others are not shown to the model. */
function readAllowed({ mode, tools }: ChatFields, given: GivenTools): Chosen {
  if ((mode !== 'auto' && mode !== 'required') || !Array.isArray(tools))
    throw invalid('tool_choice', 'tool_choice.mode must be auto or required, with a list of tools.')
  const allowed = new Set(
    tools.map((tool, place) => {
      const named = isObject(tool) ? tool : {}
      const name = findChosen(named, given)
      const isLeftOut = given.dropped.includes(`tools.${shown(named.type)}`) && mode === 'auto'
      if (name !== undefined || isLeftOut) return name
      throw invalid(`tool_choice.tools[${place}]`, unknownChoice(named))
    }),
  )
  const nameOf = (tool: ChatFields) => (tool.function ?? tool.custom).name
  return { choice: mode, tools: given.list.filter((tool) => allowed.has(nameOf(tool))) }
}

/** The name that the model sees for what a choice names. */
function findChosen(choice: ChatFields, { names, hosted }: GivenTools): string | undefined {
  if (choice.type === 'function' || choice.type === 'custom') {
    for (const [flat, called] of names)
      if (
        called.kind === choice.type &&
        !hosted.some(({ name }) => name === flat) &&
        [called.name, flat].includes(choice.name) &&
        (choice.namespace == null || choice.namespace === called.namespace)
      )
        return flat
    return undefined
  }
  return hosted.find(({ kind }) => kind === entryOf(hostedKinds, choice.type))?.name
}

const unknownChoice = ({ type, name }: ChatFields) =>
  `tool_choice names ${shown(name ?? type)}, which is not one of the tools that can be called here. ` +
  'Leave tool_choice out, or name another tool.'
