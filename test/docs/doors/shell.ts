// Runs the commands of a page as its reader pastes them: all of them in one bash, one after the other.
import { execFile } from 'node:child_process'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import type { Command } from './blocks.ts'

export interface ShellOptions {
  /** In which the commands run. It is the home folder too. */
  readonly folder: string
  /** With programs that are found before all others. */
  readonly programs: string
  readonly variables: Readonly<Record<string, string>>
  /** Variables that the reader takes from the field of an answer, or from a whole answer that is an id (''). */
  readonly takes: Readonly<Record<string, string>>
}

export interface Typed extends Command {
  /** What its reader types when it asks. */
  readonly typed: string
  /** The exit code that it should have. */
  readonly code: number
}

export interface Ran extends Typed {
  /** Its exit code. */
  readonly ended: number
  readonly stdout: string
  readonly stderr: string
}

/** A page whose commands take longer waits for something. */
const pageMsMax = 60_000

/** What a reader may expect of curl and Git, whose settings are elsewhere on this machine. */
const curlSettings = 'silent\nshow-error\nfail-with-body\n'
const author = { NAME: 'Reader', EMAIL: 'reader@example.org' }
const gitSettings = Object.entries(author).flatMap(([name, value]) =>
  ['AUTHOR', 'COMMITTER'].map((role) => [`GIT_${role}_${name}`, value]),
)

export async function runShell(
  commands: readonly Typed[],
  { folder, programs, variables, takes }: ShellOptions,
): Promise<Ran[]> {
  const notes = path.join(folder, '.ran')
  await mkdir(notes, { recursive: true })
  await writeFile(path.join(folder, '.curlrc'), curlSettings)
  const taken = Object.entries(takes).map(([name, field]) =>
    field === ''
      ? `  [[ $answer =~ ^[0-9a-f-]{36}$ ]] && export ${name}=$answer`
      : `  [[ $answer =~ \\"${field}\\":\\"([^\\"]+)\\" ]] && export ${name}="\${BASH_REMATCH[1]}"`,
  )
  const steps = commands.map(async (command, index) => {
    const file = path.join(notes, String(index))
    await writeFile(`${file}.in`, command.typed)
    return `{ ${command.text}\n} <${file}.in >${file}.out 2>${file}.err\necho $? >${file}.code\ntake ${file}.out`
  })
  const program = [
    'take() {\n  local answer; answer=$(tr -d "\\0" <"$1")',
    ...taken,
    '  true\n}',
    ...(await Promise.all(steps)),
  ].join('\n')
  const file = path.join(notes, 'page.sh')
  await writeFile(file, program)
  const running = promisify(execFile)('bash', [file], {
    cwd: folder,
    timeout: pageMsMax,
    env: {
      PATH: `${programs}:${process.env.PATH}`,
      LANG: 'C.UTF-8',
      HOME: folder,
      CURL_HOME: folder,
      GIT_CONFIG_NOSYSTEM: '1',
      ...Object.fromEntries(gitSettings),
      ...variables,
    },
  })
  // A command that has not ended has no exit code, and neither have those after it.
  await running.catch(() => undefined)
  const read = (index: number, what: string) =>
    readFile(path.join(notes, `${index}.${what}`), 'utf8').catch(() => '')
  return await Promise.all(
    commands.map(async (command, index) => ({
      ...command,
      ended: Number((await read(index, 'code')) || Number.NaN),
      stdout: await read(index, 'out'),
      stderr: await read(index, 'err'),
    })),
  )
}
