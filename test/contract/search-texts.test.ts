// The words by which callers find the actions of web search, scraping and platform data: sufficient, and distinct.
import { describe, expect, test } from 'vitest'
import { providers } from '#catalog/providers.ts'

const mine = /^(ns_(semantic|indep|rag|cite|par|render_a|render_b|resi|geo|captcha)|scraping)$/
const actions = providers
  .filter(({ id, tableFolder }) => mine.test(id) || tableFolder !== undefined)
  .flatMap(({ id, actions }) =>
    actions.map((action) => ({ ...action, id: `${id}/${action.name}` })),
  )
const ids = new Set(
  providers.flatMap(({ id, actions }) => actions.map(({ name }) => `${id}/${name}`)),
)

describe.each(actions)('$id', ({ id, notes = '', synonyms = [], questions = [] }) => {
  test('has words and questions that people use', () => {
    expect(new Set(synonyms.map((word) => word.toLowerCase())).size).toBeGreaterThanOrEqual(4)
    expect(new Set(questions).size).toBeGreaterThanOrEqual(3)
    for (const question of questions) expect(question.toLowerCase()).not.toContain(id)
  })

  test('names alternatives that exist', () => {
    const named = [...notes.matchAll(/\b((?:ns_)?[a-z_]+\/[a-z_-]+)\b/g)].map(([name]) => name)
    const known = named.filter((name) => ids.has(name))
    expect(known.filter((name) => name !== id).length).toBeGreaterThan(0)
    const catalogued = named.filter((name) =>
      providers.some((one) => name.startsWith(`${one.id}/`)),
    )
    expect(catalogued.filter((name) => !ids.has(name))).toEqual([])
  })
})

test('no two actions share a question or a summary', () => {
  const questions = actions.flatMap((action) => action.questions ?? [])
  expect(questions.filter((question, place) => questions.indexOf(question) !== place)).toEqual([])
  expect(new Set(actions.map(({ summary }) => summary)).size).toBe(actions.length)
})
