// Compares a render with a hand-written ffmpeg command for the same film: three videos joined, a moving photo, a title,
// and music. The command's title is a picture that is there already. Both run in turn, outside and inside the box.
import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { createFilmRenderer } from '#features/studio/films/render/render.ts'
import { systemClock as clock } from '#platform/clock.ts'
import { createSandbox } from '#platform/sandbox/sandbox.ts'

const rounds = Number(process.argv[2] ?? 3)
const run = promisify(execFile)
const folder = await mkdtemp(path.join(tmpdir(), 'tollway-bench-assembler-'))
const at = (name: string) => path.join(folder, name)
const ffmpeg = (args: readonly string[]) => run('/usr/bin/ffmpeg', ['-v', 'error', '-y', ...args])
const signal = new AbortController().signal

const size = '1920x1080'
for (const [index, colour] of ['testsrc2', 'smptehdbars', 'rgbtestsrc'].entries())
  await ffmpeg([
    ...['-f', 'lavfi', '-i', `${colour}=s=${size}:r=30:d=6,format=yuv420p`],
    ...['-c:v', 'libx264', '-preset', 'veryfast', at(`video-${index}.mp4`)],
  ])
await ffmpeg(['-f', 'lavfi', '-i', 'mandelbrot=s=2400x1350', '-frames:v', '1', at('photo.png')])
await ffmpeg(['-f', 'lavfi', '-i', 'sine=330:d=30', at('music.wav')])
const title = 'color=white@0.9:s=900x140,format=rgba'
await ffmpeg(['-f', 'lavfi', '-i', title, '-frames:v', '1', at('title.png')])

/** Five seconds each, the title over the first eight. */
const hand = [
  '[0:v]trim=end_frame=150,setpts=PTS-STARTPTS[a]',
  '[1:v]trim=end_frame=150,setpts=PTS-STARTPTS[b]',
  '[2:v]trim=end_frame=150,setpts=PTS-STARTPTS[c]',
  "[3:v]scale=2260:-2,format=yuv420p,loop=loop=-1:size=1,trim=end_frame=150,setpts=N/30/TB,perspective=x0='0.075*W*(on-1)/149':y0='0.075*H*(on-1)/149':x1='W-0.075*W*(on-1)/149':y1='0.075*H*(on-1)/149':x2='0.075*W*(on-1)/149':y2='H-0.075*H*(on-1)/149':x3='W-0.075*W*(on-1)/149':y3='H-0.075*H*(on-1)/149':eval=frame,scale=1920:1080,setsar=1[d]",
  '[a][b][c][d]concat=n=4:v=1:a=0,fps=30[base]',
  '[4:v]format=yuva420p,loop=loop=-1:size=1,trim=end_frame=240,setpts=N/30/TB,fade=t=in:nb_frames=9:alpha=1,fade=t=out:start_frame=231:nb_frames=9:alpha=1[title]',
  '[base][title]overlay=x=510:y=470:eof_action=pass[v]',
  '[5:a]volume=0.6,afade=t=in:d=1,afade=t=out:st=19:d=1,atrim=end=20[s]',
].join(';')
const byHand = () =>
  ffmpeg([
    ...[0, 1, 2].flatMap((index) => ['-i', at(`video-${index}.mp4`)]),
    ...['-framerate', '30', '-i', at('photo.png'), '-framerate', '30', '-i', at('title.png')],
    ...['-i', at('music.wav'), '-filter_complex', hand, '-map', '[v]', '-map', '[s]'],
    ...['-c:v', 'libx264', '-preset', 'veryfast', '-crf', '20', '-pix_fmt', 'yuv420p', '-g', '60'],
    ...['-threads', String(availableParallelism()), '-c:a', 'aac', '-b:a', '192k'],
    ...['-movflags', '+faststart', at('hand.mp4')],
  ])

const renderer = createFilmRenderer({ sandbox: createSandbox({ clock }) })
const names = ['video-0.mp4', 'video-1.mp4', 'video-2.mp4', 'photo.png', 'music.wav']
const media = new Map(
  await Promise.all(
    names.map(async (name) => {
      const file = at(name)
      return [name, { path: file, probe: await renderer.probe(file, signal) }] as const
    }),
  ),
)
const use = (index: number, source: object, rest: object = {}) => ({
  id: `clip-${index}`,
  startTime: index * 5,
  duration: 5,
  source: { kind: 'media', ...source },
  ...rest,
})
const composition = {
  v: 1,
  format: { aspectRatio: '16:9', fps: 30, resolution: 'fhd' },
  tracks: [
    {
      id: 'pictures',
      kind: 'video',
      contents: [
        ...[0, 1, 2].map((index) => use(index, { mediaId: `video-${index}.mp4` })),
        use(3, { mediaId: 'photo.png', kenBurns: 'in' }),
      ],
    },
    {
      id: 'title',
      kind: 'overlay',
      contents: [
        {
          ...use(4, {}),
          startTime: 0,
          duration: 8,
          source: {
            kind: 'overlay',
            primitiveId: 'rectangle',
            params: { width: 0.47, height: 0.13, color: '#ffffffe6' },
          },
        },
      ],
    },
    {
      id: 'music',
      kind: 'audio',
      contents: [
        {
          ...use(5, { mediaId: 'music.wav', volume: 0.6, fadeInMs: 1_000, fadeOutMs: 1_000 }),
          startTime: 0,
          duration: 20,
        },
      ],
    },
  ],
} as const
let drawingMs = 0
async function byComposition() {
  const startedAt = performance.now()
  const film = await renderer.render({
    composition: composition as never,
    media,
    intent: 'final',
    signal,
    report: (percent) => {
      if (percent === 10) drawingMs = performance.now() - startedAt
    },
  })
  await film.remove()
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  await work()
  return performance.now() - startedAt
}
const median = (numbers: number[]) => numbers.toSorted((a, b) => a - b)[numbers.length >> 1] ?? 0

const hands: number[] = []
const films: number[] = []
const drawings: number[] = []
await byHand()
for (let round = 0; round < rounds; round += 1) {
  hands.push(await timed(byHand))
  films.push(await timed(byComposition))
  drawings.push(drawingMs)
}
await rm(folder, { recursive: true })
const seconds = (milliseconds: number) => (milliseconds / 1_000).toFixed(1)
console.log(`20 s of 1080p at 30 frames, medians of ${rounds} rounds, in seconds`)
console.log(`ffmpeg by hand   ${seconds(median(hands))}`)
console.log(
  `the composition  ${seconds(median(films))}, of which drawing ${seconds(median(drawings))}`,
)
console.log(`ratio            ${(median(films) / median(hands)).toFixed(2)}`)
