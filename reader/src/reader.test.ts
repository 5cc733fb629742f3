import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { decodeText, judgePage, readBody } from './reader.ts'

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
const block = (language: string) =>
  new RegExp(`\`\`\`${language}\\n([^]*?)\`\`\``).exec(readme)?.[1] ?? ''

test('the example of the README gives what the README says', () => {
  const { text: html } = decodeText(Buffer.from(block('html')), 'text/html; charset=utf-8')
  const body = { kind: 'html', body: html, finalUrl: 'https://mill.example/wheel' } as const
  const { survey, ...page } = readBody(body, { format: 'markdown', mainContent: true })
  const verdict = judgePage({ ...body, html, survey, status: 200, headers: {} })
  expect({ page, verdict }).toEqual(JSON.parse(block('json')))
})
