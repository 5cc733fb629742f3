import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { uuidv7 } from '#core/id.ts'
import { systemClock as clock } from '#platform/clock.ts'
import { createSandbox } from '#platform/sandbox/sandbox.ts'
import { silentLog as log } from '#test/silent-log.ts'
import { createFolders } from './folders.ts'
import { createSweep } from './sweep.ts'

const sandbox = createSandbox({ clock })
const confined = test.skipIf((await sandbox.missing()) !== undefined)
const hourMs = 3_600_000

confined(
  'folders without a row are kept if they hold commits, unless their removal began',
  async () => {
    const root = await mkdtemp(path.join(tmpdir(), 'tollway-repositories-'))
    onTestFinished(() => rm(root, { recursive: true, force: true }))
    await chmod(root, 0o711)
    const folders = createFolders({ sandbox, root, fileBytes: 1_000_000 })
    const make = async (ageMs: number, pack?: 'with a pack') => {
      const id = uuidv7(clock.now() - ageMs)
      await folders.create(id)
      const file = path.join(folders.place(id), 'objects/pack/pack-1.pack')
      if (pack !== undefined) await writeFile(file, 'x')
      return id
    }
    const [full, removed] = [await make(hourMs, 'with a pack'), await make(hourMs, 'with a pack')]
    await folders.markForRemoval(removed)
    await make(hourMs)
    const fresh = await make(0)
    const { sweep, close } = createSweep({
      rows: {
        get: async () => undefined,
        settleHere: async () => {},
        unmeasured: async () => [],
      },
      folders,
      clock,
      log,
      isOn: true,
      measure: async () => true,
    })
    onTestFinished(close)
    await sweep()
    expect((await folders.ids()).toSorted()).toEqual([full, fresh].toSorted())
  },
)
