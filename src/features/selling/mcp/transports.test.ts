import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { createProgramTransport } from './transports.ts'

test('an answer of a program with too many names of fields fails its call, and the program goes on', async () => {
  const [input, output] = [new PassThrough(), new PassThrough()]
  const ended = new Promise<never>(() => {})
  const transport = createProgramTransport(async () => ({ input, output, ended }) as never)
  await transport.start()
  const heard = Array.from({ length: 2 }, () => Promise.withResolvers<unknown>())
  let messages = 0
  transport.onmessage = (message) => heard[messages++]?.resolve(message)
  for (const id of [1, 2]) await transport.send({ jsonrpc: '2.0', id, method: 'tools/call' })
  const names = Array.from({ length: 110_000 }, (_, at) => `"n${at}":1`)
  output.write(`{"jsonrpc":"2.0","id":1,"result":{${names.join()}}}\n`)
  expect(await heard[0]?.promise).toMatchObject({
    id: 1,
    error: { message: expect.stringContaining('more than 100000 different names of fields') },
  })
  output.write('{"jsonrpc":"2.0","id":2,"result":{"content":[]}}\n')
  expect(await heard[1]?.promise).toMatchObject({ id: 2, result: { content: [] } })
})
