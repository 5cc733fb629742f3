import { execFileSync, spawnSync } from 'node:child_process'
import { cp, readFile, rm } from 'node:fs/promises'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { makeDataDirectory } from '#test/data-directory.ts'

const script = path.join(import.meta.dirname, 'new-migration.ts')

test('a new migration has the next number over all rooms', async () => {
  const root = await makeDataDirectory()
  onTestFinished(() => rm(root, { recursive: true, force: true }))
  const sources = path.join(import.meta.dirname, '../src')
  await cp(sources, path.join(root, 'src'), {
    recursive: true,
    filter: (file) => file !== path.join(sources, 'catalog'),
  })
  const write = (room: string, name: string) =>
    execFileSync(process.execPath, [script, room, name, root], { encoding: 'utf8' })
  const [, first] = /(\S+\d{4}_add_tax\.sql)/.exec(write('money', 'add_tax')) ?? []
  const [, second] = /(\S+\d{4}_add_notes\.sql)/.exec(write('runner', 'add_notes')) ?? []
  const numbers = [first, second].map((file) => Number.parseInt(path.basename(file ?? ''), 10))
  expect((numbers[1] ?? 0) - (numbers[0] ?? 0)).toBe(1)
  expect(await readFile(path.join(root, second ?? ''), 'utf8')).toMatch(/^-- </)
})

test('a room without tables is refused, and the message lists the rooms with tables', () => {
  const { status, stderr } = spawnSync(process.execPath, [script, 'core', 'add_tax'])
  expect(status).toBe(1)
  expect(stderr.toString()).toContain('accounts, money, runner')
})
