import { expect, test } from 'vitest'
import { schemaCompilerOf } from './json-schema.ts'

/** A pattern that goes back over its text takes minutes, and comparing all pairs of 50,000 items takes a minute. */
const mostMs = 10_000

/** The time of the processor that this thread has taken since: other programs do not count. */
function processorMs() {
  const before = process.threadCpuUsage()
  return () => process.threadCpuUsage(before).user / 1_000
}

test.each([
  ['^(?:a{0,30}){0,30}b$', 40],
  ['^(a+){1,30}$', 40],
  ['^.*@.*@.*@.*x$', 3_000],
])('the pattern %s does not keep the gateway busy', (pattern, length) => {
  const { compile } = schemaCompilerOf({}, { formats: true })
  const check = compile({ type: 'string', pattern })
  const spentMs = processorMs()
  check(`${(pattern.includes('@') ? '@' : 'a').repeat(length)}!`)
  expect(spentMs()).toBeLessThan(mostMs)
})

test('nor does a list of such texts', () => {
  const { compile } = schemaCompilerOf({}, { formats: true })
  const check = compile({ type: 'array', items: { type: 'string', pattern: '^(a+){1,30}$' } })
  const spentMs = processorMs()
  check(Array.from({ length: 500 }, () => `${'a'.repeat(40)}!`))
  expect(spentMs()).toBeLessThan(mostMs)
})

test('an ordinary pattern still judges', () => {
  const { compile } = schemaCompilerOf({}, { formats: true })
  const check = compile({ type: 'string', pattern: '^[a-z]{2}$' })
  expect([check('de'), check('deu')]).toEqual([true, false])
})

test('many items that must differ are judged at once', () => {
  const { compile } = schemaCompilerOf({}, { formats: true })
  const check = compile({ type: 'array', uniqueItems: true })
  const items = Array.from({ length: 50_000 }, (_, number) => ({ number }))
  const spentMs = processorMs()
  expect([check(items), check([...items, { number: 7 }])]).toEqual([true, false])
  expect(spentMs()).toBeLessThan(mostMs)
})
