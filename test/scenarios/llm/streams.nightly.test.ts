// Many streams, slow readers and callers that disconnect: memory stays bounded, and nothing is left open.
import { connect, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { TestAccount } from '#test/harness.ts'
import {
  chat,
  expectSettled,
  hello,
  lastTransaction,
  shareLlmGateway,
  startLlmGateway,
  textOf,
} from '#test/llm-gateway.ts'
import { type Exchange, sentence } from '#test/model-upstream.ts'

const timeouts = {
  timeouts: { idle_ms: 60_000, first_token_ms: 60_000, first_token_last_ms: 60_000 },
}
const env = { CALLS_IN_FLIGHT_MAX: '2000', INFERENCE_DAY_CENTS_MAX: '1000000' }

const shared = shareLlmGateway({ config: timeouts, env })

/** A large event with little text. */
const padded = (it: Exchange) =>
  (it.events()[1] ?? '').replace('data: {', `data: {"padding":"${'x'.repeat(50_000)}",`)

function openStream(url: string, account: TestAccount): Socket {
  const { hostname, port } = new URL(url)
  const body = JSON.stringify({ model: 'lab/one', messages: hello, stream: true })
  const socket = connect(Number(port), hostname)
  socket.on('error', () => {})
  socket.write(
    `POST /api/llm/v1/chat/completions HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${account.key}\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
  )
  return socket
}

test('a thousand concurrent streams are all complete', async () => {
  const gateway = shared()
  const account = await gateway.account(100_000)
  gateway.upstream.behave('one', async (it) => {
    it.openStream()
    for (const event of it.events()) {
      it.response.write(event)
      await delay(50)
    }
    it.response.end()
  })
  const before = process.memoryUsage().rss
  const replies = await Promise.all(
    Array.from({ length: 1_000 }, () => chat(gateway, account, { model: 'lab/one', stream: true })),
  )
  expect(replies.filter((reply) => reply.done && textOf(reply) === sentence.join(''))).toHaveLength(
    1_000,
  )
  // Gateway, upstream and callers are all in this process.
  expect(process.memoryUsage().rss - before).toBeLessThan(600_000_000)
  await expectSettled(gateway, account, 1_000 * 300)
})

test('a reader that does not read slows the upstream and does not fill the memory', async () => {
  const gateway = shared()
  const account = await gateway.account(1_000)
  let written = 0
  let stalled = false
  gateway.upstream.behave('one', async (it) => {
    it.openStream()
    const closed = new Promise<boolean>((resolve) => it.response.once('close', () => resolve(true)))
    const event = padded(it)
    for (let sent = 0; sent < 2_000 && !it.socket.destroyed; sent += 1) {
      const room = it.response.write(event)
      written += event.length
      if (room) continue
      stalled = await Promise.race([
        new Promise<boolean>((resolve) => it.response.once('drain', () => resolve(false))),
        closed,
        delay(2_000, true),
      ])
      if (stalled) break
    }
  })
  const socket = openStream(gateway.url, account)
  socket.pause()
  await expect.poll(() => stalled).toBe(true)
  // Kernel buffers of both connections, and no more than a few pieces in between.
  expect(written).toBeLessThan(40_000_000)
  socket.destroy()
  await expect.poll(() => gateway.upstream.asked[0]?.abandoned).toBe(true)
})

test('after two thousand callers have disconnected, the next one is served and nothing is held', async () => {
  const gateway = shared()
  const account = await gateway.account(100_000)
  gateway.upstream.behave('one', async (it) => {
    it.openStream()
    for (const event of it.events().slice(0, 4)) it.response.write(event)
  })
  for (let round = 0; round < 20; round += 1) {
    const sockets = Array.from({ length: 100 }, () => openStream(gateway.url, account))
    await Promise.all(
      sockets.map(async (socket) => {
        await new Promise((resolve) => socket.once('data', resolve))
        socket.destroy()
      }),
    )
  }
  await expect.poll(() => gateway.upstream.asked.filter((it) => !it.abandoned).length).toBe(0)
  gateway.upstream.behave('one', (it) => it.answer())
  expect((await chat(gateway, account, { model: 'lab/one' })).status).toBe(200)
  const heldNow = async () => {
    const [row] = await gateway.database.query(
      'select held, in_flight from balance where account_id = $1',
      [account.id],
    )
    return row
  }
  await expect.poll(heldNow).toEqual({ held: 0, in_flight: 0 })
})

test('a reader that stops reading counts as disconnected and pays for what was sent', async () => {
  const gateway = await startLlmGateway({
    config: { timeouts: { ...timeouts.timeouts, reader_ms: 200 } },
    env,
  })
  const account = await gateway.account(1_000)
  gateway.upstream.behave('one', (it) => {
    it.openStream()
    const event = padded(it)
    const write = () => {
      while (!it.socket.destroyed && it.response.write(event));
    }
    it.response.on('drain', write)
    write()
  })
  const socket = openStream(gateway.url, account)
  socket.pause()
  await expect
    .poll(async () => (await lastTransaction(account))?.inference)
    .toMatchObject({ ending: 'client_gone' })
  expect(Number((await lastTransaction(account)).charged_usd)).toBeGreaterThan(0)
  await expect.poll(() => gateway.upstream.asked[0]?.abandoned).toBe(true)
  socket.destroy()
})
