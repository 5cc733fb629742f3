// A damaged file of keys stops only those verbs that need it, and says what to do.
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { shareGatewayOfWorker } from '#test/harness.ts'
import { emptyFolder, runCommand } from './run-command.ts'

const gateway = shareGatewayOfWorker()

async function folderWith(text: string) {
  const folder = await emptyFolder()
  const file = path.join(folder, '.config', 'tollway', 'credentials.json')
  await mkdir(path.dirname(file), { recursive: true })
  await writeFile(file, text)
  return { folder, file }
}

test.for([
  '{"keys":',
  '',
  '[]',
  'null',
  '{"keys":[]}',
  '{"keys":{"http://a":5}}',
  '{"gateways":7}',
])('a file with %j is named, and what to do next', async (text) => {
  const { folder, file } = await folderWith(text)
  for (const words of [['balance'], ['logout'], ['balance', '--gateway', gateway().url]]) {
    const { code, stderr, stdout } = await runCommand(words, { folder })
    expect(code).toBe(2)
    expect(stdout).toBe('')
    expect(stderr).toMatch(/^[^\n]+ is damaged\. [^\n]*`tollway login`[^\n]*\n$/)
    expect(stderr).toContain(file)
    expect(stderr).toMatch(/TOLLWAY_URL and TOLLWAY_KEY/)
  }
})

test('with the gateway and its key in the environment it is not read', async () => {
  const { folder } = await folderWith('{"keys":')
  const { key } = await gateway().account(100)
  const environment = { TOLLWAY_URL: gateway().url, TOLLWAY_KEY: key }
  const run = (...words: string[]) => runCommand(words, { folder, environment })
  expect((await run('balance', '--pick', 'available_cents')).stdout).toBe('100\n')
  expect((await run('balance', '--gateway', `${gateway().url}/`)).code).toBe(0)
  expect((await run('balance', '--gateway', 'work')).stderr).toMatch(/is damaged/)
})

test('verbs that ask no gateway do not need it', async () => {
  const { folder } = await folderWith('{"keys":')
  expect(await runCommand(['completion', 'bash'], { folder })).toMatchObject({ code: 0 })
  expect(await runCommand(['balance', '--help'], { folder })).toMatchObject({ code: 0 })
})
