// `npm run release -- --dry-run` packs everything that is published, lists what the gateway contains, says what is in
// the way of a release, and publishes nothing. Without `--dry-run` it publishes: the packages for npm, then those for
// Python by `twine`. `--into FOLDER` keeps the files.
import { execFile, spawnSync } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs, promisify } from 'node:util'
import commandJson from '../clients/command/package.json' with { type: 'json' }
import clientJson from '../clients/typescript/package.json' with { type: 'json' }
import packageJson from '../package.json' with { type: 'json' }
import serverJson from '../server.json' with { type: 'json' }
import { findPython } from '../test/clients/python.ts'

const execute = promisify(execFile)
const root = path.join(import.meta.dirname, '..')
const pythonFolder = path.join(root, 'clients/python')
const contentsBytesMax = 10_000_000
/** GitHub sets the first where a workflow may sign; GitLab sets the second. */
const signers = ['ACTIONS_ID_TOKEN_REQUEST_TOKEN', 'SIGSTORE_ID_TOKEN']
const canProveOrigin = signers.some((name) => process.env[name] !== undefined)
/** The order in which they are published: the command depends on the client. */
const built = ['client', 'command'] as const

const { values } = parseArgs({
  options: { 'dry-run': { type: 'boolean', default: false }, into: { type: 'string' } },
})
const folder = path.resolve(values.into ?? (await mkdtemp(path.join(tmpdir(), 'tollway-release-'))))
const python = await findPython()
await import('./client/make-types.ts')
const obstacles = await findObstacles()
for (const obstacle of obstacles) console.error(`In the way of a release: ${obstacle}`)
if (obstacles.length > 0 && !values['dry-run']) process.exit(1)

const tarballs = await packForNpm()
const forPython = python === undefined ? [] : await packForPython(python)
const contents = await listContents()
for (const file of [...tarballs.map(({ file }) => file), ...forPython, contents])
  console.log(`${file}  ${Math.ceil((await stat(file)).size / 1_000)} kB`)
if (!values['dry-run']) await publish()

async function findObstacles(): Promise<string[]> {
  const { version } = packageJson
  const project = await readFile(path.join(pythonFolder, 'pyproject.toml'), 'utf8')
  const changelog = await readFile(path.join(root, 'CHANGELOG.md'), 'utf8')
  const others = {
    'clients/typescript/package.json': clientJson.version,
    'clients/command/package.json': commandJson.version,
    'the client that clients/command/package.json needs':
      commandJson.dependencies['@tollway/client'],
    'server.json': serverJson.version,
    'clients/python/pyproject.toml': /^version = "(.+)"$/m.exec(project)?.[1],
  }
  const different = Object.entries(others)
    .filter(([, other]) => other !== version)
    .map(([where, other]) => `${where} has version ${other}, and package.json ${version}.`)
  const git = async (...words: string[]) =>
    (await execute('git', words, { cwd: root }).catch(() => ({ stdout: '' }))).stdout.trim()
  return [
    ...different,
    ...(changelog.includes(`\n## ${version}\n`) ? [] : [`CHANGELOG.md has no part "${version}".`]),
    ...((await git('status', '--porcelain')) === '' ? [] : ['Files are not committed.']),
    ...((await git('tag', '--points-at', 'HEAD')).split('\n').includes(`v${version}`)
      ? []
      : [`The commit has no tag v${version}.`]),
    ...(python === undefined ? ['Python lacks httpx, mypy or hatchling.'] : []),
  ]
}

async function packForNpm(): Promise<{ id: string; file: string }[]> {
  await mkdir(folder, { recursive: true })
  const places = built.map((name) => path.join(folder, name))
  for (const name of built)
    await execute('npm', ['run', `build:${name}`, '--', path.join(folder, name)], { cwd: root })
  const packing = ['pack', '--json', '--pack-destination', folder, ...places, '.']
  const { stdout } = await execute('npm', packing, { cwd: root })
  // `prepack` prints before the JSON.
  const packed: { id: string; filename: string }[] = JSON.parse(stdout.slice(stdout.indexOf('[\n')))
  return packed.map(({ id, filename }) => ({ id, file: path.join(folder, filename) }))
}

async function packForPython(python: string): Promise<string[]> {
  const place = path.join(folder, 'python')
  const build = ['-m', 'hatchling', 'build', '--target', 'wheel', '--directory', place]
  await execute(python, build, { cwd: pythonFolder })
  return (await readdir(place)).map((name) => path.join(place, name))
}

/**
 * Writes which packages an install of the gateway brings, as CycloneDX. Resolves to the path of the file. npm lists
 * them for an empty project that depends on the gateway alone: in this one it leaves out what tests need too.
 */
async function listContents(): Promise<string> {
  const cwd = path.join(folder, 'contents')
  await mkdir(cwd, { recursive: true })
  const { name, version } = packageJson
  await writeFile(
    path.join(cwd, 'package.json'),
    JSON.stringify({ name: `${name}-install`, version }),
  )
  const gateway = tarballs.find(({ id }) => id === `${name}@${version}`)?.file ?? ''
  await execute('npm', ['install', '--package-lock-only', '--prefer-offline', gateway], { cwd })
  const words = ['sbom', '--package-lock-only', '--sbom-format', 'cyclonedx']
  const { stdout } = await execute('npm', words, { cwd, maxBuffer: contentsBytesMax })
  const file = path.join(folder, `${name}-${version}.cdx.json`)
  await writeFile(file, stdout)
  return file
}

/**
 * npm and twine ask for codes on this terminal. A release that broke off is repeated: what is published already is left
 * out.
 */
async function publish(): Promise<void> {
  const run = (program: string, ...words: string[]) => {
    const { status } = spawnSync(program, words, { cwd: root, stdio: 'inherit' })
    if (status !== 0) process.exit(status ?? 1)
  }
  for (const { id, file } of tarballs) {
    const isPublished = await execute('npm', ['view', id, 'version']).catch(() => undefined)
    if (isPublished === undefined)
      run('npm', 'publish', file, ...(canProveOrigin ? ['--provenance'] : []))
    else console.log(`${id} is published already.`)
  }
  run(python ?? 'python3', '-m', 'twine', 'upload', '--skip-existing', ...forPython)
}
