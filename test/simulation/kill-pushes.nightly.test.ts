// kill -9 of a gateway during a push: nothing of the push is visible, its program ends, and the repository and its
// quota are as before.
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmod, readdir } from 'node:fs/promises'
import { request } from 'node:http'
import path from 'node:path'
import { deflateSync } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import { systemClock as clock } from '#platform/clock.ts'
import { createSandbox } from '#platform/sandbox/sandbox.ts'
import { until } from '#test/until.ts'
import { basic, commit, gitIn, openGit } from '../scenarios/repositories/git-client.fixture.ts'
import { openOuterDatabase, startMortalGateway } from './mortal-gateway.ts'

const missing = await createSandbox({ clock }).missing()
const kills = 2

async function open() {
  const { database, env } = await openOuterDatabase()
  const { dataDir, killAndStart, openAccount } = await startMortalGateway({
    ...env,
    CHROMIUM_PATH: '/nowhere/chromium',
  })
  await chmod(dataDir, 0o711)
  const { call } = await openAccount(1_000)
  return {
    dataDir,
    database,
    killAndStart,
    call: (action: string, body: object) => call(`ns_repo/${action}`, body),
  }
}

/** The start of a pack with one large file. Source: gitformat-pack. */
function beginPack(): Buffer {
  const content = randomBytes(1_000_000)
  const head = Buffer.from('5041434b0000000200000001', 'hex')
  const blob = 3
  const size = [(blob << 4) | (content.length & 15)]
  for (let left = content.length >> 4; left > 0; left >>= 7) {
    size[size.length - 1] = (size.at(-1) ?? 0) | 128
    size.push(left & 127)
  }
  return Buffer.concat([head, Buffer.from(size), deflateSync(content).subarray(0, 500_000)])
}

/** Sends the start of a push, and keeps the connection open. Resolves when Git has written what it received. */
async function beginPush(cloneUrl: string, folder: string, head: string) {
  const { origin, pathname, password } = new URL(cloneUrl)
  const command = `${head} ${'1'.repeat(40)} refs/heads/main\0report-status\n`
  const line = `${(command.length + 4).toString(16).padStart(4, '0')}${command}0000`
  const push = request(`${origin}${pathname}/git-receive-pack`, {
    method: 'POST',
    headers: {
      authorization: basic(password),
      'content-type': 'application/x-git-receive-pack-request',
    },
  })
  push.on('error', () => {})
  onTestFinished(() => void push.destroy())
  push.write(Buffer.concat([Buffer.from(line), beginPack()]))
  await until(async () => (await remainsIn(folder)).length > 0)
}

const remainsIn = async (folder: string) =>
  (await readdir(folder, { recursive: true })).filter((name) => /tmp_|\.lock$/.test(name))

/** The programs of Git that work on this folder. A box shows its folder in its mounts. */
const programsOn = (id: string) =>
  execFileSync('/bin/sh', [
    '-c',
    `grep -l ${id} /proc/[0-9]*/mountinfo 2>/dev/null | wc -l`,
  ]).toString()

test.skipIf(missing !== undefined)(
  'a gateway that is killed during pushes leaves the repository as it was',
  async () => {
    const { dataDir, database, call, killAndStart } = await open()
    const { repo_id, clone_url } = await call('repo-create', {})
    const outer = await openGit()
    await outer.run('clone', '--quiet', clone_url, 'copy')
    const git = gitIn(path.join(outer.folder, 'copy'))
    await commit(git, 'a.txt', 'hello\n')
    await git.run('push', '--quiet', 'origin', 'HEAD')
    const head = (await git.run('rev-parse', 'HEAD')).trim()
    const folder = path.join(dataDir, 'repositories', repo_id)
    const [before] = (await call('repo-list', {})).repositories
    for (let turn = 0; turn < kills; turn += 1) {
      const fresh = await call('repo-get', { repo_id })
      await beginPush(fresh.clone_url, folder, head)
      await killAndStart()
      await until(async () => programsOn(repo_id) === '0\n')
      await until(async () => {
        const rows = await database.query('select 1 from repository where is_unmeasured')
        return rows.length === 0
      })
      expect(await remainsIn(folder)).toEqual([])
      const [after] = (await call('repo-list', {})).repositories
      expect(after.bytes).toBe(before.bytes)
    }
    const { clone_url: last } = await call('repo-get', { repo_id })
    expect(await git.run('ls-remote', '--heads', last)).toBe(`${head}\trefs/heads/main\n`)
    await commit(git, 'b.txt', 'more\n')
    await git.run('push', '--quiet', last, 'HEAD')
    await outer.run('clone', '--quiet', last, 'second')
    expect(await gitIn(path.join(outer.folder, 'second')).run('fsck', '--strict')).toBe('')
  },
)
