// What strangers try in a box. None of it may succeed, and other boxes and the gateway must not notice.
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { connect as connectTo, createServer, type NetConnectOpts, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { memoryBelow } from '../../../bench/lib/memory-of.ts'
import { systemClock as clock } from '../clock.ts'
import { createEgressGuard } from '../egress/guard.ts'
import { isRoot } from './bubblewrap.ts'
import { noGroups } from './control-groups.ts'
import { outputBytesMax, type StandingBox } from './standing-box.ts'
import { createStandingBoxes, defaultLimits } from './standing-boxes.ts'
import { allowedCalls, forbiddenCalls } from './system-calls.ts'

const boxes = createStandingBoxes({ clock })
const isInstalled = (await boxes.missing()) === undefined
const confined = test.skipIf(!isInstalled)
const { signal } = new AbortController()
const python = ['/usr/bin/python3', '-I', '/opt/box/interpreter.py']
const timeoutMs = 20_000

let box: StandingBox
let other: StandingBox

async function open(): Promise<StandingBox> {
  const opened = await boxes.open(signal)
  onTestFinished(opened.close)
  return opened
}

async function sh(command: string, options: { in?: StandingBox; timeoutMs?: number } = {}) {
  const argv = ['/bin/bash', '-c', command]
  const result = await (options.in ?? box).run({ argv, timeoutMs, signal, ...options })
  return { ...result, stdout: result.stdout.toString(), stderr: result.stderr.toString() }
}

/** Runs Python and answers with what it printed. */
async function py(script: string, options: { in?: StandingBox; timeoutMs?: number } = {}) {
  const argv = ['/usr/bin/python3', '-c', script]
  const result = await (options.in ?? box).run({ argv, timeoutMs, signal, ...options })
  return { ...result, stdout: result.stdout.toString(), stderr: result.stderr.toString() }
}

async function read(place: string, bytesMax: number): Promise<Buffer> {
  const parts: Buffer[] = []
  for await (const part of box.readFile(place, bytesMax)) parts.push(part)
  return Buffer.concat(parts)
}

beforeAll(async () => {
  if (!isInstalled) return
  box = await boxes.open(signal)
  other = await boxes.open(signal)
})
afterAll(() => boxes.close())

async function othersWork() {
  expect(await sh('echo works', { in: other })).toMatchObject({ stdout: 'works\n', exitCode: 0 })
}

confined('the first process shows no environment and nothing of the gateway', async () => {
  process.env.TOLLWAY_TEST_SECRET = 'hunter2'
  onTestFinished(() => void delete process.env.TOLLWAY_TEST_SECRET)
  const fresh = await open()
  expect((await sh('cat /proc/1/environ', { in: fresh })).stdout).toBe('')
  const all = await sh('cat /proc/*/environ /proc/*/cmdline | tr "\\0" "\\n"', { in: fresh })
  expect(all.stdout).not.toContain('hunter2')
  expect(all.stdout).not.toContain(process.cwd())
})

confined('no path of the machine is there but its programs', async () => {
  const seen = await sh('ls / /etc /home /home/user')
  expect(seen.stdout.split(/\s+/)).toEqual(
    expect.not.arrayContaining(['root', 'var', 'run', 'srv', 'mnt', 'boot', 'sys', 'shadow']),
  )
  for (const place of ['/root', '/var', '/run', '/sys', '/etc/shadow', process.cwd()])
    expect((await sh(`ls -d ${place}`)).exitCode, place).not.toBe(0)
  expect((await sh('ls /proc/1/root/root /proc/1/cwd/../../root')).exitCode).not.toBe(0)
})

confined('names of the box itself resolve, and it knows its system', async () => {
  const resolve = 'import socket; print(socket.getaddrinfo("localhost", 80)[0][4])'
  expect((await py(resolve)).stdout).toBe("('127.0.0.1', 80)\n")
  expect((await sh('getent hosts localhost box | wc -l; hostname')).stdout).toBe('2\nbox\n')
  expect((await sh('. /etc/os-release; echo $ID')).stdout.trim()).not.toBe('')
})

confined('the parts of /proc that belong to the machine are hidden or read-only', async () => {
  const hidden = ['kcore', 'keys', 'timer_list', 'kallsyms', 'bus', 'fs', 'irq', 'interrupts']
  for (const name of hidden.filter((each) => existsSync(`/proc/${each}`)))
    expect((await sh(`cat /proc/${name} || ls /proc/${name}`)).stdout, name).toBe('')
  const options = await sh('awk \'$5 == "/proc/sys" { print $6 }\' /proc/self/mountinfo')
  expect(options.stdout).toMatch(/^ro,/)
  expect((await sh('cat /proc/sys/kernel/ostype')).stdout).toBe('Linux\n')
})

confined('the first process is not open to those that it starts', async () => {
  const memory = 'import os; os.open("/proc/1/mem", os.O_RDWR)'
  expect((await py(memory)).stderr).toContain('PermissionError')
  for (const file of ['environ', 'maps', 'fd/0', 'root', 'cwd', 'exe'])
    expect((await sh(`stat -L /proc/1/${file} && cat /proc/1/${file}`)).exitCode, file).not.toBe(0)
  expect((await sh('cat /proc/self/oom_score_adj')).stdout).toBe('1000\n')
  expect((await sh('cat /proc/1/oom_score_adj')).stdout).not.toBe('1000\n')
})

confined('a command neither ends, stops, slows nor limits the first process', async () => {
  const fresh = await open()
  const attempts: Readonly<Record<string, string>> = {
    signals: `
for number in sorted(signal.valid_signals()):
    os.kill(1, number)
    signal.pidfd_send_signal(os.pidfd_open(1), number)`,
    limits:
      'for limit in (resource.RLIMIT_CPU, resource.RLIMIT_AS): refused(lambda: resource.prlimit(1, limit, (0, 0)))',
    processors: 'refused(lambda: os.sched_setaffinity(1, {0}))',
    scheduler: 'refused(lambda: os.sched_setscheduler(1, os.SCHED_IDLE, os.sched_param(0)))',
    priority: `
for kind, who in ((os.PRIO_PROCESS, 1), (os.PRIO_PGRP, 1), (os.PRIO_USER, 0), (os.PRIO_USER, os.getuid())):
    refused(lambda: os.setpriority(kind, who, 19))`,
    'memory first': 'refused(lambda: open("/proc/1/oom_score_adj", "w"))',
  }
  const prelude = `import os, resource, signal
def refused(attempt):
    try: attempt()
    except PermissionError: return
    raise SystemExit("not refused")
`
  for (const [name, attempt] of Object.entries(attempts)) {
    const tried = await py(prelude + attempt, { in: fresh })
    expect({ name, ...tried }).toMatchObject({ name, stderr: '', exitCode: 0 })
    expect(fresh.isAlive(), name).toBe(true)
  }
  expect((await sh('kill -KILL -1; echo on', { in: fresh })).stdout).toBe('on\n')
  expect((await sh('grep -E "^(State|Threads)" /proc/1/status', { in: fresh })).stdout).toMatch(
    /^State:\s+[SR]/,
  )
  expect((await sh('echo on', { in: fresh })).stdout).toBe('on\n')
})

confined('a command that begins shows no pipe of the first process', async () => {
  const fresh = await open()
  const watcher = `import os
agent = open("/proc/1/cmdline", "rb").read()
open("watching", "w").close()
own, found = os.getpid(), set()
is_agent = lambda name: open(f"/proc/{name}/cmdline", "rb").read() == agent
while not os.path.exists("enough"):
    for name in os.listdir("/proc"):
        if name.isdigit() and int(name) not in (1, own):
            try:
                if is_agent(name):
                    seen = os.listdir(f"/proc/{name}/fd")
                    if is_agent(name): found.update(seen)
            except OSError: pass
print(sorted(found - {"0", "1", "2"}))`
  const watching = py(watcher, { in: fresh, timeoutMs: 60_000 })
  await expect.poll(() => sh('ls watching', { in: fresh }).then((end) => end.exitCode)).toBe(0)
  for (let count = 0; count < 50; count++) await sh('true', { in: fresh })
  await sh('touch enough', { in: fresh })
  expect(await watching).toMatchObject({ stdout: '[]\n', stderr: '' })
})

/** Starts a server that anything on the machine can reach. */
async function listen(at: { port: number; host?: string } | { path: string }) {
  const server: Server = createServer((socket) => socket.end('reached'))
  onTestFinished(() => void server.close())
  await new Promise<void>((resolve) => server.listen(at, resolve))
  const address = server.address()
  const there = (typeof address === 'string' ? { path: address } : address) as NetConnectOpts
  await expect(
    once(connectTo({ ...there, ...('host' in at && { host: at.host }) }), 'data'),
  ).resolves.toEqual([Buffer.from('reached')])
  return address
}

confined(
  'no address of the machine is reached: no port, no socket, no link-local address',
  async () => {
    const { port } = (await listen({ port: 0, host: '127.0.0.1' })) as { port: number }
    const connect = (family: string, address: string) =>
      `import socket; s = socket.socket(socket.${family}); s.settimeout(2); s.connect(${address}); print(s.recv(9))`
    const tcp = connect('AF_INET', `("127.0.0.1", ${port})`)
    expect((await py(tcp)).stdout).toBe('')

    const folder = await mkdtemp(path.join(tmpdir(), 'tollway-socket-test-'))
    onTestFinished(() => rm(folder, { recursive: true, force: true }))
    const file = path.join(folder, 'database')
    await listen({ path: file })
    expect((await py(connect('AF_UNIX', JSON.stringify(file)))).stdout).toBe('')
    const abstractName = `tollway-test-${process.pid}`
    await listen({ path: `\0${abstractName}` })
    expect((await py(connect('AF_UNIX', `"\\0${abstractName}"`))).stdout).toBe('')

    // The machine of the test may hand out credentials at the usual address, so the test has an address of its own.
    if (isRoot() && existsSync('/usr/sbin/ip')) {
      const address = `169.254.${200 + (process.pid % 50)}.${1 + (process.pid % 250)}`
      execFileSync('/usr/sbin/ip', ['address', 'add', `${address}/32`, 'dev', 'lo'])
      onTestFinished(
        () => void execFileSync('/usr/sbin/ip', ['address', 'del', `${address}/32`, 'dev', 'lo']),
      )
      const bound = (await listen({ port: 0, host: address })) as { port: number }
      expect((await py(connect('AF_INET', `("${address}", ${bound.port})`))).stdout).toBe('')
    }
    expect((await py('import socket; socket.socket(40, socket.SOCK_STREAM)')).stderr).toContain(
      'Address family not supported',
    )
    expect((await sh('cat /proc/net/dev | grep -c :')).stdout).toBe('1\n')
  },
)

confined('another box is not reached: not its network, its processes or its files', async () => {
  const server = `import socket; s = socket.create_server(("127.0.0.1", 4999)); open("/home/user/ready", "w").close(); s.accept()`
  const serving = py(server, { in: other, timeoutMs: 3_000 })
  await expect.poll(() => sh('ls ready', { in: other }).then(({ exitCode }) => exitCode)).toBe(0)
  const connect = 'import socket; socket.create_connection(("127.0.0.1", 4999), 1)'
  expect((await py(connect, { in: other })).exitCode).toBe(0)
  expect((await py(connect)).exitCode).not.toBe(0)
  await serving
  await sh('echo private > mine; sleep 60 & echo $! > /tmp/pid', { in: other })
  expect((await sh('cat mine')).exitCode).not.toBe(0)
  expect((await sh('ls /proc | grep -c "^[0-9]"')).stdout).toMatch(/^[1-9]\n$/)
})

confined('the system cannot be changed, mounted over, traced or left', async () => {
  const tries: Readonly<Record<string, string>> = {
    'write to /usr': 'echo x > /usr/bin/x',
    'write to /': 'echo x > /x',
    'write to /etc': 'echo x >> /etc/passwd',
    'write to /dev': 'echo x > /dev/x',
    core_pattern: 'echo "|/tmp/x" > /proc/sys/kernel/core_pattern',
    remount: 'mount -o remount,rw /usr',
    mount: 'mount -t tmpfs none /tmp',
    umount: 'umount /tmp',
    'user namespace': 'unshare --user --map-root-user true',
    'network namespace': 'unshare --net true',
    chroot: 'chroot / true',
    'become root': 'setpriv --reuid=0 true',
    'kill the agent': 'kill -9 1; sleep 0.1; kill -0 1 && exit 1',
  }
  for (const [name, command] of Object.entries(tries))
    expect((await sh(command)).exitCode, name).not.toBe(0)
  const status = (await sh('cat /proc/self/status')).stdout
  expect(status).toMatch(/^CapEff:\s+0+$/m)
  expect(status).toMatch(/^CapBnd:\s+0+$/m)
  expect(status).toMatch(/^NoNewPrivs:\s+1$/m)
  expect(status).toMatch(/^Seccomp:\s+2$/m)
  expect((await sh('true')).exitCode).toBe(0)
})

confined(
  'the kernel refuses what reaches out of a box, and knows nothing of other calls',
  async () => {
    const column = process.arch === 'x64' ? 0 : 1
    const forbidden = Object.entries(forbiddenCalls).flatMap(([name, numbers]) =>
      numbers[column] === undefined ? [] : [{ name, number: numbers[column] }],
    )
    const newUsers = '0x10000000 | 17'
    const script = `import ctypes; c = ctypes.CDLL(None, use_errno=True)
for n in ${JSON.stringify(forbidden.map(({ number }) => number))}: print(c.syscall(n, 0, 0, 0, 0, 0), ctypes.get_errno())
c.syscall(${allowedCalls.clone?.[column]}, ${newUsers}, 0, 0, 0, 0); print("clone", ctypes.get_errno())
for n in (435, 457, 461, 999): print(c.syscall(n, 0, 0), ctypes.get_errno())`
    const seen = (await py(script)).stdout.trim().split('\n')
    for (const [at, { name }] of forbidden.entries()) expect(seen[at], name).toBe('-1 1')
    expect(seen.slice(forbidden.length)).toEqual(['clone 1', ...Array(4).fill('-1 38')])
  },
)

test.skipIf(!isInstalled || process.arch !== 'x64')(
  'a call of the x32 convention ends its program',
  async () => {
    const x32 = 'import ctypes; ctypes.CDLL(None).syscall(0x40000000 + 39); print("survived")'
    expect(await py(x32)).toMatchObject({ stdout: '', exitCode: null })
  },
)

confined('ordinary programs work under the list of allowed calls', async () => {
  const threads = `import asyncio, concurrent.futures, multiprocessing, sqlite3, subprocess, tempfile, threading
async def main():
  process = await asyncio.create_subprocess_exec("echo", "async", stdout=-1)
  server = await asyncio.start_server(lambda r, w: w.close(), "127.0.0.1", 0)
  await asyncio.open_connection(*server.sockets[0].getsockname())
  return (await process.communicate())[0]
if __name__ == "__main__":
  with concurrent.futures.ThreadPoolExecutor(4) as pool: print(sum(pool.map(lambda n: n * n, range(9))))
  with multiprocessing.Pool(2) as pool: print(pool.map(abs, [-1, -2]))
  db = sqlite3.connect("data.db"); db.execute("create table t(a)"); db.commit(); print(db.execute("pragma journal_mode=wal").fetchone())
  print(subprocess.check_output("echo sub | tr a-z A-Z", shell=True), asyncio.run(main()))`
  const worker = `const { Worker } = require('node:worker_threads'); const { execFileSync } = require('node:child_process')
new Worker('require("node:worker_threads").parentPort.postMessage(6 * 7)', { eval: true }).on('message', console.log)
require('node:zlib').gzip('x', () => console.log(execFileSync('/bin/echo', ['child']).toString().trim()))
require('node:fs').watch('.').close(); require('node:crypto').pbkdf2('p', 's', 9, 9, 'sha1', () => {})`
  await box.writeFile('programs/all.py', [Buffer.from(threads)], signal)
  await box.writeFile('programs/all.cjs', [Buffer.from(worker)], signal)
  const source = 'int puts(const char *); int main(void) { return puts("compiled") < 0; }'
  await box.writeFile('programs/all.c', [Buffer.from(source)], signal)
  const git = 'git -c user.name=a -c user.email=a@b.example'
  const programs: Readonly<Record<string, readonly [command: string, output: string]>> = {
    python3: ['python3 all.py', "204\n[1, 2]\n('wal',)\nb'SUB\\n' b'async\\n'\n"],
    node: ['node all.cjs | sort', '42\nchild\n'],
    git: [
      `${git} init -q r && cd r && echo x > f && git add f && ${git} commit -qm first && git clone -q . ../c && git -C ../c log --format=%s`,
      'first\n',
    ],
    gcc: ['gcc -O2 -o compiled all.c && ./compiled', 'compiled\n'],
    perl: [`perl -e 'print join ",", map { $_ * 2 } 1 .. 3; system "echo"'`, '2,4,6\n'],
    tar: ['tar -czf all.tar.gz all.c && tar -tzf all.tar.gz', 'all.c\n'],
    bash: ['cat <(echo one) <(seq 2) | sort | uniq | wc -l; time sleep 0', '3\n'],
  }
  for (const [name, [command, output]] of Object.entries(programs)) {
    if (!existsSync(`/usr/bin/${name}`) && name !== 'node') continue
    const ran = await sh(`cd programs && { ${command}; }`)
    expect({ name, ...ran }).toMatchObject({ name, stdout: output, exitCode: 0 })
  }
})

confined('a fork bomb stays in its box', async () => {
  const bombed = await open()
  await sh(':(){ :|:& };:', { in: bombed, timeoutMs: 2_000 })
  await othersWork()
  const forks =
    'import os, time\nn = 0\ntry:\n  while os.fork(): n += 1\n  time.sleep(5)\nexcept OSError: print(n)'
  const counted = await open()
  expect(Number((await py(forks, { in: counted })).stdout)).toBeLessThan(defaultLimits.processes)
})

confined('memory is limited, and the box goes on', async () => {
  const { exitCode, stdout } = await py('x = b"x" * 2_000_000_000; print("allocated")')
  expect([exitCode, stdout]).not.toEqual([0, 'allocated\n'])
  // Several processes together.
  const many =
    'for i in 1 2 3 4; do python3 -c "x = b\'x\' * 300_000_000; import time; time.sleep(3); print(1)" & done; wait'
  expect((await sh(many)).stdout).not.toBe('1\n1\n1\n1\n')
  expect((await sh('echo on')).stdout).toBe('on\n')
  await othersWork()
})

confined('its files cannot fill the machine', async () => {
  const full = await open()
  for (const place of ['/home/user', '/tmp', '/dev/shm']) {
    const filled = await sh(
      `head -c 2000000000 /dev/zero > ${place}/fill; stat -c %s ${place}/fill; rm ${place}/fill`,
      { in: full },
    )
    expect(Number(filled.stdout), place).toBeLessThanOrEqual(defaultLimits.homeBytes)
  }
  expect((await sh('echo on > on; cat on', { in: full })).stdout).toBe('on\n')
  await othersWork()
})

confined('a gigabyte of output is cut, and the command goes to its end', async () => {
  const flooded = await sh('head -c 1000000000 /dev/zero; echo end >&2; exit 4')
  expect(flooded).toMatchObject({ exitCode: 4, isCut: true, stderr: 'end\n' })
  expect(flooded.stdout.length).toBe(outputBytesMax)
})

confined(
  'a process that ignores SIGTERM ends at its timeout, with those that it started',
  async () => {
    const stubborn = await sh('trap "" TERM INT HUP; echo $$ > group; sleep 300 & sleep 300', {
      timeoutMs: 300,
    })
    expect(stubborn).toMatchObject({ timedOut: true, exitCode: null })
    expect((await sh('kill -0 -- -$(cat group)')).exitCode).not.toBe(0)
  },
)

confined('links and dots lead to no file outside the home folder', async () => {
  await sh(
    'ln -s /etc/passwd link; ln -s / root; ln -s ../../etc up; mkfifo pipe; ln -s /dev/zero endless',
  )
  const places = [
    'link',
    'root/etc/passwd',
    '../../etc/passwd',
    'up/passwd',
    '/etc/passwd',
    '/proc/1/environ',
    'endless',
    'pipe',
    '',
    '.',
  ]
  for (const place of places) {
    await expect(read(place, 1_000), place).rejects.toMatchObject({ name: 'BoxRefusal' })
    await expect(box.writeFile(place, [Buffer.from('x')], signal), place).rejects.toMatchObject({
      name: 'BoxRefusal',
    })
  }
  await expect(read('a\0b', 10)).rejects.toMatchObject({ name: 'BoxRefusal' })
  const bytes = Buffer.from([0, 255, 10, 13, 128])
  await box.writeFile('new/folder/é.bin', [bytes], signal)
  expect(await read('/home/user/new/folder/é.bin', 5)).toEqual(bytes)
  await expect(read('new/folder/é.bin', 4)).rejects.toThrow('more than 4')
})

confined('a file that changes while it is read is refused', async () => {
  await box.writeFile('file', [Buffer.alloc(1_500_000, 'a')], signal)
  const parts = box.readFile('file', 10_000_000)
  await parts.next()
  await box.writeFile('file', [Buffer.alloc(1_500_000, 'b')], signal)
  await expect(parts.next()).rejects.toThrow('changed while it was read')
  const again = await read('file', 10_000_000)
  expect(again.equals(Buffer.alloc(1_500_000, 'b'))).toBe(true)
})

confined('ten calls at once do not mix', async () => {
  const commands = Array.from({ length: 10 }, (_, n) =>
    sh(`for i in $(seq 200); do echo ${n}; echo ${n} >&2; done`),
  )
  for (const [n, { stdout, stderr }] of (await Promise.all(commands)).entries())
    expect([stdout, stderr]).toEqual([`${n}\n`.repeat(200), `${n}\n`.repeat(200)])
  const codes = Array.from({ length: 10 }, (_, n) => {
    const code = `mine = ${n}\nfor i in range(50): print(mine)`
    return box.runCode({ argv: python, code, timeoutMs, signal })
  })
  for (const [n, { stdout }] of (await Promise.all(codes)).entries())
    expect(stdout.toString()).toBe(`${n}\n`.repeat(50))
})

confined('nothing is left of a closed box', async () => {
  const parent = await mkdtemp(path.join(tmpdir(), 'tollway-boxes-test-'))
  onTestFinished(() => rm(parent, { recursive: true, force: true }))
  await chmod(parent, 0o711)
  const own = createStandingBoxes({ clock, parent })
  onTestFinished(own.close)
  const closed = await own.open(signal)
  const marker = `tollway-left-${process.pid}`
  await sh(`setsid nohup python3 -c "import time; time.sleep(600)" ${marker} > /dev/null 2>&1 &`, {
    in: closed,
  })
  const running = sh('sleep 600', { in: closed })
  running.catch(() => {})
  await expect.poll(() => findProcesses(marker)).not.toEqual([])
  await Promise.all([closed.close(), closed.close()])
  await closed.close()
  await expect(running).rejects.toThrow('ended')
  expect(await findProcesses(marker)).toEqual([])
  await own.close()
  expect(await readdir(parent)).toEqual([])
})

async function findProcesses(marker: string): Promise<string[]> {
  const all = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const lines = await Promise.all(
    all.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')),
  )
  return lines.filter((line) => line.includes(marker))
}

confined(
  'variables survive in an interpreter, and an endless one is interrupted with them',
  async () => {
    const run = async (code: string, ms = timeoutMs) => {
      const result = await box.runCode({ argv: python, code, timeoutMs: ms, signal })
      return { ...result, stdout: result.stdout.toString(), stderr: result.stderr.toString() }
    }
    expect(await run('kept = 41')).toMatchObject({ exitCode: 0, stdout: '' })
    expect(await run('print(kept + 1)')).toMatchObject({ exitCode: 0, stdout: '42\n' })
    expect(await run('while True: pass', 300)).toMatchObject({ exitCode: null, timedOut: true })
    expect(await run('print(kept)')).toMatchObject({ stdout: '41\n' })
    expect((await run('1 / 0')).stderr).toContain('ZeroDivisionError')
    expect(await run('import os; os._exit(7)')).toMatchObject({ exitCode: 7 })
    expect((await run('print(kept)')).stderr).toContain('NameError')
  },
)

confined(
  'without control groups, each process is limited and the agent watches all of them',
  async () => {
    const own = createStandingBoxes({ clock, openGroups: async () => noGroups })
    onTestFinished(own.close)
    expect(await own.limitedBy()).toBe('rlimits')
    const bare = await own.open(signal)
    expect((await py('x = b"x" * 2_000_000_000; print("allocated")', { in: bare })).stdout).toBe('')
    const many =
      'for i in 1 2 3; do python3 -c "x = b\'x\' * 300_000_000; import time; time.sleep(5); print(1)" & done; wait'
    expect((await sh(many, { in: bare })).stdout).not.toBe('1\n1\n1\n')
    await sh(':(){ :|:& };:', { in: bare, timeoutMs: 1_000 })
    await othersWork()
    const javascript = await own.open(signal)
    expect((await sh('node -e "console.log(1 + 1)"', { in: javascript })).stdout).toBe('2\n')
  },
)

confined.each([
  ['by the best that the machine offers', undefined],
  ['without control groups', async () => noGroups],
])('the processor time of hidden processes is counted: %s', async (_, openGroups) => {
  const own = createStandingBoxes({ clock, ...(openGroups && { openGroups }) })
  onTestFinished(own.close)
  const measured = await own.open(signal)
  const before = await measured.processorSeconds()
  // Its parent ignores its end, so the kernel adds its time to no other process.
  const hidden = `import os, signal, time
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
if os.fork() == 0:
    os.setsid()
    while time.process_time() < 1.2: pass
    open("done", "w").close()
    os._exit(0)
while not os.path.exists("done"): time.sleep(0.1)`
  expect((await py(hidden, { in: measured, timeoutMs: 120_000 })).exitCode).toBe(0)
  expect((await measured.processorSeconds()) - before).toBeGreaterThanOrEqual(0.8)
})

confined.each([
  ['by the best that the machine offers', undefined],
  ['without control groups', async () => noGroups],
])(
  'programs in the background are counted, and those that ended are not: %s',
  async (_, openGroups) => {
    const own = createStandingBoxes({ clock, ...(openGroups && { openGroups }) })
    onTestFinished(own.close)
    const box = await own.open(signal)
    expect(await box.programs()).toBe(0)
    await sh('for each in 1 2; do sleep 600 > /dev/null 2>&1 & echo $! >> pids; done', { in: box })
    expect(await box.programs()).toBe(2)
    const usedByAsking = async () => {
      const before = await box.processorSeconds()
      for (let asked = 0; asked < 20; asked++) await box.programs()
      return (await box.processorSeconds()) - before
    }
    // The programs may still be starting.
    await expect.poll(usedByAsking).toBe(0)
    await sh('kill $(cat pids)', { in: box })
    await expect.poll(() => box.programs()).toBe(0)
  },
)

/** Three hundred processes that each compute for four milliseconds. The file says how long all of them did. */
const burst = (
  prepare: string,
  begin: string,
  after = 'time.sleep(0.005)',
) => `import ctypes, os, signal, time
${prepare}
log = os.open("used", os.O_CREAT | os.O_WRONLY | os.O_APPEND)
for count in range(300):
    if os.fork() == 0:
        ${begin}
        while time.process_time() < 0.004: pass
        os.write(log, b"%f\\n" % time.process_time())
        os._exit(0)
    ${after}`

const noZombies = `class Action(ctypes.Structure):
    _fields_ = [("handler", ctypes.c_void_p), ("mask", ctypes.c_ulong * 16), ("flags", ctypes.c_int), ("restorer", ctypes.c_void_p)]
if ctypes.CDLL(None).sigaction(17, ctypes.byref(Action(flags=2)), None): raise SystemExit("refused")`

confined.each([
  ['whose end is ignored', burst('signal.signal(signal.SIGCHLD, signal.SIG_IGN)', 'pass')],
  ['whose parent wants no zombies', burst(noZombies, 'pass')],
  [
    'that leave their parent',
    burst('', 'os.fork() and os._exit(0)', 'os.wait(); time.sleep(0.005)'),
  ],
  ['whose parent waits', burst('', 'pass', 'os.wait()')],
])('without control groups, no time is lost of short processes %s', async (_, script) => {
  const own = createStandingBoxes({ clock, openGroups: async () => noGroups })
  onTestFinished(own.close)
  const measured = await own.open(signal)
  const began = clock.now()
  const before = await measured.processorSeconds()
  expect(await py(script, { in: measured })).toMatchObject({ stderr: '', exitCode: 0 })
  const used = Number(
    (await sh("awk '{ used += $1 } END { print used }' used", { in: measured })).stdout,
  )
  expect(used).toBeGreaterThan(1.1)
  const counted = (await measured.processorSeconds()) - before
  expect(counted).toBeGreaterThanOrEqual(used)
  expect(counted).toBeLessThanOrEqual((clock.now() - began) / 1_000 + 0.1)
})

confined(
  'without control groups, waiting costs nothing, and a box has its processors',
  async () => {
    const own = createStandingBoxes({ clock, openGroups: async () => noGroups })
    onTestFinished(own.close)
    const measured = await own.open(signal)
    expect(measured.size.processors).toBe(defaultLimits.cpus)
    expect((await sh('nproc', { in: measured })).stdout).toBe('1\n')
    const choose = 'import os; os.sched_setaffinity(0, range(os.cpu_count()))'
    expect((await py(choose, { in: measured })).stderr).toContain('PermissionError')
    const before = await measured.processorSeconds()
    await sh('sleep 2; true', { in: measured })
    expect((await measured.processorSeconds()) - before).toBeLessThan(0.5)
  },
)

confined('twenty idle boxes with a network use at most 200 MB', async () => {
  const egress = { guard: createEgressGuard(), bytesMax: 1_000_000 }
  const own = createStandingBoxes({ clock, egress })
  onTestFinished(own.close)
  const before = await memoryBelow(process.pid)
  const many = await Promise.all(Array.from({ length: 20 }, () => own.open(signal)))
  await Promise.all(many.map((each) => sh('true', { in: each })))
  expect((await memoryBelow(process.pid)) - before).toBeLessThan(200_000_000)
})
