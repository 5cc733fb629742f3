import { mkdtemp, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { saveFiles } from './file-fields.ts'

test.each([
  [{ image_base64: 'aGk=', content_type: 'image/webp' }, 'image.webp'],
  [{ image_base64: 'aGk=' }, 'image'],
])('a picture of an answer is saved with the ending of its type', async (answer, name) => {
  const folder = await mkdtemp(path.join(tmpdir(), 'saved-'))
  expect(await saveFiles(answer, folder, { tollway: {} as never })).toEqual([
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
  expect(await saveFiles(answer, folder, { tollway: {} as never })).toEqual([file])
  expect(await readFile(file, 'utf8')).toBe('hi')
})

test('a text without the name of a file is not saved', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'saved-'))
  const answer = { content_type: 'text/plain', text: 'hi' }
  expect(await saveFiles(answer, folder, { tollway: {} as never })).toEqual([])
})

test('a name that is too long for a file system is cut within characters, and keeps its ending', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'saved-'))
  const answer = { content_type: 'text/csv', filename: `${'日'.repeat(200)}.csv`, text: 'hi' }
  const saved = await saveFiles(answer, folder, { tollway: {} as never })
  expect(saved).toEqual([path.join(folder, `${'日'.repeat(78)}.csv`)])
})
