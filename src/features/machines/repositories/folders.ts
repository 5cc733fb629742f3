// The folders of repositories, and the programs that work on them. Git reads what strangers send, so it runs in a box
// that sees its one repository and nothing else of this machine.
import { access, chmod, mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { isUuid } from '#core/id.ts'
import { findProgram, type Sandbox } from '#platform/sandbox/sandbox.ts'
import { gitLimits, looseReferencesMax, packsMax, pushTurnSeconds } from './limits.ts'

export interface Folders {
  /** A sentence that says what this machine lacks; undefined if nothing. */
  missing(): Promise<string | undefined>
  /** Makes an empty repository. */
  create(id: string): Promise<void>
  /**
   * Removes what a killed push has left, and measures the repository in bytes. Undefined while a push runs elsewhere.
   */
  tidy(id: string): Promise<number | undefined>
  remove(id: string): Promise<void>
  /** Before its row is deleted, so that a later start may remove it too. */
  markForRemoval(id: string): Promise<void>
  /** Whether a folder without a row may be removed: it was marked, or nothing was ever pushed to it. */
  isSpare(id: string): Promise<boolean>
  /** Whether this machine has it. */
  has(id: string): Promise<boolean>
  ids(): Promise<readonly string[]>
  place(id: string): string
}

/** Held by the one process that changes a repository. The kernel releases it when that process dies. */
const turnFile = 'push-turn'
const removalMark = 'removed'
/** The exit code of a program that did not get its turn. */
export const turnTakenCode = 75

/** A shell script that runs alone on its repository, after removing what a killed push has left. */
export const inTurn = (script: string, waitSeconds = pushTurnSeconds): readonly string[] => [
  ...['--timeout', String(waitSeconds), '--conflict-exit-code', String(turnTakenCode)],
  ...[turnFile, '/bin/sh', '-c', `${removeRemains}\n${script}`],
]

const removeRemains = `rm -rf objects/tmp_objdir-* objects/pack/tmp_* objects/pack/.tmp-*
find refs objects/info -name '*.lock' -delete
rm -f HEAD.lock packed-refs.lock config.lock shallow.lock gc.pid`

/** A clone checks out the branch of HEAD, so HEAD follows the first push when that named another branch. */
const measure = `if ! git rev-parse --quiet --verify HEAD >/dev/null; then
  branch=$(git for-each-ref --count=1 --format='%(refname)' refs/heads)
  if [ -n "$branch" ]; then git symbolic-ref HEAD "$branch"; fi
fi
if [ "$(find refs -type f | wc -l)" -gt ${looseReferencesMax} ]; then git pack-refs --all; fi
if [ "$(find objects/pack -name '*.pack' | wc -l)" -gt ${packsMax} ]; then git gc --quiet --prune=now; fi
du --summarize --block-size=1 . | cut -f1`

/** Settings of Git for every command: no hooks, no settings of this machine, no maintenance in the background. */
const settings = {
  'core.hooksPath': '/dev/null',
  'core.packedGitWindowSize': '32m',
  'core.packedGitLimit': '256m',
  'core.deltaBaseCacheLimit': '64m',
  'core.bigFileThreshold': '16m',
  'gc.auto': '0',
  'pack.threads': '1',
  'pack.windowMemory': '128m',
  'init.defaultBranch': 'main',
} as const

/** The environment of Git, with more settings. */
export function gitEnvironment(
  more: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const pairs = Object.entries({ ...settings, ...more })
  return {
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_COUNT: String(pairs.length),
    ...Object.fromEntries(
      pairs.flatMap(([name, value], at) => [
        [`GIT_CONFIG_KEY_${at}`, name],
        [`GIT_CONFIG_VALUE_${at}`, value],
      ]),
    ),
    // References that replace objects would break the repository for every later request.
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_TERMINAL_PROMPT: '0',
    MALLOC_ARENA_MAX: '1',
  }
}

interface Dependencies {
  readonly sandbox: Sandbox
  readonly root: string
  /** The most that one file may have. */
  readonly fileBytes: number
}

export function createFolders(dependencies: Dependencies): Folders {
  const { sandbox, root } = dependencies
  const run = createRunner(dependencies)

  function place(id: string): string {
    if (!isUuid(id)) throw new Error('The id of a repository is a UUID.')
    return path.join(root, id)
  }

  async function probe(): Promise<string | undefined> {
    await mkdir(root, { recursive: true })
    await chmod(root, 0o711)
    const folder = path.join(root, `probe-${process.pid}`)
    await rm(folder, { recursive: true, force: true })
    await sandbox.makeFolder(folder)
    const { exitCode, errors } = await run(folder, '/usr/bin/true', []).finally(() =>
      rm(folder, { recursive: true, force: true }),
    )
    if (exitCode === 0) return undefined
    return `Git cannot work in ${root} (${errors.trim()}). Let other users pass through the folders above it, as with chmod o+x.`
  }

  return {
    place,
    async missing() {
      if ((await findProgram('git')) === undefined)
        return 'This machine keeps no repositories because Git is missing: install the package git.'
      return (await sandbox.missing()) ?? (await probe())
    },
    async create(id) {
      const folder = place(id)
      await sandbox.makeFolder(folder)
      const { exitCode, errors } = await run(folder, '/usr/bin/git', [
        ...['init', '--quiet', '--bare', '--template=', '.'],
      ])
      if (exitCode === 0) return
      await rm(folder, { recursive: true, force: true })
      throw new Error(`git init failed: ${errors}`)
    },
    async tidy(id) {
      const { exitCode, output, errors } = await run(
        place(id),
        '/usr/bin/flock',
        inTurn(measure, 0),
      )
      if (exitCode === turnTakenCode) return undefined
      const bytes = Number(output.trim())
      if (exitCode !== 0 || output.trim() === '' || !Number.isSafeInteger(bytes))
        throw new Error(`Repository ${id} could not be measured: ${errors}`)
      return bytes
    },
    async remove(id) {
      await rm(place(id), { recursive: true, force: true })
    },
    async markForRemoval(id) {
      await writeFile(path.join(place(id), removalMark), '')
    },
    async isSpare(id) {
      const names = await readdir(place(id))
      const packs = await readdir(path.join(place(id), 'objects/pack')).catch(() => [])
      return names.includes(removalMark) || packs.length === 0
    },
    has: (id) =>
      access(place(id)).then(
        () => true,
        () => false,
      ),
    async ids() {
      return (await readdir(root)).filter(isUuid)
    },
  }
}

/** Runs a program on a repository to its end, and resolves to its output. */
function createRunner({ sandbox, fileBytes }: Dependencies) {
  return async (folder: string, program: string, args: readonly string[]) => {
    const running = await sandbox.start({
      program,
      args,
      folder,
      mayWrite: true,
      environment: gitEnvironment(),
      limits: { ...gitLimits, fileBytes },
      signal: new AbortController().signal,
    })
    running.input.on('error', () => {}).end()
    const output = Buffer.concat(await running.output.toArray()).toString()
    return { ...(await running.ended), output }
  }
}
