import { mkdtemp, rm, truncate } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createFramesFile, readFrames, type TimedFrame } from './frames-file.ts'
import { makeSteady } from './steady.ts'

const frame = (atMs: number, text: string): TimedFrame => ({ atMs, jpeg: Buffer.from(text) })

async function* sent(frames: readonly TimedFrame[]) {
  yield* frames
}

/** Each picture once for every interval that it is shown. A dash begins another copy of the same picture. */
async function shown(frames: readonly TimedFrame[], intervalsMax = 100): Promise<string> {
  const rate = { intervalMs: 500, intervalsPerPicture: 4, intervalsMax }
  let text = ''
  for await (const { jpeg, intervals } of makeSteady(sent(frames), rate)) {
    const letter = jpeg.toString()
    text += (text.endsWith(letter) ? '-' : '') + letter.repeat(intervals)
  }
  return text
}

test('a picture is shown until the next one, and the last one until the end', async () => {
  expect(await shown([frame(10_000, 'a'), frame(11_500, 'b'), frame(12_600, '')])).toBe('aaabb-b')
})

test('of several pictures in one interval, the last is shown', async () => {
  expect(await shown([frame(0, 'a'), frame(100, 'b'), frame(499, 'c'), frame(500, 'd')])).toBe('cd')
})

test('a picture that stays is repeated', async () => {
  expect(await shown([frame(0, 'a'), frame(5_000, 'b')])).toBe('aaaa-aaaa-aab')
})

test('a film ends at its limit', async () => {
  expect(await shown([frame(0, 'a'), frame(60_000, 'b')], 4)).toBe('aaaa')
})

test('without a picture there is no film', async () => {
  expect(await shown([frame(5, '')])).toBe('')
  expect(await shown([])).toBe('')
})

test('a picture that was cut off is left out, and those before it are whole', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'tollway-frames-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const place = path.join(folder, 'frames')
  const file = await createFramesFile(place)
  const frames = [frame(1.5, 'first'), frame(2, ''), frame(3, 'second')]
  let bytes = 0
  for (const each of frames) bytes = await file.add(each)
  await file.close()
  const read = async () => {
    const found: TimedFrame[] = []
    for await (const each of readFrames(place)) found.push(each)
    return found
  }
  expect(await read()).toEqual(frames)
  for (const cut of [1, 6, 7, 17]) {
    await truncate(place, bytes - cut)
    expect(await read()).toEqual(frames.slice(0, 2))
  }
})
