// `npm pack` runs this first. It writes JavaScript to dist/, because Node strips no types below node_modules. The
// folders keep their layout, so that each file finds its SQL, tables and workers.
import { execFile } from 'node:child_process'
import { cp, glob, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import commandJson from '../clients/command/package.json' with { type: 'json' }
import clientJson from '../clients/typescript/package.json' with { type: 'json' }
import { refreshConsole } from '../console/build.ts'
import packageJson from '../package.json' with { type: 'json' }
import readerJson from '../reader/package.json' with { type: 'json' }
import { createBuiltIn } from './built-in.ts'
import { pointToBuilt, stripTypes } from './strip-types.ts'

const root = path.join(import.meta.dirname, '..')
const dist = path.join(root, 'dist')
/**
 * The sources, the models, the files of the workspaces that the gateway uses, and the guide and the console, which the
 * gateway serves.
 */
const packed = [
  'src/**/*',
  'models/**/*',
  ...readerJson.files.map((name) => `reader/${name}/**/*`),
  'clients/{command,typescript}/src/**/*.ts',
  'docs/**/*.md',
  'CHANGELOG.md',
  'console/dist/**/*',
]
/** The workspaces by the names under which they are imported, with the file that each exports. */
const entries = new Map([
  [readerJson.name, path.posix.join('reader', readerJson.exports['.'])],
  [clientJson.name, path.posix.join('clients/typescript', clientJson.exports['.'])],
  [commandJson.name, path.posix.join('clients/command', commandJson.exports['.'])],
])
const builtIn = createBuiltIn()
const forTestsOnly = /\.test\.ts$|\.fixture\.ts$|(^|\/)fixtures(\/|$)/

await rm(dist, { recursive: true, force: true })
checkReaderDependencies()
await refreshConsole()
for await (const entry of glob(packed, { cwd: root, withFileTypes: true })) {
  const file = path.relative(root, path.join(entry.parentPath, entry.name))
  if (entry.isFile() && !forTestsOnly.test(file)) await build(file)
}
const { name, version, type } = packageJson
await writeFile(path.join(dist, 'package.json'), JSON.stringify({ name, version, type }))
await builtIn.write(dist)
await writeDeclarations()

async function build(file: string): Promise<void> {
  const target = path.join(dist, file)
  await mkdir(path.dirname(target), { recursive: true })
  if (!file.endsWith('.ts')) return await cp(path.join(root, file), target)
  const source = stripTypes(nameFiles(await readFile(path.join(root, file), 'utf8'), file))
  if (source !== undefined)
    await writeFile(target.replace(/\.ts$/, '.js'), builtIn.point(source, file))
}

/** The types of the package's exports. */
async function writeDeclarations(): Promise<void> {
  const tsc = path.join(root, 'node_modules/typescript/bin/tsc')
  await promisify(execFile)(process.execPath, [tsc, '-p', 'tsconfig.build.json'], { cwd: root })
  for await (const file of glob('**/*.d.ts', { cwd: dist })) {
    const text = await readFile(path.join(dist, file), 'utf8')
    await writeFile(path.join(dist, file), pointToBuilt(nameFiles(text, file)))
  }
}

/** Replaces the names of rooms and of workspaces with paths. */
function nameFiles(text: string, file: string): string {
  const relative = (target: string) => {
    const found = path.posix.relative(path.posix.dirname(file), target)
    return found.startsWith('.') ? found : `./${found}`
  }
  return text
    .replaceAll(
      /(['"])#([^'"\n]+\.ts)\1/g,
      (_, quote, inner) => `${quote}${relative(`src/${inner}`)}${quote}`,
    )
    .replaceAll(/(['"])(@tollway\/\w+)\1/g, (whole, quote, name) => {
      const entry = entries.get(name)
      return entry === undefined ? whole : `${quote}${relative(entry)}${quote}`
    })
}

/** The reader is packed with the gateway, so the gateway's manifest must list the reader's dependencies. */
function checkReaderDependencies(): void {
  const own: Readonly<Record<string, string>> = {
    ...packageJson.dependencies,
    ...packageJson.devDependencies,
  }
  const missing = Object.entries(readerJson.dependencies)
    .filter(([name, range]) => own[name] !== range)
    .map(([name, range]) => `"${name}": "${range}"`)
  if (missing.length > 0)
    throw new Error(
      `package.json lacks dependencies of reader/package.json: ${missing.join(', ')}.`,
    )
}
