// Repositories of accounts, used by the real git: clone, push, fetch, and everything that is refused.
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { request } from 'node:http'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { systemClock } from '#platform/clock.ts'
import { createSandbox } from '#platform/sandbox/sandbox.ts'
import { adminToken, shareGateway, type TestAccount } from '#test/harness.ts'
import { until } from '#test/until.ts'
import { basic, commit, create, gitIn, openGit, pushed } from './git-client.fixture.ts'

const hour = 3_600
/** Of version 2, with three objects. */
const packHead = Buffer.from('5041434b0000000200000003', 'hex')
let aheadMs = 0
const clock = { ...systemClock, now: () => systemClock.now() + aheadMs }
const shared = shareGateway({ clock, env: { REPOSITORY_MB_MAX: '2', REPOSITORIES_QUOTA_MB: '3' } })
const missing = await createSandbox({ clock: systemClock }).missing()

const bytesOf = async (account: TestAccount, id: string) => {
  const { body } = await account.call('ns_repo/repo-list', {})
  return body.data.repositories.find(({ repo_id }: { repo_id: string }) => repo_id === id).bytes
}

describe.skipIf(missing !== undefined)('a repository', () => {
  test('is created for $1, cloned, pushed to and fetched from', async () => {
    const account = await shared().account(200)
    const made = await create(account)
    expect(made).toMatchObject({ name: 'site', access: 'write', pushed_at: null })
    const first = await pushed(made.clone_url)
    const fresh = await account.call('ns_repo/repo-get', { repo_id: made.repo_id })
    expect(fresh.body.charged_cents).toBe(1)
    const outer = await openGit()
    await outer.run('clone', '--quiet', fresh.body.data.clone_url, 'copy')
    const reader = gitIn(path.join(outer.folder, 'copy'))
    await commit(first, 'b.txt', 'more\n')
    await first.run('push', '--quiet', 'origin', 'HEAD')
    await reader.run('pull', '--quiet')
    expect(await reader.run('log', '--format=%s')).toBe('add b.txt\nadd a.txt\n')
    expect(await reader.run('fsck', '--strict')).toBe('')
    expect(await bytesOf(account, made.repo_id)).toBeGreaterThan(0)
  })

  test('is cloned shallow and without blobs', async () => {
    const made = await create(await shared().account(100))
    const git = await pushed(made.clone_url)
    await commit(git, 'b.txt', 'more\n')
    await git.run('push', '--quiet', 'origin', 'HEAD')
    const outer = await openGit()
    await outer.run('clone', '--quiet', '--depth', '1', made.clone_url, 'shallow')
    const shallow = gitIn(path.join(outer.folder, 'shallow'))
    expect(await shallow.run('log', '--format=%s')).toBe('add b.txt\n')
    await shallow.run('fetch', '--quiet', '--unshallow')
    expect(await shallow.run('rev-list', '--count', 'HEAD')).toBe('2\n')
    await outer.run('clone', '--quiet', '--filter=blob:none', made.clone_url, 'partial')
  })

  test('shows the branch that was pushed first, under any name', async () => {
    const made = await create(await shared().account(100))
    const git = await openGit()
    await git.run('init', '--quiet', '--initial-branch', 'trunk')
    await commit(git, 'a.txt', 'hello\n')
    await git.run('push', '--quiet', made.clone_url, 'trunk')
    const outer = await openGit()
    await outer.run('clone', '--quiet', made.clone_url, 'copy')
    expect(await gitIn(path.join(outer.folder, 'copy')).run('branch', '--show-current')).toBe(
      'trunk\n',
    )
  })

  test('is read, and not changed, by an address for reading', async () => {
    const account = await shared().account(101)
    const made = await create(account)
    const git = await pushed(made.clone_url)
    const { body } = await account.call('ns_repo/repo-get', {
      repo_id: made.repo_id,
      access: 'read',
    })
    const { clone_url } = body.data
    expect(await git.run('ls-remote', clone_url)).toContain('refs/heads/main')
    await commit(git, 'b.txt', 'more\n')
    const push = await git.try('push', clone_url, 'HEAD')
    expect([push.code, push.errors]).toEqual([128, expect.stringContaining('403')])
  })

  test('is not found by a wrong or expired token, or by that of another repository', async () => {
    const account = await shared().account(200)
    const [one, other] = [await create(account), await create(account)]
    const git = await openGit()
    const expectNotFound = async (url: string) => {
      const { code, errors } = await git.try('ls-remote', url)
      expect([code, errors]).toEqual([128, expect.stringContaining('not found')])
    }
    await git.run('ls-remote', one.clone_url)
    await expectNotFound(one.clone_url.replace(/.@/, '@'))
    await expectNotFound(one.clone_url.replace(':write.', ':read.'))
    await expectNotFound(one.clone_url.replace(one.repo_id, other.repo_id))
    await expectNotFound(one.clone_url.replace(one.repo_id, '../../etc'))
    await expectNotFound(one.clone_url.replace(one.repo_id, crypto.randomUUID()))
    const made = await create(await shared().account(100), { expires_in_seconds: hour })
    aheadMs += hour * 1_000 - 5_000
    await git.run('ls-remote', made.clone_url)
    aheadMs += 5_000
    await expectNotFound(made.clone_url)
  })

  test('belongs to its account: others read 404 and pay nothing', async () => {
    const made = await create(await shared().account(100))
    const other = await shared().account(10)
    const { repo_id } = made
    for (const action of ['repo-get', 'repo-delete'])
      expect((await other.call(`ns_repo/${action}`, { repo_id })).status).toBe(404)
    expect((await other.call('ns_repo/repo-list', {})).body.data.repositories).toEqual([])
    expect((await other.state()).availableCents).toBe(10)
    await (await openGit()).run('ls-remote', made.clone_url)
  })

  test('is gone at once when it is deleted', async () => {
    const account = await shared().account(200)
    const made = await create(account)
    await pushed(made.clone_url)
    const { repo_id } = made
    const deleted = await account.call('ns_repo/repo-delete', { repo_id })
    expect(deleted.body).toMatchObject({ data: { repo_id, deleted: true }, charged_cents: 0 })
    expect((await (await openGit()).try('ls-remote', made.clone_url)).code).toBe(128)
    expect((await account.call('ns_repo/repo-get', { repo_id })).status).toBe(404)
    expect((await account.call('ns_repo/repo-delete', { repo_id })).status).toBe(404)
  })
})

describe.skipIf(missing !== undefined)('a push', () => {
  test('that is larger than the repository may be is refused, and changes nothing', async () => {
    const account = await shared().account(100)
    const made = await create(account)
    const git = await pushed(made.clone_url)
    const before = await bytesOf(account, made.repo_id)
    await commit(git, 'large.bin', randomBytes(2_500_000))
    const push = await git.try('push', 'origin', 'HEAD')
    expect([push.code, push.errors]).toEqual([1, expect.stringContaining('pack exceeds maximum')])
    expect(await bytesOf(account, made.repo_id)).toBe(before)
    await git.run('reset', '--quiet', '--hard', 'HEAD~1')
    await commit(git, 'small.txt', 'still works\n')
    await git.run('push', '--quiet', 'origin', 'HEAD')
  })

  test('that does not fit with the account’s other repositories is refused', async () => {
    const account = await shared().account(200)
    const [one, other] = [await create(account), await create(account)]
    await pushed(one.clone_url, randomBytes(1_700_000))
    await expect(pushed(other.clone_url, randomBytes(1_700_000))).rejects.toThrow('pack exceeds')
    await account.call('ns_repo/repo-delete', { repo_id: one.repo_id })
    await pushed(other.clone_url, randomBytes(1_700_000))
  })

  test('whose client leaves half-way changes nothing, and frees its place', async () => {
    const account = await shared().account(100)
    const made = await create(account)
    const git = await pushed(made.clone_url)
    const isUnmeasured = async () => {
      const rows = await shared().database.query('select 1 from repository where is_unmeasured')
      return rows.length > 0
    }
    await until(async () => !(await isUnmeasured()))
    const before = await bytesOf(account, made.repo_id)
    const { origin, pathname, password } = new URL(made.clone_url)
    const old = (await git.run('rev-parse', 'HEAD')).trim()
    const line = `${old} ${'1'.repeat(40)} refs/heads/main\0report-status\n`
    const commands = `${(line.length + 4).toString(16).padStart(4, '0')}${line}0000`
    const leaving = request(`${origin}${pathname}/git-receive-pack`, {
      method: 'POST',
      headers: {
        authorization: basic(password),
        'content-type': 'application/x-git-receive-pack-request',
      },
    })
    leaving.on('error', () => {})
    // Git answers with the head before it reads the pack.
    const answered = once(leaving, 'response')
    leaving.write(Buffer.concat([Buffer.from(commands), packHead, randomBytes(50_000)]))
    await answered
    leaving.destroy()
    await until(async () => !(await isUnmeasured()))
    expect(await bytesOf(account, made.repo_id)).toBe(before)
    await commit(git, 'b.txt', 'more\n')
    await git.run('push', '--quiet', 'origin', 'HEAD')
  })
})

describe.skipIf(missing !== undefined)('an address of a repository', () => {
  test('stops working while its account is frozen, and when its key is revoked', async () => {
    const account = await shared().account(200)
    const made = await create(account)
    const git = await openGit()
    const code = async (url: string) => (await git.try('ls-remote', url)).code
    const { body } = await shared().request('POST', '/api/v1/keys', {
      key: account.key,
      body: { actions: ['ns_repo/*'] },
    })
    const { data } = (await shared().call('ns_repo/repo-create', {}, { key: body.api_key })).body
    expect([await code(made.clone_url), await code(data.clone_url)]).toEqual([0, 0])
    await shared().request('DELETE', `/api/v1/keys/${body.key_id}`, { key: account.key })
    expect([await code(made.clone_url), await code(data.clone_url)]).toEqual([0, 128])
    const change = (what: string) =>
      shared().request('POST', `/api/v1/admin/accounts/${account.id}/${what}`, {
        key: adminToken,
        body: { reason: 'test' },
      })
    expect((await change('freeze')).status).toBe(200)
    expect(await code(made.clone_url)).toBe(128)
    await change('unfreeze')
    expect(await code(made.clone_url)).toBe(0)
  })

  test('asks for its password, and serves neither files nor LFS', async () => {
    const made = await create(await shared().account(100))
    await pushed(made.clone_url)
    const address = new URL(made.clone_url)
    const authorization = basic(address.password)
    const ask = async (at: string, init: RequestInit = {}) => {
      const url = `${address.origin}${address.pathname}${at}`
      const reply = await fetch(url, { ...init, headers: { authorization, ...init.headers } })
      return [reply.status, await reply.text()]
    }
    const bare = await fetch(
      `${address.origin}${address.pathname}/info/refs?service=git-upload-pack`,
    )
    expect([bare.status, bare.headers.get('www-authenticate')]).toEqual([401, 'Basic realm="Git"'])
    for (const at of ['/HEAD', '/objects/info/packs', '/config', '/push-turn'])
      expect((await ask(at))[0], at).toBe(404)
    expect(await ask('/info/refs')).toEqual([400, expect.stringContaining('too old')])
    const type = { 'content-type': 'application/vnd.git-lfs+json' }
    const lfs = await ask('/info/lfs/objects/batch', { method: 'POST', body: '{}', headers: type })
    expect(lfs).toEqual([400, expect.stringContaining('does not store files of Git LFS')])
    const other = await ask('/git-receive-pack', { method: 'POST', body: '{}' })
    expect(other).toEqual([400, expect.stringContaining('requests of Git only')])
  })
})
