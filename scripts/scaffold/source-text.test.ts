import { expect, test } from 'vitest'
import { addImport } from './source-text.ts'

test('an import is added below the others, so that the comment at the head stays with the first', () => {
  const text = `// The list.
import { a } from './a.ts'
import {
  b,
  c,
} from './b.ts'

export const all = [a, b, c]
`
  expect(addImport(text, 'd', './d.ts')).toBe(
    text.replace("from './b.ts'\n", "from './b.ts'\nimport { d } from './d.ts'\n"),
  )
})
