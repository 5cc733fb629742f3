// A client of the Responses surface, for comparing answers across formats.
import { systemClock as clock } from '#platform/clock.ts'
import {
  type ResponsesRequest,
  readLinks,
  readResponsesRequest,
} from '../../../src/features/models/llm/surface/responses/request.ts'
import {
  openResponsesSurface,
  type ResponsesSurface,
} from '../../../src/features/models/llm/surface/responses/surface.ts'
import type { Surface } from '../../../src/features/models/llm/surface/surface.ts'
import type { Json } from '../model-upstream.ts'
import type { Step } from './conversations.ts'
import type { SurfaceClient, Understood } from './surface-client.ts'

const open = (body: unknown): { surface: ResponsesSurface; read: ResponsesRequest } => {
  const read = readResponsesRequest(readLinks(body), [], () => undefined)
  return { read, surface: openResponsesSurface(read, { store: false, clock }) }
}

/** Reads each body by itself: nothing is stored. */
export function createResponsesSurface(): Surface {
  const first = open({ model: 'x', input: 'x' }).surface
  let current = first
  const { passThrough: _, ...form } = first
  return {
    ...form,
    readRequest(body) {
      const { surface, read } = open(body)
      current = surface
      return read.request
    },
    openWriter: (context) => current.openWriter(context),
    get passThrough() {
      return current.passThrough
    },
  }
}

export const responsesClient: SurfaceClient = {
  write: ({ system, steps, tools }, seal) => ({
    include: ['reasoning.encrypted_content'],
    tools: tools.map((name) => ({ type: 'function', name, parameters: { type: 'object' } })),
    ...(system === undefined ? {} : { instructions: system }),
    input: steps.flatMap((step) => writeStep(step, seal)),
  }),
  readStream(text) {
    const events: Json[] = text
      .split('\n\n')
      .filter((event) => event.includes('data: '))
      .map((event) => JSON.parse(event.slice(event.indexOf('data: ') + 6)))
    const done = events.filter(({ type }) => type === 'response.output_item.done')
    const { response } = events.at(-1)
    return understand({ ...response, output: done.map(({ item }) => item) })
  },
  readWhole: understand,
}

function writeStep(step: Step, seal: string): Json[] {
  if (step.role === 'user') {
    const texts = step.texts.map((text) => ({ type: 'input_text', text }))
    const picture =
      step.picture === undefined ? [] : [{ type: 'input_image', image_url: step.picture }]
    return [{ role: 'user', content: [...texts, ...picture] }]
  }
  const reasoning = {
    type: 'reasoning',
    summary: [{ type: 'summary_text', text: step.thought }],
    encrypted_content: seal,
  }
  return [
    ...(step.thought === undefined ? [] : [reasoning]),
    { role: 'assistant', content: [{ type: 'output_text', text: step.text, annotations: [] }] },
    ...step.calls.map(({ id, name, arguments: args }) => ({
      type: 'function_call',
      call_id: id,
      name,
      arguments: JSON.stringify(args),
    })),
    ...step.calls.map(({ id, result }) => ({
      type: 'function_call_output',
      call_id: id,
      output: result,
    })),
  ]
}

function understand({ output, incomplete_details: incomplete }: Json): Understood {
  const items = (type: string): Json[] => output.filter((item: Json) => item.type === type)
  const parts: Json[] = items('message').flatMap(({ content }) => content)
  const calls = items('function_call').map(({ name, arguments: args }) => ({
    name,
    arguments: JSON.parse(args),
  }))
  const cut = incomplete?.reason === 'max_output_tokens' ? 'length' : incomplete?.reason
  return {
    thought: items('reasoning')
      .flatMap(({ summary }) => summary)
      .map(({ text }) => text)
      .join(''),
    text: parts.map(({ text }) => text ?? '').join(''),
    refusal: parts.map(({ refusal }) => refusal ?? '').join(''),
    calls,
    finish: cut ?? (calls.length > 0 ? 'tool_calls' : 'stop'),
    seal: items('reasoning').at(-1)?.encrypted_content ?? '',
  }
}
