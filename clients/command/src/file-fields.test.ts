import { mkdtemp, readdir, readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createTollway } from '@tollway/client'
import { expect, onTestFinished, test } from 'vitest'
import { saveFiles } from './file-fields.ts'

test.each([
  [{ image_base64: 'aGk=', content_type: 'image/webp' }, 'image.webp'],
  [{ image_base64: 'aGk=' }, 'image'],
])('a picture of an answer is saved with the ending of its type', async (answer, name) => {
  const folder = await mkdtemp(path.join(tmpdir(), 'saved-'))
  expect((await saveFiles(answer, folder, { tollway: {} as never })).saved).toEqual([
    path.join(folder, name),
  ])
  expect(await readFile(path.join(folder, name), 'utf8')).toBe('hi')
})

test.each([
  [{ content_type: 'application/pdf', filename: 'report 1.pdf', base64: 'aGk=' }, 'report 1.pdf'],
  [{ content_type: 'application/pdf', base64: 'aGk=' }, 'answer.pdf'],
  [{ content_type: 'application/vnd.ms-excel', base64: 'aGk=' }, 'answer.bin'],
  [{ content_type: 'text/csv', filename: 'rows.csv', text: 'hi' }, 'rows.csv'],
  [{ content_type: 'image/png', filename: '../x.png', base64: 'aGk=' }, 'x.png'],
  [{ content: [{ type: 'image', mimeType: 'image/jpeg', data: 'aGk=' }] }, 'image.jpg'],
  [{ resource: { uri: 'file:///notes/a.txt', mimeType: 'text/plain', blob: 'aGk=' } }, 'a.txt'],
])('a file that a sold action answers with is saved by its name: %j', async (answer, name) => {
  const folder = await mkdtemp(path.join(tmpdir(), 'saved-'))
  const file = path.join(folder, name)
  expect((await saveFiles(answer, folder, { tollway: {} as never })).saved).toEqual([file])
  expect(await readFile(file, 'utf8')).toBe('hi')
})

test('a text without the name of a file is not saved', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'saved-'))
  const answer = { content_type: 'text/plain', text: 'hi' }
  expect((await saveFiles(answer, folder, { tollway: {} as never })).saved).toEqual([])
})

test('a name that is too long for a file system is cut within characters, and keeps its ending', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'saved-'))
  const answer = { content_type: 'text/csv', filename: `${'日'.repeat(200)}.csv`, text: 'hi' }
  const { saved } = await saveFiles(answer, folder, { tollway: {} as never })
  expect(saved).toEqual([path.join(folder, `${'日'.repeat(78)}.csv`)])
})

async function open(reply: { readonly status: number; readonly body: string }) {
  const asked: unknown[] = []
  const server = createServer((request, response) => {
    asked.push(request.url)
    response.writeHead(reply.status, { 'content-type': 'application/json' }).end(reply.body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const folder = await mkdtemp(path.join(tmpdir(), 'saved-'))
  return { asked, baseUrl, folder, tollway: createTollway({ baseUrl }) as never }
}

test('an address of an answer is not asked, and the caller is told so', async () => {
  const { asked, baseUrl, folder, tollway } = await open({ status: 200, body: 'secret' })
  const answer = { outputs: [{ url: `${baseUrl}/meta-data`, media_type: 'image/png' }] }
  const { saved, unsaved } = await saveFiles(answer, folder, { tollway })
  expect([asked, saved, await readdir(folder)]).toEqual([[], [], []])
  expect(unsaved).toEqual([
    expect.stringContaining(`${baseUrl}/meta-data was not saved: only files of the gateway are.`),
  ])
})

test('files that the gateway does not have are named, and only some of them are asked for', async () => {
  const body = JSON.stringify({ ok: false, error: 'not_found', message: 'There is none.' })
  const { asked, folder, tollway } = await open({ status: 404, body })
  const files = Array.from({ length: 102 }, (_, index) => ({ file_id: `file-${index}` }))
  const { saved, unsaved } = await saveFiles({ files }, folder, { tollway })
  expect([saved, asked.length]).toEqual([[], 100])
  expect(unsaved).toHaveLength(101)
  expect(unsaved[0]).toBe('The file file-0 was not saved: There is none.')
  expect(unsaved[100]).toContain('2 files were not saved: at most 100 of one answer are.')
})
