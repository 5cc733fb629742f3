// Media with wrong times in their headers.
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ffprobePath } from '#platform/sandbox/ffprobe.ts'
import { FilmFailure } from './film.ts'
import { type AskProbe, probeMedia } from './probe.ts'

const run = promisify(execFile)
const isHere = existsSync(ffprobePath)
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'tollway-probe-'))
})
afterAll(() => rm(folder, { recursive: true }))

const ask: AskProbe = async (args, onOutput) => {
  const { stdout } = await run(ffprobePath, [...args])
  onOutput?.(Buffer.from(stdout))
  return stdout
}

async function make(name: string, source: string, change: (bytes: Buffer) => void = () => {}) {
  const file = path.join(folder, name)
  await run('/usr/bin/ffmpeg', ['-v', 'error', '-y', '-f', 'lavfi', '-i', source, file])
  const bytes = await readFile(file)
  change(bytes)
  await writeFile(file, bytes)
  return file
}

test.skipIf(!isHere)('a video and a sound last as long as they play', async () => {
  const video = await make('whole.mp4', 'testsrc=s=160x90:r=10:d=2')
  expect(await probeMedia(ask, video)).toMatchObject({ kind: 'video', durationSeconds: 2 })
  const sound = await make('whole.wav', 'sine=440:d=1')
  expect(await probeMedia(ask, sound)).toMatchObject({ kind: 'audio', durationSeconds: 1 })
})

test.skipIf(!isHere)('a video whose pictures are said to stay for days is refused', async () => {
  const file = await make('slow.mp4', 'testsrc=s=160x90:r=10:d=2', (bytes) =>
    // The box has its entries after its version and their number: how many pictures, and how long each stays.
    bytes.writeUInt32BE(0x7fffffff, bytes.indexOf('stts') + 16),
  )
  await expect(probeMedia(ask, file)).rejects.toThrow(FilmFailure)
})

test.skipIf(!isHere)('a sound that is said to have one sample a second is refused', async () => {
  const file = await make('slow.wav', 'sine=440:d=1', (bytes) => void bytes.writeUInt32LE(1, 24))
  await expect(probeMedia(ask, file)).rejects.toThrow(FilmFailure)
})
