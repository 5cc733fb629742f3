// A batch of models whose key is revoked, or whose account is frozen, while its lines run.
import { expect, test } from 'vitest'
import { adminToken } from '#test/harness.ts'
import { ask, expectPaid, shareSurfaceGateway } from '#test/models/surface-gateway.ts'

const shared = shareSurfaceGateway()
const linesAtOnce = 8
const lines = Array.from({ length: 40 }, (_, place) =>
  JSON.stringify({
    custom_id: `line-${place}`,
    method: 'POST',
    url: '/v1/embeddings',
    body: { model: 'lab/embed', input: 'ab' },
  }),
)

test.each([
  { what: 'key is revoked', code: 'invalid_token', status: 401 },
  { what: 'account is frozen', code: 'account_frozen', status: 403 },
])('once its $what, a batch begins no other line', async ({ code, status }) => {
  const gateway = shared()
  const account = await gateway.account(100)
  const { body: unlimited } = await gateway.request('POST', '/api/v1/keys', {
    key: account.key,
    body: { name: 'of the batch' },
  })
  const caller = { ...account, key: unlimited.api_key as string }
  const waiting: (() => void)[] = []
  gateway.upstream.behave('/embeddings', (it) => void waiting.push(() => it.answer()))
  const form = new FormData()
  form.append('purpose', 'batch')
  form.append('file', new Blob([lines.join('\n')], { type: 'application/jsonl' }), 'in.jsonl')
  const { body: file } = await ask(gateway, caller, '/files', form)
  const made = await ask(gateway, caller, '/batches', {
    input_file_id: file.id,
    endpoint: '/v1/embeddings',
    completion_window: '24h',
  })
  expect(made.status).toBe(200)
  await expect.poll(() => waiting.length).toBe(linesAtOnce)

  const asOperator = (verb: string, body: object) =>
    gateway.request('POST', `/api/v1/admin/accounts/${account.id}/${verb}`, {
      key: adminToken,
      body,
    })
  const isFrozen = code === 'account_frozen'
  const ending = isFrozen
    ? await asOperator('freeze', { reason: 'stolen' })
    : await gateway.request('DELETE', `/api/v1/keys/${unlimited.key_id}`, { key: account.key })
  expect(ending.status).toBe(200)
  gateway.upstream.behave('/embeddings', (it) => it.answer())
  for (const answer of waiting) answer()
  await expect
    .poll(() =>
      gateway.database.query('select status from model_batch where account_id = $1', [account.id]),
    )
    .toEqual([{ status: 'completed' }])
  if (isFrozen) await asOperator('unfreeze', {})

  const { body: batch } = await account.get(`/api/llm/v1/batches/${made.body.id}`)
  const failed = lines.length - linesAtOnce
  expect(batch.request_counts).toEqual({ total: lines.length, completed: linesAtOnce, failed })
  const errors = await fetch(`${gateway.url}/api/llm/v1/files/${batch.error_file_id}/content`, {
    headers: { authorization: `Bearer ${account.key}` },
  })
  for (const line of (await errors.text()).trim().split('\n'))
    expect(JSON.parse(line).response).toMatchObject({
      status_code: status,
      body: { error: { code } },
    })
  expect(gateway.upstream.asked).toHaveLength(linesAtOnce)
  await expectPaid(gateway, account, linesAtOnce)
})
