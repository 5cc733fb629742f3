// opencode, unmodified, through the chat and the messages surface. Its program is too large to be installed with the
// other oracles: a test runs it where OPENCODE_PATH names it, or `opencode` is on the PATH.
import { execFile } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, onTestFinished, test } from 'vitest'
import { expectSettled, shareLlmGateway } from '#test/llm-gateway.ts'
import { type Behaviour, sentence } from '#test/model-upstream.ts'

const opencode = findOpencode()
const timeoutMs = 400_000
const shared = shareLlmGateway()

const surfaces = { messages: '@ai-sdk/anthropic', chat: '@ai-sdk/openai-compatible' } as const

const calls =
  (id: string, name: string, input: object): Behaviour =>
  (it) =>
    it.answer({ toolCalls: [{ id, name, arguments: [JSON.stringify(input)] }] })

describe.skipIf(opencode === undefined)(
  opencode === undefined
    ? 'opencode (install opencode-ai and set OPENCODE_PATH to run it)'
    : 'opencode',
  () => {
    test.each([
      ['messages', 'lab/one'],
      ['messages', 'claude/one'],
      ['chat', 'lab/one'],
    ] as const)(
      'reads a file, writes one and ends, through %s with %s',
      { timeout: timeoutMs },
      async (surface, model) => {
        const gateway = shared()
        const account = await gateway.account(1_000)
        const folder = await newFolder()
        await writeFile(path.join(folder, 'notes.txt'), 'The answer is 42.\n')
        gateway.upstream.behave(
          'one',
          calls('call_1', 'read', { filePath: path.join(folder, 'notes.txt') }),
          calls('call_2', 'write', {
            filePath: path.join(folder, 'answer.txt'),
            content: 'It is 42.',
          }),
          (it) => it.answer({ reasoning: 'I have written it.' }),
        )
        const said = await runOpencode({ surface, model, key: account.key, folder })
        expect(said).toContain(sentence.at(-1))
        expect(await readFile(path.join(folder, 'answer.txt'), 'utf8')).toBe('It is 42.')
        const [, second] = gateway.upstream.asked
        expect(JSON.stringify(second?.body)).toContain('The answer is 42.')
        expect(gateway.upstream.asked).toHaveLength(3)
        await expectSettled(gateway, account, 900)
      },
    )
  },
)

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'tollway-opencode-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

async function runOpencode({
  surface,
  model,
  key,
  folder,
}: {
  surface: keyof typeof surfaces
  model: string
  key: string
  folder: string
}): Promise<string> {
  const home = await newFolder()
  const settings = {
    autoupdate: false,
    share: 'disabled',
    provider: {
      tollway: {
        npm: surfaces[surface],
        options: { baseURL: `${shared().url}/api/llm/v1`, apiKey: key },
        models: { [model]: { limit: { context: 100_000, output: 8_000 }, tool_call: true } },
      },
    },
  }
  await writeFile(path.join(folder, 'opencode.json'), JSON.stringify(settings))
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: home,
    // It would ask for a list of models and for a newer version of itself.
    OPENCODE_DISABLE_MODELS_FETCH: '1',
    OPENCODE_DISABLE_AUTOUPDATE: '1',
    OPENCODE_DISABLE_DEFAULT_PLUGINS: '1',
  }
  // With a title of its own it asks for none.
  const args = ['run', '--auto', '--title', 'Notes', '-m', `tollway/${model}`]
  const running = promisify(execFile)(opencode ?? '', [...args, 'Read notes.txt and answer.'], {
    env,
    cwd: folder,
    timeout: timeoutMs,
  })
  running.child.stdin?.end()
  const { stdout } = await running
  return stdout
}

function findOpencode(): string | undefined {
  const named = process.env.OPENCODE_PATH
  const folders = (process.env.PATH ?? '').split(path.delimiter)
  const tried =
    named === undefined ? folders.map((folder) => path.join(folder, 'opencode')) : [named]
  return tried.find((file) => {
    try {
      accessSync(file, constants.X_OK)
      return true
    } catch {
      return false
    }
  })
}
