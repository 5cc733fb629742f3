// Packages of npm whose programs run in boxes. Their install scripts never run, so nothing of a package runs outside of
// its box.
import { execFile } from 'node:child_process'
import { readFile, realpath, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { createProcessFolder, sweepProcessFolders } from '../process-folder.ts'

export interface InstalledPackage {
  /** `name@1.2.3`. */
  readonly id: string
  /** Holds the package with its dependencies. */
  readonly folder: string
  /** The file that Node runs. Throws an Error for a package without this program. */
  programFile(name?: string): string
}

export interface NodePackages {
  /** Once for each specification: `name@1.2.3`, or the path of a folder or an archive. Throws an Error. */
  install(specification: string): Promise<InstalledPackage>
  /** The version that a registry offers now. Throws an Error. */
  installLatest(specification: string): Promise<InstalledPackage>
  close(): Promise<void>
}

const purpose = 'node-packages'
const installTimeoutMs = 300_000
const outputBytesMax = 1_000_000
const reasonCharactersMax = 500
const run = promisify(execFile)

const forNpm =
  /^(PATH|HOME|USER|LANG|LC_\w+|TZ|TMPDIR|NODE_EXTRA_CA_CERTS|SSL_CERT_(FILE|DIR)|NPM_TOKEN|NPM_CONFIG_.+|(HTTPS?|NO|ALL)_PROXY)$/i

/** What npm needs of the gateway's environment, which also holds the credentials of vendors. */
export function npmVariablesOf(environment: Environment): Environment {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => forNpm.test(name)))
}

type Environment = Readonly<Record<string, string | undefined>>

interface NodePackagesOptions {
  /** The whole environment of npm. */
  readonly environment: Environment
  readonly parent?: string
}

export function createNodePackages({ environment, parent }: NodePackagesOptions): NodePackages {
  const installed = new Map<string, Promise<InstalledPackage>>()
  const removals: (() => Promise<void>)[] = []
  let swept: Promise<void> | undefined

  async function install(specification: string): Promise<InstalledPackage> {
    swept ??= sweepProcessFolders(purpose, parent).catch(() => {})
    await swept
    const own = await createProcessFolder(purpose, parent)
    removals.push(own.remove)
    const folder = await realpath(own.path)
    await writeFile(path.join(folder, 'package.json'), '{}')
    const options = [
      '--ignore-scripts',
      '--no-audit',
      '--no-fund',
      '--prefer-offline',
      '--install-links',
    ]
    const args = ['install', ...options, '--prefix', folder, '--', specification]
    await run('npm', args, {
      cwd: folder,
      env: environment,
      timeout: installTimeoutMs,
      maxBuffer: outputBytesMax,
    }).catch((thrown) => Promise.reject(explain(specification, thrown)))
    return await openInstalled(folder)
  }

  return {
    install(specification) {
      const known = installed.get(specification)
      if (known !== undefined) return known
      const begun = install(specification)
      installed.set(specification, begun)
      begun.catch(() => installed.delete(specification))
      return begun
    },
    async installLatest(specification) {
      const found = await install(specification)
      const known = installed.get(found.id)
      if (known !== undefined) return await known
      installed.set(found.id, Promise.resolve(found))
      return found
    },
    async close() {
      await Promise.all([...installed.values()].map((each) => each.catch(() => {})))
      for (const remove of removals) await remove()
    },
  }
}

async function openInstalled(folder: string): Promise<InstalledPackage> {
  const { dependencies = {} } = await readJson(path.join(folder, 'package.json'))
  const [name = ''] = Object.keys(dependencies)
  const home = path.join(folder, 'node_modules', name)
  const { version, bin = {} } = await readJson(path.join(home, 'package.json'))
  const short = name.replace(/^@[^/]*\//, '')
  const programs: Readonly<Record<string, string>> =
    typeof bin === 'string' ? { [short]: bin } : bin
  return {
    id: `${name}@${version}`,
    folder,
    programFile(wanted) {
      const files = Object.values(programs)
      const file = programs[wanted ?? short] ?? (wanted === undefined ? files[0] : undefined)
      if (file === undefined)
        throw new Error(
          `The package ${name} has no program${wanted === undefined ? '' : ` ${wanted}`}. It has: ${Object.keys(programs).join(', ') || 'none'}.`,
        )
      return path.join(home, file)
    },
  }
}

interface Manifest {
  readonly version?: string
  readonly dependencies?: Readonly<Record<string, string>>
  readonly bin?: string | Readonly<Record<string, string>>
}
const readJson = async (file: string): Promise<Manifest> => JSON.parse(await readFile(file, 'utf8'))

function explain(
  specification: string,
  thrown: NodeJS.ErrnoException & { readonly stderr?: string },
): Error {
  if (thrown.code === 'ENOENT')
    return new Error(
      'npm was not found. Install it, or name the server by a program: `-- node server.js`.',
    )
  const said = (thrown.stderr ?? '')
    .split('\n')
    .map((line) => line.replace(/^npm (error|ERR!) ?/i, '').trim())
    .filter((line) => line !== '' && !/complete log/i.test(line))
    .join(' ')
  return new Error(
    `npm could not install ${specification}. ${said.slice(0, reasonCharactersMax) || thrown.message}`,
    { cause: thrown },
  )
}
