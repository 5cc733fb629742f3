import { expect, onTestFinished, test, vi } from 'vitest'
import { fail } from '#core/errors.ts'
import type { DescribedOperation } from '../described-operation.ts'
import { buildRequest } from './request.ts'

const fileId = '019a0000-0000-7000-8000-000000000001'
const operation = {
  method: 'POST',
  path: '/photos',
  server: 'https://pets.example',
  outputTypes: [],
  bodyType: 'multipart',
  fields: [{ name: 'photo', in: 'file', wireName: 'photo', required: true }],
} as unknown as DescribedOperation

async function* bytesOf(text: string) {
  yield Buffer.from(text)
}

const filesWith = (filename: string) => ({
  find: async () => ({ filename, mediaType: 'image/png', bytes: 3 }) as never,
  open: async () => bytesOf('cat') as never,
})

async function sentFile(photo: string, stored = 'stored.png') {
  const { bytes, headers } = await buildRequest(operation, { photo }, filesWith(stored))
  const form = await new Response(Buffer.from(bytes ?? []), { headers: { ...headers } }).formData()
  const file = form.get('photo') as File
  return [file.name, file.type, await file.text()]
}

const content = Buffer.from('cat').toString('base64')

test.each([
  [fileId, 'cat.png', ['cat.png', 'image/png', 'cat']],
  [fileId, '../../cat"1.png', ['cat"1.png', 'image/png', 'cat']],
  [fileId, '..', ['photo', 'image/png', 'cat']],
  [`data:image/png;name=my%20cat.png;base64,${content}`, '', ['my cat.png', 'image/png', 'cat']],
  [`data:;name=..%2Fcat.png;base64,${content}`, '', ['cat.png', 'text/plain', 'cat']],
  [`data:text/plain;charset=utf-8;base64,${content}`, '', ['photo', 'text/plain', 'cat']],
  [content, '', ['photo', 'text/plain', 'cat']],
])('the file %s, stored as "%s", is sent on as %j', async (photo, stored, sent) => {
  expect(await sentFile(photo, stored)).toEqual(sent)
})

test('the largest file in base64 is sent on, and one wrong character at its end is refused', async () => {
  const expressions = vi.spyOn(RegExp.prototype, 'exec')
  onTestFinished(() => expressions.mockRestore())
  const text = 'QUJD'.repeat(16_000_000)
  const build = (photo: string) => buildRequest(operation, { photo }, filesWith(''))
  expect((await build(text)).bytes?.length).toBeGreaterThan(48_000_000)
  expect(await build(`data:;name=${text};base64,QUJD`).catch(({ code }) => code)).toBe(
    'bad_request',
  )
  await expect(build(`${text}!`)).rejects.toMatchObject({ code: 'bad_request', status: 400 })
  const overFiles = (expressions.mock.contexts as RegExp[])
    .filter((_, call) => (expressions.mock.calls[call]?.[0].length ?? 0) > 1_000_000)
    .map(({ source }) => source)
  // One that repeats would block all other calls, and can fail.
  expect(overFiles.filter((source) => /[*+]/.test(source))).toEqual([])
})

test('what is not a file is refused in a sentence', async () => {
  await expect(sentFile('data:image/png,cat')).rejects.toMatchObject({
    code: 'bad_request',
    message: expect.stringContaining('photo must be the bytes of the file in base64'),
  })
  const missing = () => Promise.reject(fail('not_found'))
  const none = { find: missing, open: missing }
  await expect(buildRequest(operation, { photo: fileId }, none)).rejects.toMatchObject({
    code: 'not_found',
  })
})
