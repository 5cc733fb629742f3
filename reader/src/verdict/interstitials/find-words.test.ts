import { expect, test } from 'vitest'
import { findWords } from './find-words.ts'

test.each([
  ['the beginning of a word', 'Unavailable!', 1, 0],
  ['not the middle of one', 'a footpath', 0, 2],
  ['a phrase as one', 'It could not be found.', 1, 1],
  ['a word once, however often it is said', 'blocked, blocked and blocked', 1, 1],
  ['what a script without spaces runs together', '您的请求已被拦截', 3, 1],
  ['a word with its article', 'الصفحة غير موجودة', 2, 0],
  ['a capital I with a dot', 'İçerik bulunamadı', 2, 0],
  ['strange words in quotation marks', 'They say “access blocked” here', 0, 5],
  ['nothing in nothing', ' — ', 0, 0],
])('finds %s', (_what, text, known, strange) => {
  const found = findWords(text)
  expect([found.stems.length, found.strange]).toEqual([known, strange])
})
