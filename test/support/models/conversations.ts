// Generated conversations with a model, and what each format of an upstream says about them. A conversation is a list
// of lines, one for each thing that was said, so that two formats of it can be compared.
import fc from 'fast-check'
import type { Json, UpstreamFormat } from './format.ts'

export interface CalledTool {
  readonly id: string
  readonly name: string
  readonly arguments: Readonly<Record<string, string>>
  readonly result: string
}

export type Step =
  | {
      readonly role: 'user'
      readonly texts: readonly string[]
      readonly picture: string | undefined
    }
  | {
      readonly role: 'assistant'
      readonly text: string
      readonly thought: string | undefined
      readonly calls: readonly CalledTool[]
    }

export interface Conversation {
  readonly system: string | undefined
  readonly steps: readonly Step[]
  readonly tools: readonly string[]
}

const words = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 24 })
  .map((text) => `${text.trim()}🦊`)
  .filter((text) => text.isWellFormed())
const name = fc.constantFrom('weather', 'find_file', 'mcp.server:read', 'a'.repeat(90), '1st')
const picture = fc.constant('data:image/png;base64,iVBORw0KGgo=')
type Called = Omit<CalledTool, 'id'>
const calls = (tools: readonly string[]): fc.Arbitrary<Called[]> =>
  tools.length === 0
    ? fc.constant([])
    : fc.array(
        fc.record({
          name: fc.constantFrom(...tools),
          arguments: fc.dictionary(fc.constantFrom('path', 'city', 'q'), words, { maxKeys: 3 }),
          result: words,
        }),
        { maxLength: 3 },
      )

/** Begins with a user, and each turn of the model follows one of the user. */
export const conversations: fc.Arbitrary<Conversation> = fc
  .uniqueArray(name, { maxLength: 3 })
  .chain((tools) =>
    fc.record({
      tools: fc.constant(tools),
      system: fc.option(words, { nil: undefined }),
      steps: fc
        .array(
          fc.tuple(
            fc.record({
              role: fc.constant('user' as const),
              texts: fc.array(words, { minLength: 1, maxLength: 2 }),
              picture: fc.option(picture, { nil: undefined }),
            }),
            fc.record({
              role: fc.constant('assistant' as const),
              text: words,
              thought: fc.option(words, { nil: undefined }),
              calls: calls(tools),
            }),
          ),
          { minLength: 1, maxLength: 4 },
        )
        .map((pairs) => pairs.flat()),
    }),
  )
  .map(({ steps, ...conversation }) => ({
    ...conversation,
    steps: steps.map(
      (step, at): Step =>
        step.role === 'user'
          ? step
          : {
              ...step,
              calls: step.calls.map((call, place) => ({ ...call, id: `call_${at}_${place}` })),
            },
    ),
  }))

const told = {
  system: (text: string) => `system: ${text}`,
  user: (text: string) => `user: ${text}`,
  picture: (url: string) => `picture: ${url.replace(/^data:[^,]*,/, '')}`,
  thought: (text: string) => `thought: ${text}`,
  text: (text: string) => `text: ${text}`,
  call: (called: string, args: Json) => `call ${called}: ${JSON.stringify(args)}`,
  result: (called: string, text: string) => `result of ${called}: ${text}`,
  tool: (called: string) => `tool ${called}`,
}

/** `keepsThoughts`: the model that made them is asked again. */
export function linesOfConversation(
  { system, steps, tools }: Conversation,
  keepsThoughts: boolean,
): string[] {
  return [
    ...tools.map(told.tool),
    ...(system === undefined ? [] : [told.system(system)]),
    ...steps.flatMap((step) =>
      step.role === 'user'
        ? [
            ...step.texts.map(told.user),
            ...(step.picture === undefined ? [] : [told.picture(step.picture)]),
          ]
        : [
            ...(keepsThoughts && step.thought !== undefined ? [told.thought(step.thought)] : []),
            told.text(step.text),
            ...step.calls.map((call) => told.call(call.name, call.arguments)),
            ...step.calls.map((call) => told.result(call.name, call.result)),
          ],
    ),
  ]
}

type Lines = (body: Json) => string[]

const textOf = (content: Json): string =>
  typeof content === 'string' ? content : content.map(({ text }: Json) => text).join('')
const partsOf = (content: Json): Json[] =>
  typeof content === 'string' ? [{ type: 'text', text: content }] : (content ?? [])

/** What a request in each format says. `restored`: the caller's name of a tool. */
export const linesOfBody: Readonly<
  Record<UpstreamFormat, (body: Json, restored: (written: string) => string) => string[]>
> = {
  openai(body, restored) {
    const names = new Map<string, string>()
    const ofMessage: Lines = (message) => {
      switch (message.role) {
        case 'system':
          return [told.system(textOf(message.content))]
        case 'user':
          return partsOf(message.content).map((part) =>
            part.type === 'image_url' ? told.picture(part.image_url.url) : told.user(part.text),
          )
        case 'tool':
          return [told.result(names.get(message.tool_call_id) ?? '?', textOf(message.content))]
        default:
          return [
            ...(message.reasoning_content === undefined
              ? []
              : [told.thought(message.reasoning_content)]),
            told.text(textOf(message.content)),
            ...(message.tool_calls ?? []).map(({ id, function: called }: Json) => {
              names.set(id, restored(called.name))
              return told.call(restored(called.name), JSON.parse(called.arguments))
            }),
          ]
      }
    }
    return [
      ...(body.tools ?? []).map((tool: Json) => told.tool(restored(tool.function.name))),
      ...body.messages.flatMap(ofMessage),
    ]
  },
  anthropic(body, restored) {
    const names = new Map<string, string>()
    const ofBlock = (block: Json, role: string): string => {
      switch (block.type) {
        case 'image':
          return told.picture(block.source.data)
        case 'thinking':
          return told.thought(block.thinking)
        case 'tool_use':
          names.set(block.id, restored(block.name))
          return told.call(restored(block.name), block.input)
        case 'tool_result':
          return told.result(names.get(block.tool_use_id) ?? '?', textOf(block.content))
        default:
          return role === 'user' ? told.user(block.text) : told.text(block.text)
      }
    }
    return [
      ...(body.tools ?? []).map((tool: Json) => told.tool(restored(tool.name))),
      ...(body.system === undefined ? [] : [told.system(textOf(body.system))]),
      ...body.messages.flatMap(({ role, content }: Json) =>
        partsOf(content).map((block) => ofBlock(block, role)),
      ),
    ]
  },
  responses(body, restored) {
    const names = new Map<string, string>()
    const ofPart = (part: Json, role: string): string => {
      if (part.type === 'input_image') return told.picture(part.image_url)
      if (role === 'assistant') return told.text(part.text)
      return role === 'user' ? told.user(part.text) : told.system(part.text)
    }
    const ofItem: Lines = (item) => {
      switch (item.type) {
        case 'reasoning':
          return [told.thought(textOf(item.summary))]
        case 'function_call':
          names.set(item.call_id, restored(item.name))
          return [told.call(restored(item.name), JSON.parse(item.arguments))]
        case 'function_call_output':
          return [told.result(names.get(item.call_id) ?? '?', item.output)]
        default:
          return item.content.map((part: Json) => ofPart(part, item.role))
      }
    }
    return [
      ...(body.tools ?? []).map((tool: Json) => told.tool(restored(tool.name))),
      ...body.input.flatMap(ofItem),
    ]
  },
  gemini(body, restored) {
    const ofPart = (part: Json, role: string): string => {
      if (part.inlineData !== undefined) return told.picture(part.inlineData.data)
      if (part.functionCall !== undefined)
        return told.call(restored(part.functionCall.name), part.functionCall.args)
      if (part.functionResponse !== undefined)
        return told.result(
          restored(part.functionResponse.name),
          part.functionResponse.response.output,
        )
      if (part.thought === true) return told.thought(part.text)
      return role === 'user' ? told.user(part.text) : told.text(part.text)
    }
    const declared = (body.tools ?? []).flatMap((tool: Json) => tool.functionDeclarations)
    return [
      ...declared.map((tool: Json) => told.tool(restored(tool.name))),
      ...(body.systemInstruction?.parts ?? []).map((part: Json) => told.system(part.text)),
      ...body.contents.flatMap(({ role, parts }: Json) =>
        parts.map((part: Json) => ofPart(part, role)),
      ),
    ]
  },
}
