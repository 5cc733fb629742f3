import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createNodePackages, npmVariablesOf } from './node-packages.ts'

async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'tollway-packages-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** An npm that notes its environment beside the package that it installs. */
const notingNpm = `#!/bin/sh
/usr/bin/env > environment
/bin/mkdir -p node_modules/notes
echo '{"dependencies":{"notes":"1.2.3"}}' > package.json
echo '{"version":"1.2.3","bin":"notes.js"}' > node_modules/notes/package.json
`

test('npm gets its own settings, and no credential of the gateway', async () => {
  const programs = await makeFolder()
  await writeFile(path.join(programs, 'npm'), notingNpm, { mode: 0o755 })
  const own = {
    PATH: programs,
    HOME: '/home/ada',
    NPM_TOKEN: 'of-the-registry',
    npm_config_registry: 'http://127.0.0.1:1/',
    https_proxy: 'http://127.0.0.1:2/',
  }
  const credentials = {
    ADMIN_TOKEN: 'operator',
    DATABASE_URL: 'postgresql://ada:sesame@127.0.0.1/books',
    EXA_API_KEY: 'exa-key',
    X402_GAS_KEY: '0x01',
    NODE_OPTIONS: '--require /tmp/other.js',
  }
  const packages = createNodePackages({
    parent: await makeFolder(),
    environment: npmVariablesOf({ ...own, ...credentials }),
  })
  onTestFinished(() => packages.close())
  const { id, folder } = await packages.install('notes')
  expect(id).toBe('notes@1.2.3')
  const names = (await readFile(path.join(folder, 'environment'), 'utf8'))
    .split('\n')
    .map((line) => line.replace(/=.*/, ''))
  expect(names).toEqual(expect.arrayContaining(Object.keys(own)))
  expect(names.filter((name) => name in credentials)).toEqual([])
})

test('without npm, the error tells what to install', async () => {
  const packages = createNodePackages({
    parent: await makeFolder(),
    environment: { PATH: await makeFolder() },
  })
  onTestFinished(() => packages.close())
  await expect(packages.install('notes')).rejects.toThrow(/^npm was not found\. /)
})
