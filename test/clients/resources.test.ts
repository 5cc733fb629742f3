// What the client does beyond single calls: pages, files and sessions.
import { expect, test } from 'vitest'
import { shareGateway } from '#test/harness.ts'
import { createSessionProvider, createTestMachine } from '#test/sessions/session-gateway.ts'
import { openClient } from './open-client.ts'

const machine = createTestMachine()
const gateway = shareGateway({ providers: [createSessionProvider(machine)] })
const bytes = new TextEncoder().encode('the bytes of a file')

async function open(options: Parameters<typeof openClient>[2] = {}) {
  const account = await gateway().account(100)
  return { account, tollway: openClient(gateway(), account, options) }
}

test('the pages of a list are read one after the other, until none is left', async () => {
  const { tollway } = await open()
  for (const filename of ['a.txt', 'b.txt', 'c.txt'])
    await tollway.files.upload(bytes, { filename })
  const pages: string[][] = []
  for await (const { data } of tollway.pages('files/list', { limit: 2 }))
    pages.push(data.files.map(({ filename }) => filename))
  expect(pages).toEqual([['c.txt', 'b.txt'], ['a.txt']])
  // @ts-expect-error This action has no pages.
  tollway.pages('test/echo', {})
})

test('a file is stored and read back byte by byte', async () => {
  const { tollway } = await open()
  const file = await tollway.files.upload(new Blob([bytes]), { filename: 'a.txt', tags: ['may'] })
  expect(file).toMatchObject({ status: 'stored', size: bytes.length, tags: ['may'] })
  expect(await (await tollway.files.download(file.file_id)).bytes()).toEqual(bytes)
})

test('a file is stored and paid once when the answer to its bytes is lost', async () => {
  let lost = 0
  const { account, tollway } = await open({
    fetch: async (url, init) => {
      const response = await fetch(url, init)
      if (init.method !== 'PUT' || lost++ > 0) return response
      throw new TypeError('the connection broke')
    },
  })
  const file = await tollway.files.upload(bytes, { filename: 'a.txt' })
  expect(file.status).toBe('stored')
  expect(lost).toBe(2)
  expect((await account.state()).availableCents).toBe(99)
})

test('a session runs commands, and is closed when its block ends', async () => {
  const { account, tollway } = await open()
  let id = ''
  {
    await using session = await tollway.openSession('boxes/create_session', {})
    id = session.id
    const { stdout, exit_code } = await session.run({ command: 'echo hello' })
    expect({ stdout, exit_code }).toEqual({ stdout: id, exit_code: 0 })
    expect((await session.read()).status).toBe('open')
  }
  expect(await tollway.session(id).read()).toMatchObject({
    status: 'closed',
    close_reason: 'closed',
  })
  expect(machine.boxes.has(id)).toBe(false)
  expect((await account.state()).heldCents).toBe(0)
})
