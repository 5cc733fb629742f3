// The operator's command, as it is typed in an empty folder.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Readable } from 'node:stream'
import { runProgram } from '@tollway/command'
import { onTestFinished } from 'vitest'
import { verbGroups } from '../../../src/command/verbs.ts'

export async function typeCommand(
  words: readonly string[],
  {
    url,
    typed = '',
    token = '',
    folder = '',
  }: { url: string; typed?: string; token?: string; folder?: string },
) {
  let [stdout, stderr] = ['', '']
  const home = folder || (await emptyFolder())
  const code = await runProgram(words, {
    groups: verbGroups({ startGateway: async () => {}, version: '0' }),
    version: '0',
    environment: { HOME: home, TOLLWAY_URL: url, ...(token && { ADMIN_TOKEN: token }) },
    stdin: Readable.from([typed]),
    stdout: { write: (chunk) => (stdout += chunk) },
    stderr: { write: (chunk) => (stderr += chunk) },
    folder: home,
    signal: new AbortController().signal,
  })
  return { code, stdout, stderr }
}

export async function emptyFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'tollway-sell-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  return folder
}
