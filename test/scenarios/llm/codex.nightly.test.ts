// Codex, unmodified, against the Responses surface. Its program is too large to be installed with the other oracles: a
// test runs it where CODEX_PATH names it, or `codex` is on the PATH.
import { execFile } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, onTestFinished, test } from 'vitest'
import { expectSettled, shareLlmGateway } from '#test/llm-gateway.ts'
import { type Behaviour, breaksAfter, cuts, type Json, sentence } from '#test/model-upstream.ts'

const codex = findCodex()
const timeoutMs = 120_000
const shared = shareLlmGateway()

/** The tool by which Codex runs commands. */
const runs =
  (id: string, command: string): Behaviour =>
  (it) => {
    const tool = toolsOf(it.body).find((name) => name === 'exec_command' || name === 'shell')
    const input =
      tool === 'shell' ? { command: ['bash', '-lc', command] } : { cmd: command, login: false }
    it.answer({ toolCalls: [{ id, name: tool ?? '', arguments: [JSON.stringify(input)] }] })
  }
const toolsOf = ({ tools }: Json): string[] =>
  tools.map((tool: Json) => tool.function?.name ?? tool.name)

describe.skipIf(codex === undefined)(
  codex === undefined ? 'codex (install @openai/codex and set CODEX_PATH to run it)' : 'codex',
  () => {
    test.each(['lab/one', 'claude/one'])(
      'reads a file, writes one and ends, with %s',
      { timeout: timeoutMs },
      async (model) => {
        const gateway = shared()
        const account = await gateway.account(500)
        const folder = await workFolder()
        await writeFile(path.join(folder, 'notes.txt'), 'The answer is 42.\n')
        gateway.upstream.behave(
          'one',
          runs('call_1', 'cat notes.txt'),
          runs('call_2', 'printf "It is 42." > answer.txt'),
          (it) => it.answer(),
        )
        const said = await runCodex(model, account.key, folder)
        expect(said).toContain(sentence.join(''))
        expect(await readFile(path.join(folder, 'answer.txt'), 'utf8')).toBe('It is 42.')
        const [, second] = gateway.upstream.asked
        expect(JSON.stringify(second?.body.messages)).toContain('The answer is 42.')
        expect(gateway.upstream.asked).toHaveLength(3)
        await expectSettled(gateway, account, 900)
      },
    )

    test('repeats a turn whose stream broke off, and pays for what it received', {
      timeout: timeoutMs,
    }, async () => {
      const gateway = shared()
      const account = await gateway.account(500)
      const folder = await workFolder()
      gateway.upstream.behave('one', breaksAfter(4, cuts), (it) => it.answer())
      expect(await runCodex('lab/one', account.key, folder)).toContain(sentence.join(''))
      expect(gateway.upstream.asked).toHaveLength(2)
      await expectSettled(gateway, account, 300)
    })
  },
)

async function workFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'tollway-codex-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

async function runCodex(model: string, key: string, folder: string): Promise<string> {
  const home = await workFolder()
  const settings = `
model = "${model}"
model_provider = "tollway"
[model_providers.tollway]
name = "Tollway"
base_url = "${shared().url}/api/llm/v1"
env_key = "TOLLWAY_KEY"
wire_api = "responses"
stream_max_retries = 2
`
  await writeFile(path.join(home, 'config.toml'), settings)
  const args = ['exec', '--skip-git-repo-check', '--sandbox', 'danger-full-access', '-C', folder]
  const env = { PATH: process.env.PATH ?? '', HOME: home, CODEX_HOME: home, TOLLWAY_KEY: key }
  const running = promisify(execFile)(codex ?? '', [...args, 'Read notes.txt and answer.'], {
    env,
    timeout: timeoutMs,
  })
  running.child.stdin?.end()
  const { stdout } = await running
  return stdout
}

function findCodex(): string | undefined {
  const named = process.env.CODEX_PATH
  const folders = (process.env.PATH ?? '').split(path.delimiter)
  const tried = named === undefined ? folders.map((folder) => path.join(folder, 'codex')) : [named]
  return tried.find((file) => {
    try {
      accessSync(file, constants.X_OK)
      return true
    } catch {
      return false
    }
  })
}
