// The vendor of a performance: its queue, its storage for uploads, and the clips that its models have made.
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { buffer } from 'node:stream/consumers'
import type { UntypedJson } from '#core/replies/untyped-json.ts'
import { portOf } from '#platform/http/port.ts'
import type { AtEnd } from '../database.ts'
import { type Course, type MediaVendor, startMediaVendor } from '../media-vendor.ts'
import { makeClip, makeMedia } from './film-material.ts'

/** The lengths of the shots of a film. */
const clipSeconds = [7, 15, 14] as const
type ClipSeconds = (typeof clipSeconds)[number]

export interface FilmVendor extends MediaVendor {
  /** What was uploaded, by its address. */
  readonly uploads: ReadonlyMap<string, Buffer>
  /** The generations of a reference picture and of a red clip of some length. */
  readonly reference: Course
  clip(seconds: ClipSeconds): Course
  /** Bodies of the generations that were sent, in order. */
  generations(): readonly UntypedJson[]
  /** Leaves uploads (PUT) or downloads (GET) without an answer until `resume`. */
  pause(method: 'PUT' | 'GET'): void
  resume(): void
  /** Requests that wait for `resume`. */
  paused(): number
}

export async function startFilmVendor(atEnd: AtEnd): Promise<FilmVendor> {
  const folder = await mkdtemp(path.join(tmpdir(), 'tollway-film-vendor-'))
  const picture = path.join(folder, 'reference.png')
  const clipAt = (seconds: number) => path.join(folder, `clip-${seconds}.mp4`)
  for (const seconds of clipSeconds) await makeClip(clipAt(seconds), 'red', seconds + 0.06)
  await makeMedia(picture, 'color=red:s=64x64', '-frames:v', '1')
  const uploads = new Map<string, Buffer>()
  let gate = Promise.withResolvers<void>()
  gate.resolve()
  let held = ''
  let waiting = 0

  const server = createServer(async (request, response) => {
    if (request.method === held) {
      waiting += 1
      await gate.promise
      waiting -= 1
    }
    const address = `${url}${request.url}`
    if (request.method === 'PUT') {
      // The gateway of an upload may be killed.
      const content = await buffer(request).catch(() => undefined)
      if (content !== undefined) uploads.set(address, content)
      return response.end()
    }
    const [, seconds] = /^\/clip-(\d+)\.mp4$/.exec(request.url ?? '') ?? []
    const file = seconds ? clipAt(Number(seconds)) : request.url === '/reference.png' && picture
    const content = file ? await readFile(file) : uploads.get(address)
    return content === undefined ? response.writeHead(404).end() : response.end(content)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${portOf(server)}`
  const vendor = await startMediaVendor(url)
  atEnd(async () => {
    gate.resolve()
    server.closeAllConnections()
    server.close()
    await vendor.close()
    await rm(folder, { recursive: true, force: true })
  })
  // Its own members are getters, which a copy would lose.
  return Object.assign(Object.create(vendor) as MediaVendor, {
    uploads,
    reference: { result: { images: [{ url: `${url}/reference.png` }] } },
    clip: (seconds: ClipSeconds) => ({ result: { video: { url: `${url}/clip-${seconds}.mp4` } } }),
    generations: () =>
      vendor.seen
        .filter(({ method, path: at }) => method === 'POST' && !at.startsWith('/storage/'))
        .map(({ path: at, body }) => ({ endpoint: at, ...(body as object) })),
    pause(method: 'PUT' | 'GET') {
      held = method
      gate = Promise.withResolvers()
    },
    resume() {
      held = ''
      gate.resolve()
    },
    paused: () => waiting,
  })
}
