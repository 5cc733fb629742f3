import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { bugs } from './bugs.ts'
import { withBug } from './plant.ts'

const root = path.join(import.meta.dirname, '../../../..')

test('every bug fits its file, and has a name of its own', async () => {
  for (const bug of bugs) {
    const text = await readFile(path.join(root, bug.file), 'utf8')
    expect(withBug(bug, text), bug.name).not.toBe(text)
  }
  expect(new Set(bugs.map(({ name }) => name)).size).toBe(bugs.length)
})
