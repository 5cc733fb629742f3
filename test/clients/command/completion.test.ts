// The completion of shells: the scripts are run by the shells themselves.
import { execFile } from 'node:child_process'
import { access, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { emptyFolder, runCommand } from './run-command.ts'

const execute = promisify(execFile)

/** What bash offers for the last word, with a command that lists two actions. */
async function complete(...words: string[]): Promise<string[]> {
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

test('bash completes verbs, second words, options and the names of actions', async () => {
  expect(await complete('tran')).toEqual(['transactions'])
  expect(await complete('keys', '')).toEqual(['create', 'revoke'])
  expect(await complete('files', 'download', '--j')).toEqual(['--json'])
  expect(await complete('run', '--max')).toEqual(['--max-cost'])
  expect(await complete('run', 'ns')).toEqual(['ns_scholar/works'])
  expect(await complete('completion', 'f')).toEqual(['fish'])
})

test('zsh and fish take their scripts', async ({ skip }) => {
  const folder = await emptyFolder()
  let tried = 0
  for (const [shell, ...words] of [
    ['zsh', '-f', '-n'],
    ['fish', '--no-execute'],
  ] as const) {
    const { stdout, code } = await runCommand(['completion', shell])
    expect(code).toBe(0)
    const file = path.join(folder, shell)
    await writeFile(file, stdout)
    const isThere = await access(`/usr/bin/${shell}`).then(
      () => true,
      () => false,
    )
    if (!isThere) continue
    await execute(shell, [...words, file])
    tried++
  }
  if (tried === 0) skip('Neither zsh nor fish is installed.')
})

test('an unknown shell is refused with the known ones', async () => {
  const { code, stderr } = await runCommand(['completion', 'csh'])
  expect(code).toBe(2)
  expect(stderr).toContain('bash, zsh, fish')
})
