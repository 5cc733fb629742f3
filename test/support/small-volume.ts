// A separate volume that a test can fill to the last byte. Mounting it needs root and a kernel that allows it.
import { spawnSync } from 'node:child_process'
import { chmod, mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { onTestFinished } from 'vitest'

export interface SmallVolume {
  readonly directory: string
  /** Fills all free space. */
  fill(): Promise<void>
  /** Frees that space again. */
  free(): Promise<void>
}

const chunk = Buffer.alloc(1_000_000)

/** Undefined if no volume can be mounted. */
export async function mountSmallVolume(megabytes: number): Promise<SmallVolume | undefined> {
  const directory = await mkdtemp(path.join(tmpdir(), 'tollway-volume-'))
  const size = `size=${megabytes}m,mode=755`
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', size, 'tmpfs', directory]).status === 0
  onTestFinished(async () => {
    if (mounted) spawnSync('umount', ['--lazy', directory])
    await rm(directory, { recursive: true, force: true })
  })
  if (!mounted) return undefined
  await chmod(directory, 0o755)
  const ballast = path.join(directory, 'ballast')
  return {
    directory,
    async fill() {
      const file = await open(ballast, 'a')
      try {
        for (;;) await file.write(chunk)
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
      } finally {
        await file.close()
      }
    },
    free: () => rm(ballast, { force: true }),
  }
}
