import { execFileSync } from 'node:child_process'
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createBrowserFolder, sweepBrowserFolders } from './browser-folder.ts'

async function temporary(): Promise<string> {
  const parent = await mkdtemp(path.join(tmpdir(), 'tollway-folders-'))
  onTestFinished(() => rm(parent, { recursive: true, force: true }))
  return parent
}

test('only folders of killed processes are removed', async () => {
  const parent = await temporary()
  const file = path.join(import.meta.dirname, 'browser-folder.ts')
  const script = `
    import { createBrowserFolder } from ${JSON.stringify(file)}
    await createBrowserFolder(${JSON.stringify(parent)})
    process.kill(process.pid, 'SIGKILL')`
  expect(() =>
    execFileSync(process.execPath, ['--input-type=module-typescript', '-e', script]),
  ).toThrow()
  expect(await readdir(parent)).toHaveLength(1)
  const own = await createBrowserFolder(parent)
  const foreign = await mkdtemp(path.join(parent, 'tollway-chromium-elsewhere-1-'))
  await sweepBrowserFolders(parent)
  expect((await readdir(parent)).sort()).toEqual(
    [path.basename(own.path), path.basename(foreign)].sort(),
  )
  await own.remove()
  expect(await readdir(parent)).toEqual([path.basename(foreign)])
})

test('other users may pass through a folder but not list it', async () => {
  const folder = await createBrowserFolder(await temporary())
  expect((await stat(folder.path)).mode & 0o777).toBe(0o711)
  expect((await stat(folder.profile)).mode & 0o777).toBe(0o700)
})
