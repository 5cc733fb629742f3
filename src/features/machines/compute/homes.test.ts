import { rm, writeFile } from 'node:fs/promises'
import { expect, onTestFinished, test } from 'vitest'
import type { StandingBox } from '#platform/sandbox/standing-box.ts'
import { makeDataDirectory } from '#test/data-directory.ts'
import { createHomes } from './homes.ts'

/** Its home has so many bytes. */
const boxWith = (bytes: number) =>
  ({ save: (file: string) => writeFile(file, Buffer.alloc(bytes)) }) as unknown as StandingBox

test('homes count against a quota: an open one as large as it may become, a closed one as saved', async () => {
  const folder = await makeDataDirectory()
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const homes = createHomes(folder, { bytesMax: 2_500, homeBytes: 1_000 })
  await homes.admit('first')
  await homes.admit('second')
  await expect(homes.admit('third')).rejects.toMatchObject({ code: 'unavailable' })
  await homes.save('first', boxWith(400))
  homes.release('first')
  await homes.admit('third')
  await expect(homes.admit('fourth')).rejects.toMatchObject({ code: 'unavailable' })
  // A home that goes on is never refused, but leaves less room for new ones.
  homes.reserve('first')
  await homes.remove('third')
  await expect(homes.admit('fourth')).rejects.toMatchObject({ code: 'unavailable' })
  await homes.remove('second')
  await homes.admit('fourth')
})
