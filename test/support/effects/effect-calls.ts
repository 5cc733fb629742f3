// Calls that make something that stays after them, each with the worth of what exists of it.
import { randomUUID } from 'node:crypto'
import type { UntypedJson } from '#core/replies/untyped-json.ts'
import type { Database } from '#platform/database/database.ts'

/** Actions and their bodies: different ones each time. */
export type EffectCalls = () => readonly (readonly [action: string, body: object])[]

/** Calls an action, and resolves to the data of its answer. */
type Call = (action: string, body: object) => Promise<UntypedJson>

export const mailDomain = 'agents.example'

interface Parts {
  /** This machine can keep boxes: repositories, sandboxes and browsers are made too. */
  readonly hasBoxes: boolean
  readonly hasBrowsers: boolean
  /** The bytes of a picture. Absent: no media are imported. */
  readonly picture: Uint8Array<ArrayBuffer> | undefined
  /** The address of a file on the web. */
  readonly fileUrl: string
}

/** Makes what the calls need: a project, a picture, a session to extend. */
export async function prepareEffectCalls(
  call: Call,
  { hasBoxes, hasBrowsers, picture, fileUrl }: Parts,
): Promise<EffectCalls> {
  const { id: project_id } = await call('ns_assembler/create_project', { name: 'Prepared' })
  const session = hasBrowsers
    ? await call('ns_browser/create_session', { estimatedMinutes: 200, keepAlive: true })
    : undefined
  const file = picture && (await store(call, picture))
  return () => [
    ['files/upload', { filename: 'a.bin', size_bytes: 5 }],
    ['files/upload_from_url', { url: fileUrl }],
    ['ns_mail/create_inbox', { username: `u${randomUUID()}` }],
    ['ns_assembler/create_project', { name: 'Killed' }],
    ['ns_assembler/put_composition', { project_id, ...composition }],
    ...given(file, (file_id) => ['ns_assembler/upload', { file_id }]),
    ...given(hasBoxes || undefined, () => ['ns_repo/repo-create', { name: 'killed' }]),
    ...given(session, ({ sessionId: session_id }) => [
      'ns_browser/extend_session',
      { session_id, estimatedMinutes: 1 },
    ]),
    ...given(session, () => ['ns_browser/create_session', { estimatedMinutes: 30 }]),
  ]
}

const title = {
  id: 'title',
  startTime: 0,
  duration: 1,
  source: { kind: 'overlay', primitiveId: 'text', params: { text: 'Hi' } },
}
const composition = {
  v: 1,
  format: { aspectRatio: '16:9', fps: 30, resolution: 'hd' },
  tracks: [{ id: 'titles', kind: 'overlay', contents: [title] }],
}

const given = <Value>(
  value: Value | undefined,
  make: (value: Value) => [action: string, body: object],
) => (value === undefined ? [] : [make(value)])

async function store(call: Call, bytes: Uint8Array<ArrayBuffer>) {
  const upload = { filename: 'a.png', size_bytes: bytes.length }
  const { file_id, put_url } = await call('files/upload', upload)
  await fetch(put_url, { method: 'PUT', body: bytes })
  return file_id as string
}

/** Of the account `$1`: what exists, at its price in micro-dollars, by the action that makes it. */
const worth = `
  select 'ns_repo/repo-create' as action, count(*) * 1000000 as micros from repository where account_id = $1
  union all select 'ns_mail/create_inbox', count(*) * 2000000 from inbox where account_id = $1
  union all select case source when 'url' then 'files/upload_from_url' else 'files/upload' end, count(*) * 10000
    from stored_file where account_id = $1 and state <> 'removed' group by 1
  union all select 'ns_assembler/create_project', count(*) * 10000 from film_project where account_id = $1
  union all select 'ns_assembler/put_composition', sum(version) * 10000 from film_project where account_id = $1
  union all select 'ns_assembler/upload', count(*) * 10000 from film_media where account_id = $1
  union all select 'ns_browser', sum(paid_minutes) * 2000 from browser_session where account_id = $1
  union all select 'ns_browser', sum(charged) from browser_session where account_id = $1`

/** What there is of the account's effects. */
export const existing = (database: Database, accountId: string) =>
  database.query<{ action: string; micros: number }>(
    `select action, micros::bigint from (${worth}) w where micros > 0 order by 1, 2`,
    [accountId],
  )

/** What the calls of an account were charged, and what there is of them: for each action, the same amount. */
export async function compareEffects(database: Database, accountId: string) {
  const browsers = `case when action like 'ns_browser/%' then 'ns_browser' else action end`
  const charged = await database.query<{ action: string; micros: number }>(
    `select ${browsers} as action, sum(charged)::bigint as micros from call
     where account_id = $1 and charged > 0 group by 1 order by 1`,
    [accountId],
  )
  return {
    exists: await existing(database, accountId),
    // The minutes of browsers, and what their rows say that they cost.
    charged: charged.flatMap((row) => (row.action === 'ns_browser' ? [row, row] : [row])),
  }
}
