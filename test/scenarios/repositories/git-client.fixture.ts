// The real `git`, run as a caller runs it: with an empty home and without the settings of this machine.
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished } from 'vitest'
import type { TestAccount } from '#test/harness.ts'

export interface GitResult {
  readonly code: number
  readonly out: string
  readonly errors: string
}

export interface GitClient {
  readonly folder: string
  /** Runs `git` in the folder. Never throws. */
  try(...args: readonly string[]): Promise<GitResult>
  /** The same. Resolves to its output, and throws if it fails. */
  run(...args: readonly string[]): Promise<string>
}

const identity = { name: 'A Caller', email: 'caller@example.com' }

/** A client in an empty folder. */
export async function openGit(): Promise<GitClient> {
  const folder = await mkdtemp(path.join(tmpdir(), 'tollway-git-client-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return gitIn(folder)
}

export function gitIn(folder: string): GitClient {
  const env = {
    PATH: process.env.PATH ?? '/usr/bin:/bin',
    HOME: folder,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_TERMINAL_PROMPT: '0',
    GIT_AUTHOR_NAME: identity.name,
    GIT_AUTHOR_EMAIL: identity.email,
    GIT_COMMITTER_NAME: identity.name,
    GIT_COMMITTER_EMAIL: identity.email,
  }
  const attempt: GitClient['try'] = (...args) =>
    new Promise((resolve) => {
      execFile('git', [...args], { cwd: folder, env }, (error, out, errors) => {
        const code = error === null ? 0 : Number(error.code ?? -1)
        resolve({ code, out, errors })
      })
    })
  return {
    folder,
    try: attempt,
    async run(...args) {
      const { code, out, errors } = await attempt(...args)
      if (code !== 0) throw new Error(`git ${args.join(' ')} ended with ${code}: ${errors}`)
      return out
    },
  }
}

/** A repository of the account, with its address. */
export async function create(account: TestAccount, body: object = {}) {
  const reply = await account.call('ns_repo/repo-create', { name: 'site', ...body })
  expect([reply.status, reply.body.charged_cents]).toEqual([200, 100])
  return reply.body.data
}

export async function commit(git: GitClient, name: string, content: string | Uint8Array) {
  await writeFile(path.join(git.folder, name), content)
  await git.run('add', name)
  await git.run('commit', '--quiet', '--message', `add ${name}`)
}

/** A clone with one commit, pushed. */
export async function pushed(url: string, content: string | Uint8Array = 'hello\n') {
  const outer = await openGit()
  await outer.run('clone', '--quiet', url, 'copy')
  const git = gitIn(path.join(outer.folder, 'copy'))
  await commit(git, 'a.txt', content)
  await git.run('push', '--quiet', 'origin', 'HEAD')
  return git
}

export const basic = (password: string) =>
  `Basic ${Buffer.from(`t:${password}`).toString('base64')}`
