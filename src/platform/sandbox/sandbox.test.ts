import { execFileSync } from 'node:child_process'
import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { systemClock as clock } from '../clock.ts'
import { createSandbox } from './sandbox.ts'

const limits = {
  memoryBytes: 500_000_000,
  cpuSeconds: 10,
  fileBytes: 1_000_000,
  processes: 32,
  wallMs: 20_000,
}
const isInstalled = (await createSandbox({ clock }).missing()) === undefined
const confined = test.skipIf(!isInstalled)
const never = new AbortController().signal

async function temporary(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'tollway-sandbox-test-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  await chmod(folder, 0o711)
  return folder
}

async function open() {
  const parent = await temporary()
  const box = await createSandbox({ clock, parent }).openBox()
  onTestFinished(box.close)
  const sh = (script: string, rest: object = {}) =>
    box.run({ program: '/bin/sh', args: ['-c', script], limits, signal: never, ...rest })
  return { box, parent, sh, text: async (script: string) => (await sh(script)).output.toString() }
}

confined(
  'a program reads its inputs, writes its output, and nothing is left of the box',
  async () => {
    const { box, parent, sh } = await open()
    const secret = path.join(parent, 'private')
    await writeFile(secret, 'of the gateway', { mode: 0o600 })
    expect(await box.add(secret, 'copied.txt')).toBe('/in/copied.txt')
    expect(await box.write('written.txt', 'by the gateway')).toBe('/in/written.txt')
    const ended = await sh('cat /in/copied.txt /in/written.txt > /out/both; echo done; exit 3')
    expect(ended).toMatchObject({ exitCode: 3, isLate: false, output: Buffer.from('done\n') })
    expect(await readFile(path.join(box.outputFolder, 'both'), 'utf8')).toBe(
      'of the gatewayby the gateway',
    )
    await box.close()
    expect(await readdir(parent)).toEqual(['private'])
  },
)

confined('inputs and the system cannot be changed', async () => {
  const { box, sh } = await open()
  await box.write('input.txt', 'x')
  for (const target of ['/in/input.txt', '/in/other', '/usr/other', '/etc/other', '/other'])
    expect((await sh(`echo y > ${target}`)).exitCode, target).not.toBe(0)
})

confined('neither the environment nor the files of this machine are seen', async () => {
  process.env.TOLLWAY_TEST_SECRET = 'hunter2'
  onTestFinished(() => void delete process.env.TOLLWAY_TEST_SECRET)
  const { text, parent } = await open()
  const seen = await text('cat /proc/[0-9]*/environ /proc/[0-9]*/cmdline | tr "\\0" "\\n"; env')
  expect(seen).not.toContain('hunter2')
  expect(seen).not.toContain(parent)
  expect(await text('ls /')).toBe(
    ['bin', 'dev', 'etc', 'in', 'lib', 'lib64', 'out', 'proc', 'sbin', 'tmp', 'usr', ''].join('\n'),
  )
  for (const place of [
    '/root',
    '/home',
    '/var',
    '/run',
    '/etc/passwd',
    '/etc/shadow',
    process.cwd(),
  ])
    expect(await text(`[ -e ${place} ] && echo seen`), place).toBe('')
})

confined('there is no network, not even to this machine', async () => {
  const server = createServer((socket) => socket.end('reached')).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as { port: number }
  const { text } = await open()
  const connect = `perl -MSocket -e 'socket(S,PF_INET,SOCK_STREAM,0); connect(S,sockaddr_in(${port},inet_aton("127.0.0.1"))) and print "reached"'`
  expect(await text(connect)).toBe('')
  expect(execFileSync('/bin/sh', ['-c', connect]).toString()).toBe('reached')
  expect(await text('cat /proc/net/dev | grep -c :')).toBe('1\n')
})

confined('it runs without capabilities, as a user without an account, and gains none', async () => {
  const { text, sh } = await open()
  const status = await text('cat /proc/self/status')
  expect(status).toMatch(/^CapEff:\s+0+$/m)
  expect(status).toMatch(/^CapBnd:\s+0+$/m)
  expect(status).toMatch(/^NoNewPrivs:\s+1$/m)
  expect((await sh('echo x > /proc/sys/kernel/core_pattern')).exitCode).not.toBe(0)
  expect((await sh('unshare --user --map-root-user true')).exitCode).not.toBe(0)
  expect((await sh('mount -t tmpfs none /tmp')).exitCode).not.toBe(0)
})

confined('memory, file size and processes are limited', async () => {
  const { sh, text, box } = await open()
  expect((await sh('perl -e \'$x = "x" x 700_000_000\'')).exitCode).not.toBe(0)
  await sh('head -c 5000000 /dev/zero > /out/large')
  expect((await readFile(path.join(box.outputFolder, 'large'))).length).toBe(limits.fileBytes)
  const script =
    'my $n = 0; for (1..100) { my $p = fork; last unless defined $p; if (!$p) { sleep 5; exit } $n++ } print $n'
  expect(Number(await text(`perl -e '${script}'`))).toBeLessThan(limits.processes)
})

confined('the box ends with its deadline, its signal and its closing', async () => {
  const { sh, box } = await open()
  expect(
    await sh('trap "" TERM; sleep 60 & sleep 60', { limits: { ...limits, wallMs: 200 } }),
  ).toMatchObject({
    exitCode: null,
    isLate: true,
  })
  const stop = new AbortController()
  const stopped = sh('echo started; sleep 60', {
    signal: stop.signal,
    onOutput: () => stop.abort(new Error('enough')),
  })
  await expect(stopped).rejects.toThrow('enough')
  const closed = sh('echo started; sleep 60', { onOutput: () => void box.close() })
  await expect(closed).rejects.toThrow('closed')
})

confined('floods of output are cut', async () => {
  const { sh } = await open()
  let seen = 0
  const { output, errors } = await sh(
    'head -c 20000000 /dev/zero; head -c 20000000 /dev/zero >&2; echo end >&2',
    {
      onOutput: (chunk: Buffer) => {
        seen += chunk.length
      },
    },
  )
  expect(seen).toBe(20_000_000)
  expect(output.length).toBe(4_000_000)
  expect(errors.length).toBe(64_000)
  expect(errors).toMatch(/end\n$/)
})

async function openFolder() {
  const folder = path.join(await temporary(), 'folder')
  const sandbox = createSandbox({ clock })
  await sandbox.makeFolder(folder)
  const start = (script: string, rest: object = {}) =>
    sandbox.start({
      program: '/bin/sh',
      args: ['-c', script],
      limits,
      signal: never,
      folder,
      mayWrite: true,
      environment: {},
      ...rest,
    })
  return { folder, start }
}

confined('a program is talked to while it runs, and ends when its input ends', async () => {
  const { start } = await openFolder()
  const { input, output, ended } = await start(
    'while read -r line; do echo "{\\"got\\":$line}"; done; exit 4',
  )
  const lines = createInterface({ input: output })[Symbol.asyncIterator]()
  for (const said of ['1', '"two"', '[3]']) {
    input.write(`${said}\n`)
    expect(await lines.next()).toMatchObject({ value: `{"got":${said}}` })
  }
  input.end()
  expect(await lines.next()).toMatchObject({ done: true })
  expect(await ended).toEqual({ exitCode: 4, isLate: false, errors: '' })
})

confined(
  'a started program changes its folder only if it may, and knows its variables',
  async () => {
    const { folder, start } = await openFolder()
    async function run(script: string, rest: object) {
      const { output, ended } = await start(script, rest)
      return { text: await text(output), ...(await ended) }
    }
    const environment = { GREETING: 'hello you', HOME: '/work', PATH: '/opt/bin:/usr/bin' }
    const script = 'pwd; echo "$GREETING $HOME $PATH"; echo kept > /work/kept'
    expect(await run(script, { environment })).toMatchObject({
      text: '/work\nhello you /work /opt/bin:/usr/bin\n',
      exitCode: 0,
    })
    expect(await readFile(path.join(folder, 'kept'), 'utf8')).toBe('kept\n')
    const refused = await run('cat kept; echo y > kept', { mayWrite: false })
    expect(refused).toMatchObject({ text: 'kept\n' })
    expect(refused.exitCode).not.toBe(0)
  },
)

confined(
  'a started program ends with its signal, also one that does not read its input',
  async () => {
    const { start } = await openFolder()
    const stop = new AbortController()
    const { input, output, ended } = await start('echo started; sleep 60', { signal: stop.signal })
    input.write(Buffer.alloc(1_000_000))
    for await (const chunk of output) {
      expect(String(chunk)).toBe('started\n')
      stop.abort(new Error('closed by the test'))
    }
    await expect(ended).rejects.toThrow('closed by the test')
  },
)

confined('names of files in a box are plain', async () => {
  const { box } = await open()
  for (const name of ['../x', 'a/b', '', '.hidden', 'a b'])
    await expect(box.write(name, '')).rejects.toThrow('not a name')
})

confined('the folders of killed processes are removed', async () => {
  const parent = await temporary()
  const file = path.join(import.meta.dirname, '../process-folder.ts')
  const script = `
    import { createProcessFolder } from ${JSON.stringify(file)}
    await createProcessFolder('box', ${JSON.stringify(parent)})
    process.kill(process.pid, 'SIGKILL')`
  expect(() =>
    execFileSync(process.execPath, ['--input-type=module-typescript', '-e', script], {
      stdio: 'ignore',
    }),
  ).toThrow()
  expect(await readdir(parent)).toHaveLength(1)
  const box = await createSandbox({ clock, parent }).openBox()
  await box.close()
  expect(await readdir(parent)).toEqual([])
})
