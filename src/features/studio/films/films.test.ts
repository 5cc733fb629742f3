// Stills and uploads of media, for which calls wait: one account does not take the machine from the others.
import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { uuidv7 } from '#core/id.ts'
import { systemClock as clock } from '#platform/clock.ts'
import { openDatabase } from '#platform/database/database.ts'
import { createTestDatabase } from '#test/database.ts'
import { silentLog as log } from '#test/silent-log.ts'
import { createFilms } from './films.ts'
import type { FilmRenderer } from './render/film.ts'

const saved = {
  v: 1,
  format: { aspectRatio: '9:16', fps: 24, resolution: 'hd' },
  tracks: [
    {
      id: 'titles',
      kind: 'overlay',
      contents: [
        {
          id: 'title',
          startTime: 0,
          duration: 2,
          source: { kind: 'overlay', primitiveId: 'text', params: { text: 'Harbour' } },
        },
      ],
    },
  ],
}
const inputs = {
  'ns_assembler/upload': { file_id: 'file' },
  'ns_assembler/render': { intent: 'still', output: 'mp4', at_sec: 0 },
}

/** Films of a machine whose programs never end. */
async function openFilms() {
  const database = openDatabase({ connectionString: await createTestDatabase(), log })
  let running = 0
  const hang = () => {
    running += 1
    return new Promise<never>(() => {})
  }
  const renderer: FilmRenderer = {
    missing: async () => undefined,
    render: hang,
    still: hang,
    probe: hang,
  }
  const fonts = async () => undefined
  const parts = { database, clock, renderer, missing: undefined, fonts, rendersMax: 1 }
  const { standIns } = createFilms(parts)
  const files = {
    find: async () => ({ fileId: 'file', filename: 'a.png', mediaType: 'image/png' }),
    open: async () => Readable.from(['bytes']),
  }

  async function openAccount(action: keyof typeof inputs) {
    const [accountId, projectId] = [uuidv7(clock.now()), uuidv7(clock.now())]
    await database.query(
      `insert into film_project (id, account_id, name, format, composition)
       values ($1, $2, 'Film', '{}', $3)`,
      [projectId, accountId, JSON.stringify(saved)],
    )
    return (): Promise<unknown> =>
      standIns.get(action)?.run({
        input: { ...inputs[action], project_id: projectId },
        caller: { kind: 'wallet', accountId },
        signal: new AbortController().signal,
        files,
      } as never) as Promise<unknown>
  }
  return { openAccount, running: () => running }
}

test.each(['ns_assembler/upload', 'ns_assembler/render'] as const)(
  '%s: an account has one at work, some that wait, and leaves a place to others',
  async (action) => {
    const { openAccount, running } = await openFilms()
    const [greedy, other] = [await openAccount(action), await openAccount(action)]
    const sent = Array.from({ length: 25 }, greedy)
    const outcomes = await Promise.race(sent.map((call) => call.catch((thrown) => thrown)))
    expect(outcomes).toMatchObject({
      code: 'too_many_inflight',
      message: expect.stringContaining('Nothing was charged'),
    })
    await expect.poll(running).toBe(1)
    void other()
    await expect.poll(running).toBe(2)
  },
)
