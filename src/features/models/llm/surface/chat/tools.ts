import {
  type ChatFields,
  invalid,
  isObject,
  readBoolean,
  requireShallow,
} from '../../conversation/fields.ts'

const toolsMax = 128
const toolName = /^[A-Za-z0-9_.:-]{1,128}$/
const choiceWords = ['none', 'auto', 'required'] as const

/** `tools` and `tool_choice`. Only functions, because a provider's own tools are billed separately. */
export function readTools({ tools, tool_choice: choice }: ChatFields): ChatFields {
  if (tools == null) {
    if (choice != null && choice !== 'none' && choice !== 'auto')
      throw invalid('tool_choice', 'tool_choice needs tools.')
    return {}
  }
  if (!Array.isArray(tools) || tools.length === 0 || tools.length > toolsMax)
    throw invalid('tools', `tools must be a list of 1 to ${toolsMax} functions.`)
  const read = tools.map((tool, place) => readTool(tool, `tools.${place}`))
  return choice == null ? { tools: read } : { tools: read, tool_choice: readChoice(choice, read) }
}

function readTool(tool: unknown, at: string): ChatFields {
  if (!isObject(tool) || tool.type !== 'function' || !isObject(tool.function))
    throw invalid(at, `${at} must be of type function. A provider’s own tools are not sold here.`)
  const { name, description, parameters, strict } = tool.function
  if (typeof name !== 'string' || !toolName.test(name))
    throw invalid(
      `${at}.function.name`,
      `${at}.function.name must be 1 to 128 letters, digits, _ or -.`,
    )
  if (description != null && typeof description !== 'string')
    throw invalid(`${at}.function.description`, `${at}.function.description must be a string.`)
  if (parameters != null && !isObject(parameters))
    throw invalid(`${at}.function.parameters`, `${at}.function.parameters must be a JSON schema.`)
  requireShallow(`${at}.function.parameters`, parameters)
  return {
    type: 'function',
    function: {
      name,
      description: description ?? undefined,
      parameters: parameters ?? undefined,
      strict: readBoolean(`${at}.function.strict`, strict),
    },
  }
}

function readChoice(choice: unknown, tools: readonly ChatFields[]): unknown {
  if (typeof choice === 'string' && choiceWords.some((word) => word === choice)) return choice
  const name = isObject(choice) && choice.type === 'function' ? choice.function?.name : undefined
  if (!tools.some((tool) => tool.function.name === name))
    throw invalid(
      'tool_choice',
      `tool_choice must be ${choiceWords.join(', ')} or name one of the tools.`,
    )
  return { type: 'function', function: { name } }
}
