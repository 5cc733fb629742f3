// `tools` and `tool_choice`. Tools that the client runs are functions in the common format, and so is the search that
// the gateway runs itself. Other tools that the vendor would run are left out, and refused only when the request forces
// one.
import {
  type ChatFields,
  invalid,
  readBoolean,
  requireShallow,
  shown,
} from '../../conversation/fields.ts'
import {
  type DescribeHosted,
  type HostedTool,
  unusedName,
} from '../../conversation/hosted-calls.ts'
import { cacheMarkOf, readList, readObject, readString, requireKnown } from './known-fields.ts'
import { isSearchTool, readSearchTool, requireDirect, type SearchTool } from './search-tool.ts'
import { clientTool } from './vendor-tools.ts'

const toolsMax = 512
const deferred = 'defer_loading'
const examplesMax = 100
const toolName = /^[A-Za-z0-9_.:-]{1,128}$/
/** Tools that run at the vendor, at prices of their own. */
const serverTool = /^(web_search|web_fetch|code_execution|tool_search_tool|advisor)_|^mcp_toolset$/
const offered = ['type', 'name', 'cache_control', 'strict', 'defer_loading', 'allowed_callers']
const customFields = [
  ...offered,
  'description',
  'input_schema',
  'input_examples',
  'eager_input_streaming',
]

export interface ToolsRead {
  readonly fields: ChatFields
  /** The tools as the vendor takes them, without those that it would run itself. */
  readonly native: ChatFields
  /** The search that the gateway runs itself. */
  readonly search: (SearchTool & { readonly tool: HostedTool }) | undefined
  /** What was left out. */
  readonly dropped: readonly string[]
}

export function readToolFields(
  { tools, tool_choice: choice }: ChatFields,
  describeHosted: DescribeHosted,
): ToolsRead {
  const all = tools == null ? [] : readList('tools', tools, toolsMax)
  const dropped: string[] = []
  const described = describeHosted('web_search')
  let asked: SearchTool | undefined
  const native: ChatFields[] = []
  const read = all.flatMap((entry, place) => {
    const at = `tools.${place}`
    const tool = readObject(at, entry)
    if (described !== undefined && isSearchTool(tool)) {
      asked = readSearchTool(at, tool)
      dropped.push(...asked.dropped)
      return []
    }
    if (typeof tool.type === 'string' && serverTool.test(tool.type)) {
      dropped.push(shown(tool.name ?? tool.mcp_server_name ?? tool.type))
      return []
    }
    const read = readTool(at, tool)
    // The vendor would load it after a search of tools, which is not sold here. So it is offered at once.
    const { defer_loading: isDeferred, ...offeredNow } = tool
    if (isDeferred === true && !dropped.includes(deferred)) dropped.push(deferred)
    native.push(isDeferred == null ? tool : offeredNow)
    return [read]
  })
  const names = new Set<string>(read.map((tool) => tool.function.name))
  const search = asked && { ...asked, tool: hostedSearch(unusedName('web_search', names), asked) }
  const searching = search && {
    type: 'function',
    function: { ...described, name: search.tool.name },
    ...search.mark,
  }
  const offered = searching === undefined ? read : [...read, searching]
  const chosen = readChoice(choice, { names, dropped, search: search?.tool.name })
  const hasTools = offered.length > 0
  return {
    search,
    fields: hasTools ? { tools: offered, ...chosen } : {},
    native: hasTools ? { tools: native, ...(choice == null ? {} : { tool_choice: choice }) } : {},
    dropped: dropped.map((name) => `tools.${name.slice(0, 100)}`),
  }
}

const hostedSearch = (name: string, { settings }: SearchTool): HostedTool => ({
  kind: 'web_search',
  name,
  settings,
})

function readTool(at: string, tool: ChatFields): ChatFields {
  const custom = tool.type == null || tool.type === 'custom'
  const known = custom ? undefined : clientTool(tool)
  if (!custom && known === undefined)
    throw invalid(
      `${at}.type`,
      `${at}.type ${shown(tool.type)} is not offered here. Describe the tool with name, description and input_schema instead.`,
    )
  requireKnown(at, tool, custom ? customFields : [...offered, 'input_examples', 'max_characters'])
  const name = readString(`${at}.name`, tool.name)
  if (!toolName.test(name))
    throw invalid(`${at}.name`, `${at}.name must be 1 to 128 letters, digits, _ or -.`)
  readBoolean(`${at}.defer_loading`, tool.defer_loading)
  readBoolean(`${at}.eager_input_streaming`, tool.eager_input_streaming)
  requireDirect(at, tool)
  const described = known ?? readDescription(at, tool)
  const examples = readExamples(at, tool.input_examples)
  const description = [described.description, examples].filter((text) => text !== '').join('\n\n')
  return {
    type: 'function',
    function: {
      name,
      ...(description === '' ? {} : { description }),
      parameters: described.parameters,
      ...(readBoolean(`${at}.strict`, tool.strict) === true ? { strict: true } : {}),
    },
    ...cacheMarkOf(at, tool),
  }
}

function readDescription(at: string, { description, input_schema: schema }: ChatFields) {
  const parameters = readObject(`${at}.input_schema`, schema)
  requireShallow(`${at}.input_schema`, parameters)
  return {
    description: description == null ? '' : readString(`${at}.description`, description),
    parameters,
  }
}

function readExamples(at: string, examples: unknown): string {
  if (examples == null) return ''
  const all = readList(`${at}.input_examples`, examples, examplesMax)
  requireShallow(`${at}.input_examples`, all)
  return all.length === 0
    ? ''
    : `Examples of its input: ${all.map((one) => JSON.stringify(one)).join(', ')}`
}

function readChoice(
  choice: unknown,
  {
    names,
    dropped,
    search,
  }: {
    readonly names: ReadonlySet<string>
    readonly dropped: readonly string[]
    /** The function by which the model searches. */
    readonly search: string | undefined
  },
): ChatFields {
  if (choice == null) return {}
  const given = readObject('tool_choice', choice)
  requireKnown('tool_choice', given, ['type', 'name', 'disable_parallel_tool_use'])
  const { type, name } = given
  const alone = readBoolean(
    'tool_choice.disable_parallel_tool_use',
    given.disable_parallel_tool_use,
  )
  const parallel = alone === true ? { parallel_tool_calls: false } : {}
  switch (type) {
    case 'auto':
    case 'none':
      return { tool_choice: type, ...parallel }
    case 'any':
      if (names.size === 0 && search === undefined) throw forced(dropped)
      return { tool_choice: 'required', ...parallel }
    case 'tool':
      if (search !== undefined && name === 'web_search' && !names.has(name))
        return { tool_choice: { type: 'function', function: { name: search } }, ...parallel }
      if (dropped.includes(name)) throw forced([name])
      if (!names.has(name))
        throw invalid('tool_choice.name', 'tool_choice.name must name one of the tools.')
      return { tool_choice: { type: 'function', function: { name } }, ...parallel }
    default:
      throw invalid('tool_choice.type', 'tool_choice.type must be auto, any, tool or none.')
  }
}

const forced = (names: readonly string[]) =>
  invalid(
    'tool_choice',
    names.length === 0
      ? 'tool_choice needs tools.'
      : `tool_choice forces ${names.join(', ').slice(0, 200)}, which the vendor would run. It is not sold here: offer a tool of your own, or let the model choose.`,
  )
