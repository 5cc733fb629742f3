// Makes a film of your photos with a spoken narration, on a gateway without any vendor's key:
// `TOLLWAY_KEY=… npx node examples/film.ts "Our week at the sea." harbour.jpg boats.jpg` writes film.mp4.
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'

const { TOLLWAY_KEY: key, TOLLWAY_URL: gateway = 'http://127.0.0.1:4020' } = process.env
const [narration, ...photos] = process.argv.slice(2)
if (!key || narration === undefined || photos.length === 0)
  throw new Error('Usage: TOLLWAY_KEY=… npx node examples/film.ts "What to say." photo.jpg …')

const format = { aspectRatio: '16:9', fps: 30, resolution: 'hd' }
const moves = ['in', 'left', 'out', 'right'] as const
/** The film goes on for so long after the last word. */
const endingSec = 1
const fadeMs = 500

// biome-ignore lint/suspicious/noExplicitAny: the answers are described at GET /api/run/{action}.
async function call(action: string, body: object): Promise<any> {
  const response = await fetch(`${gateway}/api/run/${action}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const answer = await response.json()
  if (!answer.ok) throw new Error(`${action}: ${answer.message}`)
  return answer.data
}

async function store(file: string): Promise<string> {
  const bytes = await readFile(file)
  const filename = path.basename(file)
  const { file_id, put_url } = await call('files/upload', { filename, size_bytes: bytes.length })
  const { ok, status } = await fetch(put_url, { method: 'PUT', body: new Uint8Array(bytes) })
  if (!ok) throw new Error(`The gateway answered the upload of ${file} with ${status}.`)
  return file_id
}

async function importMedia(file_id: string) {
  let media = await call('ns_assembler/upload', { file_id })
  while (media.status === 'processing') {
    await new Promise((resolve) => setTimeout(resolve, 1_000))
    media = await call('ns_assembler/media_status', { media_id: media.media_id })
  }
  if (media.status === 'failed') throw new Error(`The import failed: ${media.error}`)
  return media
}

async function finish(job_id: string) {
  for (;;) {
    const job = await call('tollway/result', { job_id, wait_seconds: 30 })
    if (job.status === 'failed') throw new Error(`The render failed: ${job.message}`)
    if (job.status === 'succeeded') return job.result
    console.log(`${job.progress?.phase ?? 'waiting'} ${job.progress?.percent ?? 0} %`)
  }
}

const speech = await call('ns_media/generate', { model: 'espeak-ng', text: narration, store: true })
const voice = await importMedia(speech.outputs[0].file_id)
const pictures = []
for (const photo of photos) pictures.push(await importMedia(await store(photo)))

const eachSec = (voice.duration_sec + endingSec) / pictures.length
const composition = {
  v: 1,
  format,
  tracks: [
    {
      id: 'photos',
      kind: 'image',
      contents: pictures.map(({ media_id }, place) => ({
        id: `photo-${place + 1}`,
        startTime: place * eachSec,
        duration: eachSec,
        source: { kind: 'media', mediaId: media_id, kenBurns: moves[place % moves.length] },
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
          duration: voice.duration_sec,
          source: { kind: 'media', mediaId: voice.media_id },
        },
      ],
    },
  ],
}
const { valid, errors } = await call('ns_assembler/validate', composition)
if (!valid) throw new Error(errors.map(({ fix }: { fix: string }) => fix).join(' '))

const { id: project_id } = await call('ns_assembler/create_project', { name: 'Film', format })
await call('ns_assembler/put_composition', { project_id, composition })
const { job_id } = await call('ns_assembler/render', { project_id, intent: 'final' })
const film = await finish(job_id)
const download = await fetch(film.output_url)
await writeFile('film.mp4', Buffer.from(await download.arrayBuffer()))
console.log(`film.mp4: ${film.duration_sec} seconds, file_id ${film.file_id}`)
