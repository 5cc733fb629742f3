// One person's first day with a gateway, as they see it in the browser: from the link of the first start to the margin
// of the month.
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { introduce } from '#start/introduce.ts'
import { verify } from '#test/harness.ts'
import { labPrice } from '#test/llm-gateway.ts'
import { readConfig } from '../../src/config.ts'
import { chromiumPath, shareConsole, type Visit, withoutRefusals } from './open-console.ts'

/** 100 tokens of prompt and 50 of completion, which the stand-in of a vendor reports. */
const chatMicros = 100 * labPrice.prompt + 50 * labPrice.completion

describe.skipIf(chromiumPath === undefined)('the first day', () => {
  // One job at a time, so that a second one waits.
  const opened = shareConsole({ env: { JOBS_AT_ONCE: '1' } })

  test('begins with a link, and ends with the margin', async () => {
    const { gateway } = opened()
    const visit = await opened().visit()
    onTestFinished(() => visit.context.close())
    await signInByLink(visit)
    await visit.page.getByText('First steps').waitFor()

    const secret = await makeKey(visit)
    await callAction(visit)
    await meetCeiling(visit)
    await followJobs(visit)
    await chatWithModel(visit)
    await storeFile(visit)
    await callByKey(secret)
    await revokeKey(visit)
    expect((await gateway.request('GET', '/api/v1/account', { key: secret })).status).toBe(401)
    await creditAccount(visit)
    await seeMargin(visit)

    expect(withoutRefusals(visit.complaints)).toEqual([])
    expect(await verify(gateway)).toMatchObject({ ok: true, problems: [] })
  })

  async function signInByLink({ page }: Visit) {
    const { gateway } = opened()
    const config = readConfig({ DATA_DIR: gateway.dataDir })
    const text = await introduce(gateway.app, { config, baseUrl: gateway.url, isTerminal: false })
    const file = path.join(gateway.dataDir, 'sign-in-link')
    expect(text).toContain(file)
    await page.goto((await readFile(file, 'utf8')).trim())
    await page
      .getByText('This link signs in to First account and makes this browser one of the operator')
      .waitFor()
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.waitForURL(({ pathname }) => pathname === '/console')
  }

  async function makeKey({ page, enter }: Visit): Promise<string> {
    await enter('/keys')
    await page.getByLabel('Name').fill('Weather robot')
    await page.getByLabel('Most per call, in $').fill('0.03')
    await page.getByRole('button', { name: 'Make a key' }).click()
    return (await page.locator('.notice code').textContent()) ?? ''
  }

  async function callAction({ page, enter }: Visit) {
    await enter('/catalog/test/either')
    await page.getByText('2¢', { exact: true }).first().waitFor()
    await page.getByRole('button', { name: 'Run' }).click()
    await page.getByRole('link', { name: 'See its timeline' }).click()
    await page.getByRole('heading', { name: 'Timeline' }).waitFor()
    expect(await page.locator('.timeline strong').allTextContents()).toEqual([
      'Quoted and held',
      'Charged',
    ])
  }

  async function meetCeiling({ page, enter }: Visit) {
    await enter('/catalog/test/echo')
    await page.getByLabel('max_cost_cents').fill('1')
    await page.getByRole('button', { name: 'Run' }).click()
    await page.getByRole('alert').waitFor()
  }

  /** The first job has begun, so it cannot be cancelled; the second waits behind it, and can. */
  async function followJobs({ page, enter }: Visit) {
    const { gateway } = opened()
    const key = (await readFile(path.join(gateway.dataDir, 'starter-key'), 'utf8')).trim()
    await gateway.call('test/job', { steps: 2, ends: 'gate' }, { key })
    await enter('/work')
    const first = page.getByRole('row').filter({ hasText: 'test/job' }).last()
    await first.getByText('stepping').waitFor()
    await gateway.call('test/job', { steps: 3 }, { key })
    await page.getByRole('button', { name: 'Refresh' }).first().click()
    const rows = page.getByRole('row').filter({ hasText: 'test/job' })
    await rows.nth(1).waitFor()
    await rows.first().getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: 'Cancel the job' }).click()
    // Running jobs come first.
    await rows.last().getByText('failed').waitFor()
    await rows.first().getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: 'Cancel the job' }).click()
    await rows.first().getByText('has begun').waitFor()
    gateway.provider.release()
    await rows.last().getByText('succeeded').waitFor()
  }

  async function chatWithModel({ page, enter }: Visit) {
    await enter('/chat')
    await page.getByLabel('Model').selectOption('lab/one')
    await page.getByLabel('Your message').fill('What does the fox do?')
    await page.getByRole('button', { name: 'Send' }).click()
    const answer = page.getByRole('article', { name: 'The model' })
    await answer.getByText('over 42 dogs.').waitFor()
    await answer.locator(`data[value="${(chatMicros / 1_000_000).toFixed(6)}"]`).waitFor()
  }

  async function storeFile({ page, enter }: Visit) {
    await enter('/files')
    const file = { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('hello') }
    await page.getByLabel('Store a file').setInputFiles(file)
    await page.getByRole('button', { name: 'Store', exact: true }).click()
    const saving = page.waitForEvent('download')
    await page.getByRole('button', { name: 'notes.txt', exact: true }).click()
    expect(await readFile(await (await saving).path(), 'utf8')).toBe('hello')
  }

  /** What the program spends is seen at its key, and found by it. */
  async function callByKey(key: string) {
    expect((await opened().gateway.call('test/echo', {}, { key })).status).toBe(200)
  }

  async function revokeKey({ page, enter }: Visit) {
    await enter('/transactions')
    await page.getByLabel('Key').selectOption({ label: 'Weather robot' })
    await page.getByLabel('At most, in $').fill('0.02')
    await page.getByRole('row').nth(2).waitFor({ state: 'detached' })
    await page.getByRole('cell', { name: 'test/echo', exact: true }).waitFor()
    await enter('/keys')
    const row = page.getByRole('row').filter({ hasText: 'Weather robot' })
    expect(await row.getByRole('cell').nth(2).textContent()).toBe('$0.02')
    await row.getByRole('button', { name: 'Revoke' }).click()
    await page.getByRole('button', { name: 'Revoke the key' }).click()
    await row.getByText('revoked').waitFor()
  }

  async function creditAccount({ page, enter }: Visit) {
    await enter('/operator/accounts')
    await page.getByRole('link', { name: 'First account' }).click()
    await page.getByLabel('Dollars').fill('5')
    await page.getByLabel('Reason').first().fill('a good start')
    await page.getByRole('button', { name: 'Credit', exact: true }).click()
    await page.getByText('The account was credited.').waitFor()
  }

  async function seeMargin({ page, enter }: Visit) {
    await enter('/operator')
    const row = page.getByRole('row').filter({ hasText: 'test/either' })
    await row.waitFor()
    expect((await row.getByRole('cell').allTextContents()).slice(-3)).toEqual([
      '$0.02',
      '$0.002',
      '$0.018',
    ])
  }
})
