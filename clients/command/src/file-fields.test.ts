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
