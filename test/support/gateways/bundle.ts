// The gateway as a few files. A process of the sources spends three quarters of its start on finding and joining three
// thousand modules; tests start hundreds of processes.
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chmod, glob, mkdir, mkdtemp, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Plugin, rolldown } from 'rolldown'
import type { TestProject } from 'vitest/node'

const root = path.join(import.meta.dirname, '../../..')
const cache = path.join(root, '.cache')

const entries = {
  main: 'src/main.ts',
  // What a plugin imports. It must be the gateway's own copy.
  tollway: 'src/tollway.ts',
  levers: 'test/payments/gateway-with-levers.ts',
}
const sources = ['src/**/*.ts', 'reader/**/*.ts', 'clients/*/src/**/*.ts', 'test/**/*.ts']
/** Packages with native parts, and those that find their files by themselves. */
const external = [
  'jsonc-parser',
  'impit',
  'sharp',
  '@node-rs/argon2',
  'playwright-core',
  'patchright-core',
]

declare module 'vitest' {
  interface ProvidedContext {
    /** The folder of the bundled gateway, with a file for each entry. */
    bundledGateway: string
  }
}

async function fingerprint(): Promise<string> {
  const files: string[] = []
  for await (const file of glob([...sources, 'package-lock.json'], { cwd: root })) files.push(file)
  const hash = createHash('sha256')
  for (const file of files.filter((name) => !name.includes('node_modules')).sort()) {
    const { size, mtimeMs } = await stat(path.join(root, file))
    hash.update(`${file} ${size} ${mtimeMs}\n`)
  }
  return hash.digest('hex').slice(0, 12)
}

/** Sources keep their own places, so that each finds its SQL, tables and workers. */
const keepPlaces = (folder: string): Plugin => ({
  name: 'keep-places',
  transform(code, id) {
    if (!path.isAbsolute(id) || id.includes('node_modules')) return null
    // It leads plugins to `tollway`, which must be the bundled one.
    const place = id.endsWith('src/plugins/load-plugins.ts')
      ? path.join(folder, 'plugins/load-plugins.js')
      : id
    return code
      .replaceAll('import.meta.dirname', JSON.stringify(path.dirname(place)))
      .replaceAll('import.meta.filename', JSON.stringify(place))
      .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(place).href))
  },
})

async function build(): Promise<string> {
  const folder = path.join(cache, `gateway-${await fingerprint()}`)
  if (existsSync(folder)) return folder
  const bundle = await rolldown({
    cwd: root,
    input: entries,
    external,
    platform: 'node',
    plugins: [keepPlaces(folder)],
    onLog() {},
  })
  // Two runs may build at the same time, and each must find whole files only.
  await mkdir(cache, { recursive: true })
  const unfinished = await mkdtemp(path.join(cache, 'unfinished-'))
  await bundle.write({ dir: unfinished, chunkFileNames: 'chunks/[name]-[hash].js' })
  // Gateways of another user start from it too.
  await chmod(unfinished, 0o755)
  await rename(unfinished, folder).catch(() => rm(unfinished, { recursive: true }))
  return folder
}

/** Vitest loads this file once for each project, so what is built is a property of the process. */
const run = globalThis as { bundledGateway?: Promise<string> }

export async function setup(project: TestProject) {
  run.bundledGateway ??= build()
  project.provide('bundledGateway', await run.bundledGateway)
}
