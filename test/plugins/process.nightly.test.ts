// A spend rule, a route and a page of the console in one plugin, in a gateway process that an operator would start.
import path from 'node:path'
import { chromium } from 'playwright-core'
import { expect, onTestFinished, test } from 'vitest'
import type { UntypedJson } from '#core/replies/untyped-json.ts'
import { findChromium } from '#platform/chromium/chromium.ts'
import { makeDataDirectory, removeDataDirectory } from '#test/data-directory.ts'
import { adminToken, sourcesProgram, startGatewayProcess } from '../simulation/gateway-process.ts'

const chromiumPath = await findChromium()

async function startWithPlugin(env: Record<string, string>) {
  const dataDir = await makeDataDirectory()
  onTestFinished(() => removeDataDirectory(dataDir))
  const TOLLWAY_PLUGINS = path.join(import.meta.dirname, 'allowance')
  const TOLLWAY_PROVIDERS = path.join(import.meta.dirname, '../../examples/private-provider.ts')
  const settings = { TOLLWAY_PLUGINS, TOLLWAY_PROVIDERS, ...env }
  const gateway = startGatewayProcess(dataDir, settings, sourcesProgram)
  onTestFinished(() => gateway.kill())
  return gateway
}

test.skipIf(chromiumPath === undefined)('one package adds a rule, a route and a page', async () => {
  const gateway = await startWithPlugin({ ALLOWANCE_CENTS: '1' })
  const url = await gateway.listening
  const post = async (at: string, key: string, body: object) => {
    const headers = { authorization: `Bearer ${key}` }
    const reply = await fetch(url + at, { method: 'POST', headers, body: JSON.stringify(body) })
    return (await reply.json()) as UntypedJson
  }
  const { api_key: key } = await post('/api/v1/admin/accounts', adminToken, { balance_cents: 50 })
  expect(await post('/api/run/my/greet', key, { name: 'Ada' })).toMatchObject({ ok: true })
  expect(await post('/api/run/tollway/onescrape', key, { urls: ['https://example.com'] })).toEqual(
    expect.objectContaining({ error: 'spend_limit_reached' }),
  )

  expect((await fetch(`${url}/plugins/allowance/spent/today`)).status).toBe(401)
  const own = { headers: { authorization: `Bearer ${key}` } }
  const readSpent = async () =>
    await (await fetch(`${url}/plugins/allowance/spent/today`, own)).json()
  await expect.poll(readSpent).toEqual({ period: 'today', spent_usd: '0.005000' })

  const browser = await chromium.launch({ executablePath: chromiumPath ?? '' })
  onTestFinished(() => browser.close())
  const page = await browser.newPage()
  const complaints: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text())
  })
  await page.goto(`${url}/sign-in?next=/console`)
  await page.getByLabel('API key').fill(key)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('link', { name: 'Allowance' }).click()
  await page.getByText('Spent today: 0.005000 dollars.').waitFor()
  expect(complaints).toEqual([])
})

test('a plugin with a name of the gateway stops the start with a sentence', async () => {
  const example = path.join(import.meta.dirname, 'allowance')
  const gateway = await startWithPlugin({ TOLLWAY_PLUGINS: `${example},${example}` })
  await expect(gateway.listening).rejects.toThrow(
    `TOLLWAY_PLUGINS: ${example} cannot be used: ${example} already has the plugin id allowance.`,
  )
})
