// One question asked through each surface over HTTP, and its answer in the same words.
import type { Gateway, TestAccount } from '../harness.ts'
import { hello } from '../llm-gateway.ts'
import type { Json } from './format.ts'

export interface SurfaceReply {
  readonly status: number
  readonly headers: Headers
  readonly streams: boolean
  readonly text: string
  /** The answer is whole, or its stream has its last event. */
  readonly done: boolean
  /** The stream says that the answer broke off. */
  readonly failed: boolean
  /** Of an answer that is not 200. */
  readonly code: string | undefined
}

type SurfaceCaller = (
  gateway: Gateway,
  account: TestAccount,
  asked: { readonly model: string; readonly stream: boolean },
) => Promise<SurfaceReply>

interface SurfaceForm {
  readonly path: string
  readonly body: Json
  textOf(body: Json): string
  /** The text of an event of a stream. */
  pieceOf(event: Json): string | undefined
  isLast(data: string): boolean
  isFailure(event: Json): boolean
}

const forms: Readonly<Record<string, SurfaceForm>> = {
  chat: {
    path: 'chat/completions',
    body: { messages: hello },
    textOf: ({ choices }) => choices[0].message.content,
    pieceOf: ({ choices }) => choices?.[0]?.delta.content,
    isLast: (data) => data === '[DONE]',
    isFailure: ({ error }) => error !== undefined,
  },
  responses: {
    path: 'responses',
    body: { input: 'Hello' },
    textOf: ({ output }) =>
      output.flatMap(({ content = [] }: Json) => content.map(({ text }: Json) => text)).join(''),
    pieceOf: ({ type, delta }) => (type === 'response.output_text.delta' ? delta : undefined),
    isLast: (data) => data.startsWith('{"type":"response.completed"'),
    isFailure: ({ type }) => type === 'response.failed' || type === 'error',
  },
  messages: {
    path: 'messages',
    body: { messages: hello, max_tokens: 1_000 },
    textOf: ({ content }) => content.map(({ text = '' }: Json) => text).join(''),
    pieceOf: ({ delta }) => delta?.text,
    isLast: (data) => data.startsWith('{"type":"message_stop"'),
    isFailure: ({ type }) => type === 'error',
  },
}

export const surfaceCallers: Readonly<Record<string, SurfaceCaller>> = Object.fromEntries(
  Object.entries(forms).map(([name, form]) => [name, callerOf(form)]),
)

function callerOf(form: SurfaceForm): SurfaceCaller {
  return async ({ url }, account, asked) => {
    const reply = await fetch(`${url}/api/llm/v1/${form.path}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${account.key}`,
        'content-type': 'application/json',
        'anthropic-version': '2023-06-01',
      },
      body: JSON.stringify({ ...form.body, ...asked }),
    })
    const { status, headers } = reply
    const sent = await reply.text()
    const answered = { status, headers, streams: asked.stream, code: undefined }
    if (!headers.get('content-type')?.startsWith('text/event-stream')) {
      const body = JSON.parse(sent)
      return status === 200
        ? { ...answered, text: form.textOf(body), done: true, failed: false }
        : { ...answered, text: '', done: false, failed: false, code: body.error?.code }
    }
    const data = sent
      .split('\n')
      .flatMap((line) => (line.startsWith('data: ') ? [line.slice(6)] : []))
    const events: Json[] = data.filter((each) => each !== '[DONE]').map((each) => JSON.parse(each))
    return {
      ...answered,
      text: events.map((event) => form.pieceOf(event) ?? '').join(''),
      done: data.some(form.isLast),
      failed: events.some(form.isFailure),
    }
  }
}
