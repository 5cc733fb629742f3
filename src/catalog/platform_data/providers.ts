// One provider for each platform, all answered by the same vendor under one key.
import { splitId } from '#core/catalog.ts'
import { membersOf } from '#core/input/members.ts'
import { defineProvider, type FailureReader, type Provider } from '#core/provider.ts'
import { notGranted } from '../lib/not-granted.ts'
import { type ActorChoices, createPlatformAction } from './lib/actions.ts'
import { type AddedRows, readAddedRows } from './lib/added-row.ts'
import { platformTable } from './lib/table.ts'

const titles: Readonly<Record<string, string>> = {
  airbnb: 'Airbnb',
  amazon: 'Amazon',
  facebook: 'Facebook',
  google_maps: 'Google Maps',
  indeed: 'Indeed',
  instagram: 'Instagram',
  linkedin: 'LinkedIn',
  reddit: 'Reddit',
  tiktok: 'TikTok',
  twitter: 'X (Twitter)',
  weibo: 'Weibo',
  youtube: 'YouTube',
}

/** Failures of a run that the vendor reports as refused requests. */
const runFailures = new Set(['run-failed', 'run-timeout-exceeded', 'run-aborted'])

const failure: FailureReader = ({ status, body }) => {
  const error = membersOf(membersOf(body).error)
  if (runFailures.has(String(error?.type))) return 504
  // The caller did not choose the actor, so only the operator can fix a missing or unrented one. Other actors still
  // work.
  return status === 403 || status === 404 ? notGranted : undefined
}

/** Throws an Error for a choice that no action of the table has. */
export function createPlatformProviders(
  chosen: ActorChoices = {},
  added: AddedRows = {},
): readonly Provider[] {
  const more = readAddedRows(added)
  const choices = { ...more.choices, ...chosen }
  const table = [...platformTable, ...more.rows]
  const strangers = Object.keys(choices).filter((id) => !platformTable.some((row) => row.id === id))
  if (strangers.length > 0)
    throw new Error(`PLATFORM_ACTORS names ${strangers.join(', ')}, which there is not.`)
  const platforms = [...new Set(table.map(({ id }) => splitId(id)[0]))].toSorted()
  return platforms.map((id) =>
    defineProvider({
      id,
      title: `${titles[id] ?? more.titles[id] ?? id}, by Apify actors`,
      docs: 'https://docs.apify.com/api/v2/actor-run-sync-get-dataset-items-post',
      tableFolder: 'platform_data',
      upstream: {
        baseUrl: 'https://api.apify.com/v2',
        credential: {
          aliases: ['PLATFORM_DATA_API_KEY', 'APIFY_API_KEY'],
          attach: (key) => ({ headers: { authorization: `Bearer ${key}` } }),
        },
        timeoutMs: 105_000,
        responseBytesMax: 18_000_000,
        pacing: [{ requests: 30, windowMs: 1_000 }],
        failure,
      },
      actions: table
        .filter((row) => row.id.startsWith(`${id}/`))
        .map((row) => createPlatformAction(row, choices[row.id])),
    }),
  )
}
