// The packed client installs and works in an empty folder, also for TypeScript.
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { startGateway } from '#test/harness.ts'
import clientJson from '../../clients/typescript/package.json' with { type: 'json' }

const run = promisify(execFile)
const root = path.join(import.meta.dirname, '../..')

const program = `import { createTollway, TollwayError } from '@tollway/client'
const [baseUrl = '', key = ''] = process.argv.slice(2)
const tollway = createTollway({ baseUrl, key })
const { price } = await tollway.quote('files/upload', { filename: 'a.txt', size_bytes: 1 })
const file = await tollway.files.upload(new Blob(['a']), { filename: 'a.txt' })
// @ts-expect-error There is no such parameter.
const refused = await tollway.run('files/list', { labels: ['x'] }).catch((error) => error)
console.log(price.cents, file.status, refused instanceof TollwayError && refused.code)
`

test('the packed client installs, compiles and works in an empty folder', async () => {
  const gateway = await startGateway()
  const { key } = await gateway.account(10)
  const folder = await mkdtemp(path.join(tmpdir(), 'tollway-packed-client-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const inFolder = { cwd: folder }

  await run('npm', ['run', 'build:client'], { cwd: root })
  const packing = ['pack', './clients/typescript/dist', '--pack-destination', folder]
  await run('npm', packing, { cwd: root })
  const tarball = `./tollway-client-${clientJson.version}.tgz`
  await writeFile(path.join(folder, 'package.json'), '{"type":"module"}')
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', tarball], inFolder)

  await writeFile(path.join(folder, 'program.ts'), program)
  const tsc = path.join(root, 'node_modules/typescript/bin/tsc')
  const options = ['--strict', '--module', 'nodenext', '--target', 'es2024', '--types', 'node']
  const types = ['--typeRoots', path.join(root, 'node_modules/@types')]
  await run(process.execPath, [tsc, ...options, ...types, 'program.ts'], inFolder)
  const answer = await run(process.execPath, ['program.js', gateway.url, key], inFolder)
  expect(answer.stdout.trim()).toBe('1 stored bad_request')
})
