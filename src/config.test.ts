import { expect, test } from 'vitest'
import { providers } from '#catalog/providers.ts'
import { credentialNames } from '#core/provider.ts'
import { readConfig } from './config.ts'

test('an empty environment is a complete configuration', () => {
  expect(readConfig({})).toMatchObject({
    PORT: 4020,
    HOST: '127.0.0.1',
    DATA_DIR: './data',
    OWN_NS: 'tollway',
    EGRESS_ALLOW: [],
  })
})

test('an empty value counts as unset', () => {
  expect(readConfig({ PORT: '', DATABASE_URL: '' })).toMatchObject({ PORT: 4020 })
  expect(readConfig({ DATABASE_URL: '' }).DATABASE_URL).toBeUndefined()
})

test('all mistakes are reported at once, each with the name of its setting', () => {
  expect(() =>
    readConfig({ PORT: 'eighty', DATABASE_URL: 'mysql://x', ADMIN_TOKEN: 'short' }),
  ).toThrow(/PORT.*DATABASE_URL: must begin with postgresql.*ADMIN_TOKEN/s)
})

test('lists are split and trimmed', () => {
  expect(readConfig({ EGRESS_ALLOW: ' 10.0.0.0/8, files.internal:8080 ,' }).EGRESS_ALLOW).toEqual([
    '10.0.0.0/8',
    'files.internal:8080',
  ])
})

test('credentials and addresses of providers are collected from the environment', () => {
  const { providerVariables } = readConfig({
    EXA_API_KEY: 'k',
    NS_FILINGS_BASE_URL: 'http://x',
    HOME: '/root',
    PUBLIC_BASE_URL: 'https://gw.example',
  })
  expect(providerVariables.get('EXA_API_KEY')).toBe('k')
  expect(providerVariables.get('NS_FILINGS_BASE_URL')).toBe('http://x')
  expect(providerVariables.has('HOME')).toBe(false)
})

test('every name of a credential that a provider declares is read', () => {
  const names = providers.flatMap(credentialNames)
  const { providerVariables } = readConfig(Object.fromEntries(names.map((name) => [name, 'k'])))
  expect(names.filter((name) => !providerVariables.has(name))).toEqual([])
  expect(names).toContain('APIKEY_2CAPTCHA')
})
