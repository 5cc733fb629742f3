import { expect, test } from 'vitest'
import { toMarkdown } from './markdown.ts'

const code = 'def one():\n    return 1  \n\n\ndef two():\n    return 2'
const indented = (by: string) => code.replace(/^(?=.)/gm, by)

test.each([
  ['on its own', `<pre><code>${code}\n</code></pre>`, `\`\`\`\n${code}\n\`\`\``],
  ['with fences in it', `<pre>a\n\`\`\`\n\n\n\nb</pre>`, '````\na\n```\n\n\n\nb\n````'],
  ['in a list', `<ul><li>Two:<pre>${code}</pre></li></ul>`, indented('  ')],
])('code %s keeps its blank lines and the ends of its lines', (_where, html, markdown) => {
  expect(toMarkdown(`<p>Before</p>${html}<p>After</p>`)).toContain(markdown)
})

test('around code there is one blank line, and none ends in blanks', () => {
  const html = `<div><p>One </p><br><br><div><br></div><pre>x\n\n\n\ny</pre></div><div><br><br></div><p>Two<span> </span></p>`
  const outside = toMarkdown(html).split('```')
  expect(outside).toHaveLength(3)
  for (const part of [outside[0], outside[2]]) expect(part).not.toMatch(/\n{3,}|[^\S\n]$/m)
})
