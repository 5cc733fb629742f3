// The contract of every action of the catalog: a complete description, and requests and replies as in its fixture.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { providers } from '#catalog/providers.ts'
import { type Action, z } from '#core/action.ts'
import { CallError } from '#core/errors.ts'
import type { IdentifierKind } from '#core/identifier.ts'
import { quotePrice } from '#core/price.ts'
import { baseUrlName, type Provider } from '#core/provider.ts'
import { systemClock } from '#platform/clock.ts'
import { findLists, withoutText, withRow } from '#test/catalog/reply-changes.ts'
import { oneFile } from '#test/one-file.ts'
import { openOwnActions } from '#test/own-actions.ts'
import type { Exchange, Fixture } from '#test/replay-server.ts'
import { replayAction } from '#test/run-action.ts'

const catalog = path.join(import.meta.dirname, '../../src/catalog')
/** The moment at which fixtures are replayed. */
const clock = { ...systemClock, now: () => Date.parse('2026-09-15T12:00:00Z') }
const synonymsMin = 4
const questionsMin = 3
const sentence = /^[A-Z].*[^.]\.$/

test('the list of providers is alphabetical and without duplicates', () => {
  const ids = providers.map(({ id }) => id)
  expect(ids).toEqual([...new Set(ids)].toSorted())
})

test('every folder of the catalog is in the list', () => {
  const folders = readdirSync(catalog, { withFileTypes: true }).filter(
    (entry) => entry.isDirectory() && entry.name !== 'lib',
  )
  expect(folders.map(({ name }) => name).toSorted()).toEqual(
    [...new Set(providers.map(({ id, tableFolder }) => tableFolder ?? id))].toSorted(),
  )
})

/** What the caller of a fixture's example owns. */
const callerOf = ({ issued = [], file }: Pick<Fixture, 'issued' | 'file'>) => ({
  issued: async () => issued,
  ...(file && { files: oneFile(file) }),
})

/** The path of an action's fixture. Actions of a table have the platform in the file name. */
const fixtureOf = ({ id, tableFolder }: Provider, { name }: Action) =>
  path.join(catalog, tableFolder ?? id, 'fixtures', `${tableFolder ? `${id}.` : ''}${name}.json`)

test('every fixture belongs to an action', () => {
  const known = new Set(
    providers.flatMap((provider) => provider.actions.map((action) => fixtureOf(provider, action))),
  )
  const strays = readdirSync(catalog, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.includes(`fixtures${path.sep}`) && name.endsWith('.json'))
    .filter((name) => !known.has(path.join(catalog, name)))
  expect(strays).toEqual([])
})

/** The texts by which discover finds an action. Notes name the gateway's own actions without their namespace. */
function findSilence(id: string, action: Action, ownNames = ['onescrape', 'onescrape-deep']) {
  const { summary, notes = '', synonyms = [], questions = [] } = action
  const names = notes.match(/\b[a-z][a-z_]*\/[a-z_-]+|\b[a-z]+(?:-[a-z]+)*\b/g) ?? []
  const others = names.filter((name) => name.includes('/') || ownNames.includes(name))
  return [
    ...(sentence.test(summary) && !summary.slice(0, -1).includes('. ')
      ? []
      : ['one sentence of summary']),
    ...(sentence.test(notes) ? [] : ['notes']),
    ...(others.some((other) => other !== id) ? [] : ['another action in its notes']),
    ...(new Set(synonyms).size >= synonymsMin ? [] : ['synonyms']),
    ...(new Set(questions).size >= questionsMin ? [] : ['questions']),
  ]
}

test('the gateway’s own actions are described as well as those of vendors', async () => {
  const { actions: own, services, close } = openOwnActions()
  onTestFinished(close)
  const actions = [...own, ...services.flatMap((service) => service.actions)]
  // Other names, such as result and batch, are words that occur in any text.
  const ownNames = own.map(({ name }) => name).filter((name) => /-|^one/.test(name))
  const silent = actions.map((action) => [action.name, findSilence(action.name, action, ownNames)])
  expect(silent).toEqual(actions.map((action) => [action.name, []]))
})

test('an open action is free and needs no credential', async () => {
  const { actions, close } = openOwnActions()
  onTestFinished(close)
  const open = [...providers.flatMap((provider) => provider.actions), ...actions].filter(
    (action) => action.open,
  )
  expect(open.map(({ name }) => name)).toEqual(['discover'])
  for (const { price, owned, issues } of open)
    expect([price, owned, issues]).toEqual(['free', undefined, undefined])
})

/**
 * Actions for which a vendor's 404 is about a page, an edition or the operator's settings, not about the requested
 * object.
 */
const otherMeaningsOf404: Readonly<Record<string, string>> = {
  ns_encyclopedia: 'bad_request',
  ns_resi: 'all_blocked',
  platform_data: 'upstream_error',
}

/**
 * Providers and actions with bodies that may have other properties. Source: spec, "Video assembler actions" and "Media
 * generation": the model decides what is known.
 */
const openBodies: ReadonlySet<string> = new Set(['ns_assembler', 'ns_media/generate'])
const isOpenBody = ({ id }: Provider, { name }: Action) =>
  openBodies.has(id) || openBodies.has(`${id}/${name}`)

/** One of each kind, as recognised in a question. */
const identifiers: Readonly<Record<IdentifierKind, string>> = {
  'LinkedIn profile': 'https://www.linkedin.com/in/someone',
  'e-mail address': 'jane@example.com',
  DOI: '10.7717/peerj.4375',
  URL: 'https://example.com/',
  'CFR citation': '21 CFR 11.10',
  CIK: '0000320193',
  EIN: '13-1837418',
  NDC: '0002-3227-30',
  'NCT number': 'NCT04280705',
  VIN: '1HGCM82633A004352',
  'Wikidata id': 'Q42',
  ticker: 'NVDA',
  'flight number': 'LH 454',
  'run id': 'trun_9907962f83aa4d9d98fd7f4bf745d654',
  'job or transaction id': '8a8e8a97-8192-48ff-849a-d8a96e949732',
  domain: 'example.com',
}

/** `*` in the output of a fixture stands for any value, where the gateway makes a new one each time. */
function orAny(expected: unknown): unknown {
  if (expected === '*') return expect.anything()
  if (typeof expected !== 'object' || expected === null) return expected
  if (Array.isArray(expected)) return expected.map(orAny)
  return Object.fromEntries(Object.entries(expected).map(([name, value]) => [name, orAny(value)]))
}

/** The rows of an answer at any depth. */
function findRows(value: unknown): unknown[] {
  if (Array.isArray(value)) return value
  if (typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap(findRows)
}

describe.each(providers)('$id', (provider) => {
  test('names the vendor and the vendor’s documentation', () => {
    expect(provider.title).not.toBe('')
    // A provider that answers through others is documented there.
    expect(URL.canParse(provider.docs ?? '')).toBe(provider.through === undefined)
    expect(baseUrlName(provider)).toMatch(/^[A-Z0-9_]+_BASE_URL$/)
  })

  describe.each([...provider.actions])('$name', (action) => {
    const readFixture = () =>
      JSON.parse(readFileSync(fixtureOf(provider, action), 'utf8')) as Fixture

    test('is defined in the file of its name, or in a table', () => {
      const file = path.join(catalog, provider.id, `${action.name}.ts`)
      expect(existsSync(file)).toBe(provider.tableFolder === undefined)
    })

    test('is described: one sentence, notes with alternatives, synonyms, questions', () => {
      expect(findSilence(`${provider.id}/${action.name}`, action)).toEqual([])
    })

    test('its schemas can be published, name the promised fields and describe every parameter', () => {
      const input = z.toJSONSchema(action.input, { io: 'input' })
      const output = z.toJSONSchema(action.output, { io: 'output' })
      const more = isOpenBody(provider, action) ? {} : false
      expect(input).toMatchObject({ type: 'object', additionalProperties: more })
      expect(Object.keys(output.properties ?? {}).length).toBeGreaterThan(0)
      const mute = Object.entries(input.properties ?? {}).filter(
        ([, schema]) => typeof schema === 'boolean' || schema.description === undefined,
      )
      expect(mute.map(([name]) => name)).toEqual([])
    })

    test('its example is accepted and has the stated price', () => {
      const input = action.input.parse(action.example.input)
      expect(() => action.check?.(input)).not.toThrow()
      // Where the caller's ceiling is the price, the example's cents are the ceiling.
      const micros = action.example.cents * 10_000
      expect(quotePrice(action.price, input, micros).micros).toBe(micros)
    })

    test('accepts an identifier of each declared kind', () => {
      for (const [kind, { fills }] of Object.entries(action.takes ?? {})) {
        const filled = fills(identifiers[kind as IdentifierKind])
        const bodies = [filled, { ...(action.example.input as object), ...filled }]
        expect(bodies.some((body) => action.input.safeParse(body).success)).toBe(true)
      }
    })

    test('the examples of its endpoints are accepted, have the required parameters and the stated prices', () => {
      for (const { endpoint, example, required, price_cents } of action.endpoints ?? []) {
        const input = action.input.parse(example)
        expect(Object.keys(example)).toEqual(expect.arrayContaining(['endpoint', ...required]))
        expect(quotePrice(action.price, input).micros, endpoint).toBe(price_cents * 10_000)
      }
    })

    test.skipIf(isOpenBody(provider, action))('refuses an unknown field', () => {
      const input = { ...(action.example.input as object), unknown_field: 1 }
      expect(action.input.safeParse(input).error?.issues).toMatchObject([
        { code: 'unrecognized_keys', keys: ['unknown_field'] },
      ])
    })

    // An action that the operator must complete, or that only this machine runs, sends no request. Sessions keep the
    // contract of boxes, `test/boxes`.
    const isOnlyHere = provider.upstream === undefined && provider.through === undefined
    const isOfBoxes = action.mode === 'session'
    const complete = action.unavailable === undefined && !isOnlyHere && !isOfBoxes

    test.runIf(complete)(
      'sends exactly the requests of its fixture and understands the replies',
      async () => {
        const { output, ...fixture } = readFixture()
        const { input } = action.example
        const options = { ...callerOf(fixture), exchanges: fixture.exchanges, input, clock }
        expect(await replayAction(provider, action.name, options)).toEqual({
          output: orAny(output),
        })
      },
    )

    const replayWith = async (change: (reply: Exchange['reply']) => Exchange['reply']) => {
      const { exchanges, ...fixture } = readFixture()
      const last = exchanges.length - 1
      const changed = exchanges.map((exchange, place) =>
        place === last ? { ...exchange, reply: change(exchange.reply) } : exchange,
      )
      const options = {
        ...callerOf(fixture),
        exchanges: changed,
        input: action.example.input,
        clock,
      }
      return await replayAction(provider, action.name, options)
        // Additional or missing requests do not matter here.
        .catch(() => ({ output: undefined, error: undefined }))
    }

    test.runIf(complete && action.irrevocable === undefined)(
      'what the provider does not have is not_found, or an empty answer: never the caller’s mistake',
      async () => {
        const { output, error } = await replayWith(() => ({ status: 404, body: {} }))
        // The gateway itself knows which ids it has issued.
        if (readFixture().exchanges.length === 0) expect(error).toBeUndefined()
        else if (output !== undefined) expect(findRows(output), 'an answer to 404').toEqual([])
        else if (error !== undefined)
          expect(otherMeaningsOf404[provider.tableFolder ?? provider.id] ?? 'not_found').toBe(
            error.code,
          )
      },
    )

    test.runIf(complete).each([null, {}, [], 'text', 7, { results: 7 }, { data: [null] }])(
      'a malformed reply, %j, is the provider’s failure and not the caller’s',
      async (body) => {
        const { error } = await replayWith((reply) => ({ ...withoutText(reply), body }))
        const status = error instanceof CallError ? error.status : 500
        expect(status === 404 || status >= 500, error?.message).toBe(true)
      },
    )

    test.runIf(complete)(
      'an odd row in a reply costs the other rows nothing',
      async () => {
        const { exchanges } = readFixture()
        const lists = findLists(exchanges.at(-1)?.reply.body)
        for (const at of lists) {
          for (const odd of [null, 'text', {}, 7]) {
            const { error } = await replayWith(({ body, ...reply }) => ({
              ...reply,
              body: withRow(body, at, odd),
            }))
            expect(error, `${at.join('.')} with ${JSON.stringify(odd)}`).toBeUndefined()
          }
        }
      },
      30_000,
    )

    test.runIf(complete)(
      'its fixture says where it comes from, and what a keyless provider answers names it',
      () => {
        const { origin, source, output } = readFixture()
        expect(['recorded', 'docs']).toContain(origin)
        expect(source).toMatch(sentence)
        const { upstream } = provider
        const keyless =
          upstream !== undefined &&
          !upstream.wallet &&
          (upstream.credential?.optional ?? upstream.credential === undefined)
        if (keyless || action.keyless) {
          expect(output).toMatchObject({ provider: provider.title })
        }
      },
    )
  })
})
