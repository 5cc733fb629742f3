// The OpenAPI document of the whole catalog, read by the linter of Redocly.

import { expect, test } from 'vitest'
import { providers } from '#catalog/providers.ts'
import { credentialNames } from '#core/provider.ts'
import { createConfig, lintFromString } from '#oracles/redocly.ts'
import { describeOpenApi } from '#surfaces/openapi/document.ts'
import { withWholeCatalog } from '#test/catalog/whole-catalog.ts'

/** Beyond its strict set: what a reader of the document misses first. */
const moreRules = [
  'array-parameter-serialization',
  'component-name-unique',
  'operation-singular-tag',
  'operation-tag-defined',
  'parameter-description',
  'path-params-defined',
  'spec-example-values',
  'spec-strict-refs',
]

/** A WebSocket begins with 101, and a form of a page ends with 303: these operations have no other success. */
const succeedsOtherwise = (document: object, pointer: string) =>
  ['101', '303'].some((status) => status in at(document, pointer))

/** What a JSON pointer points to. */
const at = (document: object, pointer: string): object =>
  pointer
    .slice('#/'.length)
    .split('/')
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce((value, name) => value[name as never], document)

/** Every provider has a credential, so that none of its actions is left out. */
const variables = new Map(providers.flatMap(credentialNames).map((name) => [name, 'test']))

const describeAll = () =>
  withWholeCatalog(
    (catalog) =>
      describeOpenApi({ catalog, version: '1.0.0', baseUrl: 'https://gateway.test', rails: [] }),
    variables,
  )

async function lint(document: object) {
  const rules = Object.fromEntries(moreRules.map((rule) => [rule, 'error' as const]))
  const found = await lintFromString({
    source: JSON.stringify(document),
    absoluteRef: '/openapi.json',
    config: await createConfig({ extends: ['recommended-strict'], rules }),
  })
  return found
    .map(({ ruleId, location: [place] }) => ({ rule: ruleId, at: place?.pointer ?? '#/' }))
    .filter(({ rule, at }) => rule !== 'operation-2xx-response' || !succeedsOtherwise(document, at))
}

test('a strict linter finds nothing wrong with the OpenAPI document of all actions', async () => {
  const document = await describeAll()
  expect(Object.keys(document.paths).length).toBeGreaterThan(200)
  expect(await lint(document)).toEqual([])
})

test('the linter names an operation without a summary, and a parameter without a description', async () => {
  const parameters = [{ name: 'at', in: 'query', schema: { type: 'string' } }]
  const paths = {
    '/healthz': { get: { parameters, responses: { 200: { description: 'The answer.' } } } },
  }
  const found = (await lint({ ...(await describeAll()), paths })).map(({ rule }) => rule)
  expect(found).toEqual(expect.arrayContaining(['operation-summary', 'parameter-description']))
})
