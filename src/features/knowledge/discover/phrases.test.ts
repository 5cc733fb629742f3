import { afterAll, expect, test } from 'vitest'
import { ownNamespace } from '#test/own-actions.ts'
import { openWholeCatalog } from '../../../../training/discover-catalog.ts'
import { phrasesFile, readTable, unservedFile } from './texts.ts'

const phrasesMin = 10
const { catalog, close } = openWholeCatalog()
afterAll(close)
const phrases = readTable(phrasesFile)
const ids = catalog.entries.map(({ id }) => id.replace(`${ownNamespace}/`, 'own/'))

test('every phrase belongs to an action of the catalog', () => {
  const known = new Set(ids)
  expect([...phrases.keys()].filter((id) => !known.has(id))).toEqual([])
})

test(`every action has at least ${phrasesMin} phrases`, () => {
  expect(ids.filter((id) => (phrases.get(id) ?? []).length < phrasesMin)).toEqual([])
})

test(`every topic that no action serves has at least ${phrasesMin} phrases`, () => {
  const topics = [...readTable(unservedFile)]
  expect(topics.filter(([, list]) => list.length < phrasesMin)).toEqual([])
})

test('no action and topic has a phrase twice', () => {
  const twice = [...phrases, ...readTable(unservedFile)].filter(
    ([, list]) => new Set(list).size < list.length,
  )
  expect(twice).toEqual([])
})
