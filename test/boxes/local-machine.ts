// The machines of a stub vendor: folders of this machine, in which programs really run.
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

export interface LocalBox {
  readonly id: string
  readonly name: string
  readonly folder: string
  readonly envs: Readonly<Record<string, string>>
  status: 'running' | 'suspended'
  /** When the vendor ends it by itself. */
  leaseSeconds: number | undefined
  /** Ends the exchanges under way when the box ends. */
  readonly ended: AbortController
}

export interface Ended {
  readonly code: number
  readonly stdout: Buffer
  readonly stderr: Buffer
}

export function createLocalMachines() {
  const boxes = new Map<string, LocalBox>()
  let made = 0

  function endPrograms(id: string) {
    for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
      try {
        if (readFileSync(`/proc/${pid}/environ`, 'latin1').includes(`STUB_BOX=${id}\0`))
          process.kill(Number(pid), 'SIGKILL')
      } catch {}
    }
  }

  return {
    boxes,
    find: (idOrName: string) =>
      boxes.get(idOrName) ?? [...boxes.values()].find(({ name }) => name === idOrName),
    add(name: string, envs: LocalBox['envs'] = {}, leaseSeconds?: number): LocalBox {
      made += 1
      const folder = mkdtempSync(path.join(tmpdir(), 'stub-box-'))
      mkdirSync(path.join(folder, 'tmp'))
      const id = `box-${process.pid}-${made}`
      const ended = new AbortController()
      const box: LocalBox = { id, name, folder, envs, status: 'running', leaseSeconds, ended }
      boxes.set(id, box)
      return box
    },
    async run(box: LocalBox, argv: readonly string[], input?: Buffer): Promise<Ended> {
      const [file = 'false', ...args] = argv
      const child = spawn(file, args, {
        cwd: box.folder,
        env: {
          PATH: process.env.PATH,
          HOME: box.folder,
          TMPDIR: path.join(box.folder, 'tmp'),
          STUB_BOX: box.id,
          ...box.envs,
        },
        detached: true,
      })
      child.stdin.on('error', () => {}).end(input)
      const [stdout, stderr]: [Buffer[], Buffer[]] = [[], []]
      child.stdout.on('data', (chunk) => stdout.push(chunk))
      child.stderr.on('data', (chunk) => stderr.push(chunk))
      const { promise, resolve } = Promise.withResolvers<number>()
      child.on('error', () => resolve(127))
      child.on('close', (code) => resolve(code ?? 137))
      const code = await promise
      return { code, stdout: Buffer.concat(stdout), stderr: Buffer.concat(stderr) }
    },
    suspend(box: LocalBox) {
      endPrograms(box.id)
      box.status = 'suspended'
    },
    remove(box: LocalBox) {
      boxes.delete(box.id)
      box.ended.abort()
      endPrograms(box.id)
      rmSync(box.folder, { recursive: true, force: true })
    },
    close() {
      for (const box of boxes.values()) this.remove(box)
    },
  }
}

export type LocalMachines = ReturnType<typeof createLocalMachines>
