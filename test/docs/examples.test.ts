// The examples in the guide for operators are accepted unchanged.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { parseOperatorFile } from '#catalog/lib/operator-file.ts'
import { llmSettings } from '#features/models/llm/routing/settings.ts'
import { adminToken, shareGatewayOfWorker } from '#test/harness.ts'
import { codeBlocks, documentText } from './guide-text.ts'

const shared = shareGatewayOfWorker()

test('the files that the guide shows are valid', () => {
  const [catalogFile = ''] = codeBlocks('operate/providers.md', 'json')
  expect(Object.keys(parseOperatorFile(catalogFile, 'providers.md'))).not.toEqual([])
  const [llmConfig = ''] = codeBlocks('operate/models.md', 'json')
  expect(llmSettings.parse(JSON.parse(llmConfig)).tiers).not.toEqual({})
})

test('the guide explains every field of LLM_CONFIG', () => {
  const guide = documentText('operate/models.md')
  const { timeouts, upstreams } = llmSettings.parse({
    upstreams: { any: { base_url: 'http://127.0.0.1' } },
  })
  const fields = [...Object.keys(timeouts), ...Object.keys(upstreams.any ?? {})]
  expect(fields.length).toBeGreaterThan(10)
  expect(fields.filter((field) => !guide.includes(`\`${field}`))).toEqual([])
})

test('each command for operators is answered with success', async () => {
  const gateway = shared()
  const { id, key } = await gateway.account(1_000)
  await gateway.call('test/echo', { text: 'a' }, { key })
  const { body } = await gateway.request('GET', '/api/v1/transactions', { key })
  const made = await gateway.request('POST', '/api/v1/keys', { key, body: {} })
  const { body: person } = await gateway.request('POST', '/api/v1/admin/operators', {
    key: adminToken,
    body: { name: 'Grace', role: 'viewer' },
  })
  const env = {
    ...process.env,
    ACCOUNT: id,
    PERSON: person.account_id,
    KEY: made.body.key_id,
    ID: body.transactions[0].transaction_id,
  }
  const [abbreviation = '', ...blocks] = codeBlocks('operate/accounts.md', 'sh')
  const admin = abbreviation
    .replace(/^ADMIN_TOKEN=.*$/m, `ADMIN_TOKEN=${adminToken}`)
    .replace('localhost:4020', new URL(gateway.url).host)
  const commands = blocks.flatMap((block) => block.trim().split('\n'))
  expect(commands.length).toBeGreaterThan(10)
  for (const command of commands) {
    const { stdout } = await promisify(execFile)('bash', ['-c', `${admin}\n${command}`], { env })
    // A refusal is JSON on every address.
    // What follows a hash is a remark.
    const [asked = ''] = command.split(' #')
    if (asked.includes('.csv')) expect(stdout, command).toMatch(/^[a-z_]+(,[a-z_]+)+\r?\n/)
    else expect(JSON.parse(stdout), command).not.toHaveProperty('error')
  }
})
