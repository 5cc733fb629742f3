// What operators read of accounts: names, sums, who may change them, and when each was last used.
import { describe, expect, onTestFinished, test } from 'vitest'
import { adminToken } from '#test/harness.ts'
import { expectAccessible } from './accessible.ts'
import { chromiumPath, shareConsole, withoutRefusals } from './open-console.ts'

const name = 'Harbour & Söhne'

describe.skipIf(chromiumPath === undefined)('an operator', () => {
  const opened = shareConsole()

  async function visit(secret: string) {
    const visited = await opened().signIn(secret)
    onTestFinished(() => visited.context.close())
    const { page } = visited
    /** The page at the sizes of a desk and of a phone. */
    const look = async (at: string) => {
      for (const width of [1440, 390]) {
        await page.setViewportSize({ width, height: 900 })
        await expectAccessible(page, `${at} at ${width} px`)
        const wide = await page.evaluate(() => document.documentElement.scrollWidth)
        expect(wide, at).toBeLessThanOrEqual(width)
      }
      await page.setViewportSize({ width: 1440, height: 900 })
    }
    return { ...visited, look }
  }

  const operate = (key: string, method: string, path: string, body?: object) =>
    opened().gateway.request(method, `/api/v1/admin/${path}`, { key, ...(body && { body }) })

  async function accountNamed() {
    const { body } = await operate(adminToken, 'POST', 'accounts', { name, balance_cents: 500 })
    return { id: body.account_id as string, key: body.api_key as string }
  }

  async function invite(role: string, of: string) {
    const { body } = await operate(adminToken, 'POST', 'operators', { name: of, role })
    return { id: body.account_id as string, token: body.operator_token as string }
  }

  test('sees whose transactions and changes these are, and what the filtered ones add up to', async () => {
    const { gateway } = opened()
    const account = await accountNamed()
    for (const costs of [0.0001, 0.3333])
      await gateway.call('test/capped', { costs }, { key: account.key })
    const { page, enter, look, complaints } = await visit(adminToken)
    await enter(`/operator/transactions?account=${account.id}&exact=yes`)
    const link = page.getByRole('cell').getByRole('link', { name })
    await link.first().waitFor()
    expect(await link.first().getAttribute('title')).toBe(account.id)
    await page.getByText('3 transactions, charged $0.003334').waitFor()
    await page.getByText('change of the balance +$4.996666').waitFor()
    await page.getByText(`Only of ${name}.`).waitFor()
    await look('transactions')
    await page.getByLabel('Kind').selectOption('call')
    await page.getByText('2 transactions, charged $0.003334').waitFor()
    expect(await page.getByText('change of the balance').count()).toBe(0)
    await page.getByLabel('At least, in $').fill('0.003')
    await page.getByText('1 transaction, charged $0.003333').waitFor()

    await enter(`/operator/audit?subject=${account.id}`)
    await page.getByRole('cell').getByRole('link', { name }).first().waitFor()
    await look('audit')
    const caller = await visit(account.key)
    await caller.enter('/transactions?exact=yes&type=call')
    await caller.page.getByText('2 transactions, charged $0.003334').waitFor()
    expect([...complaints, ...caller.complaints]).toEqual([])
  })

  test('sees names where there are names, and ids under the pointer', async () => {
    const account = await accountNamed()
    const { body: key } = await operate(adminToken, 'POST', `accounts/${account.id}/keys`, {
      name: 'CI',
    })
    await opened().gateway.call('test/echo', {}, { key: key.api_key })
    const { page, enter, look, complaints } = await visit(adminToken)
    const named = { account_id: account.id, account_name: name }
    const times = { created_at: '2026-05-01T03:00:00.000Z', started_at: '2026-05-01T03:00:00.000Z' }
    const zeros = { held_usd: '0', cost_usd: '0', charged_usd: '0', payments: [] }
    const rows = [{ ...named, ...times, ...zeros, session_id: '1', transaction_id: '2' }]
    for (const list of ['sessions', 'browsers', 'purchases'])
      await page.route(`**/api/v1/admin/${list}*`, (route) =>
        route.fulfill({ json: { [list]: rows, next_cursor: null } }),
      )
    const statements = `/operator/accounts/${account.id}/statements`
    for (const [at, count] of [
      ['/operator/sessions', 2],
      ['/operator/purchases', 1],
      ['/operator/margins?by=account', 1],
      ['/operator/accounts', 1],
      [statements, 1],
      [`${statements}/${new Date().toISOString().slice(0, 7)}`, 1],
      [`/operator/audit?subject=${key.key_id}`, 1],
    ] as const) {
      await enter(at)
      const links = page.locator(`main a[href$="/operator/accounts/${account.id}"]`)
      await links.nth(count - 1).waitFor()
      for (const link of await links.all()) {
        expect([await link.textContent(), await link.getAttribute('title')], at).toEqual([
          name,
          account.id,
        ])
      }
      await look(at)
    }
    await enter(statements)
    await page.getByText(`Each month of UTC, in US dollars of ${name}.`).waitFor()
    await enter(`/operator/audit?subject=${key.key_id}`)
    await page.getByRole('cell', { name: `key CI of ${name}` }).waitFor()
    expect(await page.getByTitle(key.key_id).textContent()).toBe('CI')
    await enter('/operator/transactions?type=call')
    await page.getByRole('cell').getByRole('link').first().click()
    await page.getByTitle(key.key_id).getByText('CI').waitFor()
    await page.getByRole('link', { name, exact: true }).waitFor()
    // A card of a phone does not name what a row does not have.
    await page.setViewportSize({ width: 390, height: 900 })
    await page.goBack()
    const cell = page.locator('td[data-name="Known cost"]').first()
    await cell.waitFor({ state: 'attached' })
    expect(await cell.isVisible()).toBe(false)
    expect(complaints).toEqual([])
  })

  test('in a role that may not change an account finds its buttons disabled, with the reason', async () => {
    const [support, manager] = [await invite('support', 'Sue'), await invite('manager', 'Max')]
    const { page, enter, look, complaints } = await visit(support.token)
    await enter(`/operator/accounts/${manager.id}`)
    const reason = 'This account belongs to an operator with the role manager'
    await page.getByText(reason).first().waitFor()
    for (const label of ['Freeze', /^Revoke/]) {
      const button = page.getByRole('button', { name: label, exact: true }).first()
      expect(await button.getAttribute('aria-disabled')).toBe('true')
      expect(await button.getAttribute('title')).toContain(reason)
    }
    const credit = page.getByRole('button', { name: 'Credit', exact: true })
    expect(await credit.getAttribute('title')).toBeNull()
    await look('refused-account')
    await enter(`/operator/accounts/${support.id}`)
    const freeze = page.getByRole('button', { name: 'Freeze', exact: true })
    expect(await freeze.getAttribute('aria-disabled')).toBe('false')
    expect(await credit.getAttribute('title')).toContain('your own account')
    expect(withoutRefusals(complaints)).toEqual([])
  })

  test('sees when a token was last used, and advises passkeys where they work', async () => {
    const viewer = await invite('viewer', 'Vera')
    await invite('manager', 'Zoe')
    await operate(viewer.token, 'GET', 'operators')
    const { page, enter, look, complaints } = await visit(adminToken)
    const row = page.getByRole('row').filter({ hasText: 'Vera' })
    await expect
      .poll(async () => {
        await enter('/operator/operators')
        return await row.getByRole('cell').nth(3).locator('time').count()
      })
      .toBe(1)
    await page.getByLabel('Name').fill('Ivo')
    await page.getByRole('button', { name: 'Invite' }).click()
    const port = new URL(opened().gateway.url).port
    // The tests' gateway is at 127.0.0.1, where browsers have no passkeys.
    await page.getByText(`Passkeys work at http://localhost:${port} only`).waitFor()
    // A row that comes in between takes nothing of the rows below it.
    await page.getByRole('row').filter({ hasText: 'Ivo' }).waitFor()
    expect(await page.getByLabel('Role of Vera').inputValue()).toBe('viewer')
    expect(await page.getByLabel('Role of Zoe').inputValue()).toBe('manager')
    expect(await page.getByRole('button', { name: 'Save' }).first().isEnabled()).toBe(false)
    await look('operators')
    expect(complaints).toEqual([])
  })

  test('reads the last good backup beside a failed one', async () => {
    const run = {
      kind: 'backup',
      asked_by: 'schedule',
      file: '/backups/second.tar.gz',
      started_at: '2026-05-02T03:00:00.000Z',
      ended_at: '2026-05-02T03:01:00.000Z',
      bytes: null,
      accounts: null,
      postings: null,
    }
    const good = {
      ...run,
      state: 'succeeded',
      problem: null,
      bytes: 1_234_567,
      file: '/backups/first.tar.gz',
      started_at: '2026-05-01T03:00:00.000Z',
    }
    const answer = {
      database: 'embedded',
      last_backup_at: good.ended_at,
      file: good.file,
      folder: '/backups',
      schedule: { every_hours: 24, kept: 7 },
      last_run: { ...run, state: 'failed', problem: 'The disk is full.' },
      last_good_run: good,
      last_restore_test: null,
      last_good_restore_test: null,
      backups: [],
    }
    const { page, enter, look } = await visit(adminToken)
    await page.route('**/api/v1/admin/backups', (route) => route.fulfill({ json: answer }))
    await enter('/operator/backups')
    await page.getByText('The disk is full.').waitFor()
    await page.getByText('Last good backup').waitFor()
    await page.getByText('/backups/first.tar.gz').waitFor()
    await look('backups')
  })

  test('finds no call in the figures that a page of the console has made by itself', async () => {
    const account = await opened().gateway.account(500)
    const caller = await visit(account.key)
    for (const at of ['/', '/catalog', '/files', '/work', '/keys', '/plans', '/chat'])
      await caller.enter(at)
    expect((await account.get('/api/v1/transactions?type=call')).body.transactions).toEqual([])
    const { page, enter, look } = await visit(adminToken)
    await enter('/operator')
    await page.getByText('What the console reads for its own pages is not a call').waitFor()
    await look('overview')
  })
})
