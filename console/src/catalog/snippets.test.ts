import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { snippets } from './snippets.ts'

const call = {
  baseUrl: 'https://gateway.example',
  action: 'tollway/onescrape',
  input: { urls: [`https://one.example/?q='; touch /tmp/x; echo '`], note: 'a "b" $HOME `id`' },
}
const written = (name: string) => snippets.find((each) => each.name === name)?.write(call) ?? ''
/** What a shell makes of the words of a command. */
const wordsOf = (command: string) =>
  execFileSync(
    'sh',
    ['-c', `set -- ${command}; for word in "$@"; do printf '%s\\0' "$word"; done`],
    {
      encoding: 'utf8',
      env: { PATH: process.env.PATH, TOLLWAY_KEY: 'tw_live_key' },
    },
  ).split('\0')

test('the curl command sends parameters with quotes and variables unchanged', () => {
  const words = wordsOf(written('curl'))
  expect(words[1]).toBe('https://gateway.example/api/run/tollway/onescrape')
  expect(words[3]).toBe('authorization: Bearer tw_live_key')
  expect(JSON.parse(words[5] ?? '')).toEqual(call.input)
})

test('the command gets the parameters unchanged', () => {
  const words = wordsOf(written('Command'))
  expect(words.slice(0, 4)).toEqual(['tollway', 'run', 'tollway/onescrape', '--body'])
  expect(JSON.parse(words[4] ?? '')).toEqual(call.input)
})

test('no snippet holds a key', () => {
  for (const { name } of snippets) expect(written(name)).not.toMatch(/tw_live_/)
})
