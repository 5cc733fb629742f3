// Restores without a gateway: what is refused, and what stays.
import {
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  truncate,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { type ArchiveWriter, readArchive, writeArchive } from '#platform/backups/archive.ts'
import { manifestName } from '#platform/backups/write-backup.ts'
import { restoreInto } from './restore.ts'

const manifest = '{"format":1,"version":"0.1.0","createdAt":"2026-11-23T00:00:00.000Z"}'

async function open() {
  const folder = await mkdtemp(path.join(tmpdir(), 'tollway-restore-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const dataDir = path.join(folder, 'data')
  await mkdir(dataDir)
  await writeFile(path.join(dataDir, 'admin-token'), 'now')
  const file = path.join(folder, 'backup.tar.gz')
  return {
    file,
    dataDir,
    back: (fill: (archive: ArchiveWriter) => Promise<void>) => writeArchive(file, fill),
    restore: () =>
      restoreInto(dataDir, file, { signal: new AbortController().signal, onWait: () => {} }),
    token: (inside = '') => readFile(path.join(dataDir, inside, 'admin-token'), 'utf8'),
  }
}

/** Fills an archive with a manifest and files by their names. */
const withFiles =
  (like: string, files: Readonly<Record<string, string>>) => async (archive: ArchiveWriter) => {
    await archive.addText(manifestName, manifest, like)
    for (const [name, text] of Object.entries(files)) await archive.addText(name, text, like)
  }

test('a restore changes places, and keeps what was there', async () => {
  const { file, dataDir, back, restore, token } = await open()
  await back(withFiles(path.join(dataDir, 'admin-token'), { 'admin-token': 'then' }))
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  const { before = '' } = await restore()
  expect(await token()).toBe('then')
  expect(await token(path.basename(before))).toBe('now')
  expect((await readdir(dataDir)).toSorted()).toEqual([
    'admin-token',
    path.basename(before),
    'postgres.lock',
  ])
})

test('a backup that is cut short, foreign or leads outside changes nothing', async () => {
  const { file, dataDir, back, restore, token } = await open()
  const like = path.join(dataDir, 'admin-token')
  const attempts: [() => Promise<unknown>, string][] = [
    [
      async () => {
        await back(withFiles(like, { 'admin-token': 'then'.repeat(1_000_000) }))
        await truncate(file, (await stat(file)).size - 10)
      },
      'backup.tar.gz is cut short. Try an older backup; the page Backups of the console lists them.',
    ],
    [() => back((archive) => archive.addText('letter.txt', 'x', like)), 'not a backup'],
    [() => back(withFiles(like, { '../outside': 'x' })), 'outside its folder'],
    [() => writeFile(file, 'text'), 'backup.tar.gz is not a backup of `tollway backup`'],
    [async () => {}, `There is no file ${file}. Check its name`],
    [() => mkdir(file), `${file} is a folder. Name the file of a backup in it`],
    [
      async () => {
        await back(withFiles(like, { 'admin-token': 'then'.repeat(1_000) }))
        const bytes = await readFile(file)
        await writeFile(file, bytes.fill(0xff, 40, bytes.length - 8))
      },
      'backup.tar.gz is damaged. Try an older backup',
    ],
  ]
  for (const [prepare, sentence] of attempts) {
    await rm(file, { force: true, recursive: true })
    await prepare()
    await expect(restore()).rejects.toThrow(sentence)
    expect(await readdir(dataDir)).toEqual(['admin-token'])
    expect(await token()).toBe('now')
  }
})

test('an archive keeps files, folders and links, and leaves out what is gone', async () => {
  const { file, dataDir, back } = await open()
  const names: unknown[] = []
  await symlink('admin-token', path.join(dataDir, 'link'))
  await back(async (archive) => {
    await archive.add(dataDir, 'data')
    await archive.add(path.join(dataDir, 'admin-token'), 'data/admin-token')
    await archive.add(path.join(dataDir, 'link'), 'data/link')
    await archive.add(path.join(dataDir, 'gone'), 'data/gone')
  })
  await readArchive(file, async ({ header }) => void names.push([header.name, header.type]))
  expect(names).toEqual([
    ['data', 'directory'],
    ['data/admin-token', 'file'],
    ['data/link', 'symlink'],
  ])
})
