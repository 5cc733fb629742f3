// How long tests wait for events: as long as their project says, so that a busy machine fails none of them.
import { expect, test } from 'vitest'
import { isTest, sources } from './sources.ts'

const tests = sources.filter(({ file }) => isTest(file))

const find = (pattern: RegExp) =>
  tests.flatMap(({ file, text }) => text.match(pattern)?.map((found) => `${file}: ${found}`) ?? [])

test('a test polls without a time limit of its own', () => {
  expect(find(/\.poll\(.*(?:\n.*){0,2}?\{ (?:interval: [\d_]+, )?timeout: [\d_]+ \}\)/g)).toEqual(
    [],
  )
})

test('a test polls by `expect.poll` or `until`, because those of `vi` give up after a second', () => {
  expect(find(new RegExp(String.raw`\bvi\.${'wait'}(?:For|Until)\b`, 'g'))).toEqual([])
})
