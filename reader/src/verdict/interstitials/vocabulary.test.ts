import { describe, expect, test } from 'vitest'
import { findWords } from './find-words.ts'
import { loadVocabulary, meanings, shadowedStems, stemsOf } from './vocabulary.ts'

const vocabulary = loadVocabulary()
const languages = Object.entries(vocabulary)

describe.each(languages)('%s.json', (_language, words) => {
  test('has known meanings only, in their order', () => {
    expect(Object.keys(words)).toEqual(meanings.filter((meaning) => words[meaning] !== undefined))
  })

  test('lists the stems of each meaning sorted and once', () => {
    for (const stems of Object.values(words)) expect(stems).toEqual([...new Set(stems)].sort())
  })

  test('writes stems as the matcher reads text', () => {
    const odd = Object.values(words)
      .flat()
      .filter((stem) => {
        const text = stem.replace(/_$/, '')
        return text !== text.toLowerCase().normalize('NFC') || /[^\p{L}\p{M}\p{N} ]/u.test(text)
      })
    expect(odd).toEqual([])
  })

  test('has stems that are found where they are written', () => {
    const lost = Object.entries(words).flatMap(([meaning, stems]) =>
      stems.filter((stem) => {
        const found = findWords(stem.replace(/_$/, '')).stems
        return !found.some((each) => (each.meanings as readonly string[]).includes(meaning))
      }),
    )
    expect(lost).toEqual([])
  })
})

test('no two languages list a stem with the same meaning', () => {
  const homes = new Map<string, string[]>()
  for (const [language, words] of languages)
    for (const [meaning, stems] of Object.entries(words))
      for (const stem of stems) {
        const entry = `${meaning}: ${stem}`
        homes.set(entry, [...(homes.get(entry) ?? []), language])
      }
  expect([...homes].filter(([, each]) => each.length > 1)).toEqual([])
})

test('no stem is shadowed by a shorter stem with the same meaning', () => {
  expect(shadowedStems(stemsOf(vocabulary))).toEqual([])
})
