// What a killed push leaves is removed, by its own kinds of files, before anything else changes the repository.
import { chmod, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { uuidv7 } from '#core/id.ts'
import { systemClock as clock } from '#platform/clock.ts'
import { createSandbox } from '#platform/sandbox/sandbox.ts'
import { createFolders } from './folders.ts'

const sandbox = createSandbox({ clock })
const confined = test.skipIf((await sandbox.missing()) !== undefined)

async function open(mode = 0o711) {
  const parent = await mkdtemp(path.join(tmpdir(), 'tollway-repositories-'))
  onTestFinished(() => rm(parent, { recursive: true, force: true }))
  await chmod(parent, mode)
  const root = path.join(parent, 'repositories')
  const folders = createFolders({ sandbox, root, fileBytes: 1_000_000 })
  return { root, folders, missing: await folders.missing() }
}

confined('an empty repository is made, measured and removed', async () => {
  const { root, folders, missing } = await open()
  expect(missing).toBeUndefined()
  const id = uuidv7(clock.now())
  await folders.create(id)
  expect(await folders.ids()).toEqual([id])
  expect(await folders.tidy(id)).toBeGreaterThan(0)
  await folders.remove(id)
  expect(await readdir(root)).toEqual([])
})

confined('what killed pushes leave is removed, and nothing else', async () => {
  const { folders } = await open()
  const id = uuidv7(clock.now())
  await folders.create(id)
  const place = (name: string) => path.join(folders.place(id), name)
  await mkdir(place('objects/tmp_objdir-incoming-x/pack'), { recursive: true })
  // The test may run as another user than the box.
  for (const name of ['objects/tmp_objdir-incoming-x', 'objects/tmp_objdir-incoming-x/pack'])
    await chmod(place(name), 0o777)
  await mkdir(place('objects/pack'), { recursive: true })
  const remains = [
    ...['objects/tmp_objdir-incoming-x/pack/tmp_pack_1', 'objects/pack/tmp_idx_2'],
    ...['refs/heads/main.lock', 'HEAD.lock', 'packed-refs.lock', 'config.lock'],
  ]
  for (const name of remains) await writeFile(place(name), 'x')
  await writeFile(place('objects/pack/pack-1.keep'), 'x')
  await folders.tidy(id)
  const left = await readdir(folders.place(id), { recursive: true })
  expect(left.filter((name) => /lock$|tmp_/.test(name))).toEqual([])
  expect(left).toContain('objects/pack/pack-1.keep')
})

test.skipIf((await sandbox.missing()) !== undefined || process.getuid?.() !== 0)(
  'a folder that the user of boxes cannot reach is told to the operator',
  async () => {
    const { missing } = await open(0o700)
    expect(missing).toMatch(/Git cannot work in .*chmod o\+x/)
  },
)
