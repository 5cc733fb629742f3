// Makes a film of your photos with a spoken narration, on a gateway without any vendor's key:
// `TOLLWAY_KEY=… npx node examples/film.ts "Our week at the sea." harbour.jpg boats.jpg` writes film.mp4.
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { createTollway } from '@tollway/client'

const { TOLLWAY_KEY: key, TOLLWAY_URL: gateway = 'http://127.0.0.1:4020' } = process.env
const [narration, ...photos] = process.argv.slice(2)
if (!key || narration === undefined || photos.length === 0)
  throw new Error('Usage: TOLLWAY_KEY=… npx node examples/film.ts "What to say." photo.jpg …')

const format = { aspectRatio: '16:9', fps: 30, resolution: 'hd' } as const
const moves = ['in', 'left', 'out', 'right'] as const
/** The film goes on for so long after the last word. */
const endingSec = 1
const fadeMs = 500

const tollway = createTollway({ baseUrl: gateway, key })

async function importMedia(file_id = '') {
  let { data: media } = await tollway.run('ns_assembler/upload', { file_id })
  while (media.status === 'processing') {
    await new Promise((resolve) => setTimeout(resolve, 1_000))
    const status = await tollway.run('ns_assembler/media_status', { media_id: media.media_id })
    media = status.data
  }
  if (media.status === 'failed') throw new Error(`The import failed: ${media.error}`)
  return { id: media.media_id, seconds: media.duration_sec ?? 0 }
}

const { data: speech } = await tollway.run('ns_media/generate', {
  model: 'espeak-ng',
  text: narration,
  store: true,
})
const voice = await importMedia(speech.outputs[0]?.file_id)
const pictures = []
for (const photo of photos) {
  const content = new Uint8Array(await readFile(photo))
  const { file_id } = await tollway.files.upload(content, { filename: path.basename(photo) })
  pictures.push(await importMedia(file_id))
}

const eachSec = (voice.seconds + endingSec) / pictures.length
const composition = {
  v: 1 as const,
  format,
  tracks: [
    {
      id: 'photos',
      kind: 'image',
      contents: pictures.map(({ id }, place) => ({
        id: `photo-${place + 1}`,
        startTime: place * eachSec,
        duration: eachSec,
        source: { kind: 'media', mediaId: id, kenBurns: moves[place % moves.length] },
        ...(place > 0 && { transitionIn: { type: 'crossfade', durationMs: fadeMs } }),
      })),
    },
    {
      id: 'voice',
      kind: 'audio',
      contents: [
        {
          id: 'narration',
          startTime: 0,
          duration: voice.seconds,
          source: { kind: 'media', mediaId: voice.id },
        },
      ],
    },
  ],
}
const { data: examined } = await tollway.run('ns_assembler/validate', composition)
if (!examined.valid) throw new Error(examined.errors.map(({ fix }) => fix).join(' '))

const { data: project } = await tollway.run('ns_assembler/create_project', { name: 'Film', format })
const project_id = project.id
await tollway.run('ns_assembler/put_composition', { project_id, composition })
const { data: film } = await tollway.run(
  'ns_assembler/render',
  { project_id, intent: 'final' },
  { onProgress: ({ phase, percent }) => console.log(`${phase} ${percent} %`) },
)
const bytes = await (await tollway.files.download(film.file_id ?? '')).bytes()
await writeFile('film.mp4', bytes)
console.log(`film.mp4: ${film.duration_sec} seconds, file_id ${film.file_id}`)
