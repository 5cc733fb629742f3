// The vendors of `npm run bench day`, in a process of their own: eight that answer after some milliseconds, of which
// one is down for a part of the day, one fails now and then, and one is slow; and a model.
import { createServer } from 'node:http'
import { json } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { portOf } from '#platform/http/port.ts'

const [durationMs = '60000'] = process.argv.slice(2)
const usualMs = 15
const slow = { vendor: 6, ms: 300 }
const flaky = { vendor: 4, everyCalls: 20 }
/** As parts of the day. */
const down = { vendor: 2, from: 0.4, until: 0.55 }

let beganAt = Date.now()
let calls = 0
const completion = {
  id: 'chatcmpl-day',
  object: 'chat.completion',
  created: 1_700_000_000,
  model: 'one',
  choices: [
    {
      index: 0,
      message: { role: 'assistant', content: 'word '.repeat(60) },
      finish_reason: 'stop',
    },
  ],
  usage: { prompt_tokens: 120, completion_tokens: 60, total_tokens: 180 },
}

async function answer(
  path: string,
  body: { readonly text?: string },
): Promise<readonly [number, object]> {
  calls += 1
  if (path.startsWith('/model/')) {
    await delay(4 * usualMs)
    return [200, completion]
  }
  const vendor = Number(/^\/vendor-(\d+)\//.exec(path)?.[1])
  const partOfDay = (Date.now() - beganAt) / Number(durationMs)
  if (vendor === down.vendor && partOfDay >= down.from && partOfDay < down.until)
    return [500, { error: 'down' }]
  if (vendor === flaky.vendor && calls % flaky.everyCalls === 0) return [503, { error: 'busy' }]
  await delay(vendor === slow.vendor ? slow.ms : usualMs)
  return [
    200,
    {
      echo: body.text ?? '',
      rows: Array.from({ length: 10 }, (_, row) => ({ row, text: 'x'.repeat(80) })),
    },
  ]
}

const server = createServer(async (request, response) => {
  const body = (await json(request).catch(() => ({}))) as { text?: string }
  const [status, reply] = await answer(request.url ?? '', body)
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(reply))
})
server.listen(0, '127.0.0.1', () => process.send?.({ url: `http://127.0.0.1:${portOf(server)}` }))
process.on('message', () => {
  beganAt = Date.now()
})
process.on('disconnect', () => process.exit(0))
