import { appendFile, readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { createServerLog } from './server-log.ts'
import { createPlayground, recordLog } from './testing.ts'

test('the log of the server stays short, and the server can keep writing to it', async () => {
  const playground = await createPlayground()
  const file = path.join(playground.root, 'server.log')
  const serverLog = createServerLog(playground.root, undefined)
  const server = await serverLog.open()
  await server.write('x'.repeat(9_000_000))
  const end = await serverLog.keepShort(recordLog().log)
  end()
  await server.write('One more line.\n')
  await server.close()
  expect(await readFile(file, 'utf8')).toBe('One more line.\n')
  expect((await stat(`${file}.1`)).size).toBe(9_000_000)
  await playground.clear()
})

test('the tail of the log begins at the start of the server and is limited in size', async () => {
  const playground = await createPlayground()
  const file = path.join(playground.root, 'server.log')
  const serverLog = createServerLog(playground.root, undefined)
  expect(await serverLog.sizeBytes()).toBe(0)
  await appendFile(file, 'Of an earlier one.\n')
  const startBytes = await serverLog.sizeBytes()
  await appendFile(file, 'Of this one.\n')
  expect(await serverLog.tail(startBytes)).toBe('Of this one.\n')
  await appendFile(file, 'x'.repeat(100_000))
  expect(await serverLog.tail(startBytes)).toBe('x'.repeat(4_096))
  await playground.clear()
})
