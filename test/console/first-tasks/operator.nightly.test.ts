// Ten first tasks of a person who operates a gateway.
import { describe, expect } from 'vitest'
import { adminToken } from '#test/harness.ts'
import { sell } from '#test/selling/sell.ts'
import { shareWeatherApi, weatherKey } from '#test/selling/weather-api.ts'
import { chromiumPath, shareConsole } from '../open-console.ts'
import { firstTasksOf } from './first-tasks.ts'

describe.skipIf(chromiumPath === undefined)('an operator', () => {
  const weather = shareWeatherApi()
  const opened = shareConsole()
  const task = firstTasksOf('Operator', opened)
  const operate = (at: string) =>
    opened().gateway.request('GET', `/api/v1/admin/${at}`, { key: adminToken })

  task('signs in for the first time', async (begin) => {
    const { screen } = await begin()
    await screen.follow('Console')
    await screen.fill('API key', adminToken)
    await screen.press('Sign in')
    await screen.see('First steps')
  })

  task('sets the key of a provider, which is tested', async (begin) => {
    const { gateway } = opened()
    const address = weather().descriptionUrl
    await sell(gateway, { address, name: 'weather', private: true, price: 3 })
    const { screen } = await begin()
    await screen.follow('Console')
    await screen.follow('Providers')
    await screen.row('Alpine Weather').press('Paste a key')
    await screen.dialog().fill('Key', weatherKey)
    await screen.dialog().press('Store the key')
    await screen.row('Alpine Weather').see('The provider accepted it.')
    const account = await gateway.account(100)
    expect((await account.call('weather/get-forecast', { place: 'Bern' })).status).toBe(200)
  })

  task('sells an action at a price of their own', async (begin) => {
    const { screen } = await begin()
    await screen.follow('Console')
    await screen.follow('Prices')
    await screen.fill('Search', 'test/echo')
    await screen.row('test/echo').press('Change the price of test/echo')
    await screen.fill('Dollars for a call', '0.07')
    await screen.press('Set the price')
    await screen.see('test/echo has its new price.')
    const account = await opened().gateway.account(100)
    expect((await account.call('test/echo', {})).body.charged_cents).toBe(7)
  })

  task('opens an account and gives it a large sum', async (begin) => {
    const { screen } = await begin()
    await screen.follow('Console')
    await screen.follow('Accounts')
    await screen.press('New account')
    await screen.dialog().fill('Name', 'Harbour office')
    await screen.dialog().press('Open the account')
    const key = await screen.copy()
    await screen.follow('give it money')
    await screen.fill('Dollars', '2500')
    await screen.fill('Reason', 'prepaid by invoice 17')
    await screen.press('Credit')
    await screen.dialog().see('two thousand five hundred dollars')
    await screen.dialog().press('Credit $2,500.00')
    await screen.see('The account was credited.')
    const read = await opened().gateway.request('GET', '/api/v1/account', { key })
    expect(read.body.balance_cents).toBe(250_000)
  })

  task('finds why calls of an action failed', async (begin) => {
    const account = await opened().gateway.account(100)
    await account.call('test/fails', { code: 'upstream_error' })
    // The gateway reads this at most every ten seconds, and a person comes later.
    const isKnown = async () =>
      (await operate('actions')).body.actions.some(
        ({ action, failed_calls }: { action: string; failed_calls: number }) =>
          action === 'test/fails' && failed_calls > 0,
      )
    await expect.poll(isKnown).toBe(true)
    const { screen } = await begin()
    await screen.follow('Console')
    await screen.region('Actions with failed calls in the last day').row('test/fails').follow('1')
    await screen.row('test/fails').follow(/:\d\d/)
    await screen.see('Nothing was charged')
    await screen.follow('upstream_error')
    await screen.see('The same call can succeed later.')
  })

  task('gives the money for a call back', async (begin) => {
    const account = await opened().gateway.account(100)
    await account.call('test/either', {})
    const before = await account.state()
    const { screen } = await begin()
    await screen.follow('Console')
    await screen.follow('Transactions')
    await screen.row('test/either').follow(/:\d\d/)
    await screen.follow('Give the money back')
    await screen.press('Credit')
    await screen.see('The account was credited.')
    expect((await account.state()).availableCents).toBe(before.availableCents + 2)
  })

  task('freezes an account', async (begin) => {
    const account = await opened().gateway.account(100)
    const { screen } = await begin()
    await screen.follow('Console')
    await screen.follow('Accounts')
    await screen.fill('Search', account.key.slice(0, 12))
    await screen.follow(account.id)
    await screen.press('Freeze')
    await screen.dialog().fill('Reason', 'its key is on the web')
    await screen.dialog().press('Freeze the account')
    await screen.see('its key is on the web')
    expect((await account.call('test/echo', {})).body.error).toBe('account_frozen')
  })

  task('invites a second operator with a role', async (begin) => {
    const { screen } = await begin()
    await screen.follow('Console')
    await screen.follow('Operators')
    await screen.fill('Name', 'Grace')
    await screen.choose('Role', 'Support: also gives small credits, freezes accounts, revokes keys')
    await screen.press('Invite')
    await screen.see('Send this link to')
    expect((await operate('operators')).body.operators).toMatchObject([
      { name: 'Grace', role: 'support' },
    ])
  })

  task('reads the margin of last month', async (begin) => {
    const account = await opened().gateway.account(100)
    await account.call('test/capped', { costs: 20 })
    const { screen, page } = await begin()
    // It is next month in this browser.
    const now = new Date()
    await page.clock.setFixedTime(new Date(now.getFullYear(), now.getMonth() + 1, 3, 12))
    await screen.follow('Console')
    await screen.follow('Margins')
    await screen.press('Last month')
    await screen.row('test/capped').see('$0.20')
  })

  task('ends a key of an account', async (begin) => {
    const account = await opened().gateway.account(100)
    const { screen } = await begin()
    await screen.follow('Console')
    await screen.follow('Accounts')
    await screen.fill('Search', account.key.slice(0, 12))
    await screen.follow(account.id)
    await screen.row(account.key.slice(0, 12)).press('Revoke')
    await screen.dialog().press('Revoke the key')
    await screen.row(account.key.slice(0, 12)).see('revoked')
    expect((await account.call('test/echo', {})).status).toBe(401)
  })
})
