// Makes the files of an image without a container runtime. The commands of a Dockerfile run in bubblewrap, on a folder
// of their own; the system of this machine, read-only, and the project's Node stand in for the base image. Debian
// packages are resolved by apt-get and not installed.
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdir, readFile, stat, symlink, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { root as repository } from '../packed.ts'
import type { Stage, Step } from './stages.ts'

const execute = promisify(execFile)
const outputBytesMax = 50_000_000

export interface Image {
  /** The root file system. */
  readonly folder: string
  readonly stage: Stage
}

export async function buildImages(
  stages: ReadonlyMap<string, Stage>,
  folder: string,
): Promise<ReadonlyMap<string, Image>> {
  const images = new Map<string, Image>()
  const context = await copyContext(path.join(folder, 'context'))
  for (const stage of stages.values()) {
    const image = { folder: path.join(folder, stage.name), stage }
    const base = images.get(stage.base)
    if (base === undefined) await makeBase(image.folder)
    else await execute('cp', ['--archive', '--link', base.folder, image.folder])
    images.set(stage.name, image)
    for (const step of stage.steps) {
      const from = step.kind === 'copy' && step.from ? images.get(step.from)?.folder : context
      if (step.kind === 'copy') await copyInto(image, step, from ?? '')
      else await runStep(image, step)
    }
  }
  return images
}

const ownNode = '/opt/node'
const usersFile = '/opt/passwd'

/** Mount points, Node, and the users of the base image. */
async function makeBase(folder: string): Promise<void> {
  for (const name of ['dev', 'etc', 'opt', 'proc', 'tmp', 'usr', 'var/lib/dpkg'])
    await mkdir(path.join(folder, name), { recursive: true })
  for (const name of ['bin', 'sbin', 'lib', 'lib64'])
    await symlink(`usr/${name}`, path.join(folder, name))
  await cp(path.dirname(process.execPath), path.join(folder, ownNode), { recursive: true })
  const users = ['root:x:0:0:root:/root:/bin/sh', 'node:x:1000:1000::/home/node:/bin/sh']
  await writeFile(path.join(folder, usersFile), `${users.join('\n')}\n`)
}

/** What the builder sees of the repository, by .dockerignore: the last pattern that matches a path decides. */
async function copyContext(folder: string): Promise<string> {
  const lines = (await readFile(path.join(repository, '.dockerignore'), 'utf8')).split('\n')
  const patterns = lines.filter((line) => line !== '' && !line.startsWith('#'))
  const kept = patterns.flatMap((line) => (line.startsWith('!') ? [line.slice(1)] : []))
  const left = patterns.filter((line) => line !== '*' && !line.startsWith('!'))
  const isWithin = (place: string, name: string) =>
    place === name ||
    place.startsWith(`${name}/`) ||
    (name.includes('*') && path.matchesGlob(place, name))
  await cp(repository, folder, {
    recursive: true,
    filter(source) {
      const place = path.relative(repository, source)
      const leadsToKept = kept.some((name) => isWithin(place, name) || name.startsWith(`${place}/`))
      return place === '' || (leadsToKept && !left.some((name) => isWithin(place, name)))
    },
  })
  return folder
}

type Copying = Extract<Step, { kind: 'copy' }>
type Running = Extract<Step, { kind: 'run' }>

/** As COPY does: a folder stands for what is in it. */
async function copyInto(image: Image, { sources, target, folder }: Copying, from: string) {
  const into = path.join(image.folder, path.resolve(folder, target))
  for (const source of sources) {
    const place = path.join(from, source)
    await mkdir(into, { recursive: true })
    const copied = (await stat(place)).isDirectory() ? `${place}/.` : place
    await execute('cp', ['--archive', '--link', copied, into])
  }
}

/** Resolves packages against Debian's lists, and installs nothing. */
const aptSettings = `APT::Get::Simulate "true";
APT::Sandbox::User "root";
Debug::NoLocking "true";
Dir::Cache "/tmp/apt";
`

async function runStep(image: Image, { command, user, folder }: Running): Promise<void> {
  await writeFile(path.join(image.folder, 'tmp/apt.conf'), aptSettings)
  for (const place of ['tmp/apt', 'var/lib/apt', folder])
    await mkdir(path.join(image.folder, place), { recursive: true })
  await execute('cp', ['--recursive', '/var/lib/apt/lists', path.join(image.folder, 'var/lib/apt')])
  const options = [
    ...['--bind', image.folder, '/', ...mountsOf(image.folder)],
    ...['--ro-bind', '/var/lib/dpkg', '/var/lib/dpkg'],
    ...['--bind-try', path.join(homedir(), '.npm'), '/tmp/.npm', '--chdir', folder],
  ]
  const [program = '', ...words] = confined(user, options, ['sh', '-ec', command])
  const environment = { ...image.stage.environment, HOME: '/tmp', APT_CONFIG: '/tmp/apt.conf' }
  await execute(program, words, {
    env: { ...passedOn(), ...environment, PATH: programFolders },
    maxBuffer: outputBytesMax,
  })
}

const programFolders = `${ownNode}:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin`

const mountsOf = (root: string) => [
  ...['--ro-bind', '/usr', '/usr', '--ro-bind', '/etc', '/etc'],
  ...['--ro-bind', path.join(root, usersFile), '/etc/passwd'],
  ...['--proc', '/proc', '--dev', '/dev'],
]

/** How this machine reaches package servers, and whom it trusts. */
const passedOn = () =>
  Object.fromEntries(
    Object.entries(process.env).filter(([name]) =>
      /^(https?_proxy|no_proxy|npm_config_|node_extra_ca_certs|ssl_cert_)/i.test(name),
    ),
  )

/** A root of the image is root of this machine. Every other user has no capabilities and gets none. */
function confined(user: string, options: readonly string[], command: readonly string[]): string[] {
  const [userId = '', groupId = ''] = user.split(':')
  const isRoot = userId === '0'
  const box = [
    ...['bwrap', '--die-with-parent', '--unshare-pid', '--as-pid-1'],
    ...(isRoot ? ['--cap-add', 'ALL'] : []),
    ...[...options, '--', ...command],
  ]
  if (isRoot) return box
  const unprivileged = ['--no-new-privs', '--inh-caps=-all', '--bounding-set=-all']
  return [
    'setpriv',
    '--reuid',
    userId,
    '--regid',
    groupId,
    '--clear-groups',
    ...unprivileged,
    ...box,
  ]
}

export interface Container {
  /** Runs a program beside the gateway. Resolves to its exit code. */
  run(...command: string[]): Promise<number>
  /** Sends SIGTERM to the first process. Resolves to its exit code, or 1 if it was killed. */
  stop(): Promise<number>
}

interface Volumes {
  /** The folders of this machine that are `/data` and `/tmp`. */
  readonly data: string
  readonly temporary: string
}

/** Starts the image as compose.yaml does: nothing but the volumes can be written. */
export function startContainer(
  { stage, folder }: Image,
  { data, temporary }: Volumes,
  settings: Readonly<Record<string, string>>,
): Container {
  const options = [
    ...['--ro-bind', folder, '/', ...mountsOf(folder)],
    ...['--bind', data, '/data', '--bind', temporary, '/tmp', '--chdir', stage.workingFolder],
  ]
  const env = { ...stage.environment, ...settings, PATH: programFolders }
  const start = (command: readonly string[]) => {
    const [program = '', ...words] = confined(stage.user, options, command)
    return spawn(program, words, { env, stdio: ['ignore', 'ignore', 'inherit'] })
  }
  const first = start(stage.entrypoint)
  const ended = endOf(first)
  return {
    run: (...command) => endOf(start(command)),
    async stop() {
      // bubblewrap passes no signals on.
      const children = await readFile(`/proc/${first.pid}/task/${first.pid}/children`, 'utf8')
      const [child] = children.trim().split(' ').filter(Boolean)
      if (child !== undefined) process.kill(Number(child), 'SIGTERM')
      return await ended
    },
  }
}

async function endOf(child: ChildProcess): Promise<number> {
  const [code] = await once(child, 'exit')
  return code ?? 1
}
