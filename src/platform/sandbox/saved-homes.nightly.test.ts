// Home folders on their way out of a box and into another one. What strangers do in theirs keeps nothing from being
// saved, and takes no more of the disk than its limit.
import { mkdtemp, rm, stat, truncate } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { systemClock as clock } from '../clock.ts'
import { BoxRefusal, type StandingBox } from './standing-box.ts'
import { createStandingBoxes } from './standing-boxes.ts'

const boxes = createStandingBoxes({ clock })
const confined = test.skipIf((await boxes.missing()) !== undefined)
const { signal } = new AbortController()
const bytesMax = 300e6

afterAll(() => boxes.close())

async function open() {
  const box = await boxes.open(signal)
  onTestFinished(box.close)
  return {
    box,
    async sh(command: string) {
      const argv = ['/bin/bash', '-c', command]
      const { stdout, stderr } = await box.run({ argv, timeoutMs: 20_000, signal })
      return `${stdout}${stderr}`
    },
  }
}

async function makeTarFile(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'tollway-save-test-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return path.join(folder, 'home.tar')
}

/** Saves a home, and restores it in a box of its own. */
async function moved(box: StandingBox) {
  const file = await makeTarFile()
  await box.save(file, bytesMax)
  const next = await open()
  await next.box.restore(file)
  return { ...next, saved: await stat(file) }
}

confined('links, modes and bytes are those that were saved', async () => {
  const { box, sh } = await open()
  await sh(
    'mkdir -p a/b; echo kept > a/b/c; chmod 750 a/b/c; ln -s a/b/c link; head -c 30000000 /dev/urandom > big',
  )
  const next = await moved(box)
  expect(next.saved.mode & 0o777).toBe(0o600)
  expect(await next.sh('sha256sum big')).toBe(await sh('sha256sum big'))
  expect(await next.sh('cat link; stat -c %a a/b/c')).toBe('kept\n750\n')
})

confined('holes of files take no room outside', async () => {
  const { box, sh } = await open()
  await sh('truncate -s 1T sparse; echo end >> sparse')
  const next = await moved(box)
  expect(next.saved.size).toBeLessThan(100_000)
  expect(await next.sh('stat -c %s sparse; tail -c 4 sparse')).toBe('1099511627780\nend\n')
})

confined('a file that cannot be read does not keep the others from being saved', async () => {
  const { box, sh } = await open()
  await sh('echo kept > kept; mkdir -p open closed; touch locked open/locked closed/in')
  await sh('chmod 000 locked open/locked closed; mkfifo queue')
  const next = await moved(box)
  expect(await next.sh('cat kept; ls')).toBe('kept\nkept\nopen\nqueue\n')
})

confined(
  'files that programs write meanwhile do not keep the others from being saved',
  async () => {
    const { box, sh } = await open()
    await sh('echo kept > kept; head -c 100000000 /dev/urandom > big')
    await sh(
      '(while true; do echo line >> log; : > new$RANDOM; rm -f new1*; done) >/dev/null 2>&1 &',
    )
    const next = await moved(box)
    expect(await next.sh('cat kept; head -n 1 log')).toBe('kept\nline\n')
  },
)

confined('folders that are too deep to be restored keep nothing else from it', async () => {
  const { box, sh } = await open()
  await sh('echo kept > kept; mkdir last; echo last > last/one')
  await sh(
    'python3 -c "import os; [(os.mkdir(name), os.chdir(name)) for name in [\'deep\'] * 1500]"',
  )
  const next = await moved(box)
  expect(await next.sh('cat kept last/one')).toBe('kept\nlast\n')
})

confined('a copy that was damaged is refused', async () => {
  const { box, sh } = await open()
  await sh('head -c 3000000 /dev/urandom > big; mkdir last; echo last > last/one')
  const file = await makeTarFile()
  await box.save(file, bytesMax)
  await truncate(file, 2_000_000)
  const next = await open()
  await expect(next.box.restore(file)).rejects.toThrow(BoxRefusal)
})

confined('a home without room for all of it is refused', async () => {
  const { box, sh } = await open()
  await sh('head -c 30000000 /dev/urandom > big')
  const file = await makeTarFile()
  await box.save(file, bytesMax)
  const next = await open()
  await next.sh('head -c 240000000 /dev/zero > taken')
  await expect(next.box.restore(file)).rejects.toThrow(BoxRefusal)
})

confined('a copy ends at its limit, and so does the program that writes it', async () => {
  const { box, sh } = await open()
  await sh('head -c 5000000 /dev/urandom > big')
  const file = await makeTarFile()
  await expect(box.save(file, 1_000_000)).rejects.toThrow(BoxRefusal)
  expect((await stat(file)).size).toBeLessThanOrEqual(1_000_000)
  // The program that copies has ended too.
  await expect.poll(() => box.programs()).toBe(0)
  expect(await sh('echo works')).toBe('works\n')
})
