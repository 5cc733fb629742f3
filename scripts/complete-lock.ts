// A registry may have a tool's binaries for some platforms only. npm then omits the others from the lock file, and `npm
// ci` refuses such a file. This script adds them by name and platform, so that every machine installs its own. It also
// removes each package's required version of Node. An older Node may run `npm ci` than the one that `npm ci` installs,
// which runs the packages, and npm would warn about every package. `scripts/start.js` checks the version that counts.
// Last, it adds the hash of each package that has none, so that `npm ci` refuses a package whose bytes have changed.
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { readIntegrity } from './lock-integrity.ts'

interface LockedPackage {
  name?: string
  version?: string | undefined
  integrity?: string
  link?: boolean
  dev?: boolean
  optional?: boolean
  os?: string[]
  cpu?: string[]
  libc?: string[]
  optionalDependencies?: Record<string, string>
  engines?: unknown
}

interface Lock {
  packages: Record<string, LockedPackage>
}

const systems = [
  'aix',
  'android',
  'darwin',
  'freebsd',
  'linux',
  'netbsd',
  'openbsd',
  'openharmony',
  'sunos',
  'win32',
]
const processors = [
  'arm64',
  'arm',
  'ia32',
  'loong64',
  'mips64el',
  'ppc64',
  'riscv64',
  's390x',
  'wasm32',
  'x64',
]
/** Names of platforms that differ from npm's. */
const processorAliases: Record<string, string> = { amd64: 'x64' }
const libraries: Record<string, string> = {
  gnu: 'glibc',
  gnueabihf: 'glibc',
  musl: 'musl',
  musleabihf: 'musl',
}

for (const folder of ['.', 'oracles']) {
  const file = path.join(import.meta.dirname, '..', folder, 'package-lock.json')
  const lock = JSON.parse(await readFile(file, 'utf8')) as Lock
  const added = addPlatforms(lock)
  const unhashed = await addIntegrity(lock)
  await writeFile(file, `${JSON.stringify(lock, null, 2)}\n`)
  const name = path.join(folder, 'package-lock.json')
  console.log(
    added.length === 0 ? `${name} is complete.` : `Added to ${name}: ${added.join(', ')}.`,
  )
  if (unhashed.length > 0)
    console.log(
      `The registry that npm uses here does not have these versions, so they have no hash: ${unhashed.join(', ')}.`,
    )
}

/** Adds the binaries of tools for the platforms that npm has left out, and returns their names. */
function addPlatforms(lock: Lock): readonly string[] {
  const added: string[] = []
  for (const [place, locked] of Object.entries(lock.packages)) {
    if (place === '') continue
    delete locked.engines
    for (const [name, version] of Object.entries(locked.optionalDependencies ?? {})) {
      const platform = platformOf(name)
      const known = [`${place}/node_modules/${name}`, `node_modules/${name}`].some(
        (at) => at in lock.packages,
      )
      if (platform === undefined || known) continue
      lock.packages[`node_modules/${name}`] = {
        version: version.replace(/^[^\d]*/, ''),
        ...(locked.dev === true ? { dev: true } : {}),
        optional: true,
        ...platform,
      }
      added.push(name)
    }
  }
  lock.packages = Object.fromEntries(
    Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : 1)),
  )
  return added
}

/** The ids of the packages that still have no hash. */
async function addIntegrity(lock: Lock): Promise<readonly string[]> {
  const folders = 'node_modules/'
  const wanting = Object.entries(lock.packages).flatMap(([place, locked]) => {
    const at = place.lastIndexOf(folders)
    if (at < 0 || locked.link === true || locked.integrity !== undefined) return []
    const name = locked.name ?? place.slice(at + folders.length)
    return [{ place, locked, id: `${name}@${locked.version}` as const }]
  })
  const hashes = await readIntegrity([...new Set(wanting.map(({ id }) => id))])
  return wanting.flatMap(({ place, locked: { name, version, ...locked }, id }) => {
    const integrity = hashes.get(id)
    if (integrity === undefined) return [id]
    // In npm's order, so that npm does not move the line.
    lock.packages[place] = { ...(name !== undefined && { name }), version, integrity, ...locked }
    return []
  })
}

/** The platform in a name such as `@biomejs/cli-linux-arm64-musl`; undefined if it names none. */
function platformOf(name: string): Pick<LockedPackage, 'os' | 'cpu' | 'libc'> | undefined {
  const words = name.split(/[/-]/).map((word) => processorAliases[word] ?? word)
  const os = systems.find((system) => words.includes(system))
  const cpu = processors.find((processor) => words.includes(processor))
  const library = words.map((word) => libraries[word]).find((found) => found !== undefined)
  if (cpu === undefined) return undefined
  return {
    ...(os === undefined ? {} : { os: [os] }),
    cpu: [cpu],
    ...(os === 'linux' && library !== undefined ? { libc: [library] } : {}),
  }
}
