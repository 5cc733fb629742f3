// What is published, packed as `npm publish` packs it and installed as a stranger installs it.
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'

export const root = path.join(import.meta.dirname, '../..')
const execute = promisify(execFile)

/** With the project's own Node, which the programs of packages start by `env node`. */
export const environment = {
  ...process.env,
  PATH: `${path.dirname(process.execPath)}:${process.env.PATH}`,
}

export type AtEnd = (work: () => Promise<void>) => void

export async function emptyFolder(atEnd: AtEnd): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'tollway-packed-'))
  atEnd(() => rm(folder, { recursive: true, force: true }))
  return folder
}

export const npm = (folder: string, ...words: string[]) =>
  execute('npm', words, { cwd: folder, env: environment })

/** Packs what a release publishes on npm. Resolves to the paths of the files. */
export async function packAll(folder: string) {
  await npm(root, 'run', 'release', '--', '--dry-run', '--into', folder)
  const files = await readdir(folder)
  const find = (start: RegExp) => path.join(folder, files.find((name) => start.test(name)) ?? '')
  return {
    gateway: find(/^tollway-\d.*\.tgz$/),
    client: find(/^tollway-client-/),
    command: find(/^tollway-command-/),
    contents: find(/\.cdx\.json$/),
  }
}

/** Packages of others come from npm's cache as far as it has them. */
export async function install(folder: string, ...tarballs: string[]): Promise<void> {
  await npm(folder, 'install', '--prefer-offline', '--no-audit', '--no-fund', ...tarballs)
}

/**
 * Starts the installed gateway. Resolves to what it prints once it listens, or rejects with what it printed when it
 * ends instead.
 */
export async function startPacked(
  folder: string,
  settings: Readonly<Record<string, string>>,
  atEnd: AtEnd,
): Promise<string> {
  const bin = path.join(folder, 'node_modules/.bin/tollway')
  const child = spawn(bin, { cwd: folder, env: { ...environment, PORT: '0', ...settings } })
  const ended = once(child, 'exit')
  atEnd(async () => {
    child.kill('SIGTERM')
    await ended
  })
  let printed = ''
  return await new Promise<string>((resolve, reject) => {
    const read = (chunk: Buffer) => {
      printed += chunk
      // The introduction is written at once.
      if (/listens at http/.test(printed)) resolve(printed)
    }
    child.stdout.on('data', read)
    child.stderr.on('data', read)
    ended.then(() => reject(new Error(printed)), reject)
  })
}

export const urlIn = (printed: string) => /listens at (http\S+)/.exec(printed)?.[1] ?? ''
