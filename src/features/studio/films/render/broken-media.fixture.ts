// Media that are damaged, or that lie about themselves: each is made by ffmpeg and then broken.
import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** A number from 0 to 1 that follows from the seed. */
export type Dice = () => number

/** Source: mulberry32, by Tommy Ettinger, public domain. */
export function createDice(seed: number): Dice {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

interface Making {
  readonly dice: Dice
  /** Runs ffmpeg on the arguments and the file. */
  readonly make: (args: readonly string[]) => Promise<void>
  readonly file: string
}

type Breaker = (making: Making) => Promise<void>

const seconds = (dice: Dice, least: number, most: number) =>
  (least + dice() * (most - least)).toFixed(3)
const pictures = (length: string, rate = 25) => [
  ...['-f', 'lavfi', '-i', `testsrc=s=160x90:r=${rate}:d=${length}`],
]
const tone = (length: string) => ['-f', 'lavfi', '-i', `sine=440:d=${length}`]
const h264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-g', '25']
const both = (picture: string, sound: string) => [
  ...[...pictures(picture), ...tone(sound), ...h264, '-c:a', 'aac'],
]
const front = ['-movflags', '+faststart']

async function edit(file: string, change: (bytes: Buffer) => Buffer) {
  await writeFile(file, change(await readFile(file)))
}

const cut = (file: string, kept: number) =>
  edit(file, (bytes) => bytes.subarray(0, Math.floor(bytes.length * kept)))

/** Writes another duration into every header of this kind. */
function claimDuration(bytes: Buffer, box: 'mvhd' | 'mdhd' | 'tkhd', factor: number): Buffer {
  const changed = Buffer.from(bytes)
  const offset = box === 'tkhd' ? 24 : 20
  for (let at = changed.indexOf(box); at >= 0; at = changed.indexOf(box, at + 4)) {
    const place = at + offset
    if (place + 4 > changed.length) break
    const claimed = Math.min(0xfffffffe, Math.floor(changed.readUInt32BE(place) * factor))
    changed.writeUInt32BE(claimed, place)
  }
  return changed
}

/** Overwrites a stretch of the file with noise. */
const spoil = (dice: Dice, from: number, share: number) => (bytes: Buffer) => {
  const changed = Buffer.from(bytes)
  const start = Math.floor(bytes.length * from)
  const end = Math.min(bytes.length, Math.floor(start + bytes.length * share))
  for (let at = start; at < end; at++) changed[at] = Math.floor(dice() * 256)
  return changed
}

/** By file name without its ending. */
export const breakers: Readonly<Record<string, readonly [ending: string, breaker: Breaker]>> = {
  'short-picture': ['mp4', ({ dice, make }) => make(both(seconds(dice, 0.1, 2), '8'))],
  'short-sound': ['mp4', ({ dice, make }) => make(both('6', seconds(dice, 0.1, 2)))],
  'short-picture-webm': [
    'webm',
    ({ dice, make }) => make([...pictures(seconds(dice, 0.1, 1)), ...tone('6'), '-b:v', '200k']),
  ],
  truncated: [
    'mp4',
    async ({ dice, make, file }) => {
      await make([...both('6', '6'), ...front])
      await cut(file, 0.3 + dice() * 0.65)
    },
  ],
  'truncated-mkv': [
    'mkv',
    async ({ dice, make, file }) => {
      await make(both('6', '6'))
      await cut(file, 0.2 + dice() * 0.75)
    },
  ],
  'without-index': [
    'mp4',
    async ({ dice, make, file }) => {
      await make(both('6', '6'))
      await cut(file, 0.3 + dice() * 0.6)
    },
  ],
  'claims-an-hour': [
    'mp4',
    async ({ dice, make, file }) => {
      await make(both('2', '2'))
      const box = (['mvhd', 'mdhd', 'tkhd'] as const)[Math.floor(dice() * 3)] ?? 'mvhd'
      await edit(file, (bytes) => claimDuration(bytes, box, 1_800))
    },
  ],
  'claims-an-hour-everywhere': [
    'mp4',
    async ({ make, file }) => {
      await make(both('2', '2'))
      await edit(file, (bytes) =>
        (['mvhd', 'mdhd', 'tkhd'] as const).reduce(
          (all, box) => claimDuration(all, box, 1_800),
          bytes,
        ),
      )
    },
  ],
  'claims-nothing': [
    'mp4',
    async ({ make, file }) => {
      await make(both('4', '4'))
      await edit(file, (bytes) => claimDuration(bytes, 'mvhd', 0))
    },
  ],
  'one-picture': [
    'mp4',
    ({ make }) => make([...pictures('0.04'), ...tone('5'), ...h264, '-c:a', 'aac']),
  ],
  'late-picture': [
    'mkv',
    ({ dice, make }) =>
      make([
        ...['-itsoffset', seconds(dice, 1, 4), ...pictures('2'), ...tone('6')],
        ...['-map', '0:v', '-map', '1:a', ...h264, '-c:a', 'aac'],
      ]),
  ],
  'late-sound': [
    'mp4',
    ({ dice, make }) =>
      make([
        ...[...pictures('5'), '-itsoffset', seconds(dice, 1, 4), ...tone('3')],
        ...['-map', '0:v', '-map', '1:a', ...h264, '-c:a', 'aac'],
      ]),
  ],
  'begins-late': [
    'mkv',
    ({ dice, make }) =>
      make([...both('4', '4'), '-output_ts_offset', seconds(dice, 10, 5_000), '-copyts']),
  ],
  'changing-rate': [
    'mp4',
    ({ dice, make }) => {
      const few = `select='not(mod(n\\,${2 + Math.floor(dice() * 30)}))+lt(n\\,12)'`
      return make([...both('6', '6'), '-vf', few, '-fps_mode', 'vfr'])
    },
  ],
  'long-gap': [
    'mkv',
    ({ dice, make }) => {
      const gap = `setpts='if(lt(N,25),PTS,PTS+${seconds(dice, 1, 4)}/TB)'`
      return make([...both('3', '7'), '-vf', gap, '-fps_mode', 'vfr'])
    },
  ],
  'without-last-group': [
    'mp4',
    async ({ dice, make, file }) => {
      await make([...both('6', '6'), ...front, '-sc_threshold', '0'])
      await edit(file, spoil(dice, 0.8, 0.2))
    },
  ],
  'spoilt-middle': [
    'mp4',
    async ({ dice, make, file }) => {
      await make([...both('6', '6'), ...front])
      await edit(file, spoil(dice, 0.3 + dice() * 0.4, 0.3))
    },
  ],
  'spoilt-start': [
    'mkv',
    async ({ dice, make, file }) => {
      await make(both('5', '5'))
      await edit(file, spoil(dice, 0.1, 0.2 + dice() * 0.3))
    },
  ],
  'spoilt-index': [
    'mp4',
    async ({ dice, make, file }) => {
      await make([...both('4', '4'), ...front])
      await edit(file, spoil(dice, dice() * 0.02, 0.005))
    },
  ],
  'changing-size': [
    'mkv',
    async ({ make, file }) => {
      const [one, other] = [`${file}.one.mkv`, `${file}.other.mkv`]
      const pass = async (place: string, size: string) =>
        await run('/usr/bin/ffmpeg', [
          ...['-v', 'error', '-y', '-f', 'lavfi', '-i', `testsrc=s=${size}:r=25:d=2`],
          ...['-c:v', 'mpeg4', place],
        ])
      await pass(one, '160x90')
      await pass(other, '320x240')
      await writeFile(`${file}.txt`, `file '${one}'\nfile '${other}'\n`)
      await make(['-f', 'concat', '-safe', '0', '-i', `${file}.txt`, '-c', 'copy'])
    },
  ],
  'picture-as-video': [
    'mp4',
    async ({ make, file }) => {
      await make([...pictures('0.04'), '-frames:v', '1', '-f', 'image2', '-c:v', 'png'])
      void file
    },
  ],
  'video-as-picture': ['png', ({ make }) => make([...both('3', '3'), '-f', 'mp4'])],
  'half-a-picture': [
    'jpg',
    async ({ dice, make, file }) => {
      await make([...pictures('0.04'), '-frames:v', '1'])
      await cut(file, 0.2 + dice() * 0.7)
    },
  ],
  cover: [
    'mp4',
    async ({ make, file }) => {
      const cover = `${file}.png`
      await run('/usr/bin/ffmpeg', [
        ...['-v', 'error', '-y', '-f', 'lavfi', '-i', 'color=red:s=64x64', '-frames:v', '1', cover],
      ])
      await make([
        ...['-i', cover, ...pictures('3'), ...tone('3'), '-map', '0', '-map', '1', '-map', '2'],
        ...['-c:v:0', 'copy', '-disposition:v:0', 'attached_pic', '-c:v:1', 'mpeg4', '-c:a', 'aac'],
      ])
    },
  ],
  'sound-only': ['mp4', ({ make }) => make([...tone('4'), '-c:a', 'aac'])],
  'noise-in-sound': [
    'wav',
    async ({ dice, make, file }) => {
      await make(tone('4'))
      await edit(file, spoil(dice, 0.0005, 0.5))
    },
  ],
}

/** Makes a medium of this kind, and answers with its place. */
export async function breakMedium(kind: string, folder: string, dice: Dice): Promise<string> {
  const [ending = 'mp4', breaker = async () => {}] = breakers[kind] ?? []
  const file = path.join(folder, `${kind}-${Math.floor(dice() * 1e9)}.${ending}`)
  const make = async (args: readonly string[]) => {
    await run('/usr/bin/ffmpeg', ['-v', 'error', '-nostdin', '-y', ...args, file])
  }
  await breaker({ dice, make, file })
  return file
}
