// The contract of every source of the shelf. Beside its file is its example reply, which says what it must be asked.
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { systemClock } from '#platform/clock.ts'
import { findLists, withoutText, withRow } from '#test/catalog/reply-changes.ts'
import type { Exchange, Fixture } from '#test/replay-server.ts'
import { replayAction } from '#test/run-action.ts'
import { primary } from '../../provider.ts'
import { shelf } from './shelf.ts'

interface SourceFixture extends Fixture {
  /** How the source says that it has nothing. */
  readonly empty: Exchange['reply']
}

const clock = { ...systemClock, now: () => Date.parse('2026-09-15T12:00:00Z') }
const files = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' })
const replies = new Map(
  files
    .filter((file) => file.endsWith('.json'))
    .map((file) => [path.basename(file, '.json'), file]),
)
const fixtureOf = (name: string): SourceFixture =>
  JSON.parse(readFileSync(path.join(import.meta.dirname, replies.get(name) ?? ''), 'utf8'))

const provider = primary()
const ask = (input: object, exchanges: readonly Exchange[]) =>
  replayAction(provider, 'fetch', { input, exchanges, clock })

/** The answer to the example when the source replies otherwise. */
function replyWith(name: string, change: (reply: Exchange['reply']) => Exchange['reply']) {
  const { exchanges } = fixtureOf(name)
  const changed = exchanges.map(({ request, reply }) => ({ request, reply: change(reply) }))
  return ask({ endpoint: name, ...shelf[name]?.example }, changed)
}

test('every source has an example reply, and every reply a source', () => {
  expect([...replies.keys()].toSorted()).toEqual(Object.keys(shelf))
})

test('sources of one address agree on how often it may be asked', () => {
  const paces = Object.values(shelf).map(({ host, pacing }) => [host, JSON.stringify(pacing)])
  expect(new Set(paces.map((pace) => pace.join(' '))).size).toBe(
    new Set(paces.map(([host]) => host)).size,
  )
})

describe.each(Object.keys(shelf))('%s', (name) => {
  test('sends exactly the request of its documentation and understands the reply', async () => {
    const { exchanges, output, source } = fixtureOf(name)
    const input = { endpoint: name, ...shelf[name]?.example }
    expect(await ask(input, exchanges)).toEqual({
      output: { provider: 'Primary sources', endpoint: name, ...(output as object) },
    })
    expect(source).toMatch(/^[A-Z].*[^.]\.$/)
  })

  test('what it does not have is not found, so a miss costs nothing', async () => {
    const { empty } = fixtureOf(name)
    expect((await replyWith(name, () => empty)).error?.code).toBe('not_found')
  })

  test.each([
    [400, 'bad_request'],
    [401, 'upstream_error'],
    [403, 'upstream_error'],
    [404, 'not_found'],
    [429, 'rate_limited'],
    [500, 'upstream_error'],
    [504, 'upstream_error'],
  ])('its status %i is %s', async (status, code) => {
    const { error } = await replyWith(name, () => ({ status, body: {} }))
    expect(error?.code).toBe(code)
  })

  test.each([null, {}, [], 'text', 7, { results: 7 }, { data: [null] }, { items: {} }])(
    'a malformed reply, %j, is the failure of the source',
    async (body) => {
      const { error, output } = await replyWith(name, (reply) => ({ ...withoutText(reply), body }))
      expect(output).toBeUndefined()
      expect(error?.code).toBe('upstream_error')
    },
  )

  test('a page instead of data is the failure of the source', async () => {
    const page = '<!doctype html><title>Access Denied</title>'
    const { error } = await replyWith(name, () => ({ status: 200, text: page }))
    expect(error?.code).toBe('upstream_error')
  })

  test('an odd row costs the other rows nothing', async () => {
    const { output: usual } = await replyWith(name, (reply) => reply)
    const lists = findLists(fixtureOf(name).exchanges[0]?.reply.body)
    for (const at of lists) {
      for (const odd of [null, 'text', {}, 7]) {
        const { output, error } = await replyWith(name, ({ body, ...reply }) => ({
          ...reply,
          body: withRow(body, at, odd),
        }))
        expect(error, `${at.join('.')} with ${JSON.stringify(odd)}`).toBeUndefined()
        expect(output.result.items).toEqual(usual.result.items)
      }
    }
  })
})
