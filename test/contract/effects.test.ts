// What each action makes that stays after its call, what undoes it, and which tables keep such things.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import type { CatalogEntry } from '#core/catalog.ts'
import { type EffectKind, effectKinds, isClosable, outlivingOf } from '#core/effects/effect.ts'
import { readFunctions } from '#platform/database/schema.ts'
import { withWholeCatalog } from '#test/catalog/whole-catalog.ts'
import { schema } from '../../src/app/schema.ts'

const makers = (entries: readonly CatalogEntry[]) =>
  entries.flatMap(({ id, action: { makes = [] } }) => makes.map((kind) => `${id} makes ${kind}`))

test('the actions that make something that stays after their call', async () => {
  const made = await withWholeCatalog(({ entries }) => makers(entries))
  expect(made.sort()).toEqual([
    'files/upload makes file',
    'files/upload_from_url makes file',
    'ns_assembler/create_project makes film_project',
    'ns_assembler/put_composition makes composition',
    'ns_assembler/upload makes film_media',
    'ns_browser/create_session makes browser',
    'ns_browser/extend_session makes browser_minutes',
    'ns_mail/create_inbox makes inbox',
    'ns_repo/repo-create makes repository',
    'ns_sandbox/sandbox-create makes prepaid_resource',
    'ns_sandbox/sandbox-create makes sandbox',
    'sess_a/create_session makes session',
    'sess_b/create_session makes session',
    'sess_c/create_session makes session',
    'sess_d/create_session makes session',
    'sess_e/create_session makes session',
    'tollway/index-site makes indexed_page',
    'tollway/index-site makes site_index',
  ])
})

test('an action that makes something is not free', async () => {
  const free = await withWholeCatalog(({ entries }) =>
    entries.filter(({ action: { makes, price } }) => makes && price === 'free').map(({ id }) => id),
  )
  expect(free).toEqual([])
})

test('an action whose id names something that is kept makes what outlives its call', async () => {
  const kept = await withWholeCatalog(({ entries }) =>
    entries.filter(({ action }) => /isKept: true/.test(String(action.issues))),
  )
  for (const { id, action } of kept) expect(outlivingOf(action.makes), id).toBeDefined()
})

test('every kind has a function of its room that undoes it, and one that closes it if a plan may open it', async () => {
  const { text } = await readFunctions(schema.folders)
  const kindsOf = (verb: string) =>
    [...text.matchAll(/^create function (\w+?)_(\w+)\(e effect\)/gm)].flatMap(([, each, kind]) =>
      each === verb ? [kind] : [],
    )
  // The session engine closes and charges its sessions itself.
  const kinds = Object.keys(effectKinds).filter((kind) => kind !== 'session')
  expect(kindsOf('undo').sort()).toEqual(kinds.sort())
  const closable = kinds.filter((kind) => isClosable(kind as EffectKind))
  expect(kindsOf('close').sort()).toEqual(closable.sort())
})

/** Tables whose rows belong to callers: the kind of effect that a row is, or why it is none. */
const tables: Readonly<Record<string, string>> = {
  film_project: 'film_project',
  film_media: 'film_media',
  browser_session: 'browser',
  stored_file: 'file',
  inbox: 'inbox',
  repository: 'repository',
  site_index: 'site_index',
  vendor_handle: 'vendor_id',
  session: 'session',
  // Counts of what there is.
  file_quota: '',
  mail_usage: '',
  kept_response_usage: '',
  // The free calls of a day, which are counted instead of being charged.
  free_call: '',
  // The answer of a call of a model, kept as outputs are. It is written before the call is charged.
  kept_response: '',
  // Each of its lines is a call of its own.
  model_batch: '',
  // Who may be written to, and whose turn it is.
  mail_correspondent: '',
  mail_day: '',
  mail_stranger: '',
  film_turn: '',
  // What people searches have cost without finding anything.
  people_uncovered: '',
  // Saved by a route, and not by a call.
  saved_plan: '',
}

test('every table with rows of callers is known as an effect, or is none', () => {
  const rooms = schema.folders.filter((folder) => /features|runner/.test(folder))
  const owned = rooms.flatMap((folder) => {
    const text = readFileSync(path.join(folder, 'tables.sql'), 'utf8')
    return [...text.matchAll(/^create table (\w+) \(\n([\s\S]*?)^\)/gm)]
      .filter(([, , columns]) => /^ {2}account_id /m.test(columns ?? ''))
      .map(([, name]) => name)
  })
  expect(owned.sort()).toEqual(Object.keys(tables).sort())
  for (const kind of Object.values(tables))
    expect(['', ...Object.keys(effectKinds)]).toContain(kind)
})
