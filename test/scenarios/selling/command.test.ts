// `tollway sell`, as an operator types it.
import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { adminToken, shareGatewayOfWorker } from '#test/harness.ts'
import { emptyFolder, typeCommand } from '#test/selling/operator-command.ts'
import { previewSale } from '#test/selling/sell.ts'
import { shareWeatherApi, weatherKey } from '#test/selling/weather-api.ts'

const execute = promisify(execFile)
const weather = shareWeatherApi()
const gateway = shareGatewayOfWorker({ changes: 'offers' })

const tollway = (
  words: readonly string[],
  {
    url = gateway().url,
    token = adminToken,
    ...more
  }: Partial<Parameters<typeof typeCommand>[1]> = {},
) => typeCommand(words, { url, token, ...more })

test('one command sells an API: a table, what is left out, the key, and how to buy', async () => {
  const folder = await emptyFolder()
  await writeFile(
    path.join(folder, 'prices.json'),
    JSON.stringify([
      { match: '#admin', price: 'not sold' },
      { match: '*', price: 3 },
    ]),
  )
  const words = ['sell', weather().descriptionUrl, '--name', 'by_command', '--private']
  const rules = ['--rules', 'prices.json']
  const unconfirmed = await tollway([...words, ...rules], { folder })
  expect(unconfirmed.code).toBe(2)
  expect(unconfirmed.stdout).toContain('by_command/get-forecast')
  expect(unconfirmed.stderr).toContain('--yes')
  expect((await tollway(['sell', 'list'])).stdout).not.toContain('by_command')

  const sold = await tollway([...words, ...rules, '--key', weatherKey, '--yes'], { folder })
  expect([sold.code, sold.stderr]).toEqual([0, ''])
  expect(sold.stdout).toContain('Alpine Weather, sold as by_command:')
  expect(sold.stdout).toMatch(/by_command\/get-forecast +3¢ +The forecast for a place\./)
  expect(sold.stdout).toContain('DELETE /admin/stations/{id}: A price rule leaves it out.')
  expect(sold.stdout).toContain('Its canary asks by_command/get-forecast.')
  expect(sold.stdout).toContain('The API accepts the key.')
  expect(sold.stdout).not.toContain(weatherKey)
  expect(sold.stdout).toContain(`curl ${gateway().url}/api/run/by_command/`)
  const account = await gateway().account(10)
  const called = await account.call('by_command/get-forecast', { place: 'Bern' })
  expect(called.body).toMatchObject({ ok: true, charged_cents: 3 })

  const again = await tollway([...words, '--price', '2', '--yes'], { folder })
  expect(again.stdout).toMatch(/other price +by_command\/get-forecast +2¢, was 3¢/)
  expect(again.stdout).toContain('DELETE /admin/stations/{id}: A price rule leaves it out.')
  expect(again.stdout).toContain('The price rule of the sale now stays. Other rules replace it.')
  expect((await tollway(['sell', 'list'])).stdout).toMatch(/by_command +live +3 actions/)
  const exported = await tollway(['sell', 'export', 'by_command'])
  await writeFile(path.join(folder, 'copy.json'), exported.stdout)
  const copy = ['sell', 'copy.json', '--name', 'copied', '--yes']
  expect((await tollway(copy, { folder })).stderr).toContain('in a private network')
  const copied = await tollway([...copy, '--private'], { folder })
  expect(copied.stdout).toContain('npm run tollway -- sell key copied')
  const keyed = await tollway(['sell', 'key', 'copied'], { typed: `${weatherKey}\n` })
  expect(keyed.stdout).toContain('The API accepts the key.')
  expect(`${sold.stdout}${copied.stdout}`).not.toContain('npx tollway')
  const removed = await tollway(['sell', 'remove', 'by_command', '--yes'])
  expect(removed.stdout).toContain('by_command is not sold any more.')
  expect((await tollway(['sell', 'remove', 'copied', '--forget'])).code).toBe(0)
  expect((await tollway(['sell', 'list'])).stdout).not.toContain('copied')
})

test('a key that the API refuses is stored only with --no-test, which the sentence names', async () => {
  const words = [
    'sell',
    weather().descriptionUrl,
    '--name',
    'refusing',
    '--price',
    '1',
    '--private',
  ]
  expect((await tollway([...words, '--yes'])).code).toBe(0)
  const refused = await tollway(['sell', 'key', 'refusing'], { typed: 'a-wrong-key' })
  expect(refused.code).toBe(2)
  expect(refused.stderr).toBe(
    'refusing refused this key, so it was not stored. Check it at the provider. `npm run tollway -- sell key refusing --no-test` stores it all the same.\n',
  )
  weather().fault = 'status 500'
  const unclear = await tollway(['sell', 'key', 'refusing'], { typed: 'a-good-key' })
  expect(unclear.stderr).toBe(
    'refusing did not say whether this key is good, so it was not stored. Run this again when it answers. `npm run tollway -- sell key refusing --no-test` stores it all the same.\n',
  )
  weather().fault = 'none'
  const stored = await tollway(['sell', 'key', 'refusing', '--no-test'], { typed: 'a-wrong-key' })
  expect([stored.code, stored.stderr]).toEqual([0, ''])
  expect(stored.stdout).toContain('The key was not tested. It is sealed, and not shown again.')
  const overHttp = await gateway().request('PUT', '/api/v1/admin/provider-keys/refusing', {
    key: adminToken,
    body: { key: 'a-wrong-key' },
  })
  expect([overHttp.status, overHttp.body.data]).toEqual([400, { tested: 'refused' }])
  expect(overHttp.body.message).toContain('`"test": false` stores it all the same.')
  const empty = await tollway(['sell', 'key', 'refusing'], { typed: ' \n' })
  expect([empty.code, empty.stderr]).toEqual([
    2,
    'The key of refusing is empty. Type it where it is asked for, or give it in a file: `npm run tollway -- sell key refusing < key.txt`.\n',
  ])
  const emptyOverHttp = await gateway().request('PUT', '/api/v1/admin/provider-keys/refusing', {
    key: adminToken,
    body: { key: ' ' },
  })
  expect(emptyOverHttp.body.message).toBe(
    'key: It is empty. Send the key that the provider gave you.',
  )
  const emptySale = await gateway().request('POST', '/api/v1/admin/sold-apis/preview', {
    key: adminToken,
    body: { address: weather().descriptionUrl, price: 1, private: true, key: '' },
  })
  expect(emptySale.body.message).toBe('key: It is empty. Send the key that the provider gave you.')
  expect((await tollway(['sell', 'remove', 'refusing', '--forget'])).code).toBe(0)
})

test('a deprecated operation is marked, and a paid one shows how to buy', async () => {
  weather().edit(({ paths }) => {
    paths['/forecast/{place}'].get.deprecated = true
  })
  const folder = await emptyFolder()
  const rules = [
    { match: 'get-forecast', price: 'free' },
    { match: '*', price: 2 },
  ]
  await writeFile(path.join(folder, 'prices.json'), JSON.stringify(rules))
  const words = ['sell', weather().descriptionUrl, '--name', 'marked', '--private', '--yes']
  const sold = await tollway([...words, '--rules', 'prices.json'], { folder })
  expect(sold.stdout).toMatch(/marked\/get-forecast +free +deprecated: The forecast/)
  expect(sold.stdout.match(/deprecated/g)).toHaveLength(1)
  expect(sold.stdout).not.toContain('it is free, so none is needed')
  expect(sold.stdout).not.toContain('/api/run/marked/get-forecast ')
  expect((await tollway(['sell', 'remove', 'marked', '--forget'])).code).toBe(0)
})

test('a new price is shown beside the price that the operator has set', async () => {
  const words = ['sell', weather().descriptionUrl, '--name', 'priced_own', '--private', '--yes']
  expect((await tollway([...words, '--price', '2'])).code).toBe(0)
  await gateway().request('PUT', '/api/v1/admin/price-overrides/priced_own/get-forecast', {
    key: adminToken,
    body: { price_usd: '0.05' },
  })
  const { stdout } = await tollway([...words, '--price', '3'])
  expect(stdout).toMatch(/other price +priced_own\/get-forecast +3¢, was 2¢/)
  expect(stdout).toContain(
    'A price that you have set yourself for priced_own/get-forecast is in force. Callers pay now: 5¢. After this: 5¢.',
  )
  expect((await tollway(['sell', 'remove', 'priced_own', '--forget'])).code).toBe(0)
})

test('a typing mistake in the rules is told with its line, and takes nothing off sale', async () => {
  const folder = await emptyFolder()
  const words = ['sell', weather().descriptionUrl, '--name', 'mistyped', '--private', '--yes']
  expect((await tollway([...words, '--price', '2'], { folder })).code).toBe(0)
  const sellBy = async (text: string) => {
    await writeFile(path.join(folder, 'prices.json'), text)
    return await tollway([...words, '--rules', 'prices.json'], { folder })
  }
  const terms = (per: object) => JSON.stringify({ match: 'get-forecast', price: 1, per })
  const rest = '{"match": "*", "price": 2}'
  const field = await sellBy(`[\n\n${terms({ field: 'dayz', at_most: 9 })},\n${rest}]`)
  expect(field.stderr).toContain(
    'Rule 1 (line 3), which is for get-forecast: its price counts dayz,',
  )
  expect(field.stderr).toContain('Did you mean days?')
  const place = await sellBy(`[${terms({ answer: '/dayz', at_most: 9 })},\n${rest}]`)
  expect(place.stderr).toContain('its answer has no /dayz. It has /place, /days and /next.')
  const comma = await sellBy(`[\n${rest},\n]`)
  expect(comma.stderr).toContain('prices.json is not JSON. Something is wrong at line 3, column 1.')
  const { stdout } = await tollway(['sell', 'list'])
  expect(stdout).toMatch(/mistyped +\S+ +4 actions/)
  const cheap = await sellBy('[{"match": "*", "price": 2, "cost": 3}]')
  expect(cheap.stdout).toContain('You would lose money with each call of mistyped/get-forecast: ')
  expect((await tollway(['sell', 'remove', 'mistyped', '--forget'])).code).toBe(0)
})

test('a refusal names the option that is missing, and over HTTP the field', async () => {
  const words = ['sell', weather().descriptionUrl, '--name', 'near', '--price', '1']
  const { stderr } = await tollway(words)
  expect(stderr).toContain('say that it is in your own network: `--private`.')
  const { body } = await previewSale(gateway(), { address: weather().descriptionUrl, price: 1 })
  expect(body.message).toContain('say that it is in your own network: `"private": true`.')
  const missing = await tollway(['sell', `${weather().url}/missing`, '--private', '--price', '1'])
  expect(missing.stderr).toContain('without a description, add `--endpoint`.')
})

test('operations of the API keep their names in errors', async () => {
  const folder = await emptyFolder()
  await writeFile(path.join(folder, 'none.json'), '[{"match":"none","price":1}]')
  const words = ['sell', weather().descriptionUrl, '--private', '--rules', 'none.json']
  const { stderr } = await tollway(words, { folder })
  expect(stderr).toMatch(/ GET \/\S+: No price rule matches it\./)
})

test('in a clone, files are those of the folder in which the command is typed', async () => {
  const folder = await emptyFolder()
  await writeFile(path.join(folder, 'prices.json'), '{}')
  const clone = path.join(import.meta.dirname, '../../..')
  const words = ['sell', 'https://api.example.com/openapi.json', '--rules', 'prices.json']
  const typed = ['--silent', '--prefix', clone, 'run', 'tollway', '--', ...words]
  await expect(execute('npm', typed, { cwd: folder })).rejects.toMatchObject({
    code: 2,
    stderr: expect.stringContaining('prices.json is not a list of price rules'),
  })
})

test('a newcomer is told how to start a gateway, and where the token is missing', async () => {
  const words = ['sell', 'https://api.example.com/openapi.json', '--price', '1']
  const nowhere = await tollway(words, { url: 'http://127.0.0.1:9', token: '' })
  expect(nowhere.code).toBe(2)
  expect(nowhere.stderr).toContain('Start one in another terminal, in this folder: `npm start`')
  const tokenless = await tollway(words, { token: '' })
  expect(tokenless.stderr).toContain('its operator’s token is not in ')
  expect(tokenless.stderr).toContain('set ADMIN_TOKEN')
  const away = await tollway(words, { url: 'http://127.0.0.1:9' })
  expect(away.stderr).toContain('No gateway answers at http://127.0.0.1:9.')
  const elsewhere = await tollway(words, { url: 'https://gateway.example', token: '' })
  expect(elsewhere.stderr).toContain('Set ADMIN_TOKEN')
})

test.each([
  [['--price', 'cheap'], '--price takes cents'],
  [['--rules', 'missing.json'], 'cannot be read'],
  [['--key', '', '--price', '1'], '--key is empty. Leave it out'],
  [['--auth', 'magic', '--price', '1'], '--auth takes'],
])('sell with %j is refused in a sentence', async (more, sentence) => {
  const { code, stderr } = await tollway(['sell', weather().descriptionUrl, ...more])
  expect(code).toBe(2)
  expect(stderr).toContain(sentence)
})
