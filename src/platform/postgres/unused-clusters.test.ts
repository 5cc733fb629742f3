import { access, mkdir, rename, rm, symlink, utimes, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { tryLock } from './lock.ts'
import { createPlayground, type Playground, recordLog } from './testing.ts'
import { keptUnusedDays, noteOrigin, removeUnusedClusters } from './unused-clusters.ts'

const name = '0123456789abcdef'
let playground: Playground
let system: string
let cluster: string
let home: string
let dataDir: string

beforeEach(async () => {
  playground = await createPlayground()
  system = path.join(playground.root, 'system')
  cluster = path.join(system, 'clusters', name)
  home = path.join(playground.root, 'home')
  dataDir = path.join(home, 'data')
  await mkdir(cluster, { recursive: true })
  await writeFile(path.join(cluster, 'PG_VERSION'), '18\n')
  await mkdir(dataDir, { recursive: true })
  await symlink(cluster, path.join(dataDir, 'postgres'))
  await noteOrigin(cluster, dataDir)
})
afterEach(() => playground.clear())

const sweep = () => removeUnusedClusters(system, recordLog().log)
const exists = (file: string) =>
  access(file).then(
    () => true,
    () => false,
  )

/** Backdates the sweep that first missed the data folder. */
async function pass(days: number) {
  const then = new Date(Date.now() - days * 24 * 60 * 60_000)
  await utimes(`${cluster}.unused`, then, then)
}

async function deleteAndWait(days: number) {
  await rm(dataDir, { recursive: true })
  await sweep()
  await pass(days)
  await sweep()
}

test('the database of a deleted data folder is removed a week later', async () => {
  await deleteAndWait(keptUnusedDays - 1)
  expect(await exists(cluster)).toBe(true)
  await pass(keptUnusedDays)
  await sweep()
  expect(await exists(cluster)).toBe(false)
  expect(await exists(`${cluster}.origin`)).toBe(false)
})

test('the database of an existing data folder is kept', async () => {
  await sweep()
  expect(await exists(`${cluster}.unused`)).toBe(false)
  expect(await exists(cluster)).toBe(true)
})

test('a data folder that comes back within the week restarts the waiting time', async () => {
  await deleteAndWait(keptUnusedDays - 1)
  await mkdir(dataDir)
  await symlink(cluster, path.join(dataDir, 'postgres'))
  await sweep()
  expect(await exists(`${cluster}.unused`)).toBe(false)
  await rm(dataDir, { recursive: true })
  await sweep()
  await sweep()
  expect(await exists(cluster)).toBe(true)
})

test('a data folder on an unmounted volume does not count as deleted', async () => {
  // The mount point is now an empty folder.
  await rename(home, path.join(playground.root, 'volume'))
  await mkdir(home)
  await sweep()
  expect(await exists(`${cluster}.unused`)).toBe(false)
  await rm(home, { recursive: true })
  await sweep()
  expect(await exists(`${cluster}.unused`)).toBe(false)
})

test('a data folder that is itself an unmounted volume does not count as deleted', async () => {
  await rename(dataDir, path.join(playground.root, 'volume'))
  await mkdir(dataDir)
  await sweep()
  expect(await exists(`${cluster}.unused`)).toBe(false)
})

test('a database in use is kept', async () => {
  const unlock = tryLock(`${cluster}.lock`)
  await deleteAndWait(keptUnusedDays + 1)
  expect(await exists(cluster)).toBe(true)
  unlock?.()
  await sweep()
  expect(await exists(cluster)).toBe(false)
})

test('a database without a note is kept, and the log reports it', async () => {
  await rm(`${cluster}.origin`)
  await rm(dataDir, { recursive: true })
  const { log, messages } = recordLog()
  await removeUnusedClusters(system, log)
  expect(messages).toEqual([expect.stringContaining('without a note of their data folder')])
  expect(await exists(cluster)).toBe(true)
})

test('the leftovers of a killed start are removed a day later', async () => {
  const leftover = `${cluster}.incomplete-1`
  await mkdir(leftover)
  await sweep()
  expect(await exists(leftover)).toBe(true)
  const then = new Date(Date.now() - 25 * 60 * 60_000)
  await utimes(leftover, then, then)
  await sweep()
  expect(await exists(leftover)).toBe(false)
})
