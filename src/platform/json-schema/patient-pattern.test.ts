import { expect, test } from 'vitest'
import { createSchemaCompiler } from './json-schema.ts'

test.each([
  ['^(?:a{0,30}){0,30}b$', 40],
  ['^(a+){1,30}$', 40],
  ['^.*@.*@.*@.*x$', 3_000],
])('the pattern %s does not keep the gateway busy', (pattern, length) => {
  const { compile } = createSchemaCompiler({}, { formats: true })
  const check = compile({ type: 'string', pattern })
  const startedAt = performance.now()
  check(`${(pattern.includes('@') ? '@' : 'a').repeat(length)}!`)
  expect(performance.now() - startedAt).toBeLessThan(2_000)
})

test('nor does a list of such texts', () => {
  const { compile } = createSchemaCompiler({}, { formats: true })
  const check = compile({ type: 'array', items: { type: 'string', pattern: '^(a+){1,30}$' } })
  const startedAt = performance.now()
  check(Array.from({ length: 500 }, () => `${'a'.repeat(40)}!`))
  expect(performance.now() - startedAt).toBeLessThan(2_000)
})

test('an ordinary pattern still judges', () => {
  const { compile } = createSchemaCompiler({}, { formats: true })
  const check = compile({ type: 'string', pattern: '^[a-z]{2}$' })
  expect([check('de'), check('deu')]).toEqual([true, false])
})

test('many items that must differ are judged at once', () => {
  const { compile } = createSchemaCompiler({}, { formats: true })
  const check = compile({ type: 'array', uniqueItems: true })
  const items = Array.from({ length: 50_000 }, (_, number) => ({ number }))
  const startedAt = performance.now()
  expect([check(items), check([...items, { number: 7 }])]).toEqual([true, false])
  expect(performance.now() - startedAt).toBeLessThan(2_000)
})
