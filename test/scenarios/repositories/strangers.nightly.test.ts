// What a hostile client pushes, asks for and holds back.
import { mkdir, readdir, symlink, writeFile } from 'node:fs/promises'
import { type ClientRequest, request } from 'node:http'
import path from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { systemClock } from '#platform/clock.ts'
import { createSandbox } from '#platform/sandbox/sandbox.ts'
import { shareGatewayOfWorker, startGateway } from '#test/harness.ts'
import { basic, commit, create, gitIn, openGit, pushed } from './git-client.fixture.ts'

const shared = shareGatewayOfWorker()
const missing = await createSandbox({ clock: systemClock }).missing()
const zero = '0'.repeat(40)
const emptyPack = Buffer.from(
  '5041434b0000000200000000029d08823bd8a8eab510ad6ac75c823cfd3ed31e',
  'hex',
)

/** What Git answers to a push of these commands without any objects. */
async function pushCommands(cloneUrl: string, commands: readonly string[]) {
  const { origin, pathname, password } = new URL(cloneUrl)
  const lines = commands.map((command) => {
    const line = `${command}\0report-status`
    return `${(Buffer.byteLength(line) + 4).toString(16).padStart(4, '0')}${line}`
  })
  const reply = await fetch(`${origin}${pathname}/git-receive-pack`, {
    method: 'POST',
    headers: {
      authorization: basic(password),
      'content-type': 'application/x-git-receive-pack-request',
    },
    body: Buffer.concat([Buffer.from(`${lines.join('')}0000`), emptyPack]),
  })
  return await reply.text()
}

const folderOf = (cloneUrl: string) =>
  path.join(shared().dataDir, 'repositories', path.basename(new URL(cloneUrl).pathname, '.git'))

async function open() {
  const made = await create(await shared().account(100))
  const git = await pushed(made.clone_url)
  const head = (await git.run('rev-parse', 'HEAD')).trim()
  const clone = async () => {
    const outer = await openGit()
    await outer.run('clone', '--quiet', made.clone_url, 'copy')
    return gitIn(path.join(outer.folder, 'copy'))
  }
  return { url: made.clone_url as string, git, head, clone }
}

describe.skipIf(missing !== undefined)('a repository', () => {
  test('takes no reference with an odd name, and keeps working', async () => {
    const { url, head, clone } = await open()
    for (const name of [
      ...['HEAD', 'config', 'push-turn', 'hooks/post-receive', '../../etc/x'],
      ...['refs/heads/../../config', 'refs/heads/x.lock', 'refs/heads/a b', 'refs/heads/\u0001'],
    ])
      expect(await pushCommands(url, [`${zero} ${head} ${name}`]), name).toContain('funny refname')
    for (const name of ['refs/heads/-x', 'refs/heads/ünï', `refs/heads/${'d/'.repeat(200)}d`])
      expect(await pushCommands(url, [`${zero} ${head} ${name}`]), name).toContain(`ok ${name}`)
    await clone()
  })

  test('is not broken by a reference that replaces its commits', async () => {
    const { url, git, head, clone } = await open()
    expect(await pushCommands(url, [`${zero} ${head} refs/replace/${head}`])).toContain('ok refs')
    await commit(git, 'b.txt', 'more\n')
    await git.run('push', '--quiet', 'origin', 'HEAD')
    await clone()
  })

  test('checks out another branch when its first is deleted', async () => {
    const { git, clone } = await open()
    await git.run('push', '--quiet', 'origin', 'HEAD:refs/heads/next')
    await git.run('push', '--quiet', 'origin', '--delete', 'main')
    expect(await (await clone()).run('branch', '--show-current')).toBe('next\n')
  })

  test('runs no hook and reads no settings that were pushed', async () => {
    const { git, url, clone } = await open()
    await mkdir(path.join(git.folder, 'hooks'))
    for (const name of ['pre-receive', 'update', 'post-receive', 'post-update'])
      await writeFile(path.join(git.folder, 'hooks', name), '#!/bin/sh\ntouch ran\n', {
        mode: 0o755,
      })
    await writeFile(path.join(git.folder, 'config'), '[core]\n\thooksPath = hooks\n')
    await symlink('/etc', path.join(git.folder, 'objects'))
    await git.run('add', '--all')
    await git.run('commit', '--quiet', '--message', 'hostile')
    await git.run('push', '--quiet', 'origin', 'HEAD')
    expect(await (await clone()).run('ls-files')).toContain('hooks/post-receive')
    const kept = await readdir(folderOf(url))
    expect(kept.toSorted()).toEqual(['HEAD', 'config', 'objects', 'push-turn', 'refs'])
  })

  test('takes nothing that would harm those who clone it', async () => {
    const { git, head } = await open()
    const expectRefused = async (commitId: string) => {
      const push = await git.try('push', 'origin', `${commitId}:refs/heads/hostile`)
      expect([push.code, push.errors]).toEqual([1, expect.stringContaining('unpack')])
    }
    const write = async (type: string, content: string | Buffer) => {
      await writeFile(path.join(git.folder, 'object'), content)
      return (await git.run('hash-object', '-t', type, '--literally', '-w', 'object')).trim()
    }
    const commitOf = async (entries: readonly Buffer[]) => {
      const tree = await write('tree', Buffer.concat(entries))
      return (await git.run('commit-tree', '-m', 'hostile', tree)).trim()
    }
    const entry = (mode: string, name: string, id: string) =>
      Buffer.concat([Buffer.from(`${mode} ${name}\0`), Buffer.from(id, 'hex')])
    const blob = await write('blob', '[core]\n\tfsmonitor = touch ran\n')
    const folder = await write('tree', entry('100644', 'config', blob))
    for (const name of ['.git', '.GIT', '..', 'a/b'])
      await expectRefused(await commitOf([entry('40000', name, folder)]))
    const modules = await write(
      'blob',
      '[submodule "x"]\n\tpath = x\n\turl = --upload-pack=touch\n',
    )
    await expectRefused(
      await commitOf([entry('100644', '.gitmodules', modules), entry('160000', 'x', head)]),
    )
    await expectRefused(
      await commitOf([entry('120000', '.gitmodules', await write('blob', '/etc/passwd'))]),
    )
  })

  test('takes a small pack of a large file without unpacking it', async () => {
    const { git } = await open()
    await git.run('config', 'core.bigFileThreshold', '1m')
    await commit(git, 'zeros', Buffer.alloc(400_000_000))
    await git.run('push', '--quiet', 'origin', 'HEAD')
  })

  test('refuses a push of too many branches at once', async () => {
    const { url, git, head } = await open()
    const commands = (count: number) =>
      Array.from(
        { length: count },
        (_, at) => `${zero} ${head} refs/heads/branch-${'x'.repeat(200)}-${at}`,
      )
    expect(await pushCommands(url, commands(4_000))).toContain('too many branches')
    expect(await git.run('ls-remote', '--heads', 'origin')).toMatch(/^\S+\trefs\/heads\/main\n$/)
    expect(await pushCommands(url, commands(1_000))).toContain('ok refs/heads/branch')
    expect((await git.run('ls-remote', '--heads', 'origin')).split('\n')).toHaveLength(1_002)
    const references = await readdir(path.join(folderOf(url), 'refs'), { recursive: true })
    expect(references.length).toBeLessThan(100)
  })
})

describe.skipIf(missing !== undefined)('slow clients', () => {
  test('of one account leave places for other accounts', async () => {
    const { url } = await open()
    const { origin, pathname, password } = new URL(url)
    const held: ClientRequest[] = []
    onTestFinished(() => {
      for (const each of held) each.destroy()
    })
    for (let at = 0; at < 20; at += 1) {
      const slow = request(`${origin}${pathname}/git-upload-pack`, {
        method: 'POST',
        headers: {
          authorization: basic(password),
          'content-type': 'application/x-git-upload-pack-request',
        },
      })
      slow.on('error', () => {})
      slow.flushHeaders()
      held.push(slow)
    }
    const other = await open()
    await other.clone()
  })
})

test.skipIf(missing !== undefined)(
  'pushes by two gateways to one repository follow each other',
  async () => {
    const { url, clone } = await open()
    const other = await startGateway({
      databaseUrl: shared().databaseUrl,
      env: { DATA_DIR: shared().dataDir },
    })
    const { pathname, username, password } = new URL(url)
    const elsewhere = Object.assign(new URL(pathname, other.url), { username, password }).href
    const clients = await Promise.all(Array.from({ length: 6 }, clone))
    const pushes = clients.map(async (git, at) => {
      await commit(git, `${at}.txt`, String(at))
      return await git.try(
        'push',
        '--quiet',
        at % 2 === 0 ? url : elsewhere,
        `HEAD:refs/heads/b${at}`,
      )
    })
    const ended = await Promise.all(pushes)
    expect(ended.map(({ code, errors }) => [code, errors])).toEqual(clients.map(() => [0, '']))
    const copy = await clone()
    expect((await copy.run('branch', '--remotes')).trim().split('\n')).toHaveLength(8)
    expect(await copy.run('fsck', '--strict')).toBe('')
  },
)
