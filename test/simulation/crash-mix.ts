// Callers who mix chats and page reads, with and without an Idempotency-Key, against a gateway whose parts are killed.
import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { onTestFinished } from 'vitest'
import { portOf } from '#platform/http/port.ts'

/** One request that a caller has sent. */
export interface Sent {
  readonly what: 'chat' | 'read'
  readonly account: string
  /** Names its page, or its question. */
  readonly topic: string
  readonly idempotencyKey: string | undefined
  readonly atMs: number
  /** Absent where the caller received no whole answer. */
  answer?: { readonly id: string; readonly text: string; readonly atMs: number }
}

const article = `<html><head><title>A page</title></head><body><main><h1>A page</h1>
${'<p>This is a paragraph of real words, long enough to be read as a real one.</p>\n'.repeat(8)}
</main></body></html>`

/** Serves a page at every path, and counts the requests. */
export async function serveSite() {
  let requests = 0
  const server = createServer((_request, reply) => {
    requests += 1
    reply.writeHead(200, { 'content-type': 'text/html' }).end(article)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const port = portOf(server)
  return { url: `http://127.0.0.1:${port}`, requests: () => requests }
}

const pauseAfterFailureMs = 50

/** Each caller does one kind of work, one request after the other, until told to stop. */
export async function load(
  gateway: { readonly url: string; readonly siteUrl: string; readonly keys: readonly string[] },
  callers: number,
  stop: AbortSignal,
): Promise<Sent[]> {
  const sent: Sent[] = []
  const work = Array.from({ length: callers }, async (_, caller) => {
    const account = gateway.keys[caller % gateway.keys.length] ?? ''
    while (!stop.aborted) {
      const request: Sent = {
        what: caller % 4 < 2 ? 'chat' : 'read',
        account,
        topic: randomUUID(),
        idempotencyKey: Math.floor(caller / 4) % 2 === 0 ? randomUUID() : undefined,
        atMs: Date.now(),
      }
      sent.push(request)
      const answer = await ask(gateway, request)
      if (answer?.status === 200) request.answer = answer
      else await delay(pauseAfterFailureMs)
    }
  })
  await Promise.all(work)
  return sent
}

/** Undefined where the connection broke before the answer was whole. */
export async function ask(
  { url, siteUrl }: { readonly url: string; readonly siteUrl: string },
  { what, account, topic, idempotencyKey }: Sent,
) {
  const isChat = what === 'chat'
  const body = isChat
    ? { model: 'lab/one', messages: [{ role: 'user', content: topic }] }
    : { urls: [`${siteUrl}/${topic}`] }
  try {
    const reply = await fetch(
      `${url}${isChat ? '/api/llm/v1/chat/completions' : '/api/run/tollway/onescrape'}`,
      {
        method: 'POST',
        headers: {
          authorization: `Bearer ${account}`,
          ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
        },
        body: JSON.stringify(body),
      },
    )
    const text = await reply.text()
    const id = isChat
      ? (reply.headers.get('x-transaction-id') ?? '')
      : (JSON.parse(text).transaction_id ?? '')
    return { id, text, status: reply.status, atMs: Date.now() }
  } catch {
    return undefined
  }
}
