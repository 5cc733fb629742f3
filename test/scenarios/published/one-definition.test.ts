// An action that is defined once is found, typed and priced behind every door, and the calls that its page shows work.
import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { defineAction, z } from '#core/action.ts'
import { defineProvider } from '#core/provider.ts'
import { shareGateway } from '#test/harness.ts'
import { connectMcp } from '#test/mcp/client.ts'
import { runCommand } from '../../clients/command/run-command.ts'

const root = path.join(import.meta.dirname, '../../..')
const id = 'harbours/high-water'

const highWater = defineAction('high-water', {
  summary: 'Tell when the water is highest in a harbour.',
  notes: 'Times are those of the harbour. For the weather use ns_primary/fetch.',
  synonyms: ['tides', 'high tide', 'tide table', 'low water'],
  questions: ['when is high tide in Kiel?', 'when may I sail?'],
  input: z.strictObject({ harbour: z.string().describe('Name of the harbour.') }),
  output: z.looseObject({ harbour: z.string(), high_water: z.string() }),
  price: { cents: 3 },
  example: { input: { harbour: "L'Île" }, cents: 3 },
  run: async ({ input }) => ({ harbour: input.harbour, high_water: '06:12' }),
})
const harbours = defineProvider({ id: 'harbours', title: 'Harbours', actions: [highWater] })
const answer = { harbour: "L'Île", high_water: '06:12' }

const gateway = shareGateway({ providers: [harbours] })
const read = async (at: string) => (await gateway().request('GET', at)).body

describe('an action of a private provider', () => {
  test('is listed, described and priced over HTTP, in OpenAPI and in llms.txt', async () => {
    const description = await read(`/api/run/${id}`)
    expect(description.input_schema.properties.harbour).toMatchObject({ type: 'string' })
    expect(description.price).toMatchObject({ mode: 'fixed', amount: '0.030000' })
    const { paths } = await read('/openapi.json')
    const operation = paths[`/api/run/${id}`].post
    const { schema } = operation.requestBody.content['application/json']
    expect(schema.properties.harbour.description).toBe('Name of the harbour.')
    const line = `- [${id}](${gateway().url}/docs/actions/${id}.md): ${highWater.summary} 3¢.`
    expect((await read('/llms.txt')).replaceAll(' per call', '')).toContain(line)
    expect(await read('/docs/actions')).toContain(`href="/docs/actions/${id}"`)
  })

  test('is found by discover, described by MCP and shown by the command', async () => {
    const found = await gateway().call('tollway/discover', { query: 'when is high tide?' })
    expect(JSON.stringify(found.body.data)).toContain(id)
    const client = await connectMcp(gateway().url)
    const described = await client.callTool({ name: 'describe', arguments: { actions: [id] } })
    expect(JSON.stringify(described.structuredContent)).toContain('Name of the harbour.')
    const shown = await runCommand(['show', id, '--gateway', gateway().url])
    expect(shown.code).toBe(0)
    expect(shown.stdout).toContain('harbour')
    expect(shown.stdout).toContain('3')
  })
})

/** The blocks of code of the page of the action: curl, TypeScript, Python, the command and MCP. */
async function snippets(): Promise<string[]> {
  const text: string = await read(`/docs/actions/${id}.md`)
  return [...text.matchAll(/```\w+\n([\s\S]*?)\n```/g)].map(([, code]) => code as string)
}

/** The words that a shell passes to the program of this snippet. */
async function wordsOf(snippet: string, key: string): Promise<string[]> {
  const [program = ''] = snippet.split(' ')
  const script = `${program}() { printf '%s\\n' "$@"; }\n${snippet}`
  const { stdout } = await promisify(execFile)('sh', ['-c', script], {
    env: { TOLLWAY_KEY: key },
  })
  return stdout.trimEnd().split('\n')
}

test('the calls on its page work, and each is charged at its price', async () => {
  const account = await gateway().account(100)
  const [curl = '', typescript = '', , command = '', mcp = ''] = await snippets()

  const [address = '', , header = '', , body = ''] = await wordsOf(curl, account.key)
  const [name = '', value = ''] = header.split(': ')
  const sent = await fetch(address, { method: 'POST', headers: { [name]: value }, body })
  expect(await sent.json()).toMatchObject({ ok: true, data: answer, charged_cents: 3 })

  const program = `${typescript}\nconsole.log(JSON.stringify(data))`
  const ran = await promisify(execFile)(
    process.execPath,
    ['--input-type=module', '--eval', program],
    { cwd: root, env: { TOLLWAY_KEY: account.key } },
  )
  expect(JSON.parse(ran.stdout)).toEqual(answer)

  const [, ...words] = await wordsOf(command, account.key)
  const ended = await runCommand([...words, '--json'], {
    environment: { TOLLWAY_KEY: account.key },
  })
  expect(ended).toMatchObject({ code: 0, json: { data: answer } })

  const client = await connectMcp(gateway().url, { key: account.key })
  expect((await client.callTool(JSON.parse(mcp))).structuredContent).toMatchObject({ data: answer })

  const { body: left } = await account.get('/api/v1/account')
  expect(left.balance_cents).toBe(100 - 4 * 3)
})
