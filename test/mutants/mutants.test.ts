import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { mutants, plant } from './mutants.ts'

const root = path.join(import.meta.dirname, '..', '..')
const read = (file: string) => readFile(path.join(root, file), 'utf8')

test('every mutant can be planted, and changes its file', async () => {
  for (const mutant of mutants) {
    const text = await read(mutant.file)
    expect.soft(() => plant(mutant, text), mutant.name).not.toThrow()
    expect.soft(mutant.replace, mutant.name).not.toBe(mutant.find)
  }
})

test('the tests that must notice a mutant exist', async () => {
  for (const file of new Set(mutants.flatMap(({ tests }) => tests))) await read(file)
})

test('no two mutants have the same name', () => {
  expect(new Set(mutants.map(({ name }) => name)).size).toBe(mutants.length)
})
