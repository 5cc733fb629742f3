import { savedName, shownName } from '@tollway/client'
import { expect, test } from 'vitest'

test.each([
  ['invoice_\u202Egnp.exe', 'invoice_[U+202E]gnp.exe', 'invoice__gnp.exe'],
  ['a\u0000b\u0085\u200Bc', 'a[U+0000]b[U+0085][U+200B]c', 'a_b__c'],
  ['half \uD800.txt', 'half [U+D800].txt', 'half _.txt'],
  ['\u2066x\u2069\u{E0041}', '[U+2066]x[U+2069][U+E0041]', '_x__'],
  ['عکس‌ها 👩‍🚀 é.png', 'عکس‌ها 👩‍🚀 é.png', 'عکس‌ها 👩‍🚀 é.png'],
])('%j is shown as it is', (name, shown, saved) => {
  expect([shownName(name), savedName(name)]).toEqual([shown, saved])
})
