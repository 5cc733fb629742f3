// The development dependencies that the packed gateway contains: packages of which it uses a small part, such as one
// encoding of many. An install of the gateway then has neither their other parts nor what those depend on.
import { cp, readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'
import packageJson from '../package.json' with { type: 'json' }

const modules = path.join(import.meta.dirname, '../node_modules')
/** Where the bundles lie in `dist`. */
const folder = 'packages'

/** The part of a specifier that names the package. */
const packageOf = (specifier: string) => /^(?:@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? ''
const imported = /(\bfrom |\bimport |\bimport\()'([@\w][^'\n]*)'/g

/** pdf.js finds its tables beside itself, so it is copied instead, without what draws and what shows. */
const copied = 'pdfjs-dist'
const filesOfCopied = [
  'package.json',
  'LICENSE',
  'legacy/build/pdf.mjs',
  'legacy/build/pdf.worker.mjs',
  'cmaps',
  'iccs',
  'standard_fonts',
  'wasm',
]

export interface BuiltIn {
  /** Points the imports of a built file to the bundles. */
  point(source: string, file: string): string
  /** Writes what the files import. */
  write(dist: string): Promise<void>
}

export function createBuiltIn(): BuiltIn {
  const entries = new Map<string, string>()
  return {
    point: (source, file) =>
      source.replaceAll(imported, (whole, start, specifier) => {
        const name = packageOf(specifier)
        if (!(name in packageJson.devDependencies) || name === copied) return whole
        const entry = specifier.replace(/\.js$/, '')
        entries.set(entry, specifier)
        const target = path.posix.join(folder, `${entry}.js`)
        return `${start}'${path.posix.relative(path.posix.dirname(file), target)}'`
      }),
    async write(dist) {
      const sources = new Map<string, string>()
      for (const [entry, specifier] of entries) sources.set(entry, await passOn(specifier))
      await bundle(sources, path.join(dist, folder))
      for (const file of filesOfCopied) {
        const target = path.join(dist, 'node_modules', copied, file)
        await cp(path.join(modules, copied, file), target, { recursive: true })
      }
    },
  }
}

/** A module with the names that Node finds in the package, of which some exist only while CommonJS runs. */
async function passOn(specifier: string): Promise<string> {
  const names = Object.keys(await import(specifier)).filter((name) => name !== 'module.exports')
  const file = fileURLToPath(import.meta.resolve(specifier))
  return `export { ${names.join(', ')} } from ${JSON.stringify(file)}`
}

async function bundle(sources: ReadonlyMap<string, string>, into: string): Promise<void> {
  const bundled = await rolldown({
    input: Object.fromEntries([...sources.keys()].map((entry) => [entry, `\0${entry}`])),
    plugins: [
      {
        name: 'entries',
        resolveId: (id) => (id.startsWith('\0') ? id : undefined),
        load: (id) => sources.get(id.slice(1)),
      },
    ],
    platform: 'node',
    // A payment over MCP imports this if a handler throws, and answers without it.
    external: ['@modelcontextprotocol/sdk/types.js'],
    onLog(level, log) {
      if (level === 'warn' && log.code === 'UNRESOLVED_IMPORT') throw new Error(log.message)
    },
  })
  const { output } = await bundled.write({ dir: into, chunkFileNames: 'chunks/[name]-[hash].js' })
  const files = output.flatMap((chunk) => (chunk.type === 'chunk' ? chunk.moduleIds : []))
  await writeFile(path.join(into, 'LICENSES'), await readLicenses(files))
}

/** The licences of the packages that files belong to, as their licences ask for. */
async function readLicenses(files: readonly string[]): Promise<string> {
  const folders = new Set(
    files.flatMap((file) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? []),
  )
  const texts = await Promise.all(
    [...folders].sort().map(async (place) => {
      const { name, version, license } = JSON.parse(
        await readFile(path.join(place, 'package.json'), 'utf8'),
      )
      const files = (await readdir(place)).filter((file) =>
        /^(?:licen[cs]e|notice|copying)\b/i.test(file),
      )
      const found = await Promise.all(files.map((file) => readFile(path.join(place, file), 'utf8')))
      const text = found.map((one) => one.trim()).join('\n\n') || 'The package has no further text.'
      return `${name} ${version}, ${license}\n\n${text}\n`
    }),
  )
  return texts.join(`\n${'-'.repeat(80)}\n\n`)
}
