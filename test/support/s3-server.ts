// A server of the S3 protocol in a process of its own. It checks signatures, and keeps objects in a temporary folder.
import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { onTestFinished } from 'vitest'
import { s3Server } from '#oracles/programs.ts'
import type { S3Settings } from '#platform/blobs/s3-requests.ts'
import type { AtEnd } from './database.ts'

const bucket = 'files'
/** The key that the server itself defines. */
const key = 'S3RVER'

/** Prints its port once it listens. */
const program = `
  const [module, directory, bucket] = process.argv.slice(1)
  const Server = require(module)
  const configureBuckets = [{ name: bucket, configs: [] }]
  new Server({ directory, port: 0, silent: true, configureBuckets }).run().then(({ port }) => console.log(port))`

export async function startS3Server(atEnd: AtEnd = onTestFinished): Promise<S3Settings> {
  const directory = await mkdtemp(path.join(tmpdir(), 'tollway-s3-'))
  const server = spawn(process.execPath, ['-e', program, s3Server, directory, bucket], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = new Promise((resolve) => server.once('close', resolve))
  atEnd(async () => {
    server.kill('SIGKILL')
    await ended
    await rm(directory, { recursive: true, force: true })
  })
  const lines = createInterface(server.stdout)
  const port = await new Promise<string>((resolve, reject) => {
    lines.once('line', resolve)
    lines.once('close', () => reject(new Error('The S3 server did not start.')))
  })
  return {
    endpoint: `http://127.0.0.1:${port}`,
    bucket,
    region: 'us-east-1',
    accessKeyId: key,
    secretAccessKey: key,
  }
}
