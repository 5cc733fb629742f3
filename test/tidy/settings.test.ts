// The guide for operators and the settings of the code name the same variables.
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { providers } from '#catalog/providers.ts'
import { baseUrlName, credentialNames } from '#core/provider.ts'
import { settings } from '../../src/config.ts'

const guide = path.join(import.meta.dirname, '../../docs/operate')
const pages = readdirSync(guide).map((name) => [name, readFileSync(path.join(guide, name), 'utf8')])
const words = (text: string) => text.match(/\b[A-Z][A-Z0-9]*(_[A-Z0-9]+)*\b/g) ?? []

test('every setting is explained in the guide for operators', () => {
  const explained = new Set(pages.flatMap(([, text = '']) => words(text)))
  expect(Object.keys(settings).filter((name) => !explained.has(name))).toEqual([])
})

test('the guide for operators names no setting that does not exist', () => {
  const known = new Set([
    ...Object.keys(settings),
    ...Object.keys(settings).map((name) => `${name}_FILE`),
    ...providers.flatMap((provider) => [...credentialNames(provider), baseUrlName(provider)]),
    // Keys and addresses that upstreams and the operator's own files name.
    ...['NAME_API_KEY', 'RATES_API_KEY', 'VLLM_API_KEY', 'OPENROUTER_API_KEY', 'OLLAMA_BASE_URL'],
    ...['COHERE_API_KEY', 'JINA_API_KEY'],
    // Shell variables and a file in the commands.
    ...['DATABASE_PASSWORD', 'NEW_VERSION', 'SERVER_URL', 'PG_VERSION'],
  ])
  const unknown = pages.flatMap(([page, text = '']) =>
    words(text)
      .filter((word) => word.includes('_') && !known.has(word))
      .map((word) => `${page}: ${word}`),
  )
  expect(unknown).toEqual([])
})
