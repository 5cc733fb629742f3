// The completion of shells: the scripts are run by the shells themselves.
import { execFile } from 'node:child_process'
import { env as environment } from 'node:process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { findProgram } from '#platform/sandbox/sandbox.ts'
import { emptyFolder, runCommand } from './run-command.ts'

const execute = promisify(execFile)

/** What bash offers for the last word, with a command that lists two actions. */
async function completeInBash(...words: string[]): Promise<string[]> {
  const { stdout: script } = await runCommand(['completion', 'bash'])
  const ask = `
tollway() { printf 'ns_scholar/works\\ntollway/onescrape\\n'; }
${script}
COMP_WORDS=(tollway "$@"); COMP_CWORD=$#
_tollway
printf '%s\\n' "\${COMPREPLY[@]}"`
  const { stdout } = await execute('bash', ['-c', ask, 'bash', ...words])
  return stdout.split('\n').filter(Boolean)
}

/**
 * What zsh offers. Its `compadd` draws on a terminal, so another one prints the candidates that begin with the word.
 */
async function completeInZsh(...words: string[]): Promise<string[]> {
  const { stdout: script } = await runCommand(['completion', 'zsh'])
  const ask = `
autoload -Uz compinit && compinit -D
tollway() { printf 'ns_scholar/works\ntollway/onescrape\n' }
${script}
compadd() { print -rl -- \${(M)@[(($@[(i)-]+1)),-1]:#$words[-1]*} }
words=(tollway "$@"); CURRENT=$#words
eval $_comps[tollway] || true`
  const { stdout } = await execute('zsh', ['-f', '-c', ask, 'zsh', ...words])
  return stdout.split('\n').filter(Boolean)
}

/** What fish offers, without its descriptions. */
async function completeInFish(...words: string[]): Promise<string[]> {
  const { stdout: script } = await runCommand(['completion', 'fish'])
  const ask = `
function tollway; printf 'ns_scholar/works\ntollway/onescrape\n'; end
${script}
complete -C '${['tollway', ...words].join(' ')}'`
  const { stdout } = await execute('fish', ['--no-config', '-c', ask], {
    env: { ...environment, HOME: await emptyFolder() },
  })
  return stdout
    .split('\n')
    .map((line) => line.split('\t')[0] ?? '')
    .filter(Boolean)
}

test.for([
  ['bash', completeInBash],
  ['zsh', completeInZsh],
  ['fish', completeInFish],
] as const)(
  '%s completes verbs, second words, options and the names of actions',
  async ([shell, complete], { skip }) => {
    if ((await findProgram(shell)) === undefined) skip(`${shell} is not installed.`)
    expect(await complete('tran')).toEqual(['transactions'])
    expect((await complete('keys', '')).toSorted()).toEqual(['create', 'revoke'])
    expect(await complete('files', 'download', '--js')).toEqual(['--json'])
    expect(await complete('run', '--max')).toEqual(['--max-cost'])
    expect(await complete('run', 'ns')).toEqual(['ns_scholar/works'])
    expect(await complete('completion', 'f')).toEqual(['fish'])
  },
)

test('an unknown shell is refused with the known ones', async () => {
  const { code, stderr } = await runCommand(['completion', 'csh'])
  expect(code).toBe(2)
  expect(stderr).toContain('bash, zsh, fish')
})
