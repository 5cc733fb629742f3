// The command that the first start prints, run by a shell.
import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { introduce } from '#start/introduce.ts'
import { startGateway } from '#test/harness.ts'
import { readConfig } from '../../../src/config.ts'

const execute = promisify(execFile)

test('the printed command sends the starter key, wherever the data folder is', async () => {
  const home = await mkdtemp(path.join(tmpdir(), 'tollway data '))
  onTestFinished(() => rm(home, { recursive: true, force: true }))
  const gateway = await startGateway()
  const printed = await introduce(gateway.app, {
    config: readConfig({ DATA_DIR: home }),
    baseUrl: gateway.url,
    isTerminal: false,
  })
  const line = printed.split('\n').find((each) => each.includes('npm run tollway')) ?? 'false'
  expect(line).toContain(' run tollway/onescrape ')
  const { stdout } = await execute(
    'bash',
    ['-c', line.replace(/ run tollway\/onescrape.*/, ' balance')],
    {
      env: { PATH: process.env.PATH, HOME: home },
    },
  )
  expect(stdout).toContain('1000¢')
})
