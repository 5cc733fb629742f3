// Ten first tasks of a person who holds an account that an agent opened.
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect } from 'vitest'
import { createOAuthTestClient, type OAuthTestClient, type Tokens } from '#test/oauth/client.ts'
import { bank } from '../../plugins/cash/bank.ts'
import { payByNote } from '../../plugins/cash/pay.ts'
import { chromiumPath, shareConsole } from '../open-console.ts'
import { firstTasksOf } from './first-tasks.ts'

describe.skipIf(chromiumPath === undefined)('an owner', () => {
  const opened = shareConsole({
    env: {
      SIGNUP_CREDIT_CENTS: '500',
      TOLLWAY_PLUGINS: path.join(import.meta.dirname, '../../plugins/cash'),
      CASH_TILL: bank.open(0),
    },
  })
  const task = firstTasksOf('Owner', opened)
  /** The key of the agent that opened the account. */
  let key = ''
  let app: OAuthTestClient | undefined
  let tokens: Tokens | undefined
  const account = async () =>
    (await opened().gateway.request('GET', '/api/v1/account', { key })).body

  task('claims the account', async (begin) => {
    const { gateway } = opened()
    const { body } = await gateway.request('POST', '/api/v1/agents')
    key = body.api_key
    for (const text of ['one', 'two']) await gateway.call('test/echo', { text }, { key })
    app = await createOAuthTestClient(gateway.url)
    tokens = await app.connect(key)
    const { screen } = await begin(body.claim_url)
    await screen.fill('E-mail address', 'ada@example.org')
    await screen.press('Claim the account')
    await screen.see('The account is yours')
    await screen.follow('Console')
    await screen.see('Spent today')
  })

  task('sees the balance', async (begin) => {
    const { screen } = await begin()
    await screen.follow('Console')
    await screen.see('$4.96')
    expect((await account()).available_cents).toBe(496)
  })

  task('adds money from a wallet', async (begin) => {
    const { gateway } = opened()
    const { screen } = await begin()
    await screen.follow('Console')
    await screen.unfold('Add money')
    const id = await screen.copy()
    await screen.follow('pays it in')
    await screen.see('Paying it adds the amount')
    // The wallet does as this page says.
    const pay = (headers: Record<string, string> = {}) =>
      fetch(`${gateway.url}/api/v1/topups`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify({ account_id: id, amount_cents: 300 }),
      })
    const paid = await pay(payByNote(await pay(), bank.open(10_000_000)))
    expect(paid.status).toBe(200)
    expect((await account()).available_cents).toBe(796)
  })

  task('limits what a key spends in a day', async (begin) => {
    const { screen } = await begin()
    await screen.follow('Console')
    await screen.follow('Keys')
    await screen.row(key.slice(0, 12)).press('Limits')
    await screen.dialog().fill('Most per day, in $', '2')
    await screen.dialog().press('Change the limits')
    await screen.row(key.slice(0, 12)).see('$2.00 a day')
  })

  task('makes a key and revokes it', async (begin) => {
    const { screen } = await begin()
    await screen.follow('Console')
    await screen.follow('Keys')
    await screen.fill('Name', 'Weather robot')
    await screen.press('Make a key')
    const made = await screen.copy()
    await screen.row('Weather robot').press('Revoke')
    await screen.dialog().press('Revoke the key')
    await screen.row('Weather robot').see('revoked')
    expect((await opened().gateway.request('GET', '/api/v1/account', { key: made })).status).toBe(
      401,
    )
  })

  task('sees what one call cost, and why', async (begin) => {
    const { screen } = await begin()
    await screen.follow('Console')
    await screen.follow('Transactions')
    await screen.row('test/echo').follow(/:\d\d/)
    await screen.see('Quoted and held')
    await screen.see('Charged')
  })

  task('saves the statement of the month', async (begin) => {
    const { screen, page } = await begin()
    await screen.follow('Console')
    await screen.follow('Statements')
    const saving = page.waitForEvent('download')
    await screen.press(/PDF$/)
    const file = await readFile(await (await saving).path())
    expect(file.subarray(0, 5).toString()).toBe('%PDF-')
  })

  task('finds what most of the money went to', async (begin) => {
    const { screen } = await begin()
    await screen.follow('Console')
    await screen.region('Spending by action').row('test/echo').follow('$0.04')
    await screen.region('Transactions').see('test/echo')
  })

  task('disconnects an app', async (begin) => {
    const { screen } = await begin()
    await screen.follow('Console')
    await screen.follow('Connected apps')
    await screen.row('Test app').press('End')
    await screen.dialog().press('End the access')
    await screen.row('Test app').see('ended')
    const refreshed = await app?.refresh(tokens?.refresh_token ?? '')
    expect(refreshed?.status).toBe(400)
  })

  task('runs an action again', async (begin) => {
    const { screen } = await begin()
    await screen.follow('Console')
    await screen.follow('Transactions')
    await screen.region('Transactions').row('test/echo').follow(/:\d\d/)
    await screen.follow('Run again')
    await screen.press('Run')
    await screen.region('Answer').see('Charged')
  })
})
