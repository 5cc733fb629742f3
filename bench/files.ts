// Measures uploads and downloads of 100 MB: through the gateway, and by a bare Fastify stream on the same disk.
import { fork } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readFile, rm } from 'node:fs/promises'
import { type IncomingMessage, request } from 'node:http'
import path from 'node:path'
import { makeDataDirectory } from '#test/data-directory.ts'
import { cpuSeconds } from './lib/processes.ts'

const bytes = 100_000_000
const chunk = randomBytes(65_536)
const rounds = Number(process.argv[2] ?? 9)
const sampleMs = 10

interface Server {
  readonly pid: number
  readonly url: string
  readonly keys: readonly string[]
  stop(): Promise<void>
}

const dataDir = await makeDataDirectory()
const bare = await start('bare-files-server.ts', [dataDir])
const gateway = await start('gateway-server.ts', ['gateway', '1'])
const figures = new Map<string, { seconds: number[]; cpuSeconds: number[]; grownBytes: number[] }>()

for (let round = 0; round <= rounds; round += 1) {
  const isWarmUp = round === 0
  const { put_url, get_url, file_id } = await call('upload', { filename: 'a', size_bytes: bytes })
  await measure('upload, bare', bare, `${bare.url}/file`, isWarmUp)
  await measure('upload, bare and durable', bare, `${bare.url}/file?sync`, isWarmUp)
  await measure('upload, gateway', gateway, put_url, isWarmUp)
  await measure('download, bare', bare, `${bare.url}/file`, isWarmUp)
  await measure('download, gateway', gateway, get_url, isWarmUp)
  await call('delete', { file_id })
}
print()
await Promise.all([bare.stop(), gateway.stop()])
await rm(dataDir, { recursive: true })

async function start(file: string, parameters: readonly string[]): Promise<Server> {
  const child = fork(path.join(import.meta.dirname, 'lib', file), parameters, {
    env: { ...process.env, DATA_DIR: dataDir },
  })
  const [ready] = await once(child, 'message')
  return {
    keys: [],
    ...(ready as Pick<Server, 'url'>),
    pid: child.pid ?? 0,
    async stop() {
      child.kill('SIGTERM')
      await once(child, 'exit')
    },
  }
}

async function call(action: string, body: object) {
  const reply = await fetch(`${gateway.url}/api/run/files/${action}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${gateway.keys[0]}` },
    body: JSON.stringify(body),
  })
  return ((await reply.json()) as { data: Record<string, string> }).data
}

/** One transfer: how long it takes, and by how much the memory of the server's process grows. */
async function measure(what: string, { pid }: Server, url = '', isWarmUp = false) {
  const before = await residentBytes(pid)
  let most = before
  const sampler = setInterval(async () => {
    most = Math.max(most, await residentBytes(pid))
  }, sampleMs)
  const cpuBefore = await cpuSeconds(pid)
  const startedMs = performance.now()
  await (what.startsWith('upload') ? upload(url) : download(url))
  const seconds = (performance.now() - startedMs) / 1_000
  clearInterval(sampler)
  if (isWarmUp) return
  const figure = figures.get(what) ?? { seconds: [], cpuSeconds: [], grownBytes: [] }
  figures.set(what, figure)
  figure.seconds.push(seconds)
  figure.cpuSeconds.push((await cpuSeconds(pid)) - cpuBefore)
  figure.grownBytes.push(most - before)
}

async function upload(url: string) {
  const put = request(url, { method: 'PUT', headers: { 'content-length': bytes } })
  const answered = once(put, 'response')
  for (let sent = 0; sent < bytes; sent += chunk.length)
    if (!put.write(chunk.subarray(0, bytes - sent))) await once(put, 'drain')
  put.end()
  const [reply] = (await answered) as [IncomingMessage]
  if (reply.statusCode !== 200) throw new Error(`The upload was answered with ${reply.statusCode}.`)
  await drain(reply)
}

async function download(url: string) {
  const [reply] = (await once(request(url).end(), 'response')) as [IncomingMessage]
  if ((await drain(reply)) !== bytes) throw new Error('The download is not whole.')
}

async function drain(reply: IncomingMessage): Promise<number> {
  let read = 0
  for await (const part of reply) read += part.length
  return read
}

async function residentBytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'latin1')
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) * 1_024
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[values.length >> 1] ?? Number.NaN
}

function print() {
  for (const [what, { seconds, cpuSeconds, grownBytes }] of figures)
    console.log(
      `${what.padEnd(26)} ${speed(median(seconds))}, at best ${speed(Math.min(...seconds))}   ${milliseconds(median(cpuSeconds))} of CPU   memory: + ${megabytes(median(grownBytes))}, at most + ${megabytes(Math.max(...grownBytes))}`,
    )
  compare('upload, gateway', 'upload, bare')
  compare('upload, gateway', 'upload, bare and durable')
  compare('download, gateway', 'download, bare')
}

function megabytes(count: number): string {
  return `${(count / 1e6).toFixed(0)} MB`
}

function milliseconds(seconds: number): string {
  return `${(seconds * 1_000).toFixed(0)} ms`
}

function speed(seconds: number): string {
  return `${megabytes(bytes / seconds)}/s`
}

/** Bytes per second as a ratio: of the medians, and of the best rounds, which a busy machine disturbs least. */
function compare(one: string, other: string) {
  const [ours, theirs] = [one, other].map((what) => figures.get(what)?.seconds ?? [])
  const ratio = (of: (values: readonly number[]) => number) =>
    (of(theirs ?? []) / of(ours ?? [])).toFixed(2)
  const best = (values: readonly number[]) => Math.min(...values)
  console.log(`${one} : ${other} = ${ratio(median)} (median), ${ratio(best)} (best)`)
}
