// The Python client against a real gateway, without and with asyncio.
import { describe, expect, test } from 'vitest'
import { hello, shareLlmGateway } from '#test/llm-gateway.ts'
import { sentence } from '#test/model-upstream.ts'
import { createSessionProvider, createTestMachine } from '#test/sessions/session-gateway.ts'
import { openBreakingProxy } from './breaking-proxy.ts'
import { findPython, runPython } from './python.ts'

const machine = createTestMachine()
const gateway = shareLlmGateway({ providers: [createSessionProvider(machine)] })
const python = await findPython()

const start = `
import asyncio, json, sys
from tollway_client import AsyncTollway, Tollway, TollwayError
url, key, *rest = sys.argv[1:]

def code_of(call):
    try:
        call()
    except TollwayError as error:
        return error.code

async def code_of_async(call):
    try:
        await call
    except TollwayError as error:
        return error.code
`

const withoutAsyncio = `${start}
with Tollway(url, key) as tollway:
    echo = tollway.call("test/echo", {"text": "hi"})
    quote = tollway.quote("test/echo", {})
    progress = []
    job = tollway.call("test/job", {"steps": 3}, on_progress=progress.append)
    files = [tollway.upload(name.encode(), f"{name}.txt") for name in "abc"]
    with tollway.open_session("boxes/create_session", {}) as session:
        said = session.run({"command": "echo hello"})
        state = session.read()["status"]
    print(json.dumps({
        "echo": [echo.data["echo"], str(echo.charged_usd), echo.balance_remaining_cents, echo.replayed],
        "quote": quote["price"]["cents"],
        "hits": len(Tollway(url).discover("papers about memory", 3)),
        "job": [job.data["spent_cents"], str(job.charged_usd), tollway.job(job.transaction_id).cancel()],
        "pages": [[file["filename"] for file in page.data["files"]] for page in tollway.pages("files/list", {"limit": 2})],
        "bytes": tollway.download(files[0]["file_id"]).decode(),
        "session": [said["exit_code"], state, session.read()["status"]],
        "calls": [row["action"] for row in tollway.rows("GET /api/v1/transactions", query={"type": "call", "limit": 2})],
        "account": tollway.request("GET /api/v1/account")["balance_cents"],
        "refused": [
            code_of(lambda: tollway.call("test/echo", {}, max_cost_cents=1)),
            code_of(lambda: tollway.call("test/eco", {})),
            code_of(lambda: tollway.call("test/job", {"ends": "failed"})),
            code_of(lambda: tollway.request("GET /api/v1/keys/{id}", path={"id": "a/b"})),
        ],
    }))
`

const withAsyncio = `${start}
async def main():
    async with AsyncTollway(url, key) as tollway:
        echo, quote = await asyncio.gather(tollway.call("test/echo", {"text": "hi"}), tollway.quote("test/echo", {}))
        progress = []
        job = await tollway.call("test/job", {"steps": 3}, on_progress=progress.append)
        files = [await tollway.upload(name.encode(), f"{name}.txt") for name in "abc"]
        async with await tollway.open_session("boxes/create_session", {}) as session:
            said = await session.run({"command": "echo hello"})
            state = (await session.read())["status"]
        print(json.dumps({
            "echo": [echo.data["echo"], str(echo.charged_usd), echo.balance_remaining_cents, echo.replayed],
            "quote": quote["price"]["cents"],
            "hits": len(await AsyncTollway(url).discover("papers about memory", 3)),
            "job": [job.data["spent_cents"], str(job.charged_usd), await tollway.job(job.transaction_id).cancel()],
            "pages": [[file["filename"] for file in page.data["files"]] async for page in tollway.pages("files/list", {"limit": 2})],
            "bytes": (await tollway.download(files[0]["file_id"])).decode(),
            "session": [said["exit_code"], state, (await session.read())["status"]],
            "calls": [row["action"] async for row in tollway.rows("GET /api/v1/transactions", query={"type": "call", "limit": 2})],
            "account": (await tollway.request("GET /api/v1/account"))["balance_cents"],
            "refused": [
                await code_of_async(tollway.call("test/echo", {}, max_cost_cents=1)),
                await code_of_async(tollway.call("test/eco", {})),
                await code_of_async(tollway.call("test/job", {"ends": "failed"})),
                await code_of_async(tollway.request("GET /api/v1/keys/{id}", path={"id": "a/b"})),
            ],
        }))

asyncio.run(main())
`

describe.skipIf(python === undefined)('the Python client', () => {
  test.each([
    ['without asyncio', withoutAsyncio],
    ['with asyncio', withAsyncio],
  ])('calls, pays, waits, stores and lists %s', async (_, program) => {
    const { key } = await gateway().account(100)
    const answer = await runPython(program, gateway().url, key)
    expect(answer).toMatchObject({
      echo: ['hi', '0.020000', 98, false],
      quote: 2,
      hits: 3,
      job: [2.5, '0.025000', 'ended'],
      pages: [['c.txt', 'b.txt'], ['a.txt']],
      bytes: 'a',
      session: [0, 'open', 'closed'],
      refused: ['max_cost_exceeded', 'not_found', 'all_blocked', 'not_found'],
    })
    expect(answer.calls.filter((name: string) => name === 'files/upload')).toHaveLength(3)
    expect(answer.calls.length).toBeGreaterThan(5)
  })

  test.each([
    ['without asyncio', 'Tollway(url, key).call("test/echo", {"text": text})'],
    ['with asyncio', 'asyncio.run(AsyncTollway(url, key).call("test/echo", {"text": text}))'],
  ])('pays once for a call that is lost or refused at first %s', async (_, call) => {
    const account = await gateway().account(100)
    const proxy = await openBreakingProxy(gateway().url)
    const refusal = { headers: { 'retry-after': '0' }, body: '{"error":"unavailable"}' }
    proxy.next('cut answer', 'cut answer', 'pass', 'lose request', 'pass')
    proxy.next({ status: 503, ...refusal }, { status: 502, body: '<html>' })
    const program = `${start}
answers = []
for text in "abc":
    answers.append(${call})
print(json.dumps([[answer.data["echo"], answer.replayed] for answer in answers]))
`
    expect(await runPython(program, proxy.url, account.key)).toEqual([
      ['a', true],
      ['b', false],
      ['c', false],
    ])
    expect(proxy.seen).toHaveLength(8)
    expect(new Set(proxy.seen.map(({ key }) => key)).size).toBe(3)
    expect(await account.state()).toMatchObject({ availableCents: 94, transactions: 3 })
  })

  test('does not repeat work that failed, and says what an address without a gateway answers', async () => {
    const { key } = await gateway().account(100)
    const proxy = await openBreakingProxy(gateway().url)
    proxy.next('pass', { status: 404, body: '<html>' })
    const program = `${start}
tollway = Tollway(url, key)
print(json.dumps([code_of(lambda: tollway.call("test/fails", {"code": "upstream_error"})), code_of(lambda: tollway.call("test/echo", {}))]))
`
    const codes = await runPython(program, proxy.url, key)
    expect(codes).toEqual(['upstream_error', 'unreadable_answer'])
    expect(proxy.seen).toHaveLength(2)
  })

  test('cancels the job of a task that is cancelled', async () => {
    const account = await gateway().account(100)
    const echo = { action: 'test/echo', params: { text: 'first' } }
    const steps = [
      { id: 'first', ...echo },
      { id: 'slow', action: 'test/slow', params: {}, after: ['first'] },
      { id: 'last', ...echo, after: ['slow'] },
    ]
    const program = `${start}
async def main():
    async with AsyncTollway(url, key) as tollway:
        loop = asyncio.get_running_loop()
        task = loop.create_task(tollway.call(
            "tollway/run-plan", json.loads(rest[0]), max_cost_cents=50,
            on_progress=lambda progress: progress["done"] > 0 and task.cancel(),
        ))
        try:
            await task
        except asyncio.CancelledError:
            [job] = [row async for row in tollway.rows("GET /api/v1/transactions", query={"action": "tollway/run-plan"})]
            print(json.dumps(await tollway.job(job["transaction_id"]).cancel()))

asyncio.run(main())
`
    expect(await runPython(program, gateway().url, account.key, JSON.stringify({ steps }))).toBe(
      'stopping',
    )
    gateway().provider.release()
  })

  test('asks models, and reads streams in parts', async () => {
    const { key } = await gateway().account(100)
    const proxy = await openBreakingProxy(gateway().url)
    proxy.next('pass', 'pass', 'cut answer')
    const program = `${start}
request = {"model": "lab/one", "messages": json.loads(rest[0])}
tollway = Tollway(url, key)

def text_of(stream):
    with stream as chunks:
        return "".join(choice["delta"].get("content") or "" for chunk in chunks for choice in chunk["choices"])

async def text_of_async():
    async with AsyncTollway(url, key) as tollway, tollway.chat_stream(request) as chunks:
        return "".join([choice["delta"].get("content") or "" async for chunk in chunks for choice in chunk["choices"]])

print(json.dumps([
    tollway.chat(request)["choices"][0]["message"]["content"],
    text_of(tollway.chat_stream(request)),
    code_of(lambda: text_of(tollway.chat_stream(request, idempotency_key="broken-once"))),
    text_of(tollway.chat_stream(request, idempotency_key="broken-once")),
    asyncio.run(text_of_async()),
]))
`
    const whole = sentence.join('')
    const said = await runPython(program, proxy.url, key, JSON.stringify(hello))
    expect(said).toEqual([whole, whole, 'connection_failed', whole, whole])
    expect(gateway().upstream.asked).toHaveLength(4)
  })
})
