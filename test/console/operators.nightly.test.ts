// The operator uses the console of a gateway in a browser.
import { describe, expect, onTestFinished, test } from 'vitest'
import { canRent, rentBrowser } from '#test/browsers/rented-browser.ts'
import { adminToken } from '#test/harness.ts'
import { startS3Server } from '#test/s3-server.ts'
import { chromiumPath, shareConsole, type Visit } from './open-console.ts'

/** A picture of one pixel. */
const dot = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

/** The parts of the operator's answers that a test changes. */
interface Amended {
  providers: { quota: object }[]
  rails: object
}

describe.skipIf(chromiumPath === undefined)('the console of the operator', () => {
  const opened = shareConsole(async (atEnd) => {
    const store = await startS3Server(atEnd)
    return {
      env: {
        S3_ENDPOINT: store.endpoint,
        S3_BUCKET: store.bucket,
        S3_ACCESS_KEY_ID: store.accessKeyId,
        S3_SECRET_ACCESS_KEY: store.secretAccessKey,
      },
    }
  })

  async function visit(secret: string): Promise<Visit> {
    const visit = await opened().signIn(secret)
    onTestFinished(() => visit.context.close())
    return visit
  }

  test('the operator credits an account and freezes it, and the audit log tells', async () => {
    const { gateway } = opened()
    const account = await gateway.account(500)
    const { page, enter, complaints } = await visit(adminToken)
    await enter(`/operator/accounts/${account.id}`)
    await page.getByLabel('Dollars').fill('2.50')
    await page.getByLabel('Reason').first().fill('<script>alert(1)</script>')
    await page.getByRole('button', { name: 'Credit', exact: true }).click()
    await page.getByText('The account was credited.').waitFor()
    expect((await account.state()).availableCents).toBe(750)
    await page.getByRole('button', { name: 'Freeze' }).click()
    await page.getByRole('dialog').getByLabel('Reason').fill('a test')
    await page.getByRole('button', { name: 'Freeze the account' }).click()
    await page.getByText('frozen', { exact: true }).waitFor()
    expect((await account.get('/api/v1/account')).status).not.toBe(200)
    await enter('/operator/audit')
    await page.getByText('<script>alert(1)</script>').first().waitFor()
    expect(complaints).toEqual([])
  })

  test('an owner invites a person, who sees what they may do, and is removed', async () => {
    const { gateway } = opened()
    const owner = await visit(adminToken)
    await owner.enter('/operator/operators')
    await owner.page.getByLabel('Name', { exact: true }).fill('Grace\u202e Hopper')
    await owner.page.getByLabel('Role', { exact: true }).selectOption('support')
    await owner.page.getByRole('button', { name: 'Invite' }).click()
    const link = (await owner.page.getByText('/sign-in/').textContent()) ?? ''
    await owner.page.getByRole('button', { name: 'I have sent them' }).click()

    const context = await owner.context.browser()?.newContext()
    if (context === undefined) throw new Error('There is no browser.')
    onTestFinished(() => context.close())
    const page = await context.newPage()
    await page.goto(link)
    await page.getByRole('button').first().click()
    await page.getByText('Operates as support').waitFor()
    await page.goto(`${gateway.url}/console/operator/operators`)
    await page.getByText('Only an owner changes who operates.').waitFor()
    expect(await page.getByRole('button', { name: 'Invite' }).count()).toBe(0)
    const account = await gateway.account(0)
    await page.goto(`${gateway.url}/console/operator/accounts/${account.id}`)
    await page.getByLabel('Dollars').fill('2')
    await page.getByLabel('Reason').first().fill('goodwill')
    await page.getByRole('button', { name: 'Credit', exact: true }).click()
    await page.getByText('The account was credited.').waitFor()

    await owner.enter('/operator/audit')
    await owner.page.getByLabel('By', { exact: true }).selectOption({ label: 'Grace Hopper' })
    await owner.page.getByText('amount $2.00').waitFor()
    await owner.page.reload()
    await owner.page.getByText('amount $2.00').waitFor()
    expect(await owner.page.getByRole('row').count()).toBe(2)

    await owner.enter('/operator/operators')
    await owner.page.getByRole('button', { name: /^Remove/ }).click()
    await owner.page.getByRole('button', { name: 'Remove the operator' }).click()
    await owner.page.getByText('Only the holder of ADMIN_TOKEN operates').waitFor()
    await page.reload()
    await page
      .getByText('There is no such page')
      .or(page.getByText('Ways to sign in'))
      .or(page.getByLabel('API key'))
      .first()
      .waitFor()
    expect(owner.complaints).toEqual([])
  })

  test('a credit whose answer was lost is sent again and takes effect once', async () => {
    const account = await opened().gateway.account(500)
    const { page, enter } = await visit(adminToken)
    await enter(`/operator/accounts/${account.id}`)
    let lost = 0
    await page.route('**/credit', async (route) => {
      await route.fetch()
      lost += 1
      if (lost === 1) await route.abort('connectionreset')
      else await route.continue()
    })
    await page.getByLabel('Dollars').fill('1')
    await page.getByLabel('Reason').first().fill('once')
    await page.getByRole('button', { name: 'Credit', exact: true }).click()
    await page.getByText('The account was credited.').waitFor()
    expect(lost).toBe(2)
    expect((await account.state()).availableCents).toBe(600)
  })

  test('the operator sees income, known cost and margin, and that the books are right', async () => {
    const { gateway } = opened()
    const { key } = await gateway.account(500)
    await gateway.call('test/either', { cents: 4 }, { key })
    const { page, enter } = await visit(adminToken)
    await enter('/operator')
    const row = page.getByRole('row').filter({ hasText: 'test/either' })
    await row.waitFor()
    expect((await row.getByRole('cell').allTextContents()).slice(-2)).toEqual(['$0.004', '$0.036'])
    await enter('/operator/ledger')
    await page.getByText('Every balance is the sum of its postings.').waitFor()
    await page.getByText('Balances, with those of the house').waitFor()
  })

  test('the operator decides orders in doubt: one is charged what was delivered, one is voided', async () => {
    const { gateway } = opened()
    const account = await gateway.account(100)
    const order = { seller: 'breaks off', max_cost_cents: 20 }
    const first = await account.call('test/buy', order)
    const second = await account.call('test/buy', order)
    const { page, enter, complaints } = await visit(adminToken)
    await enter('/operator/purchases')
    const rowOf = (reply: typeof first) =>
      page.getByRole('row').filter({ hasText: reply.body.data.transaction_id })
    await rowOf(first).getByRole('button', { name: 'Charge' }).click()
    await page.getByRole('dialog').getByLabel('Dollars').fill('0.07')
    await page.getByRole('dialog').getByLabel('Note').fill('The seller confirmed it.')
    await page.getByRole('button', { name: 'Charge the caller' }).click()
    await rowOf(first).waitFor({ state: 'detached' })
    // The second order stands in the place of the first now, and has nothing of what was written for that.
    await rowOf(second).getByRole('button', { name: 'Charge' }).click()
    expect(await page.getByRole('dialog').getByLabel('Dollars').inputValue()).toBe('')
    expect(await page.getByRole('dialog').getByLabel('Note').inputValue()).toBe('')
    await page.getByRole('button', { name: 'Cancel' }).click()
    await rowOf(second).getByRole('button', { name: 'Void' }).click()
    await page.getByRole('dialog').getByLabel('Note').fill('The seller knows no such order.')
    await page.getByRole('button', { name: 'Give the money back' }).click()
    await page.getByText('No purchase is in doubt.').waitFor()
    expect(await account.state()).toMatchObject({ availableCents: 93, heldCents: 0 })
    expect(complaints).toEqual([])
  })

  test.skipIf(!canRent)(
    'a rented browser is watched by its owner, and ended by the operator',
    async () => {
      const { gateway } = opened()
      const account = await gateway.account(100)
      await rentBrowser(account, { estimatedMinutes: 5 })
      const owner = await visit(account.key)
      await owner.enter('/work')
      const watching = owner.context.waitForEvent('page')
      await owner.page.getByRole('button', { name: 'Watch' }).click()
      await (await watching).getByText('You look on at a rented browser').waitFor()
      const operator = await visit(adminToken)
      await operator.enter('/operator/sessions')
      await operator.page.getByRole('button', { name: 'End' }).click()
      await operator.page.getByRole('button', { name: 'End the browser' }).click()
      await operator.page.getByText('No browser is rented.').waitFor()
      expect([...owner.complaints, ...operator.complaints]).toEqual([])
    },
  )

  test('the operator sees what a vendor still allows, and how long the gas of a rail lasts', async () => {
    const { page, enter, complaints } = await visit(adminToken)
    /** The gateway's own answer with what a vendor or a chain would add to it. */
    const amend = (address: string, change: (body: Amended) => void) =>
      page.route(address, async (route) => {
        const reply = await route.fetch()
        const body = await reply.json()
        change(body)
        await route.fulfill({ response: reply, json: body })
      })
    await amend('**/api/v1/admin/providers', ({ providers: [first] }) => {
      if (first !== undefined) first.quota = { remaining: 600, limit: 1_000, unit: 'credits' }
    })
    await amend('**/api/v1/admin/payments', (body) => {
      body.rails = {
        x402: {
          on: true,
          gas: { transactions_left: 12, balance_coin: '0.0300', is_low: true, advice: 'Refill.' },
        },
      }
    })
    await enter('/operator/providers')
    await page.getByRole('cell', { name: '600 credits of 1,000 credits' }).waitFor()
    await enter('/operator/rails')
    const rail = page.getByRole('row').filter({ hasText: 'x402' })
    await rail.getByText('about 12 settlements left').waitFor()
    await rail.getByText('0.03 of the chain').waitFor()
    await rail.getByText('Refill.').waitFor()
    expect(complaints).toEqual([])
  })

  test('the operator makes a key of an account, limits it, revokes it, and gives room for files', async () => {
    const { gateway } = opened()
    const account = await gateway.account(500)
    const { page, enter, complaints } = await visit(adminToken)
    await enter(`/operator/accounts/${account.id}`)
    await page.getByLabel('Name').fill('Made for them')
    await page.getByRole('button', { name: 'Make a key' }).click()
    const secret = (await page.locator('.notice code').textContent()) ?? ''
    expect((await gateway.call('test/echo', {}, { key: secret })).status).toBe(200)
    const row = page.getByRole('row').filter({ hasText: 'Made for them' })
    await row.getByRole('button', { name: 'Limits' }).click()
    await page.getByRole('dialog').getByLabel('Most per call, in $').fill('0.01')
    await page.getByRole('button', { name: 'Change the limits' }).click()
    await row.getByText('$0.01 a call').waitFor()
    expect((await gateway.call('test/echo', {}, { key: secret })).status).not.toBe(200)
    await row.getByRole('button', { name: 'Revoke' }).click()
    await page.getByRole('button', { name: 'Revoke the key' }).click()
    await row.getByText('revoked').waitFor()
    expect((await gateway.request('GET', '/api/v1/account', { key: secret })).status).toBe(401)
    await page.getByRole('button', { name: 'Space' }).click()
    await page.getByLabel('Megabytes').fill('7')
    await page.getByRole('button', { name: 'Change the space' }).click()
    await page.getByText('0 bytes of 7.0 MB').waitFor()
    expect((await account.call('files/list', {})).body.data.quota_bytes).toBe(7_000_000)
    expect(complaints).toEqual([])
  })

  test('a picture in a bucket is shown, and saving it does not leave the console', async () => {
    const account = await opened().gateway.account(100)
    const upload = { filename: 'dot.png', size_bytes: dot.length }
    const { put_url, file_id } = (await account.call('files/upload', upload)).body.data
    expect((await fetch(put_url, { method: 'PUT', body: dot })).status).toBe(200)
    const { context, page, enter, complaints } = await visit(account.key)
    await enter('/catalog/files/get')
    await page.getByLabel('file_id').fill(file_id)
    await page.getByRole('button', { name: 'Run' }).click()
    await page.getByRole('img', { name: 'The answer' }).waitFor()
    await page.waitForFunction(
      () => document.querySelector<HTMLImageElement>('main img')?.naturalWidth === 1,
    )
    await enter('/files')
    const saved = context.waitForEvent('page')
    await page.getByRole('button', { name: 'dot.png', exact: true }).click()
    await saved
    await page.getByRole('heading', { name: 'Files', level: 1 }).waitFor()
    expect(complaints).toEqual([])
  })

  test('an operator without an account is not asked for one', async () => {
    const { page, complaints } = await visit(adminToken)
    await page.getByRole('button', { name: 'Sign out', exact: true }).waitFor()
    expect(complaints).toEqual([])
  })
})
