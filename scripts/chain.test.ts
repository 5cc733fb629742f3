import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { chmod, cp, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { makeDataDirectory } from '#test/data-directory.ts'
import { openOwnActions, ownNamespace } from '#test/own-actions.ts'

const execute = promisify(execFile)
const repository = path.join(import.meta.dirname, '..')

test('`npm run chain` prints a call that its action accepts, and that needs no network', async () => {
  const text = readFileSync(path.join(import.meta.dirname, 'chain.ts'), 'utf8')
  const [, service, name, body = ''] = /api\/run\/(\w+)\/(\w+) -J '([^']+)'/.exec(text) ?? []
  expect(service).toBe(ownNamespace)
  const { actions, close } = openOwnActions()
  const action = actions.find((candidate) => candidate.name === name)
  const input = JSON.parse(body)
  expect(action?.input.safeParse(input)).toMatchObject({ success: true })
  const [, gateway = ''] = /mppx (\S+)\/api\/run/.exec(text) ?? []
  expect(input.urls).toEqual([`${gateway}/docs/use`])
  await close()
})

/** A clone after `npm ci`, with an `npm` that installs nothing. */
async function openClone(npm: string) {
  const clone = await makeDataDirectory()
  onTestFinished(() => rm(clone, { recursive: true, force: true }))
  for (const name of ['bin', 'scripts', 'test/support', 'package.json', 'oracles/package.json'])
    await cp(path.join(repository, name), path.join(clone, name), { recursive: true })
  await symlink(path.join(repository, 'node_modules'), path.join(clone, 'node_modules'))
  await mkdir(path.join(clone, 'programs'))
  const program = path.join(clone, 'programs', 'npm')
  await writeFile(program, `#!/bin/sh\n${npm}\n`)
  await chmod(program, 0o700)
  return {
    clone,
    run: () =>
      execute(process.execPath, ['scripts/start.js', 'scripts/chain.ts'], {
        cwd: clone,
        env: { ...process.env, PATH: `${path.dirname(program)}:${process.env.PATH}` },
      }).then(
        () => '',
        ({ stderr }: { stderr: string }) => stderr,
      ),
  }
}

test('`npm run chain` first installs the packages that it needs, and says so', async () => {
  const { clone, run } = await openClone('echo "$PWD $*" > called')
  const said = await run()
  expect(said).toMatch(/installs the packages in oracles\/ once.*minutes/)
  expect(await readFile(path.join(clone, 'oracles', 'called'), 'utf8')).toBe(
    `${path.join(clone, 'oracles')} ci\n`,
  )
  // The npm here installed nothing.
  expect(said).toContain('is not installed. Run `npm ci` in oracles/.')
})

test('`npm run chain` names the command when it cannot install them', async () => {
  const { run } = await openClone('exit 1')
  expect(await run()).toContain('could not be installed. Run `npm ci` in oracles/')
})
