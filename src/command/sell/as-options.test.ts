import { glob, readFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { asOptions } from './as-options.ts'

test.each([
  ['Say so: `"private": true`.', 'Say so: `--private`.'],
  ['Add `"kind": "endpoint"`.', 'Add `--endpoint`.'],
  ['Send `"credential": {"kind": "header", "name": "NAME"}`.', 'Send `--auth header:NAME`.'],
  ['By `"server"`, with `"private": true`.', 'By `--server URL`, with `--private`.'],
  ['A field called "name" stays.', 'A field called "name" stays.'],
])('a command reads the options for "%s"', (sentence, told) => {
  expect(asOptions(sentence)).toBe(told)
})

const source = path.join(import.meta.dirname, '../..')

test('what the gateway says of a sale names fields, and a command can say each of them', async () => {
  const places = ['features/selling/**/*.ts', 'surfaces/http/admin/sold-apis.ts']
  const fields: string[] = []
  for await (const file of glob(places, { cwd: source })) {
    const text = await readFile(path.join(source, file), 'utf8')
    if (file.endsWith('.test.ts')) continue
    const sentences = text.split('\n').filter((line) => !/^\s*(\/\/|\/?\*)/.test(line))
    for (const sentence of sentences) {
      expect({ file, option: /`--[a-z]+/.exec(sentence)?.[0] }).toEqual({ file })
      fields.push(...(sentence.match(/`"[a-z_]+"(?:: [^`\\]+)?\\?`/g) ?? []))
    }
  }
  const written = [...new Set(fields.map((field) => field.replaceAll('\\', '')))]
  expect(written.length).toBeGreaterThan(4)
  for (const field of written) expect(asOptions(field)).toMatch(/^`--/)
})
