// kill -9 of a gateway with ten sandboxes and ten sessions, twice: no process, folder, group or hold is left of them, and the
// sessions that keep their files go on.
import { existsSync } from 'node:fs'
import { readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { expect, onTestFinished, test } from 'vitest'
import { makeDataDirectory } from '#test/data-directory.ts'
import { missingForBoxes } from '#test/sessions/boxes.ts'
import { until } from '#test/until.ts'
import { adminToken, type GatewayProcess, send, startGatewayProcess } from './gateway-process.ts'
import { descendantsOf, listProcesses } from './processes.ts'

const boxesOfEach = 10
const kinds = ['sess_a', 'sess_b', 'sess_c', 'sess_d', 'sess_e']
const isMissing = (await missingForBoxes()) !== undefined

/** Folders and control groups of gateways that have ended. */
async function leftovers(): Promise<string[]> {
  const groups = '/sys/fs/cgroup'
  const places = [tmpdir(), ...(existsSync(groups) ? [groups] : [])]
  const names = await Promise.all(
    places.map((place) => readdir(place, { recursive: place === groups }).catch(() => [])),
  )
  return names.flat().filter((name) => {
    const pid = /tollway-boxes-(\d+)-[\w-]+$|tollway-standing-boxes-.*?-(\d+)-\w+$/.exec(name)
    return pid !== null && !existsSync(`/proc/${pid[1] ?? pid[2]}`)
  })
}

async function startKillable() {
  const dataDir = await makeDataDirectory()
  let gateway: GatewayProcess = startGatewayProcess(dataDir)
  onTestFinished(async () => {
    await gateway.stop()
    await rm(dataDir, { recursive: true, force: true })
  })
  let url = await gateway.listening
  const opened = await send(url, {
    path: '/api/v1/admin/accounts',
    key: adminToken,
    body: { balance_cents: 10_000 },
  })
  const key: string = opened?.body.api_key
  return {
    pid: () => gateway.child.pid ?? 0,
    get: async (path: string, as = key) => (await send(url, { path, key: as }))?.body,
    post: async (path: string, body: object) => (await send(url, { path, key, body }))?.body,
    remove: (path: string) =>
      fetch(new URL(path, url), { method: 'DELETE', headers: { authorization: `Bearer ${key}` } }),
    async killAndStart() {
      await gateway.kill()
      gateway = startGatewayProcess(dataDir)
      url = await gateway.listening
    },
  }
}

test.skipIf(isMissing)(
  'killed gateways leave nothing of their boxes, and what keeps files goes on',
  async () => {
    const { pid, get, post, remove, killAndStart } = await startKillable()
    const sessions = new Map<string, string>()
    const run = (id: string, command: string) => post(`/api/v1/sessions/${id}/run`, { command })

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
      await until(async () => (await get('/api/v1/admin/health', adminToken)).boxes.saving === 0)
      const family = await descendantsOf(pid())
      expect(family.length).toBeGreaterThan(2 * boxesOfEach * 2)

      await killAndStart()
      await until(async () => {
        const alive = await listProcesses()
        return !family.some((name) => alive.has(name))
      })
      expect(await leftovers()).toEqual([])
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
    expect(account.available_cents).toBeLessThanOrEqual(10_000 - 2 * boxesOfEach * (3 + 1))
    expect(await get('/api/v1/admin/ledger/verify', adminToken)).toMatchObject({
      ok: true,
      problems: [],
    })
  },
  300_000,
)
