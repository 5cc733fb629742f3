// kill -9 of a gateway with ten sandboxes and ten sessions, twice: no process, folder, group or hold is left of them,
// and the sessions that keep their files go on.
import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { expect, test } from 'vitest'
import { depth } from '#test/depth.ts'
import { missingForBoxes } from '#test/sessions/boxes.ts'
import { until } from '#test/until.ts'
import { startMortalGateway } from './mortal-gateway.ts'
import { descendantsOf, listProcesses } from './processes.ts'

const balanceCents = 10_000
const boxesOfEach = depth(5, 10)
const kinds = ['sess_a', 'sess_b', 'sess_c', 'sess_d', 'sess_e']
const isMissing = (await missingForBoxes()) !== undefined

/** Folders and control groups of gateways that have been killed. */
async function leftoversOf(pids: readonly number[]): Promise<string[]> {
  const groups = '/sys/fs/cgroup'
  const places = [tmpdir(), ...(existsSync(groups) ? [groups] : [])]
  const names = await Promise.all(
    places.map((place) => readdir(place, { recursive: place === groups }).catch(() => [])),
  )
  return names.flat().filter((name) => {
    const pid = /tollway-boxes-(\d+)-[\w-]+$|tollway-standing-boxes-.*?-(\d+)-\w+$/.exec(name)
    return pid !== null && pids.includes(Number(pid[1] ?? pid[2]))
  })
}

test.skipIf(isMissing)(
  'killed gateways leave nothing of their boxes, and what keeps files goes on',
  async () => {
    const gateway = await startMortalGateway({ BOXES_AT_ONCE: '40', BOXES_PER_ACCOUNT: '40' })
    const { get, post, remove } = await gateway.openAccount(balanceCents)
    const sessions = new Map<string, string>()
    const run = (id: string, command: string) => post(`/api/v1/sessions/${id}/run`, { command })

    const killed: number[] = []
    for (const turn of [1, 2]) {
      const sandboxes: string[] = []
      for (let count = 0; count < boxesOfEach; count += 1) {
        const created = await post('/api/run/ns_sandbox/sandbox-create', { command: 'sleep 600' })
        sandboxes.push(created.data.sandbox_id)
      }
      for (let count = sessions.size; count < boxesOfEach; count += 1) {
        const kind = kinds[count % kinds.length] ?? ''
        const created = await post(`/api/run/${kind}/create_session`, {})
        sessions.set(created.data.session_id, kind)
      }
      for (const [id] of sessions) {
        const answer = await run(id, `echo ${turn} >> turns; (sleep 600 &) ; cat turns`)
        expect(answer, JSON.stringify(answer)).toMatchObject({ exit_code: 0 })
      }
      // The answer of a command comes before its files are saved.
      await until(async () => (await gateway.asOperator('/api/v1/admin/health')).boxes.saving === 0)
      const family = await descendantsOf(gateway.pid())
      expect(family.length).toBeGreaterThan(2 * boxesOfEach * 2)

      killed.push(gateway.pid())
      await gateway.killAndStart()
      await until(async () => {
        const alive = await listProcesses()
        return !family.some((name) => alive.has(name))
      })
      expect(await leftoversOf(killed)).toEqual([])
      for (const sandbox_id of sandboxes)
        expect((await post('/api/run/ns_sandbox/sandbox-status', { sandbox_id })).data.status).toBe(
          'failed',
        )
      for (const [id, kind] of sessions) {
        if (kind === 'sess_d' || kind === 'sess_e') {
          await until(async () => (await run(id, 'true')).exit_code === 0)
          expect((await run(id, 'tail -n 1 turns')).stdout).toBe(`${turn}\n`)
        } else {
          await until(async () => (await get(`/api/v1/sessions/${id}`)).status === 'closed')
          sessions.delete(id)
        }
      }
    }

    for (const [id] of sessions) expect((await remove(`/api/v1/sessions/${id}`)).status).toBe(200)
    const account = await get('/api/v1/account')
    expect(account.held_cents).toBe(0)
    expect(account.available_cents).toBeLessThanOrEqual(balanceCents - 2 * boxesOfEach * (3 + 1))
    await gateway.expectBooksRight()
  },
)
